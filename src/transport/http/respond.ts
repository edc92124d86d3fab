import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { errorMessage } from '../json-rpc.ts';
import type { Refusal } from '../access/guard.ts';

/** Unread bytes of a client before its stream is dropped. */
export const bufferLimit = 8 * 1024 * 1024;

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
 * Sends a response of the SDK. It is read as fast as it is produced, not as fast as the client reads: the backlog is then in
 * one place, where it can be limited. With backpressure, it would grow inside the SDK's stream without a limit.
 * Resolves with whether the client got all of it.
 */
export async function sendResponse(
  response: ServerResponse,
  answer: Response,
  limit: number = bufferLimit,
): Promise<'sent' | 'gone' | 'dropped'> {
  const headers: OutgoingHttpHeaders = Object.fromEntries(answer.headers);
  // Node decides this itself, for example on the last request before the end.
  delete headers['connection'];
  if (answer.body === null) {
    response.writeHead(answer.status, headers).end();
    return 'sent';
  }
  response.writeHead(answer.status, headers);
  response.flushHeaders();
  const reader = answer.body.getReader();
  const cancel = (): void => void reader.cancel().catch(() => undefined);
  response.once('close', cancel);
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      if (isBehind(response, limit)) {
        response.destroy();
        return 'dropped';
      }
      response.write(value);
    }
  } finally {
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
