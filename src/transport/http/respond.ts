import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { errorMessage } from '../json-rpc.ts';
import type { Refusal } from '../access/guard.ts';

/** Unread bytes of a client before its stream is dropped. */
export const bufferLimit = 8 * 1024 * 1024;

export interface SendOptions {
  /** Unread bytes that the client may leave. */
  readonly limit?: number;
  /** Whether the start of the answer may wait for the rest. */
  readonly isHeld?: boolean;
}

/** Answers with an error in the form that MCP clients show. */
export function refuse(response: ServerResponse, { status, message, headers = {} }: Refusal, code = -32_000): void {
  if (response.headersSent || response.destroyed) return;
  const body = errorMessage(code, message);
  response.writeHead(status, { ...headers, 'Content-Type': 'application/json' }).end(body);
}

export function sendText(response: ServerResponse, status: number, type: string, text: string): void {
  response.writeHead(status, { 'Content-Type': type, 'Cache-Control': 'no-store' }).end(text);
}

/**
 * How long the start of an answer waits for the rest, to leave in one write. Separate writes cost a system call and a
 * wake-up of the client each. A client of a slow call sees the stream open after this time.
 */
const holdMs = 50;

/**
 * Sends a response of the SDK. It is read as fast as it is produced, not as fast as the client reads: the backlog is then in
 * one place, where it can be limited. With backpressure, it would grow inside the SDK's stream without a limit.
 * Resolves with whether the client got all of it.
 */
export async function sendResponse(
  response: ServerResponse,
  answer: Response,
  { limit = bufferLimit, isHeld = false }: SendOptions = {},
): Promise<'sent' | 'gone' | 'dropped'> {
  const headers: OutgoingHttpHeaders = Object.fromEntries(answer.headers);
  // Node decides this itself, for example on the last request before the end.
  delete headers['connection'];
  response.writeHead(answer.status, headers);
  if (answer.body === null) {
    response.end();
    return 'sent';
  }
  const reader = answer.body.getReader();
  const cancel = (): void => void reader.cancel().catch(() => undefined);
  response.once('close', cancel);
  const start = new AnswerStart(response, isHeld);
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      if (isBehind(response, limit)) {
        response.destroy();
        return 'dropped';
      }
      start.write(value);
    }
  } finally {
    start.flush();
    response.off('close', cancel);
  }
  if (response.destroyed) return 'gone';
  response.end();
  return 'sent';
}

/** Whether the client has more than the limit still to read. A single larger message is not held against it. */
export function isBehind({ writableLength }: ServerResponse, limit: number): boolean {
  return writableLength > limit;
}

/** Holds the headers and the first chunk of an answer until the second chunk, the end or a time limit. */
class AnswerStart {
  readonly #response: ServerResponse;
  readonly #timer: NodeJS.Timeout | undefined;
  #first: Uint8Array | undefined;
  #isHeld: boolean;

  constructor(response: ServerResponse, isHeld: boolean) {
    this.#response = response;
    this.#isHeld = isHeld;
    if (isHeld) this.#timer = setTimeout(() => this.flush(), holdMs);
    else response.flushHeaders();
  }

  write(chunk: Uint8Array): void {
    if (this.#isHeld && this.#first === undefined) {
      this.#first = chunk;
      return;
    }
    this.flush();
    this.#response.write(chunk);
  }

  flush(): void {
    if (!this.#isHeld) return;
    this.#isHeld = false;
    clearTimeout(this.#timer);
    if (this.#response.destroyed) return;
    if (this.#first === undefined) this.#response.flushHeaders();
    else this.#response.write(this.#first);
  }
}
