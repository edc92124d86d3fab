import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  createMcpHandler,
  isInitializeRequest,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import type { McpHttpHandler, McpServer, RequestId, Server, ServerEvent } from '@modelcontextprotocol/server';
import type { Logger } from '../../log.ts';
import { isRecord } from '../../util/records.ts';
import { readJson } from './body.ts';
import type { ClientConnection, Clients } from './clients.ts';
import { acceptedForm, collapse } from './collapse.ts';
import type { Caller, Endpoint, SharedConnection, SharedConnections } from './endpoint.ts';
import { DuplicateCalls } from './duplicate-calls.ts';
import { EventLog, SharedEvents } from './event-log.ts';
import { LateBlobs } from './late-blobs.ts';
import type { KeyIdentity } from '../access/keys.ts';
import { refuse, sendResponse } from './respond.ts';

export interface StreamableOptions {
  readonly endpoint: Endpoint;
  readonly clients: Clients;
  readonly log: Logger;
  readonly maxBodyBytes: number;
  /** Unread bytes that a client may leave. */
  readonly bufferBytes: number;
  readonly keepAliveMs: number;
  /** Called for a client that was dropped because it did not read. */
  readonly onDropped: () => void;
  /** Makes 2025 connections outlive this process. */
  readonly connections?: SharedConnections | undefined;
}

const sessionHeader = 'mcp-session-id';
const statelessVersion = '2026-07-28';
const connectionClosed = new Error('the connection was closed');
const isRunning = 'Invalid Request: a request with this id is under way';
const allow = { Allow: 'GET, POST, DELETE' };
const mostEnded = 10_000;
/** No client has this id: it would have to wait for itself. */
const reopeningId = 'pagehelm-reopen';

/** Streamable HTTP: 2026-07-28 requests stand alone; a 2025 client gets a connection with an Mcp-Session-Id. */
export class StreamableHttp implements AsyncDisposable {
  readonly events = new EventLog();
  readonly #options: StreamableOptions;
  readonly #modern: McpHttpHandler;
  /** The SDK hands the request to the factory; who sent it goes with it. */
  readonly #callers = new WeakMap<Request, Caller>();
  /** Who opens a subscription: the SDK's event bus does not say. */
  readonly #subscriber = new AsyncLocalStorage<Caller>();
  readonly #duplicates = new DuplicateCalls();
  /** Connections that are being opened again. */
  readonly #reopening = new Map<string, Promise<HttpSession | undefined>>();
  /** Ids of connections that their clients have ended. */
  readonly #ended = new Set<string>();
  #pending = 0;

  constructor(options: StreamableOptions) {
    const { endpoint, log, maxBodyBytes, keepAliveMs } = options;
    this.#options = options;
    this.#modern = createMcpHandler(
      ({ requestInfo }) => {
        const caller = requestInfo === undefined ? undefined : this.#callers.get(requestInfo);
        if (caller === undefined) throw new Error('a request without a caller');
        return endpoint.server(caller);
      },
      {
        legacy: 'reject',
        keepAliveMs,
        maxRequestBodySize: maxBodyBytes,
        bus: { publish: () => undefined, subscribe: (listener) => this.#subscribe(listener) },
        onerror: (error) => log.debug('http', { error: error.message }),
      },
    );
  }

  /** Posted messages that are not answered yet. */
  get pending(): number {
    return this.#pending;
  }

  /** A request at /mcp whose sender is known. */
  async handle(request: IncomingMessage, response: ServerResponse, identity: KeyIdentity | undefined): Promise<void> {
    if (request.method !== 'POST') {
      await this.#onSession(request, response, identity);
      return;
    }
    this.#pending++;
    try {
      await this.#post(request, response, identity);
    } finally {
      this.#pending--;
    }
  }

  /** GET opens the event stream of a connection, DELETE ends the connection. */
  async #onSession(
    request: IncomingMessage,
    response: ServerResponse,
    identity: KeyIdentity | undefined,
  ): Promise<void> {
    const isStateless = request.headers['mcp-protocol-version'] === statelessVersion;
    if (isStateless || !/^(?:GET|DELETE)$/.test(request.method ?? '')) {
      refuse(response, { status: 405, message: 'Method not allowed.', headers: allow });
      return;
    }
    if (request.headers[sessionHeader] === undefined) {
      refuse(response, { status: 400, message: 'The Mcp-Session-Id header is missing.' });
      return;
    }
    const session = await this.#sessionOf(request, identity);
    if (session === undefined) {
      refuse(response, { status: 404, message: 'Session not found' }, -32_001);
      return;
    }
    if (request.method === 'DELETE') this.#noteEnded(session.id);
    const answer = await session.transport.handleRequest(webRequest(request));
    // A client waits for the headers of its event stream.
    await session.during(async () => this.#send(response, answer, false));
  }

  async #post(request: IncomingMessage, response: ServerResponse, identity: KeyIdentity | undefined): Promise<void> {
    const form = acceptedForm(request.headers.accept);
    if (form === undefined) {
      const message = 'Not Acceptable: the client must accept application/json or text/event-stream.';
      refuse(response, { status: 406, message });
      return;
    }
    const body = await readJson(request, this.#options.maxBodyBytes);
    if ('refusal' in body) {
      refuse(response, body.refusal, body.code);
      return;
    }
    if (Array.isArray(body.value) && body.value.length === 0) {
      refuse(response, { status: 400, message: 'Invalid Request: an empty batch' }, -32_600);
      return;
    }
    if (isListen(body.value) && form === 'json') {
      const message = 'Not Acceptable: notifications are sent as text/event-stream.';
      refuse(response, { status: 406, message });
      return;
    }
    // A connection checks its own ids.
    using running = this.#duplicates.begin(
      identity?.name,
      request.headers[sessionHeader] === undefined ? body.value : undefined,
    );
    if (running === undefined) {
      refuse(response, { status: 400, message: isRunning }, -32_600);
      return;
    }
    const gone = new AbortController();
    // Without a reason, each abort would make an exception with a stack trace.
    response.once('close', () => gone.abort(connectionClosed));
    const web = webRequest(request, gone.signal);
    const blobs = isRead(body.value) ? new LateBlobs() : undefined;
    const answer = await this.#answer(web, body.value, { identity, hold: blobs?.hold });
    // A subscription stays open until the client ends it; the end of the server does not wait for that.
    using _ = isListen(body.value) ? this.#uncounted() : undefined;
    if (answer instanceof Response) {
      const isBatch = Array.isArray(body.value);
      const shown = form === 'json' ? await collapse(answer, isBatch) : answer;
      if (blobs?.isEmpty === false) await blobs.send(response, shown);
      else await this.#send(response, shown, true);
    } else refuse(response, answer, answer.code);
  }

  async #answer(web: Request, body: unknown, { identity, hold }: Sender): Promise<Response | PostRefusal> {
    const caller = { key: identity?.name, scope: identity?.scope, connection: undefined, hold };
    if (!(await isLegacyRequest(web, body))) {
      this.#callers.set(web, caller);
      const fetch = async (): Promise<Response> => this.#modern.fetch(web, { parsedBody: body });
      return isListen(body) ? this.#subscriber.run(caller, fetch) : fetch();
    }
    if (web.headers.get(sessionHeader) !== null) return this.#onConnection(web, body, identity);
    if (messagesOf(body).some((message) => isInitializeRequest(message))) return this.#connect(web, body, identity);
    return this.#alone(web, body, caller);
  }

  /** Connects a subscription to the changes of its caller's resources. */
  #subscribe(listener: (event: ServerEvent) => void): () => void {
    const caller = this.#subscriber.getStore();
    if (caller === undefined) throw new Error('a subscription without a caller');
    const listening = this.#options.endpoint.changes?.(caller, {
      updated: (uri) => listener({ kind: 'resource_updated', uri }),
      listChanged: () => listener({ kind: 'resources_list_changed' }),
    });
    return () => listening?.[Symbol.dispose]();
  }

  #uncounted(): Disposable {
    this.#pending--;
    return { [Symbol.dispose]: () => void this.#pending++ };
  }

  /** A message on a connection that was opened with `initialize`. */
  async #onConnection(web: Request, body: unknown, identity: KeyIdentity | undefined): Promise<Response | PostRefusal> {
    const session = await this.#find(web.headers.get(sessionHeader) ?? '', identity);
    if (session === undefined) return { status: 404, message: 'Session not found', code: -32_001 };
    const ids = messagesOf(body).flatMap((message) => (isJSONRPCRequest(message) ? [message.id] : []));
    // The SDK finds the stream of an answer by the request's id: a second request with it would take the first one's answer.
    if (!session.begin(ids)) {
      return { status: 400, message: isRunning, code: -32_600 };
    }
    return session.post(web, body);
  }

  async #connect(web: Request, body: unknown, identity: KeyIdentity | undefined): Promise<Response | PostRefusal> {
    const full = this.#options.clients.refusal(identity?.name);
    if (full !== undefined) return full;
    const session = await this.#open(this.#newId(body, identity), identity);
    const answer = await session.post(web, body);
    // Nothing can follow an `initialize` that was refused.
    if (!answer.ok) await session.close();
    return answer;
  }

  #newId(body: unknown, identity: KeyIdentity | undefined): string {
    const initialize = messagesOf(body).find((message) => isInitializeRequest(message));
    const shared = identity === undefined ? undefined : this.#options.connections;
    const signed =
      initialize === undefined || identity === undefined
        ? undefined
        : shared?.idOf({ key: identity.name, ...initialize.params });
    return signed ?? randomBytes(16).toString('hex');
  }

  async #open(id: string, identity: KeyIdentity | undefined): Promise<HttpSession> {
    const { clients, endpoint, log, keepAliveMs, connections } = this.#options;
    const isShared = connections?.read(id) !== undefined;
    const own = this.events.session();
    const events = isShared && connections !== undefined ? new SharedEvents(connections.events(id), own) : own;
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => id,
      eventStore: events,
      keepAliveMs,
    });
    const owner = { key: identity?.name, scope: identity?.scope, connection: id };
    const server = endpoint.server(owner);
    const session = new HttpSession({ id, identity, transport, server });
    await server.connect(transport);
    const { onclose } = transport;
    transport.onclose = () => {
      onclose?.();
      // Another process may go on with a shared connection.
      if (!isShared || this.#ended.has(id)) events.clear();
      clients.remove(session);
      endpoint.ended(owner);
    };
    transport.onerror = (error) => log.debug('http', { error: error.message });
    clients.add(session);
    return session;
  }

  /** Opens a connection that another process has opened before. */
  async #reopen(
    id: string,
    connection: SharedConnection,
    identity: KeyIdentity | undefined,
  ): Promise<HttpSession | undefined> {
    const session = await this.#open(id, identity);
    const { protocolVersion, capabilities, clientInfo } = connection;
    const params = { protocolVersion, capabilities, clientInfo };
    const initialize = { jsonrpc: '2.0', id: reopeningId, method: 'initialize', params };
    const post = async (body: object): Promise<Response> =>
      session.transport.handleRequest(reopeningRequest(id, protocolVersion), { parsedBody: body });
    const answer = await post(initialize);
    // The server has taken the capabilities once it has answered.
    await answer.text();
    await (await post({ jsonrpc: '2.0', method: 'notifications/initialized' })).text();
    if (answer.ok) return session;
    await session.close();
    return undefined;
  }

  #noteEnded(id: string): void {
    this.#ended.add(id);
    const [oldest] = this.#ended;
    if (this.#ended.size > mostEnded && oldest !== undefined) this.#ended.delete(oldest);
  }

  /** A 2025 request without a connection: state is found by the key, so it needs none. */
  async #alone(web: Request, body: unknown, caller: Caller): Promise<Response> {
    const transport = new WebStandardStreamableHTTPServerTransport({ keepAliveMs: this.#options.keepAliveMs });
    const server = this.#options.endpoint.server(caller);
    await server.connect(transport);
    const end = (): void => void server.close().catch(() => undefined);
    web.signal.addEventListener('abort', end, { once: true });
    return transport.handleRequest(acceptingBoth(web), { parsedBody: body });
  }

  async #sessionOf({ headers }: IncomingMessage, identity: KeyIdentity | undefined): Promise<HttpSession | undefined> {
    const id = headers[sessionHeader];
    return typeof id === 'string' ? this.#find(id, identity) : undefined;
  }

  async #find(id: string, identity: KeyIdentity | undefined): Promise<HttpSession | undefined> {
    const client = this.#options.clients.find(id, identity?.name);
    if (client instanceof HttpSession) return this.#reopening.get(id) ?? client;
    const connection = this.#ended.has(id) ? undefined : this.#options.connections?.read(id);
    if (connection === undefined || connection.key !== identity?.name) return undefined;
    const reopening = this.#reopening.get(id) ?? this.#reopen(id, connection, identity);
    this.#reopening.set(id, reopening);
    return reopening.finally(() => this.#reopening.delete(id));
  }

  async #send(response: ServerResponse, answer: Response, isHeld: boolean): Promise<void> {
    const outcome = await sendResponse(response, answer, { limit: this.#options.bufferBytes, isHeld });
    if (outcome === 'dropped') this.#options.onDropped();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#modern.close();
  }
}

interface Sender extends Pick<Caller, 'hold'> {
  readonly identity: KeyIdentity | undefined;
}

interface PostRefusal {
  readonly status: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly code?: number;
}

interface SessionParts {
  readonly id: string;
  readonly identity: KeyIdentity | undefined;
  readonly transport: WebStandardStreamableHTTPServerTransport;
  readonly server: Server | McpServer;
}

/** A connection of a 2025 client. */
class HttpSession implements ClientConnection {
  readonly kind = 'http';
  readonly id: string;
  readonly key: string | undefined;
  readonly identity: KeyIdentity | undefined;
  readonly transport: WebStandardStreamableHTTPServerTransport;
  readonly #server: Server | McpServer;
  readonly #pending = new Set<RequestId>();
  #busy = 0;
  #usedAt = performance.now();

  constructor({ id, identity, transport, server }: SessionParts) {
    this.id = id;
    this.key = identity?.name;
    this.identity = identity;
    this.transport = transport;
    this.#server = server;
    const send = transport.send.bind(transport);
    transport.send = async (message, options) => {
      await send(message, options);
      if (!('method' in message) && message.id !== undefined) this.#pending.delete(message.id);
      this.#usedAt = performance.now();
    };
  }

  get pending(): number {
    return this.#pending.size;
  }

  idleMs(now: number): number | undefined {
    return this.#busy > 0 || this.#pending.size > 0 ? undefined : now - this.#usedAt;
  }

  /** False if one of the requests is under way already. */
  begin(ids: readonly RequestId[]): boolean {
    if (new Set(ids).size < ids.length || ids.some((id) => this.#pending.has(id))) return false;
    for (const id of ids) this.#pending.add(id);
    return true;
  }

  async post(web: Request, body: unknown): Promise<Response> {
    this.#usedAt = performance.now();
    const answer = await this.transport.handleRequest(acceptingBoth(web), { parsedBody: body });
    for (const message of messagesOf(body)) {
      const id = cancelledId(message);
      // A cancelled request is never answered: without this, its stream would stay open.
      if (id !== undefined && this.#pending.delete(id)) this.transport.closeSSEStream(id);
      // A refused request is not answered either.
      if (!answer.ok && isJSONRPCRequest(message)) this.#pending.delete(message.id);
    }
    return answer;
  }

  /** Keeps the connection while one of its streams is open. */
  async during(run: () => Promise<void>): Promise<void> {
    this.#busy++;
    try {
      await run();
    } finally {
      this.#busy--;
      this.#usedAt = performance.now();
    }
  }

  async close(): Promise<void> {
    await this.#server.close().catch(() => undefined);
  }
}

function isListen(body: unknown): boolean {
  return isRecord(body) && body['method'] === 'subscriptions/listen';
}

/** Only a single request: in a batch, another message could wait for its answer. */
function isRead(body: unknown): boolean {
  return isRecord(body) && body['method'] === 'resources/read';
}

function cancelledId(message: unknown): RequestId | undefined {
  if (!isJSONRPCNotification(message) || message.method !== 'notifications/cancelled') return undefined;
  const id = message.params?.['requestId'];
  return typeof id === 'string' || typeof id === 'number' ? id : undefined;
}

function messagesOf(body: unknown): readonly unknown[] {
  return Array.isArray(body) ? body : [body];
}

/** The SDK refuses a client that reads only one of the two forms; it gets its form afterwards. */
function acceptingBoth(web: Request): Request {
  web.headers.set('accept', 'application/json, text/event-stream');
  return web;
}

function webRequest({ headers, method = 'GET', url = '/' }: IncomingMessage, signal?: AbortSignal): Request {
  const single = Object.entries(headers).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  return new Request(`http://localhost${url}`, {
    method,
    headers: single,
    ...(signal === undefined ? {} : { signal }),
  });
}

/** A request of this server to itself, in place of the client that opened the connection elsewhere. */
function reopeningRequest(id: string, version: string): Request {
  return new Request('http://localhost/mcp', {
    method: 'POST',
    headers: {
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      [sessionHeader]: id,
      'mcp-protocol-version': version,
    },
  });
}
