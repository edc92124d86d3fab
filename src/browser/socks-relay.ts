import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, request as httpRequest } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect, isIPv4, isIPv6 } from 'node:net';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { ProxyRoute } from '../config/proxy.ts';

/** A SOCKS 5 proxy that wants to know who is asking. */
export interface SocksLogin {
  readonly host: string;
  readonly port: number;
  readonly username: string;
  readonly password: string;
}

/** A proxy of our own on the loopback address, and how a browser gets through it. */
export interface ProxyRelay extends AsyncDisposable {
  readonly route: ProxyRoute;
}

const handshakeLimitMs = 15_000;
const byName = 3;
const byIPv4 = 1;
const byIPv6 = 4;

/**
 * Browsers tell a SOCKS proxy no name and no password; they do tell an HTTP proxy. So they are given one, which asks for
 * a secret of its own, or every program on the machine could use somebody's account.
 */
export async function openSocksRelay(upstream: SocksLogin): Promise<ProxyRelay> {
  const [username, password] = ['helm', randomBytes(16).toString('hex')];
  const wanted = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  const isKnown = ({ headers }: IncomingMessage): boolean => headers['proxy-authorization'] === wanted;
  const sockets = new Set<Duplex>();
  const keep = <S extends Duplex>(socket: S): S => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    // Either end may go at any time; the other one follows, and there is nobody to tell.
    socket.on('error', () => socket.destroy());
    return socket;
  };
  const open = async (host: string, port: number): Promise<Socket> => {
    const socket = keep(connect({ host: upstream.host, port: upstream.port }));
    try {
      await askForRoute(socket, upstream, host, port);
      return socket;
    } catch (error) {
      socket.destroy();
      throw error;
    }
  };
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
  } catch {
    response.writeHead(502).end();
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
  } catch {
    client.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
  }
}

/** The handshake of RFC 1928 with the password of RFC 1929; names are resolved by the proxy. */
async function askForRoute(socket: Socket, login: SocksLogin, host: string, port: number): Promise<void> {
  const late = setTimeout(() => socket.destroy(), handshakeLimitMs);
  try {
    socket.write(Buffer.from([5, 1, 2]));
    const [, method] = await take(socket, 2);
    if (method !== 2) throw new Error('the proxy takes no password');
    const [name, word] = [Buffer.from(login.username), Buffer.from(login.password)];
    socket.write(Buffer.concat([Buffer.from([1, name.length]), name, Buffer.from([word.length]), word]));
    const [, refused] = await take(socket, 2);
    if (refused !== 0) throw new Error('the proxy does not know the user');
    socket.write(Buffer.concat([Buffer.from([5, 1, 0]), addressOf(host), Buffer.from([port >> 8, port & 0xff])]));
    const [, failed, , kind] = await take(socket, 4);
    if (failed !== 0) throw new Error('the proxy does not reach the address');
    const length = kind === byIPv4 ? 4 : kind === byIPv6 ? 16 : ((await take(socket, 1))[0] ?? 0);
    await take(socket, length + 2);
  } finally {
    clearTimeout(late);
  }
}

function addressOf(hostname: string): Buffer {
  const host = hostname.replace(/^\[|\]$/g, '');
  if (isIPv4(host)) return Buffer.from([byIPv4, ...host.split('.').map(Number)]);
  if (isIPv6(host)) return Buffer.concat([Buffer.from([byIPv6]), ipv6Bytes(host)]);
  const name = Buffer.from(host);
  return Buffer.concat([Buffer.from([byName, name.length]), name]);
}

function ipv6Bytes(address: string): Buffer {
  const [head = [], tail = []] = address.split('::').map((half) => (half === '' ? [] : half.split(':')));
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => '0');
  const groups = [...head, ...zeros, ...tail].map((group) => Number.parseInt(group, 16));
  return Buffer.from(groups.flatMap((group) => [group >> 8, group & 0xff]));
}

/** Exactly this many bytes, which may come in pieces. */
async function take(socket: Socket, length: number): Promise<Buffer> {
  for (;;) {
    const found: unknown = socket.read(length);
    if (Buffer.isBuffer(found)) return found;
    if (socket.destroyed || socket.readableEnded) throw new Error('the proxy closed the connection');
    const waiting = new AbortController();
    const either = ['readable', 'close', 'end'].map(async (event) => once(socket, event, { signal: waiting.signal }));
    try {
      await Promise.race(either);
    } finally {
      waiting.abort();
      await Promise.allSettled(either);
    }
  }
}
