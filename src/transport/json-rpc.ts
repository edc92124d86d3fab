import { isJSONRPCNotification, isJSONRPCRequest } from '@modelcontextprotocol/server';
import type { JSONRPCMessage } from '@modelcontextprotocol/server';

type Id = string | number | null;

export interface MessageSink {
  deliver(message: JSONRPCMessage): void;
  /** Answers text that is not a message of the protocol. */
  refuse(code: number, message: string, id?: Id): void;
}

/** Reads one message or one batch. Without an answer to malformed input, its sender would wait indefinitely. */
export function readMessages(text: string, sink: MessageSink): void {
  let message: unknown;
  try {
    message = JSON.parse(text);
  } catch (error) {
    sink.refuse(-32_700, `Parse error: ${parseProblem(error)}`);
    return;
  }
  if (!Array.isArray(message)) readMessage(message, sink);
  else if (message.length === 0) sink.refuse(-32_600, 'Invalid Request: an empty batch');
  else for (const each of message) readMessage(each, sink);
}

/** Where the text stops being JSON, without the part of the text that the message of the runtime quotes. */
export function parseProblem(error: unknown): string {
  const place = error instanceof Error ? /at position \d+/.exec(error.message)?.[0] : undefined;
  return place === undefined ? 'the message is not valid JSON' : `the message is not valid JSON ${place}`;
}

function readMessage(message: unknown, sink: MessageSink): void {
  if (isMessage(message)) sink.deliver(message);
  else sink.refuse(-32_600, 'Invalid Request: not a message of the protocol', idOf(message));
}

/** The SDK drops what it does not take for a message, so this checks first. A malformed response is not answered. */
function isMessage(value: unknown): value is JSONRPCMessage {
  if (typeof value !== 'object' || value === null || !('jsonrpc' in value) || value.jsonrpc !== '2.0') return false;
  if ('method' in value) return isJSONRPCRequest(value) || isJSONRPCNotification(value);
  return 'result' in value || 'error' in value;
}

function idOf(value: unknown): Id {
  if (typeof value !== 'object' || value === null || !('id' in value)) return null;
  return typeof value.id === 'string' || typeof value.id === 'number' ? value.id : null;
}

/** An error response that belongs to no request. */
export function errorMessage(code: number, message: string, id: Id = null): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } });
}
