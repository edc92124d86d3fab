import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { Agent, createServer, request as httpRequest } from 'node:http';
import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import type { Duplex, Readable } from 'node:stream';
import type { ProxyRoute } from '../../config/proxy.ts';
import { ownPeers } from './peers.ts';
import { Refusals } from './refusals.ts';

// Why this is not `proxy-chain`: it answers a refused request with an error page of its own, which a browser would show
// as the page of that host. HTTP is parsed by node:http, SOCKS by `socks`, and address classes are node:net's BlockList.

/** A proxy on the loopback address, and how a browser reaches it. */
export interface ProxyRelay extends AsyncDisposable {
  readonly route: ProxyRoute;
  readonly refusals: Refusals;
}

/** Registers a socket with the proxy, which closes it when the proxy closes. */
export type Keep = <S extends Duplex>(socket: S) => S;

/** Opens a connection to the host that a browser requested. */
export type Dial = (host: string, port: number, keep: Keep) => Promise<Socket>;

export interface ProxyOptions {
  readonly dial: Dial;
  /** Throws for a host that may not be reached. Runs for every request, also if a connection is open. */
  readonly check?: (host: string, port: number) => void;
  /** Bytes in both directions, and open connections; no limit if absent. */
  readonly limits?: EgressLimits;
  readonly refusals?: Refusals;
}

export interface EgressLimits {
  readonly maxBytes?: number | undefined;
  readonly maxConnections?: number | undefined;
}

export const dialLimitMs = 30_000;
/** Shorter than the idle time of common servers, so that few connections are reused in the moment they close. */
const idleMs = 4000;

/** Opens a TCP connection. */
export async function connected(
  keep: Keep,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<Socket> {
  const socket = keep(connect({ host, port, noDelay: true }));
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

/** Ports of the proxies of this process; no page may reach them. */
const ownPorts = new Set<number>();

/** A listener of this process: pages must not reach it through a proxy of this process. */
export function denyOwnPort(port: number): Disposable {
  ownPorts.add(port);
  return { [Symbol.dispose]: () => void ownPorts.delete(port) };
}

export function isOwnPort(port: number): boolean {
  return ownPorts.has(port);
}

/**
 * An HTTP proxy for one browser. Only processes of the same user may use it; where that cannot be determined, it requires
 * a random password.
 */
export async function openLoopbackProxy(options: ProxyOptions): Promise<ProxyRelay> {
  const isOwnPeer = await ownPeers();
  const login = isOwnPeer === undefined ? { username: 'helm', password: randomBytes(16).toString('hex') } : undefined;
  const wanted =
    login === undefined ? undefined : `Basic ${Buffer.from(`${login.username}:${login.password}`).toString('base64')}`;
  const peers = new WeakMap<Duplex, Promise<boolean>>();
  const isKnown = async ({ headers, socket }: IncomingMessage): Promise<boolean> =>
    wanted === undefined ? ((await peers.get(socket)) ?? false) : headers['proxy-authorization'] === wanted;
  const relay = new Relay(options);
  const server = createServer((request, response) => {
    void isKnown(request).then((isAllowed) => {
      if (isAllowed) relay.pass(request, response);
      else response.writeHead(407, { 'proxy-authenticate': 'Basic realm="relay"' }).end();
    });
  });
  server.keepAliveTimeout = 60_000;
  server.on('connection', (socket: Socket) => {
    relay.keep(socket);
    if (isOwnPeer !== undefined) {
      peers.set(
        socket,
        isOwnPeer(socket).catch(() => false),
      );
    }
  });
  server.on('connect', (request: IncomingMessage, client: Duplex, head: Buffer) => {
    void isKnown(request).then((isAllowed) => {
      if (isAllowed) void relay.tunnel(client, head, request.url ?? '');
      else client.end('HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm="relay"\r\n\r\n');
    });
  });
  server.listen(0, '127.0.0.1').unref();
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the relay has no port');
  ownPorts.add(address.port);
  return {
    route: { server: `http://127.0.0.1:${address.port}`, ...login },
    refusals: relay.refusals,
    [Symbol.asyncDispose]: async () => {
      relay.close();
      await new Promise((resolve) => server.close(resolve));
      ownPorts.delete(address.port);
    },
  };
}

/** The connections of one proxy. */
class Relay {
  readonly refusals: Refusals;
  readonly #options: ProxyOptions;
  readonly #sockets = new Set<Duplex>();
  readonly #agent: Agent;
  #open = 0;
  #bytes = 0;

  constructor(options: ProxyOptions) {
    this.#options = options;
    this.refusals = options.refusals ?? new Refusals();
    this.#agent = new DialingAgent(async (host, port) => this.#dial(host, port));
  }

  readonly keep: Keep = (socket) => {
    this.#sockets.add(socket);
    socket.on('close', () => this.#sockets.delete(socket));
    // Either end may disconnect at any time; the other end is closed too.
    socket.on('error', () => socket.destroy());
    return socket;
  };

  close(): void {
    this.#agent.destroy();
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Forwards a request in absolute form. */
  pass(request: IncomingMessage, response: ServerResponse): void {
    try {
      const url = new URL(request.url ?? '');
      const port = portOf(url);
      this.#check(url.hostname, port);
      this.#forward(request, response, url, port);
    } catch (error) {
      refuse(response, error);
    }
  }

  async tunnel(client: Duplex, head: Buffer, target: string): Promise<void> {
    try {
      const url = new URL(`http://${target}`);
      const port = portOf(url);
      this.#check(url.hostname, port);
      const socket = await this.#dial(url.hostname, port);
      client.on('close', () => socket.destroy());
      socket.on('close', () => client.destroy());
      this.#meter(client);
      this.#meter(socket);
      client.write('HTTP/1.1 200 OK\r\n\r\n');
      socket.write(head);
      client.pipe(socket).pipe(client);
    } catch (error) {
      client.end(`HTTP/1.1 ${error instanceof RefusedError ? '403 Forbidden' : '502 Bad Gateway'}\r\n\r\n`);
    }
  }

  #forward(request: IncomingMessage, response: ServerResponse, url: URL, port: number, isRetry = false): void {
    const { 'proxy-authorization': _login, 'proxy-connection': _kind, ...headers } = request.headers;
    const hasBody = 'content-length' in headers || 'transfer-encoding' in headers;
    // A body can be sent once only, so it never goes over a connection that the server may be closing.
    const agent = hasBody || isRetry ? new DialingAgent(async (host, to) => this.#dial(host, to), false) : this.#agent;
    const onward: ClientRequest = httpRequest({
      agent,
      host: url.hostname,
      port,
      method: request.method,
      path: `${url.pathname}${url.search}`,
      headers,
      setHost: false,
    });
    onward.on('response', (answer) => {
      this.#meter(answer);
      response.writeHead(answer.statusCode ?? 502, answer.statusMessage, answer.rawHeaders);
      answer.pipe(response);
    });
    onward.on('error', (error) => {
      const isStale = onward.reusedSocket && !hasBody && !isRetry && !response.headersSent;
      if (isStale) this.#forward(request, response, url, port, true);
      else refuse(response, error);
    });
    response.on('close', () => onward.destroy());
    this.#meter(request);
    if (hasBody) request.pipe(onward);
    else onward.end();
  }

  #check(hostname: string, port: number): void {
    this.#recorded(hostname, port, () => {
      const { maxBytes, maxConnections } = this.#options.limits ?? {};
      if (maxBytes !== undefined && this.#bytes >= maxBytes) throw new RefusedError(bytesRule(maxBytes));
      if (maxConnections !== undefined && this.#open >= maxConnections) {
        throw new RefusedError(`the limit of ${maxConnections} connections per session (--egress-max-connections)`);
      }
      this.#options.check?.(hostname, port);
    });
  }

  async #dial(hostname: string, port: number): Promise<Socket> {
    this.#open++;
    try {
      const socket = await this.#options.dial(hostname, port, this.keep);
      socket.on('close', () => this.#open--);
      return socket;
    } catch (error) {
      this.#open--;
      this.#record(hostname, port, error);
      throw error;
    }
  }

  #recorded(hostname: string, port: number, run: () => void): void {
    try {
      run();
    } catch (error) {
      this.#record(hostname, port, error);
      throw error;
    }
  }

  #record(hostname: string, port: number, error: unknown): void {
    const host = hostname.replaceAll(/^\[|\]$/g, '').replace(/\.$/, '');
    if (error instanceof RefusedError) this.refusals.add(host, port, error.message);
  }

  /** Counts what is read; beyond the limit all connections of the session are closed. */
  #meter(stream: Readable): void {
    const { maxBytes } = this.#options.limits ?? {};
    if (maxBytes === undefined) return;
    stream.on('data', (chunk: Buffer) => {
      this.#bytes += chunk.length;
      if (this.#bytes >= maxBytes) for (const socket of this.#sockets) socket.destroy();
    });
  }
}

function bytesRule(maxBytes: number): string {
  return `the limit of ${maxBytes} bytes per session is reached (--egress-max-bytes)`;
}

/** Keeps connections to hosts open, so that the next request needs no new one. */
class DialingAgent extends Agent {
  readonly #dial: (host: string, port: number) => Promise<Socket>;

  constructor(dial: (host: string, port: number) => Promise<Socket>, keepAlive = true) {
    super({ keepAlive, timeout: keepAlive ? idleMs : 0 });
    this.#dial = dial;
  }

  override createConnection(
    options: { readonly host?: string | null; readonly port?: number | string | null },
    callback?: (error: Error | null, socket: Duplex) => void,
  ): Duplex | undefined {
    // Node passes no socket with an error.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    const finish = callback as unknown as ((error: Error | null, socket?: Duplex) => void) | undefined;
    this.#dial(options.host ?? '', Number(options.port)).then(
      (socket) => finish?.(null, socket),
      (error: unknown) => finish?.(error instanceof Error ? error : new Error(String(error))),
    );
    return undefined;
  }
}

function portOf({ port }: URL): number {
  return Number(port === '' ? 80 : port);
}

function refuse(response: ServerResponse, error: unknown): void {
  // The browser would show a response as a page of that host.
  if (error instanceof RefusedError || response.headersSent) response.destroy();
  else response.writeHead(502).end();
}
