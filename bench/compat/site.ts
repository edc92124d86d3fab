import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';

export interface CompatSite extends AsyncDisposable {
  readonly url: string;
  /** Serves a page; returns its path. */
  add(html: string): string;
}

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const html = (text: string, status = 200): Answer => {
  return (_request, response) => {
    response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' }).end(text);
  };
};

/** Answers that no page can give. */
const fixed: Readonly<Record<string, Answer>> = {
  '/payment': html('<title>Pay</title><h1>Payment</h1>', 402),
  '/missing': html('<title>Missing</title><p>Not here</p>', 404),
  '/broken': html('<title>Broken</title><p>Broken</p>', 500),
  '/redirect': (_request, response) => void response.writeHead(302, { location: '/target' }).end(),
  '/target': html('<title>Target</title><h1>Arrived</h1><a href="/missing">Next</a>'),
  '/download': (_request, response) => {
    response
      .writeHead(200, { 'content-type': 'text/plain', 'content-disposition': 'attachment; filename="report one.txt"' })
      .end('the report');
  },
  '/api/json': (request, response) => {
    request.resume();
    response.writeHead(200, { 'content-type': 'application/json', 'x-test': 'yes' }).end('{"ok":true,"items":[1,2]}');
  },
  '/api/fail': (_request, response) => void response.writeHead(503, { 'content-type': 'text/plain' }).end('later'),
  '/api/none': (_request, response) => void response.writeHead(204).end(),
  '/api/bytes': (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(Buffer.from([1, 2, 3, 0, 255]));
  },
  '/api/slow': (_request, response) => {
    setTimeout(() => response.writeHead(200, { 'content-type': 'text/plain' }).end('slow'), 150);
  },
  '/style.css': (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/css' }).end('body { color: black }');
  },
  '/script.js': (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/javascript' }).end('window.loaded = true;');
  },
  '/frame': html('<title>Frame</title><button>Inside</button><input aria-label="Inner field">'),
};

export async function startCompatSite(): Promise<CompatSite> {
  const pages = new Map<string, string>();
  const server = createServer((request, response) => {
    const path = (request.url ?? '/').replace(/\?.*$/, '');
    const page = pages.get(path);
    const answer = page === undefined ? (fixed[path] ?? html('Not found', 404)) : html(page);
    response.setHeader('cache-control', 'no-store');
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the site has no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    add: (text) => {
      const path = `/page-${pages.size + 1}`;
      pages.set(path, text);
      return path;
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
