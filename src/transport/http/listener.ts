import { createServer, STATUS_CODES } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer as createTlsServer, Server as TlsServer } from 'node:https';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { ConfigError } from '../../errors.ts';
import type { Registry } from 'prom-client';
import type { Logger } from '../../log.ts';
import { errorCode } from '../../util/error-code.ts';
import { Admission } from '../access/admission.ts';
import { artifactPath, sendArtifact } from './artifacts.ts';
import { Clients } from './clients.ts';
import type { Endpoint, Forwarder, SharedConnections, WebRoutes } from './endpoint.ts';
import { RequestGuard } from '../access/guard.ts';
import type { Refusal } from '../access/guard.ts';
import { errorMessage } from '../json-rpc.ts';
import type { KeyCheck, KeyIdentity } from '../access/keys.ts';
import { bufferLimit, refuse, sendText } from './respond.ts';
import { HttpMetrics } from '../../telemetry/http-metrics.ts';
import { LoopLag } from './loop-lag.ts';
import { LegacySse, ssePath } from './sse.ts';
import { StreamableHttp } from './streamable.ts';
import { WebSockets } from './websocket.ts';

export interface TlsFiles {
  readonly cert: Buffer;
  readonly key: Buffer;
}

export interface ListenerOptions {
  readonly endpoint: Endpoint;
  /** None: every request is accepted, which only a loopback address allows. */
  readonly keys: KeyCheck | undefined;
  readonly host: string;
  readonly port: number;
  readonly allowedHosts: readonly string[];
  /** `http` or `websocket` restrict the listener to one of them. */
  readonly only?: 'http' | 'websocket' | undefined;
  readonly tls?: TlsFiles | undefined;
  readonly log: Logger;
  readonly limits: ListenerLimits;
  /** Routes beside the protocol: the dashboard. */
  readonly routes?: WebRoutes | undefined;
  /** Serves the requests in place of this process. */
  readonly forward?: Forwarder | undefined;
  /** Makes 2025 connections outlive this process. */
  readonly connections?: SharedConnections | undefined;
  /** Where the metrics of the listener are added; a registry of its own by default. */
  readonly registry?: Registry;
  readonly keepAliveMs?: number;
  readonly bufferBytes?: number;
  /** How long the header and the body of a request may take to arrive. */
  readonly headerTimeoutMs?: number;
  readonly bodyTimeoutMs?: number;
  /** The address of a client, for the wait after wrong keys. */
  readonly addressOf?: (request: IncomingMessage) => string;
  /** The clock of that wait, in milliseconds. */
  readonly now?: () => number;
  /** How long calls in flight may take when the listener ends. */
  readonly drainMs?: number;
}

export interface ListenerLimits {
  readonly maxBodyBytes: number;
  readonly maxConnections: number;
  readonly maxClients: number;
  /** Requests of one key that may be under way at once. */
  readonly maxRequests: number;
  /** Requests of one key in a second; 0 means no limit. */
  readonly rate: number;
  readonly idleMs: number;
}

const paths = { mcp: '/mcp', sse: ssePath, webSocket: '/ws' };
const defaultHeaderTimeoutMs = 10_000;
const defaultBodyTimeoutMs = 60_000;
const keepAliveTimeoutMs = 65_000;
const defaultKeepAliveMs = 15_000;
const defaultDrainMs = 20_000;
/** A server whose event loop is blocked for longer counts as dead. */
const longestLagMs = 1000;
/** One port for Streamable HTTP, legacy SSE and WebSocket, and for what monitors the server. */
export class NetworkListener implements AsyncDisposable {
  readonly #options: ListenerOptions;
  readonly #guard: RequestGuard;
  readonly #admission: Admission;
  readonly #clients: Clients;
  readonly #streamable: StreamableHttp;
  readonly #sse: LegacySse;
  readonly #webSockets: WebSockets;
  readonly #servers: Server[] = [];
  readonly #sockets = new Set<Socket>();
  readonly #lag = new LoopLag();
  readonly #metrics: HttpMetrics;
  #isDraining = false;
  #end: Promise<void> | undefined;

  constructor(options: ListenerOptions) {
    this.#options = options;
    const { endpoint, log, limits, keepAliveMs = defaultKeepAliveMs, bufferBytes = bufferLimit } = options;
    this.#guard = new RequestGuard(options);
    const { keys, addressOf = remoteAddressOf, now = (): number => performance.now() } = options;
    this.#metrics = new HttpMetrics(options.registry, {
      sockets: () => this.#sockets.size,
      clients: (kind) => this.#clients.count(kind),
      eventStoreBytes: () => this.#streamable.events.bytes,
      lagMs: () => this.#lag.ms,
    });
    const onFailure = (status: number): void => this.#metrics.authFailed(status);
    this.#admission = new Admission({ ...limits, keys, addressOf, now, onFailure });
    const onEvicted = (): void => this.#metrics.evicted();
    this.#clients = new Clients({ perKey: limits.maxClients, idleMs: limits.idleMs, onEvicted });
    const onDropped = (): void => this.#metrics.dropped();
    const { maxBodyBytes } = limits;
    const shared = { endpoint, clients: this.#clients, log, maxBodyBytes, bufferBytes, keepAliveMs, onDropped };
    this.#streamable = new StreamableHttp({ ...shared, connections: options.connections });
    this.#sse = new LegacySse(shared);
    this.#webSockets = new WebSockets(shared);
  }

  /** Clients that were dropped because they did not read. */
  get droppedClients(): number {
    return this.#metrics.droppedClients;
  }

  /** Starts to listen; `localhost` means both loopback addresses. */
  async listen(): Promise<number> {
    const { host, port } = this.#options;
    const [first, ...others] = host === 'localhost' ? ['127.0.0.1', '::1'] : [host];
    const bound = await this.#bind(first ?? host, port);
    for (const address of others) {
      try {
        await this.#bind(address, bound);
      } catch (error) {
        // A machine without IPv6 has no ::1. A chosen port that another program holds there is a conflict.
        if (port !== 0 && error instanceof ConfigError && error.problems.some((each) => each.includes('in use')))
          throw error;
      }
    }
    return bound;
  }

  /** After a change of the keys: connections of removed keys and of changed scopes end. */
  async keysChanged(): Promise<void> {
    this.#admission.reset();
    await this.#clients.keepOnly((identity) => this.#options.keys?.isCurrent(identity) === true);
  }

  setTls(files: TlsFiles): void {
    for (const server of this.#servers) if (server instanceof TlsServer) server.setSecureContext(files);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#end ??= this.#drain();
    await this.#end;
  }

  async #bind(address: string, port: number): Promise<number> {
    const { tls, limits } = this.#options;
    const { headerTimeoutMs = defaultHeaderTimeoutMs, bodyTimeoutMs = defaultBodyTimeoutMs } = this.#options;
    const options = {
      headersTimeout: headerTimeoutMs,
      requestTimeout: bodyTimeoutMs,
      keepAliveTimeout: keepAliveTimeoutMs,
      connectionsCheckingInterval: Math.min(5000, bodyTimeoutMs / 2),
      // Lets the kernel find peers that are gone without a word.
      keepAlive: true,
      keepAliveInitialDelay: 60_000,
    };
    const server = tls === undefined ? createServer(options) : createTlsServer({ ...options, ...tls });
    // Above the limit a request is answered; far above it the connection is not even accepted.
    server.maxConnections = 2 * limits.maxConnections;
    server.on(tls === undefined ? 'connection' : 'secureConnection', (socket: Socket) => this.#track(socket));
    server.on('request', (request, response) => void this.#onRequest(request, response));
    server.on('upgrade', (request, socket, head) => this.#onUpgrade(request, socket, head));
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen({ host: address, port, ipv6Only: address === '::1' }, resolve);
    }).catch((error: unknown) => {
      throw listenError(error, address, port);
    });
    server.on('error', (error) => this.#options.log.error('listener', { error }));
    this.#servers.push(server);
    const bound = server.address();
    return typeof bound === 'object' && bound !== null ? bound.port : port;
  }

  #track(socket: Socket): void {
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
  }

  async #onRequest(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.setHeader('X-Content-Type-Options', 'nosniff');
    // Without a listener, a client that goes away could end the process.
    response.on('error', () => undefined);
    response.once('finish', () => this.#metrics.answered(response.statusCode));
    try {
      const refusal = await this.#serve(request, response);
      if (refusal === undefined) return;
      // An unread body would be taken for the next request.
      if (!request.complete) response.setHeader('Connection', 'close');
      refuse(response, refusal);
    } catch (error) {
      if (!request.destroyed) this.#options.log.error('http request failed', { error });
      refuse(response, { status: 500, message: 'Internal server error' }, -32_603);
    }
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<Refusal | undefined> {
    const refusal = this.#tooManyConnections() ?? this.#guard.check(request);
    if (refusal !== undefined) return refusal;
    const pathname = pathOf(request);
    const { routes } = this.#options;
    // Before the headers that allow other origins: none may read these.
    if (routes?.serves(pathname) === true)
      return routes.handle(request, response, () => this.#admission.identify(request));
    this.#allowOrigin(request, response);
    const status = await this.#serveStatus(request, response, pathname);
    if (status !== undefined) return status === 'served' ? undefined : status;
    const isFile = pathname.startsWith(artifactPath);
    const isKnown = isFile || [paths.mcp, paths.sse, paths.webSocket, '/metrics'].includes(pathname);
    if (!isKnown) return { status: 404, message: `Nothing is served at this path; MCP is at ${paths.mcp}.` };
    if (request.method === 'OPTIONS' && request.headers.origin !== undefined) {
      response.writeHead(204).end();
      return undefined;
    }
    const identity = this.#admission.identify(request);
    if (identity !== undefined && 'status' in identity) return identity;
    if (pathname === '/metrics') return this.#serveMetrics(request, response);
    const { forward } = this.#options;
    if (forward !== undefined) {
      if (this.#isDraining && request.method === 'POST') return draining;
      return this.#counted(response, identity, async () => forward.handle(request, response, identity));
    }
    const admitted = await this.#admit(identity);
    if ('status' in admitted) return admitted;
    response.once('close', () => admitted[Symbol.dispose]());
    return isFile
      ? this.#serveFile(request, response, identity)
      : this.#serveMcp(request, response, identity, pathname);
  }

  async #admit(identity: KeyIdentity | undefined): Promise<Refusal | Disposable> {
    const { endpoint } = this.#options;
    const caller = { key: identity?.name, scope: identity?.scope, connection: undefined };
    return (await endpoint.admit?.(caller)) ?? { [Symbol.dispose]: () => undefined };
  }

  async #serveStatus(
    request: IncomingMessage,
    response: ServerResponse,
    path: string,
  ): Promise<Refusal | 'served' | undefined> {
    if (!/^\/(?:health|livez|readyz)$/.test(path)) return undefined;
    if (!/^(?:GET|HEAD)$/.test(request.method ?? '')) return notAllowed('GET, HEAD');
    const problem = path === '/livez' ? this.#lagProblem() : await this.#readyProblem(path === '/readyz');
    const { boot } = this.#options.endpoint;
    const text = JSON.stringify({ status: problem ?? 'ok', ...(path === '/livez' && { boot }) });
    sendText(response, problem === undefined ? 200 : 503, 'application/json', text);
    return 'served';
  }

  #lagProblem(): string | undefined {
    return this.#lag.ms > longestLagMs ? 'lagging' : undefined;
  }

  async #readyProblem(isFull: boolean): Promise<string | undefined> {
    if (this.#isDraining) return 'draining';
    return isFull ? this.#options.endpoint.unready?.() : undefined;
  }

  async #serveMetrics(request: IncomingMessage, response: ServerResponse): Promise<Refusal | undefined> {
    if (request.method !== 'GET') return notAllowed('GET');
    sendText(response, 200, this.#metrics.registry.contentType, await this.#metrics.registry.metrics());
    return undefined;
  }

  async #serveMcp(
    request: IncomingMessage,
    response: ServerResponse,
    identity: KeyIdentity | undefined,
    path: string,
  ): Promise<Refusal | undefined> {
    const { method } = request;
    if (this.#options.only === 'websocket') return notAllowed('GET', 'Only WebSocket connections are served here.');
    if (this.#isDraining && method === 'POST') return draining;
    if (path === paths.webSocket) {
      return { status: 426, message: 'This path serves WebSocket connections.', headers: { Upgrade: 'websocket' } };
    }
    const isStream = method === 'GET' && request.headers.accept?.includes('text/event-stream') === true;
    const isOld = request.headers['mcp-session-id'] ?? request.headers['mcp-protocol-version'];
    if (path === paths.sse || (isStream && isOld === undefined)) {
      return this.#serveSse(request, response, identity, isStream);
    }
    if (!/^(?:GET|POST|DELETE)$/.test(method ?? '')) return notAllowed('GET, POST, DELETE');
    if (method === 'GET' && !isStream)
      return notAllowed('POST', 'GET is for event streams (Accept: text/event-stream).');
    return this.#counted(response, identity, async () => this.#streamable.handle(request, response, identity));
  }

  async #serveFile(
    request: IncomingMessage,
    response: ServerResponse,
    identity: KeyIdentity | undefined,
  ): Promise<Refusal | undefined> {
    // Without keys, the connection tells whose files are meant.
    const id = request.headers['mcp-session-id'];
    const client = typeof id === 'string' ? this.#clients.find(id, identity?.name) : undefined;
    const caller = { key: identity?.name, scope: identity?.scope, connection: client?.id };
    let refusal: Refusal | undefined;
    const send = async (): Promise<void> => {
      refusal = await sendArtifact(request, response, caller, this.#options.endpoint);
    };
    return (await this.#counted(response, identity, send)) ?? refusal;
  }

  async #serveSse(
    request: IncomingMessage,
    response: ServerResponse,
    identity: KeyIdentity | undefined,
    isStream: boolean,
  ): Promise<Refusal | undefined> {
    if (isStream) {
      if (this.#isDraining) return draining;
      this.#sse.open(response, identity);
      return undefined;
    }
    if (request.method !== 'POST') return notAllowed('GET, POST');
    return this.#counted(response, identity, async () => this.#sse.post(request, response, identity));
  }

  /** Runs a request within the limits of its key. */
  async #counted(
    response: ServerResponse,
    identity: KeyIdentity | undefined,
    run: () => Promise<void>,
  ): Promise<Refusal | undefined> {
    const end = this.#admission.begin(identity);
    if (typeof end !== 'function') return end;
    response.once('close', end);
    await run();
    return undefined;
  }

  #onUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on('error', () => undefined);
    try {
      if (this.#upgradeRoute(request, socket, head)) return;
      const identity = this.#checkUpgrade(request);
      if (identity !== undefined && 'status' in identity) {
        this.#metrics.answered(identity.status);
        refuseUpgrade(socket, identity);
      } else void this.#accept(request, socket, head, identity);
    } catch (error) {
      this.#upgradeFailed(socket, error);
    }
  }

  /** Never rejects. */
  async #accept(
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    identity: KeyIdentity | undefined,
  ): Promise<void> {
    const { forward } = this.#options;
    try {
      if (forward !== undefined) return forward.upgrade(request, socket, head, identity);
      const admitted = await this.#admit(identity);
      if ('status' in admitted) return refuseUpgrade(socket, admitted);
      socket.once('close', () => admitted[Symbol.dispose]());
      this.#webSockets.accept(request, socket, head, identity);
    } catch (error) {
      this.#upgradeFailed(socket, error);
    }
  }

  /** An error in a listener of the server would end the process. */
  #upgradeFailed(socket: Duplex, error: unknown): void {
    this.#options.log.error('upgrade failed', { error });
    socket.destroy();
  }

  /** False if the path belongs to the protocol. */
  #upgradeRoute(request: IncomingMessage, socket: Duplex, head: Buffer): boolean {
    const { routes } = this.#options;
    if (routes?.serves(pathOf(request)) !== true) return false;
    const early = this.#tooManyConnections() ?? this.#guard.check(request) ?? (this.#isDraining ? draining : undefined);
    const refusal = early ?? routes.upgrade(request, socket, head);
    if (refusal !== undefined) {
      this.#metrics.answered(refusal.status);
      refuseUpgrade(socket, refusal);
    }
    return true;
  }

  #checkUpgrade(request: IncomingMessage): KeyIdentity | Refusal | undefined {
    const refusal = this.#tooManyConnections() ?? this.#guard.check(request);
    if (refusal !== undefined) return refusal;
    const pathname = pathOf(request);
    const isServed = this.#options.only !== 'http' && [paths.webSocket, paths.mcp].includes(pathname);
    if (!isServed) return { status: 404, message: `WebSocket connections are served at ${paths.webSocket}.` };
    if (this.#isDraining) return draining;
    const identity = this.#admission.identify(request);
    if (identity !== undefined && 'status' in identity) return identity;
    return this.#clients.refusal(identity?.name) ?? identity;
  }

  #tooManyConnections(): Refusal | undefined {
    const { maxConnections } = this.#options.limits;
    if (this.#sockets.size <= maxConnections) return undefined;
    const headers = { 'Retry-After': '10', Connection: 'close' };
    return { status: 503, message: `More than ${maxConnections} connections are open (--max-connections).`, headers };
  }

  /** For clients in a web page of an allowed origin. */
  #allowOrigin({ headers: { origin } }: IncomingMessage, response: ServerResponse): void {
    if (origin === undefined) return;
    response.setHeader('Access-Control-Allow-Origin', origin);
    response.setHeader('Vary', 'Origin');
    response.setHeader('Access-Control-Expose-Headers', 'Mcp-Session-Id, WWW-Authenticate, Retry-After');
    response.setHeader('Access-Control-Allow-Methods', 'GET, POST, DELETE');
    response.setHeader(
      'Access-Control-Allow-Headers',
      'Authorization, Content-Type, Last-Event-ID, Mcp-Method, Mcp-Name, Mcp-Protocol-Version, Mcp-Session-Id',
    );
  }

  /** Calls in flight finish, within a limit; then streams end and sockets close. */
  async #drain(): Promise<void> {
    this.#isDraining = true;
    const { drainMs = defaultDrainMs } = this.#options;
    const deadline = performance.now() + drainMs;
    const pending = (): number =>
      this.#clients.pending + this.#streamable.pending + (this.#options.forward?.pending ?? 0);
    while (pending() > 0 && performance.now() < deadline) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await this.#clients[Symbol.asyncDispose]();
    await this.#streamable[Symbol.asyncDispose]();
    const closed = this.#servers.map(
      async (server) =>
        new Promise<void>((resolve) => {
          server.close(() => resolve());
          server.closeIdleConnections();
        }),
    );
    const force = setTimeout(() => {
      for (const server of this.#servers) server.closeAllConnections();
      for (const socket of this.#sockets) socket.destroy();
    }, 1000);
    await Promise.all(closed);
    clearTimeout(force);
    this.#lag[Symbol.dispose]();
  }
}

const draining: Refusal = {
  status: 503,
  message: 'The server is shutting down.',
  headers: { 'Retry-After': '30', Connection: 'close' },
};

function remoteAddressOf({ socket }: IncomingMessage): string {
  return socket.remoteAddress ?? '';
}

/** As it was sent: parsing could fail, and `//mcp` would be a host. */
function pathOf({ url = '/' }: IncomingMessage): string {
  return url.split('?', 1)[0] ?? '/';
}

function notAllowed(allow: string, message = 'Method not allowed.'): Refusal {
  return { status: 405, message, headers: { Allow: allow } };
}

/** The error of a port that cannot be had, for the person who starts the server. */
function listenError(error: unknown, address: string, port: number): unknown {
  const problems: Readonly<Record<string, string>> = {
    EADDRINUSE: `Port ${port} on ${address} is in use. Choose another one with --port.`,
    EACCES: `Port ${port} needs more rights. Choose one above 1023 with --port.`,
    ENOTFOUND: `${address} is not an address of this machine. Choose another one with --host.`,
    EADDRNOTAVAIL: `${address} is not an address of this machine. Choose another one with --host.`,
  };
  const problem = problems[errorCode(error) ?? ''];
  return problem === undefined ? error : new ConfigError([problem]);
}

export function refuseUpgrade(socket: Duplex, { status, message, headers = {} }: Refusal): void {
  const body = errorMessage(-32_000, message);
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    ...Object.entries({ ...headers, Connection: 'close', 'Content-Type': 'application/json' }).map(
      ([name, value]) => `${name}: ${value}`,
    ),
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`);
}
