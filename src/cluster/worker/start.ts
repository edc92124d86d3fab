import { randomUUID } from 'node:crypto';
import { driverOf } from '../../call/binding.ts';
import type { Caller, SharedConnections } from '../../transport/http/endpoint.ts';
import type { AppHooks, WorkerApp, WorkerEndpoint } from './hooks.ts';
import { ConfigError } from '../../errors.ts';
import type { Logger } from '../../log.ts';
import type { Refusal } from '../../transport/access/guard.ts';
import { NetworkListener } from '../../transport/http/listener.ts';
import type { ListenerOptions } from '../../transport/http/listener.ts';
import { misdirected, ownerHeader } from '../gateway/forward.ts';
import { SignedIdentities } from '../identity.ts';
import { deriveKey } from '../keys.ts';
import { Seal } from '../seal.ts';
import { SessionIds } from '../session-ids.ts';
import type { ClusterStores } from '../stores.ts';
import type { NotHeld } from './placements.ts';
import type { Superseded } from '../superseded.ts';
import { ClusterWorker } from './worker.ts';

export interface WorkerStart {
  readonly stores: ClusterStores;
  /** The secret of the cluster. */
  readonly key: string;
  readonly log: Logger;
  readonly name: string;
  readonly version: string;
  readonly slots: number;
  readonly sleepAfterMs: number;
  /** Another process keeps the browser, so that a restarted worker goes on with its sessions. */
  readonly keepsBrowsers?: boolean;
  /** Another process has the name of this worker, which then only answers that it is not available. */
  readonly onSuperseded?: () => void;
  /** Where gateways reach it, by its port. */
  readonly address: (port: number) => string;
  readonly listener: Pick<ListenerOptions, 'host' | 'port' | 'tls' | 'limits'>;
  /** Makes the server. */
  readonly open: (
    hooks: AppHooks,
    limits: SilenceLimits,
  ) => Promise<{ readonly app: WorkerApp; readonly endpoint: WorkerEndpoint }>;
}

export interface RunningWorker extends AsyncDisposable {
  readonly address: string;
  readonly worker: ClusterWorker;
}

/** How long a worker may be silent, and its browsers without a worker, before they are ended. */
export interface SilenceLimits {
  readonly blockedMs: number;
  readonly keptMs: number;
}

/**
 * Parts of a lease. The last announcement may be a quarter of a lease old, and the browsers must be gone before the lease is.
 * The janitor needs up to a third longer to end a worker.
 */
const blockedShare = 0.5;
const keptShare = 0.7;

/** Starts a worker: it serves what gateways send, for the drivers that it can take. */
export async function startWorker(start: WorkerStart): Promise<RunningWorker> {
  const { stores, key, log, name, version, slots, sleepAfterMs, keepsBrowsers = false } = start;
  let address = '';
  const boot = randomUUID();
  let superseded: Superseded | undefined;
  let isRunning = false;
  const worker = new ClusterWorker({
    stores,
    seal: new Seal(key),
    info: () => ({ name, boot, address, version, slots }),
    log,
    sleepAfterMs,
    keepsBrowsers,
    onSuperseded: (error) => {
      superseded = error;
      if (!isRunning) return;
      log.error('this worker ends', { error });
      start.onSuperseded?.();
    },
  });
  const hooks: AppHooks = {
    saver: (store, binding) => worker.saver(store, binding),
    fence: (driver) => worker.placements.fence(driver),
    right: (driver) => worker.placements.right(driver),
    record: worker.calls.record,
    questionKey: deriveKey(key, 'questions'),
  };
  const { leaseMs } = stores.directory;
  const limits = { blockedMs: leaseMs * blockedShare, keptMs: leaseMs * keptShare };
  const { app, endpoint } = await start.open(hooks, limits);
  const listener = new NetworkListener({
    ...start.listener,
    // Only gateways of the cluster are served, whatever name they use.
    allowedHosts: ['*'],
    endpoint: { ...endpoint, boot, admit: async (caller) => admit(worker, caller) },
    keys: new SignedIdentities(key),
    log,
    registry: endpoint.registry,
    routes: endpoint.dashboard,
    connections: sharedConnections(key, stores),
  });
  const port = await listener.listen();
  address = start.address(port);
  endpoint.listensAt(address);
  const dispose = async (): Promise<void> => {
    await worker.close();
    await listener[Symbol.asyncDispose]();
    await worker.releaseAll();
    await worker[Symbol.asyncDispose]();
    await endpoint[Symbol.asyncDispose]();
    await app[Symbol.asyncDispose]();
  };
  await worker.start();
  if (superseded !== undefined) {
    await dispose();
    throw nameTaken(superseded);
  }
  isRunning = true;
  return { address, worker, [Symbol.asyncDispose]: dispose };
}

function nameTaken({ message }: Superseded): ConfigError {
  return new ConfigError([
    `WORKER_NAME_TAKEN: ${message}. Give this one another --worker-name, or start it when the other one has ended.`,
  ]);
}

async function admit(worker: ClusterWorker, { key }: Caller): Promise<Refusal | Disposable> {
  const entered = await worker.placements.enter(driverOf({ key, connection: undefined }, false));
  return 'is' in entered ? refusalOf(entered) : entered;
}

function refusalOf(problem: NotHeld): Refusal {
  if (problem.is === 'elsewhere') {
    const headers = { [ownerHeader]: problem.owner.address };
    return { status: misdirected, message: 'Another worker has these sessions.', headers };
  }
  const message =
    problem.is === 'unsettled'
      ? 'The directory of the cluster was lost; sessions are being found.'
      : `The worker is not available: ${problem.reason}.`;
  const retry = problem.is === 'unsettled' ? Math.ceil(problem.retryMs / 1000) : 1;
  return { status: 503, message, headers: { 'Retry-After': String(retry) } };
}

/** 2025 connections that any worker can open again. */
function sharedConnections(key: string, stores: ClusterStores): SharedConnections {
  const ids = new SessionIds(key);
  return {
    idOf: ({ key: driver, protocolVersion, capabilities, clientInfo }) =>
      ids.sign({ driver, protocolVersion, capabilities: jsonOf(capabilities), clientInfo, nonce: randomUUID() }),
    read: (id) => {
      const found = ids.verify(id);
      return found === undefined ? undefined : { ...found, key: found.driver };
    },
    events: (id) => stores.events.connection(id),
  };
}

/** It came as JSON. */
function jsonOf(value: Readonly<Record<string, unknown>>): Parameters<SessionIds['sign']>[0]['capabilities'] {
  return JSON.parse(JSON.stringify(value));
}
