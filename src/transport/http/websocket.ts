import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';
import { WebSocketServer } from 'ws';
import type { WebSocket } from 'ws';
import type { Logger } from '../../log.ts';
import type { ClientConnection, Clients } from './clients.ts';
import type { Endpoint } from './endpoint.ts';
import { errorMessage, readMessages } from '../json-rpc.ts';
import type { KeyIdentity } from '../access/keys.ts';
import { PendingRequests } from '../pending-requests.ts';
import { serveWire } from './wire.ts';

export interface WebSocketOptions {
  readonly endpoint: Endpoint;
  readonly clients: Clients;
  readonly log: Logger;
  readonly maxBodyBytes: number;
  readonly bufferBytes: number;
  readonly onDropped: () => void;
}

const subprotocol = 'mcp';
/** Close codes of RFC 6455. */
const goingAway = 1001;
const policyViolation = 1008;

/** WebSocket: one message of the protocol in each text message. */
export class WebSockets {
  readonly #options: WebSocketOptions;
  readonly #server: WebSocketServer;

  constructor(options: WebSocketOptions) {
    this.#options = options;
    this.#server = new WebSocketServer({
      noServer: true,
      clientTracking: false,
      // A small compressed message can unpack to a large one.
      perMessageDeflate: false,
      maxPayload: options.maxBodyBytes,
      handleProtocols: (offered) => (offered.has(subprotocol) ? subprotocol : false),
    });
  }

  /** Takes over a socket whose request was checked. */
  accept(request: IncomingMessage, socket: Duplex, head: Buffer, identity: KeyIdentity | undefined): void {
    this.#server.handleUpgrade(request, socket, head, (webSocket) => this.#serve(webSocket, identity));
  }

  #serve(webSocket: WebSocket, identity: KeyIdentity | undefined): void {
    const { clients, endpoint, log } = this.#options;
    const connection = new WebSocketConnection(webSocket, identity, this.#options);
    const caller = { key: identity?.name, scope: identity?.scope, connection: connection.id };
    clients.add(connection);
    log.info('Client connected', caller.key === undefined ? {} : { key: caller.key });
    webSocket.once('close', () => {
      clients.remove(connection);
      log.info('Client disconnected', caller.key === undefined ? {} : { key: caller.key });
      endpoint.ended(caller);
    });
    serveWire(connection, (era) => endpoint.server(caller, era), log);
  }
}

class WebSocketConnection implements Transport, ClientConnection {
  readonly kind = 'websocket';
  readonly id = randomBytes(16).toString('hex');
  readonly key: string | undefined;
  readonly identity: KeyIdentity | undefined;
  readonly #socket: WebSocket;
  readonly #options: WebSocketOptions;
  readonly #pending = new PendingRequests();
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;

  constructor(socket: WebSocket, identity: KeyIdentity | undefined, options: WebSocketOptions) {
    this.key = identity?.name;
    this.identity = identity;
    this.#socket = socket;
    this.#options = options;
  }

  async start(): Promise<void> {
    this.#socket.on('message', (data, isBinary) => {
      if (isBinary) this.#socket.close(policyViolation, 'Messages must be text');
      // `binaryType` is the default, so a message is one buffer.
      else if (Buffer.isBuffer(data)) this.#receive(data.toString());
    });
    // A frame over the limit or a malformed one: ws closes the socket with the right code.
    this.#socket.on('error', (error) => this.onerror?.(error));
    this.#socket.once('close', () => this.onclose?.());
    // Answers to pings queue up as well.
    this.#socket.on('ping', () => this.#dropIfBehind());
  }

  async send(message: JSONRPCMessage): Promise<void> {
    this.#pending.sent(message);
    this.#write(JSON.stringify(message));
  }

  get pending(): number {
    return this.#pending.count;
  }

  /** An open socket is in use, however long it is silent. */
  idleMs(): undefined {
    return undefined;
  }

  async close(): Promise<void> {
    this.#socket.close(goingAway, 'The server is shutting down');
  }

  #receive(text: string): void {
    readMessages(text, {
      deliver: (message) => {
        if (this.#pending.received(message)) this.onmessage?.(message);
      },
      refuse: (code, message, id) => this.#write(errorMessage(code, message, id)),
    });
  }

  #write(text: string): void {
    if (this.#dropIfBehind() || this.#socket.readyState !== this.#socket.OPEN) return;
    this.#socket.send(text, () => undefined);
  }

  #dropIfBehind(): boolean {
    if (this.#socket.bufferedAmount <= this.#options.bufferBytes) return false;
    this.#options.onDropped();
    this.#socket.terminate();
    return true;
  }
}
