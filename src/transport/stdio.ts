import { StringDecoder } from 'node:string_decoder';
import type { Readable } from 'node:stream';
import { isJSONRPCNotification, isJSONRPCRequest } from '@modelcontextprotocol/server';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';

export interface StdioOptions {
  readonly input: Readable;
  /** Writes one chunk to the real stdout. */
  readonly write: (chunk: string) => void;
}

/** A client that sends more than this without a line break is not speaking the protocol. */
const longestLine = 64 * 1024 * 1024;

/**
 * JSON-RPC, one message a line. Unlike the SDK's own transport it answers what it cannot read, as JSON-RPC asks: a client
 * that sent a broken line would otherwise wait for ever.
 */
export class StdioTransport implements Transport {
  readonly #options: StdioOptions;
  readonly #decoder = new StringDecoder('utf8');
  #buffer = '';
  #isSkipping = false;
  #isClosed = false;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;

  constructor(options: StdioOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {
    const { input } = this.#options;
    input.on('data', this.#onData);
    input.on('end', this.#onEnd);
    input.on('close', this.#onEnd);
    input.on('error', this.#onEnd);
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (!this.#isClosed) this.#options.write(`${JSON.stringify(message)}\n`);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    const { input } = this.#options;
    input.off('data', this.#onData).off('end', this.#onEnd).off('close', this.#onEnd).off('error', this.#onEnd);
    input.pause();
    this.onclose?.();
  }

  readonly #onEnd = (): void => void this.close();

  readonly #onData = (chunk: Buffer): void => {
    const lines = this.#decoder.write(chunk).split('\n');
    const rest = lines.pop() ?? '';
    for (const end of lines) {
      const line = this.#buffer + end;
      this.#buffer = '';
      if (this.#isSkipping) this.#isSkipping = false;
      else this.#onLine(line);
    }
    this.#buffer += rest;
    if (this.#buffer.length <= longestLine) return;
    this.#buffer = '';
    if (!this.#isSkipping)
      this.#refuse(-32_600, `Invalid Request: a message may have at most ${longestLine} characters`);
    this.#isSkipping = true;
  };

  #onLine(line: string): void {
    const text = line.replace(/^\uFEFF/, '').trim();
    if (text === '') return;
    let message: unknown;
    try {
      message = JSON.parse(text);
    } catch (error) {
      this.#refuse(-32_700, `Parse error: ${error instanceof Error ? error.message.slice(0, 200) : 'not JSON'}`);
      return;
    }
    if (!Array.isArray(message)) this.#deliver(message);
    else if (message.length === 0) this.#refuse(-32_600, 'Invalid Request: an empty batch');
    else for (const each of message) this.#deliver(each);
  }

  #deliver(message: unknown): void {
    if (isMessage(message)) {
      try {
        this.onmessage?.(message);
      } catch (error) {
        this.onerror?.(error instanceof Error ? error : new Error(String(error)));
      }
      return;
    }
    this.#refuse(-32_600, 'Invalid Request: not a message of the protocol', idOf(message));
  }

  #refuse(code: number, message: string, id: string | number | null = null): void {
    this.#options.write(`${JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } })}\n`);
  }
}

/** What the SDK would not take for a message it drops without a word, so it is asked first. Answers are never answered. */
function isMessage(value: unknown): value is JSONRPCMessage {
  if (typeof value !== 'object' || value === null || !('jsonrpc' in value) || value.jsonrpc !== '2.0') return false;
  if ('method' in value) return isJSONRPCRequest(value) || isJSONRPCNotification(value);
  return 'result' in value || 'error' in value;
}

function idOf(value: unknown): string | number | null {
  if (typeof value !== 'object' || value === null || !('id' in value)) return null;
  return typeof value.id === 'string' || typeof value.id === 'number' ? value.id : null;
}
