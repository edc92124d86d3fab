import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { connect, isIP } from 'node:net';
import type { Socket } from 'node:net';
import { proxyRoute } from '../../config/proxy.ts';
import type { ProxyChoice } from '../../config/proxy.ts';
import { isHostOf, plainHost } from '../../policy/domains.ts';
import type { DomainPolicy } from '../../policy/domains.ts';
import { isDeniedHost } from '../../policy/urls.ts';
import { RefusedError, openLoopbackProxy } from './loopback-proxy.ts';
import type { Dial, ProxyRelay } from './loopback-proxy.ts';
import { dialSocks } from './socks-relay.ts';

type Keep = Parameters<Dial>[2];

const dialLimitMs = 30_000;
const longestAnswer = 16_384;

/**
 * The only way out of a browser whose operator has set rules: whatever a page is made of, wherever it is sent to, each
 * connection is checked here, by name and, where it is made here, by the address that is then dialled.
 */
export async function openEgress(policy: DomainPolicy, upstream: ProxyChoice | undefined): Promise<ProxyRelay> {
  return openLoopbackProxy(async (hostname, port, keep) => {
    const host = plainHost(hostname);
    const rule = policy.verdict(host, port);
    if (rule !== undefined) throw new RefusedError(rule);
    const isDirect = upstream === undefined || isBypassed(host, port, upstream.bypass);
    return isDirect ? dialDirect(host, port, keep) : dialThrough(upstream, host, port, keep);
  });
}

/** As browsers read such a list. */
function isBypassed(host: string, port: number, bypass = ''): boolean {
  return bypass.split(',').some((entry) => {
    const [pattern = '', only] = entry.trim().toLowerCase().split(':');
    return pattern !== '' && (only === undefined || only === String(port)) && isHostOf(pattern, host);
  });
}

/** A name can lead anywhere, and elsewhere the next time it is asked for: the address that was checked is dialled. */
async function dialDirect(host: string, port: number, keep: Keep): Promise<Socket> {
  const found = await addressesOf(host);
  const isDenied = found.some(({ address }) => isDeniedHost(isIP(address) === 6 ? `[${address}]` : address));
  if (isDenied) throw new RefusedError('link-local and cloud metadata addresses are always denied');
  let failure: unknown;
  for (const { address } of found) {
    try {
      return await connected(keep(connect({ host: address, port })));
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

async function addressesOf(host: string): Promise<readonly { readonly address: string }[]> {
  if (isIP(host) !== 0) return [{ address: host }];
  // Browsers do not ask anybody for these, and neither must their proxy.
  if (/(?:^|\.)localhost$/.test(host)) return [{ address: '127.0.0.1' }, { address: '::1' }];
  return lookup(host, { all: true });
}

async function dialThrough(upstream: ProxyChoice, host: string, port: number, keep: Keep): Promise<Socket> {
  const { server, username, password } = proxyRoute(upstream);
  const url = new URL(server);
  const isSocks = url.protocol.startsWith('socks');
  const place = { host: plainHost(url.hostname), port: Number(url.port === '' ? (isSocks ? 1080 : 80) : url.port) };
  const login = username === undefined ? {} : { username, password: password ?? '' };
  if (isSocks) return dialSocks({ ...place, ...login }, host, port, keep);
  const socket = await connected(keep(connect(place)));
  const target = `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
  const basic = Buffer.from(`${username}:${password ?? ''}`).toString('base64');
  const lines = [`CONNECT ${target} HTTP/1.1`, `Host: ${target}`];
  if (username !== undefined) lines.push(`Proxy-Authorization: Basic ${basic}`);
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  const answer = await headOf(socket);
  if (/^HTTP\/1\.[01] 2\d\d/.test(answer)) return socket;
  socket.destroy();
  throw new Error('the proxy did not open a way');
}

async function connected(socket: Socket): Promise<Socket> {
  const limit = AbortSignal.timeout(dialLimitMs);
  try {
    await once(socket, 'connect', { signal: limit });
    return socket;
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

/** The head of an HTTP answer; what comes after it stays in the socket. */
async function headOf(socket: Socket): Promise<string> {
  const limit = AbortSignal.timeout(dialLimitMs);
  let text = '';
  while (text.length < longestAnswer) {
    const byte: unknown = socket.read(1);
    if (Buffer.isBuffer(byte)) text += byte.toString('latin1');
    else if (socket.destroyed || socket.readableEnded) throw new Error('the proxy closed the connection');
    else await Promise.race([once(socket, 'readable', { signal: limit }), once(socket, 'close', { signal: limit })]);
    if (text.endsWith('\r\n\r\n')) return text;
  }
  throw new Error('the proxy says too much');
}
