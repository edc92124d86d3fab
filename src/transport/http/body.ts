import type { IncomingMessage } from 'node:http';
import { isJsonContentType } from '@modelcontextprotocol/server';
import { parseProblem } from '../json-rpc.ts';
import type { Refusal } from '../access/guard.ts';

export type Body = { readonly value: unknown } | { readonly refusal: Refusal; readonly code?: number };

/** Deeper data is an attack on a parser; tools take a few levels. */
const deepest = 100;

/** A byte order mark is skipped. */
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Reads a JSON body within its limits. */
export async function readJson(request: IncomingMessage, maxBytes: number): Promise<Body> {
  const unsupported = mediaTypeProblem(request);
  if (unsupported !== undefined) return { refusal: { status: 415, message: unsupported } };
  const bytes = await readBytes(request, maxBytes);
  if (bytes === undefined) {
    const message = `Payload too large: the body may have at most ${maxBytes} bytes.`;
    return { refusal: { status: 413, message, headers: { Connection: 'close' } } };
  }
  return parse(bytes);
}

function mediaTypeProblem({ headers }: IncomingMessage): string | undefined {
  const type = headers['content-type'];
  if (!isJsonContentType(type ?? null)) return 'Unsupported Media Type: Content-Type must be application/json.';
  const charset = /charset\s*=\s*"?([^\s;"]+)/i.exec(type ?? '')?.[1];
  if (charset !== undefined && !/^utf-?8$/i.test(charset)) return 'Unsupported Media Type: the charset must be UTF-8.';
  const encoding = headers['content-encoding'] ?? 'identity';
  return encoding === 'identity' ? undefined : 'Unsupported Media Type: the body must not be compressed.';
}

/** Undefined for a body over the limit: what follows is not kept. */
export async function readBytes(request: IncomingMessage, maxBytes: number): Promise<Buffer | undefined> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) return undefined;
  const chunks: Buffer[] = [];
  let length = 0;
  return new Promise((resolve, reject) => {
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= maxBytes) chunks.push(chunk);
      else {
        request.pause();
        resolve(undefined);
      }
    });
    request.once('end', () => resolve(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)));
    request.once('error', reject);
    // Every request closes in the end; an error for each would cost a stack trace.
    request.once('close', () => (request.readableEnded ? undefined : reject(new Error('the client went away'))));
  });
}

function parse(bytes: Buffer): Body {
  const broken = (message: string): Body => ({
    refusal: { status: 400, message: `Parse error: ${message}` },
    code: -32_700,
  });
  try {
    const value: unknown = JSON.parse(utf8.decode(bytes));
    return isDeeper(value, deepest) ? broken(`data may be nested ${deepest} levels deep.`) : { value };
  } catch (error) {
    return broken(error instanceof SyntaxError ? `${parseProblem(error)}.` : 'the body is not UTF-8.');
  }
}

/** Whether there is a value below so many levels. */
function isDeeper(value: unknown, levels: number): boolean {
  if (levels === 0) return true;
  if (typeof value !== 'object' || value === null) return false;
  for (const each of Object.values(value)) if (isDeeper(each, levels - 1)) return true;
  return false;
}
