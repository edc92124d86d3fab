import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { App } from '../../app.ts';
import { hasRules } from '../../app/key-rules.ts';
import type { ApiKey } from '../../config/schema/keys.ts';
import type { Config } from '../../config/schema/schema.ts';
import { ConfigError } from '../../errors.ts';
import type { Logger } from '../../log.ts';
import { loadKeys, watchFile } from '../../transport/access/key-source.ts';
import type { KeySource } from '../../transport/access/key-source.ts';
import { KeyRing, generateKey } from '../../transport/access/keys.ts';
import { NetworkListener } from '../../transport/http/listener.ts';
import type { ListenerLimits, TlsFiles } from '../../transport/http/listener.ts';

/** Requests of one key at once; each holds a socket and perhaps a browser page. */
const maxRequests = 256;

/** On stdio, no key lets a person in later. */
const stdioTicketMs = 600_000;
/** The person who started the server sees the sessions of all keys. */
const operator = { driver: undefined, scope: 'admin' } as const;

export interface RunningNetwork extends AsyncDisposable {
  readonly port: number;
  /** Reads keys and certificates again. */
  reload(): void;
}

export interface NetworkStart {
  readonly app: App;
  readonly config: Config;
  readonly log: Logger;
  readonly cwd: string;
  /** Lines for the person who starts the server. */
  readonly write: (text: string) => void;
}

/** Opens the port and prints how to connect. */
export async function serveNetwork({ app, config, log, cwd, write }: NetworkStart): Promise<RunningNetwork> {
  const { server, transport } = config;
  const load = (): KeySource => {
    const loaded = loadKeys(config, cwd, log);
    checkContexts(config, loaded.keys);
    return loaded;
  };
  const source = config.auth ? load() : undefined;
  const keys = source === undefined ? undefined : new KeyRing(source.keys);
  const endpoint = await app.network(source?.keys);
  const listener = new NetworkListener({
    ...server,
    port: server.port ?? 0,
    endpoint,
    keys,
    log,
    only: transport === 'stdio' ? undefined : transport,
    tls: tlsFiles(config, cwd),
    limits: limitsOf(server),
    registry: endpoint.registry,
    routes: endpoint.dashboard,
  });
  const port = await listener.listen();
  endpoint.listensAt(originOf(config, port));
  const reload = (): void => {
    try {
      if (keys !== undefined && source?.generated === undefined) {
        const loaded = load().keys;
        endpoint.setKeys(loaded);
        keys.replace(loaded);
        endpoint.dashboard?.access.forgetAll();
        void listener.keysChanged();
      }
      const tls = tlsFiles(config, cwd);
      if (tls !== undefined) listener.setTls(tls);
      log.info('keys and certificates were read again', { keys: keys?.names.length });
    } catch (error) {
      // A file that is half written or wrong must not lock out the clients of now.
      log.error('keys or certificates could not be read; the old ones stay', { error });
    }
  };
  const watched = config.auth ? config.apiKeyFile : undefined;
  const watcher = watched === undefined ? undefined : watchFile(resolve(cwd, watched), reload);
  write(greeting(config, port, source, endpoint.dashboard?.access.ticket(operator)));
  return {
    port,
    reload,
    [Symbol.asyncDispose]: async () => {
      watcher?.[Symbol.dispose]();
      await listener[Symbol.asyncDispose]();
      await endpoint[Symbol.asyncDispose]();
    },
  };
}

export function limitsOf(server: Config['server']): ListenerLimits {
  return {
    maxBodyBytes: server.maxBodySize,
    maxConnections: server.maxConnections,
    maxClients: server.maxClients,
    maxRequests,
    rate: server.rateLimit,
    idleMs: server.clientTimeout,
  };
}

/** A dashboard without the protocol. */
export interface ServedDashboard extends AsyncDisposable {
  /** Lets one person in, within ten minutes. */
  link(): string;
}

/**
 * The dashboard of a server on stdio or on a socket, on a free loopback port. The protocol is not served there: its key is
 * not printed.
 */
export async function serveDashboard({
  app,
  config,
  log,
}: Pick<NetworkStart, 'app' | 'config' | 'log'>): Promise<ServedDashboard> {
  const endpoint = await app.network();
  const listener = new NetworkListener({
    host: 'localhost',
    port: 0,
    allowedHosts: [],
    endpoint,
    keys: new KeyRing([{ name: 'dashboard', key: generateKey(), scope: { readOnly: true } }]),
    log,
    limits: limitsOf(config.server),
    registry: endpoint.registry,
    routes: endpoint.dashboard,
  });
  const port = await listener.listen();
  endpoint.listensAt(`http://localhost:${port}`);
  return {
    link: () => {
      const ticket = endpoint.dashboard?.access.ticket(operator, stdioTicketMs) ?? '';
      return `http://localhost:${port}/dashboard#ticket=${ticket}`;
    },
    [Symbol.asyncDispose]: async () => {
      await listener[Symbol.asyncDispose]();
      await endpoint[Symbol.asyncDispose]();
    },
  };
}

/** A profile or an external browser has one default context: two keys would see each other's pages. */
function checkContexts({ browser, sharedBrowserContext }: Config, keys: readonly ApiKey[]): void {
  const { isolated, userDataDir, cdpEndpoint, remoteEndpoint } = browser;
  const isExternal = cdpEndpoint !== undefined || remoteEndpoint !== undefined;
  const isOne = !isolated && (userDataDir !== undefined || isExternal);
  const restricted = keys.find(({ scope }) => hasRules(scope));
  if (restricted !== undefined && (isOne || isExternal || sharedBrowserContext)) {
    const rules = `The domain rules of the key ${JSON.stringify(restricted.name)}`;
    throw new ConfigError([
      `${rules} cannot be enforced on a browser profile, an external browser or a shared context. Use --isolated.`,
    ]);
  }
  const names = new Set(keys.map(({ name }) => name));
  if (!isOne || sharedBrowserContext || names.size < 2) return;
  throw new ConfigError([
    'Several keys would share one browser profile. Add --isolated, or --shared-browser-context if that is wanted.',
  ]);
}

export function tlsFiles({ server: { tlsCert, tlsKey } }: Config, cwd: string): TlsFiles | undefined {
  if (tlsCert === undefined || tlsKey === undefined) return undefined;
  const read = (path: string): Buffer => {
    try {
      return readFileSync(resolve(cwd, path));
    } catch (error) {
      throw new ConfigError([`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}.`]);
    }
  };
  return { cert: read(tlsCert), key: read(tlsKey) };
}

/** Host and port for people of this machine, or of the network. */
function placeOf(given: string, port: number): string {
  const host = /^(?:0\.0\.0\.0|::|127\.0\.0\.1|::1)$/.test(given) ? 'localhost' : given;
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

export function originOf({ server }: Config, port: number): string {
  return `${server.tlsCert === undefined ? 'http' : 'https'}://${placeOf(server.host, port)}`;
}

function greeting(
  { server, transport, auth }: Config,
  port: number,
  source: KeySource | undefined,
  ticket: string | undefined,
): string {
  const { generated, keys = [] } = source ?? {};
  const isSecure = server.tlsCert !== undefined;
  const place = placeOf(server.host, port);
  const [http, ws] = isSecure ? ['https', 'wss'] : ['http', 'ws'];
  const isWebSocket = transport === 'websocket';
  const url = isWebSocket ? `${ws}://${place}/ws` : `${http}://${place}/mcp`;
  const bearer = `Bearer ${generated ?? '<key>'}`;
  const client = {
    type: isWebSocket ? 'ws' : 'http',
    url,
    ...(auth ? { headers: { Authorization: bearer } } : {}),
  };
  const lines = [
    ...(isWebSocket ? [] : [`Playwright MCP Server listening on ${http}://${place}`]),
    ...(transport === 'http' ? [] : [`WebSocket server listening on ${ws}://${place}`]),
    ...(generated === undefined ? [] : [`API key (generated for this run): ${generated}`]),
    ...(ticket === undefined
      ? []
      : [`Dashboard (the link works once, within a minute): ${http}://${place}/dashboard#ticket=${ticket}`]),
    ...(auth ? [] : ['No key is required (--no-auth): every program on this machine can use this server.']),
    '',
    'Paste this into the configuration of a client:',
    // Logs keep this output, so a key that lasts is not printed.
    ...(auth && generated === undefined ? [`Replace <key> with ${keyHint(keys)}.`] : []),
    '',
    JSON.stringify({ mcpServers: { pagehelm: client } }, undefined, 2),
    '',
  ];
  return `${lines.join('\n')}\n`;
}

/** The key that a client needs, without the key. */
function keyHint(keys: readonly ApiKey[]): string {
  const names = [...new Set(keys.map(({ name }) => name))];
  return names.length > 1 ? `the key of the client: ${names.join(', ')}` : 'your API key';
}
