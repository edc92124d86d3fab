import { StringDecoder } from 'node:string_decoder';
import type { Readable } from 'node:stream';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';
import { errorMessage, readMessages } from './json-rpc.ts';
import { PendingRequests } from './pending-requests.ts';

export interface StdioOptions {
  readonly input: Readable;
  /** Writes one chunk to the real stdout. */
  readonly write: (chunk: string) => void;
}

/** A client that sends more than this without a line break is not speaking the protocol. */
const longestLine = 64 * 1024 * 1024;

/**
 * JSON-RPC, one message per line. Unlike the SDK's transport it answers malformed lines, as JSON-RPC requires: without an
 * answer, the client would wait indefinitely.
 */
export class StdioTransport implements Transport {
  readonly #options: StdioOptions;
  readonly #decoder = new StringDecoder('utf8');
  readonly #pending = new PendingRequests();
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
    this.#pending.sent(message);
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
    readMessages(text, {
      deliver: (message) => this.#deliver(message),
      refuse: (code, message, id) => this.#refuse(code, message, id),
    });
  }

  #deliver(message: JSONRPCMessage): void {
    try {
      if (this.#pending.received(message)) this.onmessage?.(message);
    } catch (error) {
      this.onerror?.(error instanceof Error ? error : new Error(String(error)));
    }
  }

  #refuse(code: number, message: string, id?: string | number | null): void {
    this.#options.write(`${errorMessage(code, message, id)}\n`);
  }
}
