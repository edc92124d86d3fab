import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, request as httpRequest } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { ProxyRoute } from '../../config/proxy.ts';

// Why this is not `proxy-chain`: it answers a refused request with an error page of its own, which a browser would show
// as the page of that host. HTTP is parsed by node:http, SOCKS by `socks`, and address classes are node:net's BlockList.

/** A proxy on the loopback address, and how a browser reaches it. */
export interface ProxyRelay extends AsyncDisposable {
  readonly route: ProxyRoute;
}

/** Registers a socket with the proxy, which closes it when the proxy closes. */
export type Keep = <S extends Duplex>(socket: S) => S;

/** Opens a connection to the host that a browser requested. */
export type Dial = (host: string, port: number, keep: Keep) => Promise<Socket>;

export const dialLimitMs = 30_000;

/** Opens a TCP connection. */
export async function connected(
  keep: Keep,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<Socket> {
  const socket = keep(connect({ host, port }));
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(dialLimitMs) });
    return socket;
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

/** Thrown by a dialer that refuses a connection: the browser gets no response. */
export class RefusedError extends Error {}

/**
 * An HTTP proxy for one browser. It requires a random password; without it, every local program could use it.
 */
export async function openLoopbackProxy(dial: Dial): Promise<ProxyRelay> {
  const [username, password] = ['helm', randomBytes(16).toString('hex')];
  const wanted = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  const isKnown = ({ headers }: IncomingMessage): boolean => headers['proxy-authorization'] === wanted;
  const sockets = new Set<Duplex>();
  const keep: Keep = (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    // Either end may disconnect at any time; the other end is closed too.
    socket.on('error', () => socket.destroy());
    return socket;
  };
  const open: Open = async (host, port) => dial(host, port, keep);
  const server = createServer((request, response) => {
    if (isKnown(request)) void passOn(request, response, open);
    else response.writeHead(407, { 'proxy-authenticate': 'Basic realm="relay"' }).end();
  });
  server.on('connection', keep);
  server.on('connect', (request: IncomingMessage, client: Duplex, head: Buffer) => {
    if (isKnown(request)) void tunnel(client, head, request.url ?? '', open);
    else client.end('HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm="relay"\r\n\r\n');
  });
  server.listen(0, '127.0.0.1').unref();
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the relay has no port');
  return {
    route: { server: `http://127.0.0.1:${address.port}`, username, password },
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

type Open = (host: string, port: number) => Promise<Socket>;

async function passOn(request: IncomingMessage, response: ServerResponse, open: Open): Promise<void> {
  try {
    const url = new URL(request.url ?? '');
    const socket = await open(url.hostname, Number(url.port === '' ? 80 : url.port));
    const { 'proxy-authorization': _login, 'proxy-connection': _kind, ...headers } = request.headers;
    const path = `${url.pathname}${url.search}`;
    const onward = httpRequest({ method: request.method, path, headers, createConnection: () => socket }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.statusMessage, answer.rawHeaders);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    request.pipe(onward);
  } catch (error) {
    // The browser would show a response as a page of that host.
    if (error instanceof RefusedError) response.destroy();
    else response.writeHead(502).end();
  }
}

async function tunnel(client: Duplex, head: Buffer, target: string, open: Open): Promise<void> {
  try {
    const { hostname, port } = new URL(`http://${target}`);
    const socket = await open(hostname, Number(port === '' ? 80 : port));
    client.on('close', () => socket.destroy());
    socket.on('close', () => client.destroy());
    client.write('HTTP/1.1 200 OK\r\n\r\n');
    socket.write(head);
    client.pipe(socket).pipe(client);
  } catch (error) {
    client.end(`HTTP/1.1 ${error instanceof RefusedError ? '403 Forbidden' : '502 Bad Gateway'}\r\n\r\n`);
  }
}
