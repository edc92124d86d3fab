import { request as httpRequest } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { ClientOptions } from '@modelcontextprotocol/client';
import type { ApiKey } from '../../src/config/schema/keys.ts';
import type { Dashboard } from '../../src/dashboard/routes.ts';
import { createLogger } from '../../src/log.ts';
import { KeyRing } from '../../src/transport/access/keys.ts';
import { NetworkListener } from '../../src/transport/http/listener.ts';
import type { ListenerLimits, ListenerOptions } from '../../src/transport/http/listener.ts';
import { answerOf, startApp } from '../fixtures.ts';
import type { Answer, TestApp } from '../fixtures.ts';

export const key = 'test-key';

export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export interface Sent {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string | Buffer | object;
  /** The key to send; null sends none. */
  readonly key?: string | null;
}

/** A listener on a free port of this machine, with a real app behind it. */
export interface TestListener extends AsyncDisposable {
  readonly app: TestApp;
  readonly listener: NetworkListener;
  readonly dashboard: Dashboard;
  readonly keys: KeyRing;
  readonly port: number;
  readonly url: URL;
  readonly log: readonly string[];
  send(sent: Sent): Promise<HttpAnswer>;
  /** Posts a message to /mcp as a client that reads JSON. */
  post(body: unknown, sent?: Sent): Promise<HttpAnswer>;
  client(options?: ClientOptions, withKey?: string): Promise<HttpClient>;
  /** A plain socket, for what no HTTP client would send. */
  socket(): Promise<Socket>;
}

export interface HttpClient extends AsyncDisposable {
  readonly client: Client;
  readonly transport: StreamableHTTPClientTransport;
  call(name: string, args?: Record<string, unknown>): Promise<Answer>;
}

const limits: ListenerLimits = {
  maxBodyBytes: 4 * 1024 * 1024,
  maxConnections: 1000,
  maxClients: 200,
  maxRequests: 256,
  rate: 0,
  idleMs: 3_600_000,
};

export interface StartOptions extends Partial<Omit<ListenerOptions, 'limits' | 'keys'>> {
  readonly flags?: readonly string[];
  readonly limits?: Partial<ListenerLimits>;
  /** Null for --no-auth. */
  readonly keys?: readonly ApiKey[] | null;
}

export async function startListener({ flags = [], keys, ...options }: StartOptions = {}): Promise<TestListener> {
  const app = await startApp(keys === null ? ['--no-auth', ...flags] : flags);
  const given = keys ?? [{ name: 'default', key, scope: {} }];
  const ring = new KeyRing(given);
  const log: string[] = [];
  const endpoint = await app.app.network(given);
  const listener = new NetworkListener({
    host: '127.0.0.1',
    port: 0,
    allowedHosts: [],
    endpoint,
    registry: endpoint.registry,
    routes: endpoint.dashboard,
    log: createLogger({ level: 'info', write: (line) => void log.push(line), now: () => new Date() }),
    ...options,
    keys: keys === null ? undefined : ring,
    limits: { ...limits, ...options.limits },
  });
  const port = await listener.listen();
  const url = new URL(`http://127.0.0.1:${port}/mcp`);
  endpoint.listensAt(url.origin);
  const send = async (sent: Sent): Promise<HttpAnswer> => sendTo(port, sent);
  if (endpoint.dashboard === undefined) throw new Error('there is no dashboard');
  return {
    app,
    listener,
    dashboard: endpoint.dashboard,
    keys: ring,
    port,
    url,
    log,
    send,
    post: async (body, sent = {}) =>
      send({
        method: 'POST',
        body: typeof body === 'object' && body !== null ? body : String(body),
        ...sent,
        headers: { accept: 'application/json', 'content-type': 'application/json', ...sent.headers },
      }),
    client: async (clientOptions, withKey = key) => connectClient(url, clientOptions, withKey),
    socket: async () =>
      new Promise((resolve, reject) => {
        const socket = connect(port, '127.0.0.1', () => resolve(socket));
        socket.on('error', reject);
      }),
    [Symbol.asyncDispose]: async () => {
      await listener[Symbol.asyncDispose]();
      await endpoint[Symbol.asyncDispose]();
      await app[Symbol.asyncDispose]();
    },
  };
}

export async function connectClient(url: URL, options: ClientOptions = {}, withKey = key): Promise<HttpClient> {
  const client = new Client({ name: 'test', version: '1' }, options);
  const transport = new StreamableHTTPClientTransport(url, {
    requestInit: { headers: { authorization: `Bearer ${withKey}` } },
  });
  await client.connect(transport);
  return {
    client,
    transport,
    call: async (name, args = {}) => answerOf(await client.callTool({ name, arguments: args })),
    [Symbol.asyncDispose]: async () => client.close(),
  };
}

/** One request on a connection of its own. */
export async function sendTo(port: number, sent: Sent): Promise<HttpAnswer> {
  const { method = 'GET', path = '/mcp', body, key: withKey = key } = sent;
  const headers = {
    ...(withKey === null ? {} : { authorization: `Bearer ${withKey}` }),
    ...Object.fromEntries(Object.entries(sent.headers ?? {}).map(([name, value]) => [name, copyOf(value)])),
  };
  return new Promise((resolve, reject) => {
    const request = httpRequest({ host: '127.0.0.1', port, method, path, headers, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
      response.on('error', reject);
    });
    request.on('error', reject);
    request.end(typeof body === 'string' || Buffer.isBuffer(body) || body === undefined ? body : JSON.stringify(body));
  });
}

function copyOf(value: string | readonly string[]): string | string[] {
  return typeof value === 'string' ? value : [...value];
}

/** A message of a request. */
export function message(method: string, params?: object, id: unknown = 1): object {
  return { jsonrpc: '2.0', id, method, ...(params === undefined ? {} : { params }) };
}

export const initialize = message('initialize', {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'test', version: '1' },
});

/** What a request of 2026-07-28 carries. */
export const envelope = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};
