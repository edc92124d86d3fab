import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { loadApp } from '../../app.ts';
import type { App } from '../../app.ts';
import { startGateway } from '../../cluster/gateway/gateway.ts';
import { openRedisStores } from '../../cluster/redis/stores.ts';
import type { ClusterStores } from '../../cluster/stores.ts';
import { startWorker } from '../../cluster/worker/start.ts';
import type { RunningWorker } from '../../cluster/worker/start.ts';
import type { LoadedConfig } from '../../config/load.ts';
import type { Config } from '../../config/schema/schema.ts';
import { ConfigError } from '../../errors.ts';
import type { Logger } from '../../log.ts';
import { loadKeys, watchFile } from '../../transport/access/key-source.ts';
import { KeyRing } from '../../transport/access/keys.ts';
import { loggerFor } from '../logger.ts';
import { OwnHeap } from '../own-heap.ts';
import { superviseProcess } from '../own-process.ts';
import { limitsOf, originOf, tlsFiles } from './serve-network.ts';
import { version } from '../../version.ts';

/** Calls in flight may take 20 seconds, saving sessions 8. */
const deadlineMs = 29_000;

/** Serves as a process of a cluster, until a signal ends it. */
export async function serveCluster({ config, warnings }: LoadedConfig): Promise<number> {
  const log = await loggerFor(config.logging);
  for (const warning of warnings) log.warn(warning);
  const { url = '', role } = config.cluster;
  const cwd = process.cwd();
  const key = clusterKey(config, cwd);
  const stores = await openRedisStores(url, { log });
  const parts = { config, log, cwd, key, stores };
  const worker = role === 'gateway' ? undefined : await openWorker(parts).catch(closing(stores));
  const gateway = role === 'worker' ? undefined : await openGateway(parts);
  superviseProcess(worker?.app ?? { endSync: () => undefined }, log, {
    dispose: async () => {
      await gateway?.[Symbol.asyncDispose]();
      await worker?.running[Symbol.asyncDispose]();
      await stores[Symbol.asyncDispose]();
    },
    stdout: process.stdout,
    reload: () => gateway?.reload(),
    deadlineMs,
  });
  if (config.launch === 'startup' || config.pool.minBrowsers > 0) worker?.app.warmUp();
  return 0;
}

/** Closes the stores, whose connection would keep the process alive. */
function closing(stores: ClusterStores): (error: unknown) => Promise<never> {
  return async (error) => {
    await stores[Symbol.asyncDispose]();
    throw error;
  };
}

interface Parts {
  readonly config: Config;
  readonly log: Logger;
  readonly cwd: string;
  /** The secret of the cluster. */
  readonly key: string;
  readonly stores: ClusterStores;
}

async function openWorker({
  config,
  log,
  cwd,
  key,
  stores,
}: Parts): Promise<{ readonly app: App; readonly running: RunningWorker }> {
  const { cluster, server } = config;
  const isAlone = cluster.role === 'worker';
  const port = isAlone ? (server.port ?? 0) : 0;
  const name = cluster.workerName ?? `${hostname()}-${isAlone && port !== 0 ? port : randomUUID().slice(0, 8)}`;
  // Its rules apply here; whether a key is valid is known to gateways.
  const { keys, generated } = loadKeys(config, cwd, log);
  const tls = tlsFiles(config, cwd);
  let app: App | undefined;
  const running = await startWorker({
    stores,
    key,
    log,
    name,
    version,
    slots: config.session.maxSessions,
    sleepAfterMs: cluster.sleepAfter,
    keepsBrowsers: config.session.keepBrowsers,
    onSuperseded: () => process.kill(process.pid, 'SIGTERM'),
    address: (bound) => cluster.workerAddress ?? workerAddress(config, bound),
    listener: { host: server.host, port, tls, limits: { ...limitsOf(server), rate: 0 } },
    open: async (hooks, { blockedMs, keptMs }) => {
      const unresponsive = Math.min(config.timeouts.unresponsive, blockedMs);
      // After the end of the lease, another worker may run the sessions of a kept browser.
      const keepTimeout = Math.min(config.session.keepTimeout, keptMs);
      const timeouts = { ...config.timeouts, unresponsive };
      const own = { ...config, timeouts, session: { ...config.session, keepTimeout } };
      app = await loadApp({ config: own, log, heap: new OwnHeap(), program: process.argv[1], stateName: name, hooks });
      for (const warning of app.warnings) log.warn(warning);
      return { app, endpoint: await app.network(generated === undefined ? keys : []) };
    },
  });
  if (app === undefined) throw new Error('there is no app');
  process.stderr.write(`Worker ${name} of the cluster, at ${running.address}\n`);
  return { app, running };
}

async function openGateway({ config, log, cwd, key, stores }: Parts): Promise<AsyncDisposable & { reload(): void }> {
  const { server } = config;
  const source = loadKeys(config, cwd, log);
  if (source.generated !== undefined) {
    throw new ConfigError(['A cluster needs keys that all gateways know: give --api-key, --api-key-file or apiKeys.']);
  }
  const keys = new KeyRing(source.keys);
  const gateway = await startGateway({
    stores,
    key,
    log,
    keys,
    rate: server.rateLimit,
    listener: {
      host: server.host,
      port: server.port ?? 0,
      allowedHosts: server.allowedHosts,
      tls: tlsFiles(config, cwd),
      limits: { ...limitsOf(server), rate: 0 },
    },
  });
  const reload = (): void => {
    try {
      keys.replace(loadKeys(config, cwd, log).keys);
      const tls = tlsFiles(config, cwd);
      if (tls !== undefined) gateway.listener.setTls(tls);
      log.info('keys and certificates were read again', { keys: keys.names.length });
    } catch (error) {
      log.error('keys or certificates could not be read; the old ones stay', { error });
    }
  };
  const watched = config.apiKeyFile;
  const watcher = watched === undefined ? undefined : watchFile(resolve(cwd, watched), reload);
  process.stderr.write(`Playwright MCP Server listening on ${originOf(config, gateway.port)} (gateway of a cluster)\n`);
  return {
    reload,
    [Symbol.asyncDispose]: async () => {
      watcher?.[Symbol.dispose]();
      await gateway[Symbol.asyncDispose]();
    },
  };
}

/** Other machines reach a worker by the name of its host, unless it is bound to one address. */
function workerAddress({ server: { host, tlsCert } }: Config, port: number): string {
  const name = /^(?:0\.0\.0\.0|::)$/.test(host) ? hostname() : host;
  return `${tlsCert === undefined ? 'http' : 'https'}://${name.includes(':') ? `[${name}]` : name}:${port}`;
}

function clusterKey({ cluster: { key, keyFile } }: Config, cwd: string): string {
  const text = key ?? (keyFile === undefined ? '' : read(resolve(cwd, keyFile))).trim();
  if (text.length >= 16) return text;
  throw new ConfigError([`${keyFile ?? '--cluster-key'}: the secret of a cluster has at least 16 characters.`]);
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new ConfigError([`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}.`]);
  }
}
