import { once } from 'node:events';
import { createServer as createHttpServer, request as forward } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect, createServer } from 'node:net';
import type { Server, Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** A proxy on a loopback address that records traffic. */
export interface TestProxy extends AsyncDisposable {
  /** Without credentials: `http://127.0.0.1:1234`, `socks5://127.0.0.1:1234`. */
  readonly url: string;
  /** `host:port` of each connection or request that was let through, in order. */
  readonly passed: readonly string[];
  /** Number of requests rejected because of their credentials. */
  readonly refused: number;
}

export interface TestProxyOptions {
  /** Required credentials; none if absent. */
  readonly login?: { readonly username: string; readonly password: string };
  /** Names that only this proxy resolves, and their targets: `{ 'pages.test': site.url('/') }`. */
  readonly names?: Readonly<Record<string, string>>;
}

/** An HTTP proxy: requests in absolute form, and tunnels. */
export async function startHttpProxy(options: TestProxyOptions = {}): Promise<TestProxy> {
  const record = newRecord();
  const mayPass = ({ headers }: IncomingMessage): boolean => {
    if (options.login === undefined) return true;
    const { username, password } = options.login;
    const wanted = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
    if (headers['proxy-authorization'] === wanted) return true;
    record.refused++;
    return false;
  };
  const server = createHttpServer((request, response) => {
    if (!mayPass(request)) {
      response.writeHead(407, { 'proxy-authenticate': 'Basic realm="proxy"' }).end();
      return;
    }
    const url = new URL(request.url ?? '');
    record.passed.push(`${url.hostname}:${url.port === '' ? '80' : url.port}`);
    passOn(request, response, whereTo(url.hostname, Number(url.port === '' ? 80 : url.port), options));
  });
  server.on('connect', (request: IncomingMessage, client: Duplex) => {
    if (!mayPass(request)) {
      client.end('HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm="proxy"\r\n\r\n');
      return;
    }
    const { hostname, port } = new URL(`http://${request.url}`);
    record.passed.push(request.url ?? '');
    tunnel(client, whereTo(hostname, Number(port === '' ? 80 : port), options), 'HTTP/1.1 200 OK\r\n\r\n');
  });
  return listen(server, 'http', record);
}

/** A SOCKS 5 proxy that resolves names, as browsers request. */
export async function startSocksProxy(options: TestProxyOptions = {}): Promise<TestProxy> {
  const record = newRecord();
  const server = createServer((client) => {
    // Ignore browsers that abort a handshake.
    serveSocks(client, options, record).catch(() => client.destroy());
  });
  return listen(server, 'socks5', record);
}

interface Traffic {
  readonly passed: string[];
  refused: number;
}

interface Place {
  readonly host: string;
  readonly port: number;
}

function newRecord(): Traffic {
  return { passed: [], refused: 0 };
}

function whereTo(host: string, port: number, { names = {} }: TestProxyOptions): Place {
  const known = names[host];
  if (known === undefined) return { host, port };
  const url = new URL(known);
  return { host: url.hostname, port: Number(url.port) };
}

function passOn(request: IncomingMessage, response: ServerResponse, to: Place): void {
  const { pathname, search } = new URL(request.url ?? '');
  const { 'proxy-authorization': _login, 'proxy-connection': _kind, ...headers } = request.headers;
  const onward = forward({ ...to, method: request.method, path: `${pathname}${search}`, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  onward.on('error', () => response.writeHead(502).end());
  request.pipe(onward);
}

function tunnel(client: Duplex, to: Place, opened: string | Buffer): void {
  const onward = connect(to, () => {
    client.write(opened);
    client.pipe(onward).pipe(client);
  });
  onward.on('error', () => client.destroy());
  client.on('error', () => onward.destroy());
  client.on('close', () => onward.destroy());
}

const noLogin = 0;
const byPassword = 2;
const nothingFits = 0xff;
const byName = 3;

async function serveSocks(client: Socket, options: TestProxyOptions, record: Traffic): Promise<void> {
  client.on('error', () => client.destroy());
  const [, count = 0] = await take(client, 2);
  const offered = await take(client, count);
  const wanted = options.login === undefined ? noLogin : byPassword;
  const isOffered = offered.includes(wanted);
  client.write(Buffer.from([5, isOffered ? wanted : nothingFits]));
  if (!isOffered || (options.login !== undefined && !(await isKnown(client, options.login)))) {
    record.refused++;
    client.end();
    return;
  }
  const [, , , kind] = await take(client, 4);
  const host =
    kind === byName ? String(await take(client, (await take(client, 1))[0] ?? 0)) : (await take(client, 4)).join('.');
  const port = (await take(client, 2)).readUInt16BE();
  record.passed.push(`${host}:${port}`);
  tunnel(client, whereTo(host, port, options), Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]));
}

async function isKnown(
  client: Socket,
  { username, password }: NonNullable<TestProxyOptions['login']>,
): Promise<boolean> {
  const [, length = 0] = await take(client, 2);
  const name = String(await take(client, length));
  const word = String(await take(client, (await take(client, 1))[0] ?? 0));
  const isRight = name === username && word === password;
  client.write(Buffer.from([1, isRight ? 0 : 1]));
  return isRight;
}

/** Reads exactly this many bytes, from any number of chunks. */
async function take(socket: Socket, length: number): Promise<Buffer> {
  if (length === 0) return Buffer.alloc(0);
  for (;;) {
    // A socket without an encoding emits buffers.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    const found = socket.read(length) as Buffer | null;
    if (found !== null) return found;
    if (socket.destroyed || socket.readableEnded) throw new Error('the client is gone');
    await Promise.race([once(socket, 'readable'), once(socket, 'close')]);
  }
}

async function listen(server: Server, scheme: string, record: Traffic): Promise<TestProxy> {
  const clients = new Set<Socket>();
  server.on('connection', (client: Socket) => {
    clients.add(client);
    client.on('close', () => clients.delete(client));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port');
  return {
    url: `${scheme}://127.0.0.1:${address.port}`,
    passed: record.passed,
    get refused() {
      return record.refused;
    },
    [Symbol.asyncDispose]: async () => {
      for (const client of clients) client.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
