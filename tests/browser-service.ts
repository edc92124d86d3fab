import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { z } from 'zod';

/** A service in front of a browser, with the handshake of a product. */
export interface BrowserService extends AsyncDisposable {
  /** `127.0.0.1:<port>`. */
  readonly host: string;
  /** Paths of the connections to the browser, with their query. */
  readonly connections: readonly string[];
}

interface Handshake {
  readonly allows: (request: IncomingMessage) => boolean;
  /** Answers a request that is no WebSocket. */
  readonly answer: (request: IncomingMessage, response: ServerResponse, host: string) => Promise<void>;
}

const versionSchema = z.looseObject({ 'WebKit-Version': z.string(), webSocketDebuggerUrl: z.string() });

async function versionOf(browser: string): Promise<z.infer<typeof versionSchema>> {
  return versionSchema.parse(await (await fetch(`${browser}/json/version`)).json());
}

/**
 * browserless: every path needs the token, in the query or as a header. `/json/version` is Chrome's with the address of the
 * service, which has no token.
 */
export async function startBrowserless(browser: string, token: string): Promise<BrowserService> {
  const allows = ({ url = '', headers }: IncomingMessage): boolean =>
    new URL(url, 'http://a').searchParams.get('token') === token || headers.authorization === `Bearer ${token}`;
  return startService(browser, {
    allows,
    answer: async (request, response, host) => {
      if (!allows(request)) {
        response.writeHead(401, { 'content-type': 'text/plain' }).end('Bad or missing authentication.');
        return;
      }
      const version = await versionOf(browser);
      const debuggerVersion = /\(@([\da-f]+)/.exec(version['WebKit-Version'])?.[1];
      response
        .writeHead(200, { 'content-type': 'application/json; charset=UTF-8' })
        .end(JSON.stringify({ ...version, 'Debugger-Version': debuggerVersion, webSocketDebuggerUrl: `ws://${host}` }));
    },
  });
}

/** Steel: a WebSocket at its root, without a key; its API has no `/json/version`. */
export async function startSteel(browser: string, port = 0): Promise<BrowserService> {
  const handshake: Handshake = {
    allows: () => true,
    answer: async ({ method, url }, response) => {
      const message = `Route ${method}:${url} not found`;
      response
        .writeHead(404, { 'content-type': 'application/json; charset=utf-8' })
        .end(JSON.stringify({ message, error: 'Not Found', statusCode: 404 }));
    },
  };
  return startService(browser, handshake, port);
}

async function startService(browser: string, { allows, answer }: Handshake, atPort = 0): Promise<BrowserService> {
  const { pathname } = new URL((await versionOf(browser)).webSocketDebuggerUrl);
  const connections: string[] = [];
  const sockets = new Set<Duplex>();
  const server = createServer((request, response) => {
    void answer(request, response, host());
  });
  const host = (): string => {
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('the service does not listen');
    return `127.0.0.1:${address.port}`;
  };
  server.on('upgrade', (request: IncomingMessage, socket: Duplex) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    if (!allows(request)) {
      socket.end('HTTP/1.1 401 Unauthorized\r\nContent-Type: text/plain\r\n\r\nBad or missing authentication.');
      return;
    }
    connections.push(request.url ?? '');
    const { port } = new URL(browser);
    const upstream = connect(Number(port), '127.0.0.1');
    sockets.add(upstream);
    upstream.on('error', () => socket.destroy());
    const headers = Object.entries(request.headers)
      .filter(([name]) => name !== 'host' && name !== 'authorization')
      .map(([name, value]) => `${name}: ${String(value)}\r\n`);
    upstream.write(`GET ${pathname} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n${headers.join('')}\r\n`);
    socket.pipe(upstream).pipe(socket);
  });
  server.listen(atPort, '127.0.0.1');
  await once(server, 'listening');
  return {
    host: host(),
    connections,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
