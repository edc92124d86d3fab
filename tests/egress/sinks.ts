import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { RequestListener, Server } from 'node:http';
import type { Socket } from 'node:net';
import { ways } from './ways.ts';
import type { Way } from './ways.ts';

/** Which of two sets of hosts a way leads to; each way has its own address in both. */
export type Side = 'denied' | 'allowed';

/** Hosts that record who connects to them, and the site with the pages that try to. All on loopback addresses. */
export interface Sinks extends AsyncDisposable {
  /** The origin of the pages. */
  readonly origin: string;
  /** The origins of all hosts of a side. */
  origins(side: Side): readonly string[];
  /** The page that uses one way. */
  pageOf(way: Way, side: Side): string;
  /** A page with a frame for each of the ways. */
  pageOfFrames(some: readonly Way[], side: Side): string;
  /** Names of the ways that reached their host: a connection or a datagram. */
  reached(side: Side): readonly string[];
}

const networks: Readonly<Record<Side, string>> = { denied: '127.0.1', allowed: '127.0.2' };
/** The network of the hosts of a side. */
export const cidrOf = (side: Side): string => `${networks[side]}.0/24`;
const pageHost = '127.0.0.1';

export async function openSinks(): Promise<Sinks> {
  const closing: (() => Promise<void>)[] = [];
  const reached: Readonly<Record<Side, Set<string>>> = { denied: new Set(), allowed: new Set() };
  const close = async (): Promise<void> => void (await Promise.all(closing.map(async (end) => end())));
  let port = 0;
  for (const side of ['denied', 'allowed'] as const) {
    for (const [index, { name }] of ways.entries()) {
      const address = `${networks[side]}.${index + 1}`;
      const record = (): void => void reached[side].add(name);
      const server = createServer(emptyAnswer);
      server.on('connection', record);
      port = await listen(server, port, address, closing);
      const datagrams = createSocket('udp4').on('message', record);
      datagrams.bind(port, address);
      await once(datagrams, 'listening');
      closing.push(async () => void datagrams.close());
    }
  }
  const place = (way: Way, side: Side): string => `${networks[side]}.${ways.indexOf(way) + 1}:${port}`;
  const site = createServer(pages((way, side) => place(way, side)));
  const sitePort = await listen(site, 0, pageHost, closing);
  const origin = `http://${pageHost}:${sitePort}`;
  return {
    origin,
    origins: (side) => ways.map((way) => `http://${place(way, side)}`),
    pageOf: (way, side) => `${origin}/way?side=${side}&way=${ways.indexOf(way)}`,
    pageOfFrames: (some, side) => `${origin}/frames?side=${side}&ways=${some.map((way) => ways.indexOf(way)).join()}`,
    reached: (side) => [...reached[side]].toSorted(),
    [Symbol.asyncDispose]: close,
  };
}

async function listen(
  server: Server,
  port: number,
  address: string,
  closing: (() => Promise<void>)[],
): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  server.listen(port, address);
  await once(server, 'listening');
  closing.push(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  const bound = server.address();
  if (bound === null || typeof bound === 'string') throw new Error('the sink has no port');
  return bound.port;
}

const emptyAnswer: RequestListener = (_request, response) =>
  void response
    .writeHead(200, {
      'content-type': 'text/plain',
      'access-control-allow-origin': '*',
      'access-control-allow-headers': '*',
      'access-control-allow-methods': '*',
    })
    .end();

function pages(place: (way: Way, side: Side) => string): RequestListener {
  const html = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' };
  return (request, response) => {
    const { pathname, searchParams: query } = new URL(request.url ?? '/', 'http://site');
    const side: Side = query.get('side') === 'allowed' ? 'allowed' : 'denied';
    const way = ways[Number(query.get('way') ?? -1)];
    const to = query.get('to') ?? '';
    if (pathname === '/way' && way !== undefined) {
      const url = `http://${place(way, side)}/${way.name.replaceAll(' ', '-')}`;
      const body = way.page(url, place(way, side));
      response
        .writeHead(200, { ...html, ...way.headers?.(url) })
        .end(`<!doctype html><title>${way.name}</title>${body}`);
    } else if (pathname === '/frames') {
      const frames = (query.get('ways') ?? '')
        .split(',')
        .map((index) => `<iframe src="/way?side=${side}&way=${index}"></iframe>`);
      response.writeHead(200, html).end(`<!doctype html><title>Frames</title>${frames.join('')}`);
    } else if (pathname === '/redirect') {
      response.writeHead(Number(query.get('status')), { location: to }).end();
    } else if (pathname === '/worker') {
      const code = query.get('kind') === 'import' ? `importScripts('${to}')` : `fetch('${to}', { mode: 'no-cors' })`;
      response.writeHead(200, { 'content-type': 'text/javascript', 'service-worker-allowed': '/' }).end(code);
    } else if (pathname === '/xml') {
      response
        .writeHead(200, { 'content-type': 'text/xml' })
        .end(`<?xml-stylesheet type="text/css" href="${to}"?><a/>`);
    } else {
      response.writeHead(200, html).end('<!doctype html><title>Empty</title>');
    }
  };
}

/** Opens the pages of all ways; `navigate` must not throw if a page is blocked. */
export async function tryAll(
  sinks: Sinks,
  some: readonly Way[],
  side: Side,
  navigate: (url: string) => Promise<unknown>,
): Promise<void> {
  const framed = some.filter(({ isTop }) => isTop !== true);
  if (framed.length > 0) await navigate(sinks.pageOfFrames(framed, side));
  for (const way of some.filter(({ isTop }) => isTop === true)) await navigate(sinks.pageOf(way, side));
}
