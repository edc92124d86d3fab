import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';

/** A multiple of three bytes, so that the parts of the base64 text join without padding. */
const partBytes = 3 * 256 * 1024;

/**
 * Binary content of one answer. The protocol server gets a placeholder, and the content takes its place when the answer is
 * sent. Otherwise megabytes of base64 would be copied at every step: serialised, encoded, sent through a stream.
 */
export class LateBlobs {
  readonly #held = new Map<string, Uint8Array>();

  /** Returns the placeholder, which is valid base64 and unknown to anyone else. */
  readonly hold = (data: Uint8Array): string => {
    const placeholder = randomBytes(24).toString('hex');
    this.#held.set(placeholder, data);
    return placeholder;
  };

  get isEmpty(): boolean {
    return this.#held.size === 0;
  }

  /** Sends an answer with the content in place of the placeholders. */
  async send(response: ServerResponse, answer: Response): Promise<void> {
    const parts = this.#split(await answer.text());
    const headers: OutgoingHttpHeaders = Object.fromEntries(answer.headers);
    delete headers['connection'];
    const length = parts.reduce(
      (sum, part) => sum + (typeof part === 'string' ? Buffer.byteLength(part) : base64Length(part)),
      0,
    );
    response.writeHead(answer.status, { ...headers, 'Content-Length': length });
    for (const part of parts) {
      if (response.destroyed) return;
      if (typeof part === 'string') response.write(part);
      else await writeBase64(response, part);
    }
    response.end();
  }

  #split(text: string): readonly (string | Uint8Array)[] {
    let parts: readonly (string | Uint8Array)[] = [text];
    for (const [placeholder, data] of this.#held) {
      parts = parts.flatMap((part) => (typeof part === 'string' ? between(part.split(placeholder), data) : [part]));
    }
    return parts;
  }
}

function between(texts: readonly string[], data: Uint8Array): readonly (string | Uint8Array)[] {
  return texts.flatMap((text, index) => (index === 0 ? [text] : [data, text]));
}

/** Encodes as fast as the client reads: a client that does not read costs no memory. */
async function writeBase64(response: ServerResponse, data: Uint8Array): Promise<void> {
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  for (let start = 0; start < bytes.length; start += partBytes) {
    const isRoom = response.write(bytes.toString('base64', start, start + partBytes), 'latin1');
    if (isRoom) continue;
    const gone = new AbortController();
    const end = (): void => gone.abort();
    response.once('close', end);
    await once(response, 'drain', { signal: gone.signal }).catch(() => undefined);
    response.off('close', end);
    if (response.destroyed) return;
  }
}

function base64Length({ byteLength }: Uint8Array): number {
  return Math.ceil(byteLength / 3) * 4;
}
