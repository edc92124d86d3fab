import { isUtf8 } from 'node:buffer';
import { setImmediate } from 'node:timers/promises';
import type { TypedSecrets } from '../../policy/typed-secrets.ts';
import { mapTexts } from '../../util/map-texts.ts';
import { isRecord } from '../../util/records.ts';
import { rewriteZip } from '../../util/zip.ts';
import { isSecretHeader, withoutSecrets } from '../events/request-facts.ts';

const redacted = '[REDACTED]';
/** Stacks of this server's code: of no use to the caller, and they show paths of the server. */
const noStacks = '{"files":[],"stacks":[]}';
/** Characters that are handled before other work of the server gets its turn. */
const chunkLength = 1_000_000;

/**
 * The archive of a trace without secrets in its texts: configured ones, those typed into secret fields, cookies, and
 * headers and fields with the names of credentials. Images are unchanged.
 */
export async function redactTrace(
  archive: Buffer,
  redact: (text: string) => string,
  typedSecrets: TypedSecrets,
): Promise<Buffer> {
  const inText = (text: string): string => withoutSecrets(redact(text), { typedSecrets }, false);
  const inRequest = (text: string): string => withoutSecrets(redact(text), { typedSecrets }, true);
  return rewriteZip(archive, async (name, content) => {
    if (name.endsWith('.stacks')) return Buffer.from(noStacks);
    if (!isUtf8(content) || content.includes(0)) return undefined;
    const before = content.toString('utf8');
    const isEvents = /\.(?:trace|network)$/.test(name);
    const map = name.endsWith('.network') ? inRequest : inText;
    const after = isEvents ? await redactEvents(before, map) : inText(before);
    return after === before ? undefined : Buffer.from(after);
  });
}

/** One event in JSON per line. */
async function redactEvents(text: string, map: (text: string) => string): Promise<string> {
  const lines: string[] = [];
  let length = 0;
  for (const line of text.split('\n')) {
    lines.push(redactEvent(line, map));
    length += line.length;
    if (length < chunkLength) continue;
    length = 0;
    await setImmediate();
  }
  return lines.join('\n');
}

function redactEvent(line: string, map: (text: string) => string): string {
  if (line.trim() === '') return line;
  try {
    const event: unknown = JSON.parse(line);
    const shown = isRecord(event) ? { ...event, stack: undefined } : event;
    return JSON.stringify(withoutCredentials(mapTexts(shown, map)));
  } catch {
    // The last line of a recording that was cut off.
    return map(line);
  }
}

/** Replaces the values of cookies, and of headers and form fields with the names of credentials. */
function withoutCredentials(value: unknown, isCookie = false): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutCredentials(item, isCookie));
  if (!isRecord(value)) return value;
  const { name } = value;
  const isSecret = isCookie || (typeof name === 'string' && isSecretHeader(name));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      if (isSecret && key === 'value' && typeof item === 'string') return [key, redacted];
      return [key, withoutCredentials(item, key === 'cookies')];
    }),
  );
}
