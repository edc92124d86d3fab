import { createServer } from 'node:http';
import type { Server } from 'node:http';

/** A response of the bench site. */
export interface Reply {
  readonly body: string;
  readonly type?: 'text/html' | 'text/plain';
  readonly delayMs?: number;
}

/** Answers the paths it knows. */
export type Route = (url: URL) => Reply | undefined;

/** Serves the bench pages on a free loopback port. */
export class Site implements AsyncDisposable {
  readonly #server: Server;
  readonly #origin: string;

  private constructor(server: Server, port: number) {
    this.#server = server;
    this.#origin = `http://127.0.0.1:${port}`;
  }

  static async open(routes: readonly Route[]): Promise<Site> {
    const server = createServer((request, response) => {
      const url = new URL(request.url ?? '/', 'http://127.0.0.1');
      let reply: Reply | undefined;
      for (const route of routes) reply ??= route(url);
      const type = `${reply?.type ?? 'text/html'}; charset=utf-8`;
      const send = (): void => {
        response.writeHead(reply ? 200 : 404, { 'content-type': type, 'cache-control': 'no-store' });
        response.end(reply?.body ?? 'not found');
      };
      if (reply?.delayMs === undefined) send();
      else setTimeout(send, reply.delayMs);
    });
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(0, '127.0.0.1', resolve);
    });
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('The page server has no port');
    return new Site(server, address.port);
  }

  /** The URL of a path on this site. */
  at(path: string): string {
    return `${this.#origin}${path}`;
  }

  /** The URL of a page; `visit` makes it unique. */
  url(page: { readonly id: string }, visit = 0): string {
    return this.at(`/${page.id}?visit=${visit}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => void this.#server.close(() => resolve()));
  }
}
