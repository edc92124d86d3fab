import type { Page, Request, WebSocket } from 'playwright-core';

/** Resources whose arrival does not change what can be acted on. */
const passive = new Set(['image', 'font', 'media', 'ping', 'manifest', 'texttrack']);

/** Requests, event streams and web sockets of a page that are open. */
export class OpenConnections {
  readonly #requests = new Set<Request>();
  /** Those with which a message may come that changes the page. */
  readonly #open = new Set<Request | WebSocket>();

  constructor(page: Page) {
    const ended = (request: Request): void => {
      this.#requests.delete(request);
      this.#open.delete(request);
    };
    page.on('request', (request) => {
      this.#requests.add(request);
      if (!passive.has(request.resourceType())) this.#open.add(request);
    });
    page.on('requestfinished', ended).on('requestfailed', ended);
    page.on('websocket', (socket) => {
      this.#open.add(socket);
      socket.on('close', () => this.#open.delete(socket));
    });
  }

  get isEmpty(): boolean {
    return this.#open.size === 0;
  }

  /** Requests to the host of a URL that have not ended. */
  requestsTo(url: string): number {
    const host = hostOf(url);
    return [...this.#requests].filter((request) => hostOf(request.url()) === host).length;
  }

  /** Connections of a past document do not report their end. */
  clear(): void {
    this.#requests.clear();
    this.#open.clear();
  }
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : '';
}
