import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';
import { readJson } from './body.ts';
import type { ClientConnection } from './clients.ts';
import { errorMessage, readMessages } from '../json-rpc.ts';
import type { KeyIdentity } from '../access/keys.ts';
import { isBehind, refuse } from './respond.ts';
import { PendingRequests } from '../pending-requests.ts';
import { serveWire } from './wire.ts';
import type { StreamableOptions } from './streamable.ts';

/** Where messages of an SSE client are posted. */
export const ssePath = '/sse';

/** The HTTP+SSE transport of protocol version 2024-11-05: a stream of events, and an address to post messages to. */
export class LegacySse {
  readonly #options: StreamableOptions;

  constructor(options: StreamableOptions) {
    this.#options = options;
  }

  open(response: ServerResponse, identity: KeyIdentity | undefined): void {
    const { clients, endpoint, log } = this.#options;
    const full = clients.refusal(identity?.name);
    if (full !== undefined) {
      refuse(response, full);
      return;
    }
    const connection = new SseConnection(response, identity, this.#options);
    const caller = { key: identity?.name, scope: identity?.scope, connection: connection.id };
    clients.add(connection);
    response.once('close', () => {
      clients.remove(connection);
      void connection.close();
      endpoint.ended(caller);
    });
    serveWire(connection, (era) => endpoint.server(caller, era), log);
  }

  /** A message for the stream that the query names. */
  async post(request: IncomingMessage, response: ServerResponse, identity: KeyIdentity | undefined): Promise<void> {
    const id = new URL(request.url ?? '/', 'http://localhost').searchParams.get('sessionId') ?? '';
    const connection = this.#options.clients.find(id, identity?.name);
    if (!(connection instanceof SseConnection)) {
      refuse(response, { status: 404, message: 'Session not found' }, -32_001);
      return;
    }
    const body = await readJson(request, this.#options.maxBodyBytes);
    if ('refusal' in body) {
      refuse(response, body.refusal, body.code);
      return;
    }
    response.writeHead(202).end('Accepted');
    connection.receive(JSON.stringify(body.value));
  }
}

class SseConnection implements Transport, ClientConnection {
  readonly kind = 'sse';
  readonly id = randomBytes(16).toString('hex');
  readonly key: string | undefined;
  readonly identity: KeyIdentity | undefined;
  readonly #response: ServerResponse;
  readonly #options: StreamableOptions;
  readonly #pending = new PendingRequests();
  #keepAlive: NodeJS.Timeout | undefined;
  #isClosed = false;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;

  constructor(response: ServerResponse, identity: KeyIdentity | undefined, options: StreamableOptions) {
    this.key = identity?.name;
    this.identity = identity;
    this.#response = response;
    this.#options = options;
  }

  async start(): Promise<void> {
    this.#response.writeHead(200, {
      'Content-Type': 'text/event-stream',
      'Cache-Control': 'no-cache, no-transform',
      'X-Accel-Buffering': 'no',
    });
    this.#write(`event: endpoint\ndata: ${ssePath}?sessionId=${this.id}\n\n`);
    this.#keepAlive = setInterval(() => this.#write(': keepalive\n\n'), this.#options.keepAliveMs);
    this.#keepAlive.unref();
  }

  receive(text: string): void {
    readMessages(text, {
      deliver: (message) => {
        if (this.#pending.received(message)) this.onmessage?.(message);
      },
      refuse: (code, message, id) => this.#event(errorMessage(code, message, id)),
    });
  }

  async send(message: JSONRPCMessage): Promise<void> {
    this.#pending.sent(message);
    this.#event(JSON.stringify(message));
  }

  get pending(): number {
    return this.#pending.count;
  }

  /** An open stream is in use, however long it is silent. */
  idleMs(): undefined {
    return undefined;
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearInterval(this.#keepAlive);
    this.#response.end();
    this.onclose?.();
  }

  #event(data: string): void {
    this.#write(`event: message\ndata: ${data}\n\n`);
  }

  #write(text: string): void {
    if (this.#isClosed) return;
    if (!isBehind(this.#response, this.#options.bufferBytes)) this.#response.write(text);
    else {
      this.#options.onDropped();
      this.#response.destroy();
    }
  }
}
