import { once } from 'node:events';
import { connect, isIPv4, isIPv6 } from 'node:net';
import type { Socket } from 'node:net';
import { openLoopbackProxy } from './loopback-proxy.ts';
import type { Dial, ProxyRelay } from './loopback-proxy.ts';

export interface SocksProxy {
  readonly host: string;
  readonly port: number;
  readonly username?: string;
  readonly password?: string;
}

/** A SOCKS 5 proxy that wants to know who is asking. */
export interface SocksLogin extends SocksProxy {
  readonly username: string;
  readonly password: string;
}

const handshakeLimitMs = 15_000;
const byName = 3;
const byIPv4 = 1;
const byIPv6 = 4;

/** Browsers tell a SOCKS proxy no name and no password; they do tell an HTTP proxy, so they are given one. */
export async function openSocksRelay(upstream: SocksLogin): Promise<ProxyRelay> {
  return openLoopbackProxy(async (host, port, keep) => dialSocks(upstream, host, port, keep));
}

/** A connection through a SOCKS 5 proxy; without a name nobody logs in. */
export async function dialSocks(
  upstream: SocksProxy,
  host: string,
  port: number,
  keep: Parameters<Dial>[2],
): Promise<Socket> {
  const socket = keep(connect({ host: upstream.host, port: upstream.port }));
  try {
    await askForRoute(socket, upstream, host, port);
    return socket;
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

/** The handshake of RFC 1928 with the password of RFC 1929; names are resolved by the proxy. */
async function askForRoute(socket: Socket, login: SocksProxy, host: string, port: number): Promise<void> {
  const late = setTimeout(() => socket.destroy(), handshakeLimitMs);
  try {
    const { username, password = '' } = login;
    const wanted = username === undefined ? 0 : 2;
    socket.write(Buffer.from([5, 1, wanted]));
    const [, method] = await take(socket, 2);
    if (method !== wanted) throw new Error('the proxy wants to be asked in another way');
    if (username !== undefined) {
      const [name, word] = [Buffer.from(username), Buffer.from(password)];
      socket.write(Buffer.concat([Buffer.from([1, name.length]), name, Buffer.from([word.length]), word]));
      const [, refused] = await take(socket, 2);
      if (refused !== 0) throw new Error('the proxy does not know the user');
    }
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
