import type { Page, Request, WebSocket } from 'playwright-core';

/** Resources whose arrival does not change what can be acted on. */
const passive = new Set(['image', 'font', 'media', 'ping', 'manifest', 'texttrack']);

/** Requests, event streams and web sockets of a page that are open: a message may change the page. */
export class OpenConnections {
  readonly #open = new Set<Request | WebSocket>();

  constructor(page: Page) {
    const ended = (request: Request): void => void this.#open.delete(request);
    page.on('request', (request) => (passive.has(request.resourceType()) ? undefined : this.#open.add(request)));
    page.on('requestfinished', ended).on('requestfailed', ended);
    page.on('websocket', (socket) => {
      this.#open.add(socket);
      socket.on('close', () => this.#open.delete(socket));
    });
  }

  get isEmpty(): boolean {
    return this.#open.size === 0;
  }

  /** Connections of a past document do not report their end. */
  clear(): void {
    this.#open.clear();
  }
}
