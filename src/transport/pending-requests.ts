import type { JSONRPCMessage } from '@modelcontextprotocol/server';

/** Requests that a wire has delivered and not answered yet. */
export class PendingRequests {
  readonly #ids = new Set<string | number>();

  /** False for a request whose id is in use: it was sent twice, and must not run twice. The answer serves both. */
  received(message: JSONRPCMessage): boolean {
    if (!('method' in message)) return true;
    if ('id' in message && message.id !== undefined) {
      if (this.#ids.has(message.id)) return false;
      this.#ids.add(message.id);
    }
    const cancelled = message.method === 'notifications/cancelled' ? message.params?.['requestId'] : undefined;
    if (typeof cancelled === 'string' || typeof cancelled === 'number') this.#ids.delete(cancelled);
    return true;
  }

  sent(message: JSONRPCMessage): void {
    if (!('method' in message) && message.id !== undefined) this.#ids.delete(message.id);
  }

  get count(): number {
    return this.#ids.size;
  }
}
