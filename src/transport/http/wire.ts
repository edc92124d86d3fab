import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { JSONRPCMessage, McpServer, Server, Transport } from '@modelcontextprotocol/server';
import type { Logger } from '../../log.ts';
import type { Era } from './endpoint.ts';

/** Serves both protocol eras on a connection of messages; the first message decides which. */
export function serveWire(transport: Transport, make: (era: Era) => Server | McpServer, log: Logger): AsyncDisposable {
  const onerror = (error: Error): void => log.debug('connection', { error: error.message });
  const handle = serveStdio(({ era }) => make(era), { transport, onerror });
  return { [Symbol.asyncDispose]: async () => handle.close() };
}

/** Requests that a wire has delivered and not answered yet. */
export class PendingRequests {
  readonly #ids = new Set<string | number>();

  received(message: JSONRPCMessage): void {
    if (!('method' in message)) return;
    if ('id' in message && message.id !== undefined) this.#ids.add(message.id);
    const cancelled = message.method === 'notifications/cancelled' ? message.params?.['requestId'] : undefined;
    if (typeof cancelled === 'string' || typeof cancelled === 'number') this.#ids.delete(cancelled);
  }

  sent(message: JSONRPCMessage): void {
    if (!('method' in message) && message.id !== undefined) this.#ids.delete(message.id);
  }

  get count(): number {
    return this.#ids.size;
  }
}
