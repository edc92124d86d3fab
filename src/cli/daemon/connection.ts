import type { Socket } from 'node:net';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';
import type { App } from '../../app.ts';
import { socketDriver } from '../../app/commands.ts';
import type { Logger } from '../../log.ts';
import { StdioTransport } from '../../transport/stdio.ts';

type WithoutVersion<T> = T extends unknown ? Omit<T, 'jsonrpc'> : never;

/** Answers a request that is not MCP; undefined if it has no such method. */
export type Control = (method: string, params: unknown, connection: ControlConnection) => Promise<object> | undefined;

export interface ControlConnection {
  /** Aborts when the client is gone. */
  readonly signal: AbortSignal;
  notify(method: string, params: object): void;
}

/** One client on the socket: requests of the command line are answered here, the first other message starts MCP. */
export class DaemonConnection implements AsyncDisposable {
  readonly #socket: Socket;
  readonly #app: Pick<App, 'serve'>;
  readonly #control: Control;
  readonly #log: Logger;
  readonly #gone = new AbortController();
  readonly #wire: StdioTransport;
  #mcp: AsyncDisposable | undefined;
  /** Delivers to MCP, once it is served here. */
  #deliver: ((message: JSONRPCMessage) => void) | undefined;
  readonly #waiting: JSONRPCMessage[] = [];

  constructor(
    socket: Socket,
    deps: { readonly app: Pick<App, 'serve'>; readonly control: Control; readonly log: Logger },
  ) {
    this.#socket = socket;
    this.#app = deps.app;
    this.#control = deps.control;
    this.#log = deps.log;
    this.#wire = new StdioTransport({
      input: socket,
      write: (chunk) => {
        if (socket.writable) socket.write(chunk);
      },
    });
    socket.on('error', (error) => this.#log.debug('socket', { error: error.message }));
    socket.on('close', () => this.#gone.abort());
    this.#wire.onmessage = (message) => this.#onMessage(message);
    // It only adds listeners.
    void this.#wire.start();
  }

  /** Whether a client speaks MCP here. */
  get isMcp(): boolean {
    return this.#mcp !== undefined || this.#waiting.length > 0;
  }

  onClose(listener: () => void): void {
    this.#gone.signal.addEventListener('abort', listener, { once: true });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#mcp?.[Symbol.asyncDispose]();
    this.#socket.destroy();
  }

  #onMessage(message: JSONRPCMessage): void {
    if ('method' in message && 'id' in message && message.method.startsWith('pagehelm/')) {
      void this.#answer(message.id, message.method, message.params);
      return;
    }
    if (this.#deliver !== undefined) {
      this.#deliver(message);
      return;
    }
    this.#waiting.push(message);
    if (this.#waiting.length === 1) void this.#startMcp();
  }

  async #startMcp(): Promise<void> {
    const transport: Transport = {
      start: async () => undefined,
      send: async (message) => this.#wire.send(message),
      close: async () => this.#wire.close(),
    };
    this.#wire.onclose = () => transport.onclose?.();
    this.#mcp = await this.#app.serve(transport, socketDriver);
    this.#deliver = (message) => transport.onmessage?.(message);
    for (const message of this.#waiting.splice(0)) this.#deliver(message);
  }

  async #answer(id: string | number, method: string, params: unknown): Promise<void> {
    const notify = (name: string, content: object): void => this.#send({ method: name, params: { ...content } });
    const work = this.#control(method, params, { signal: this.#gone.signal, notify });
    if (work === undefined) {
      this.#send({ id, error: { code: -32_601, message: `This daemon does not know ${method}.` } });
      return;
    }
    try {
      this.#send({ id, result: { ...(await work) } });
    } catch (error) {
      this.#log.error('a command failed', { method, error });
      this.#send({ id, error: { code: -32_603, message: error instanceof Error ? error.message : String(error) } });
    }
  }

  /** Through the transport, which runs no second request with the id of one that is not answered. */
  #send(message: WithoutVersion<JSONRPCMessage>): void {
    void this.#wire.send({ jsonrpc: '2.0', ...message });
  }
}
