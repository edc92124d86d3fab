import { loadApp } from '../../app.ts';
import { UnknownToolError } from '../../call/dispatch.ts';
import type { CallResult } from '../../call/answer/report.ts';
import type { LoadedConfig } from '../../config/load.ts';
import { ConfigError } from '../../errors.ts';
import { camelCase } from '../../util/text.ts';
import { superviseLifetime } from '../lifetime.ts';
import { loggerFor } from '../logger.ts';

/** Calls tools in sequence in one session, prints their answers and closes the browser. */
export async function callTools(
  { config, warnings }: LoadedConfig,
  calls: readonly (readonly string[])[],
): Promise<number> {
  if (calls.length === 0)
    throw new ConfigError(['Which tool? For example: pagehelm call browser_navigate --url https://example.com']);
  const level = config.logging.level === 'info' ? 'warn' : config.logging.level;
  const log = await loggerFor({ ...config.logging, level });
  await using app = await loadApp({ config, log });
  for (const warning of [...warnings, ...app.warnings]) log.warn(warning);
  using _lifetime = superviseLifetime({
    dispose: async () => app[Symbol.asyncDispose](),
    endSync: () => app.endSync(),
    exit: (code) => process.exit(code),
    log,
    events: process,
    stdout: process.stdout,
  });
  for (const [name = '', ...words] of calls) {
    const known = app.tools.some((tool) => tool.name === name) ? name : `browser_${name}`;
    try {
      const result = await app.call({
        name: app.tools.some((tool) => tool.name === known) ? known : name,
        args: argumentsFrom(words),
      });
      console.log(textOf(result));
      if (result.isError === true) return 1;
    } catch (error) {
      if (!(error instanceof UnknownToolError)) throw error;
      const near = error.suggestion === undefined ? '' : ` Did you mean ${error.suggestion}?`;
      throw new ConfigError([`${error.message}.${near}`]);
    }
  }
  return 0;
}

/** `--url x --full-page --modifiers Alt --modifiers Shift`, or one JSON object. */
function argumentsFrom(words: readonly string[]): Readonly<Record<string, unknown>> {
  const result: Record<string, unknown> = {};
  for (let i = 0; i < words.length; i++) {
    const word = words[i] ?? '';
    if (word.startsWith('{')) {
      Object.assign(result, jsonObject(word));
      continue;
    }
    if (!word.startsWith('--'))
      throw new ConfigError([`Unexpected word "${word}". Arguments are written as --name value.`]);
    const [flag = '', ...inline] = word.slice(2).split('=');
    const next = words[i + 1];
    const takesNext = inline.length === 0 && next !== undefined && !next.startsWith('--');
    if (takesNext) i++;
    const name = camelCase(flag);
    const value = inline.length > 0 ? inline.join('=') : takesNext ? next : true;
    result[name] = Object.hasOwn(result, name) ? [result[name], value].flat() : value;
  }
  return result;
}

function jsonObject(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value;
  } catch {
    // Reported below.
  }
  throw new ConfigError([`Not a JSON object: ${text}`]);
}

function textOf(result: CallResult): string {
  return result.content
    .flatMap((item) => {
      if (item.type === 'text') return [item.text];
      // The text names the path of a file.
      return item.type === 'image' ? [`[${item.mimeType}, ${item.data.length} characters of base64]`] : [];
    })
    .join('\n');
}
