import { vi } from 'vitest';
import { z } from 'zod';
import { memoryStores } from '../../../src/cluster/memory/stores.ts';
import { openRedisStores } from '../../../src/cluster/redis/stores.ts';
import type { Acquired, ClusterStores, Held, WorkerInfo } from '../../../src/cluster/stores.ts';
import { createLogger } from '../../../src/log.ts';
import { FakeClock } from '../../fake-clock.ts';
import { hasRedis, RedisServer } from '../../redis-server.ts';

/** For tests that wait for its end. */
const shortLeaseMs = 300;
/** For all other tests: a machine that stops for a while does not end it. */
const longLeaseMs = 600_000;

/** Stores of one kind, with what a test does to them. */
export interface Backend extends AsyncDisposable {
  /** Stores of another process, with a long lease. */
  connect(): Promise<ClusterStores>;
  /** The same with a short lease. */
  connectShort(): Promise<ClusterStores>;
  /** FLUSHALL. */
  loseData(): Promise<void>;
  /** As if the data had been complete for long: drivers can be acquired. */
  settle(): Promise<void>;
  /** Waits for the end of a short lease; `meanwhile` runs before it. */
  passShortLease(meanwhile?: () => Promise<unknown>): Promise<void>;
}

export const log = createLogger({ level: 'error', write: () => undefined, now: () => new Date() });

async function startMemory(): Promise<Backend> {
  const clock = new FakeClock();
  const stores = memoryStores({ leaseMs: shortLeaseMs, clock });
  return {
    connect: async () => stores,
    connectShort: async () => stores,
    loseData: async () => stores.loseData(),
    settle: async () => clock.pass(shortLeaseMs),
    passShortLease: async (meanwhile = async () => undefined) => {
      clock.pass(0.6 * shortLeaseMs);
      await meanwhile();
      clock.pass(0.6 * shortLeaseMs);
    },
    [Symbol.asyncDispose]: async () => undefined,
  };
}

/** As if the data of a server had been complete for long. */
export async function settle(server: RedisServer): Promise<void> {
  // Asking for an unknown driver sets the time, if that was not done before.
  await using stores = await openRedisStores(server.url, { log, commandTimeoutMs: 20_000 });
  await stores.directory.locate('no driver');
  const value = String(await server.command('GET', 'ph:generation'));
  await server.command('SET', 'ph:generation', value.replace(/^\d+/, '1'));
}

async function startRedis(isCluster: boolean): Promise<Backend> {
  const server = await RedisServer.start({ isCluster });
  const opened: ClusterStores[] = [];
  const connect = async (leaseMs: number): Promise<ClusterStores> => {
    const stores = await openRedisStores(server.url, { log, leaseMs, commandTimeoutMs: 20_000 });
    opened.push(stores);
    return stores;
  };
  const now = async (): Promise<number> => {
    const [seconds, micros] = z.tuple([z.coerce.number(), z.coerce.number()]).parse(await server.command('TIME'));
    return seconds * 1000 + micros / 1000;
  };
  return {
    connect: () => connect(longLeaseMs),
    connectShort: () => connect(shortLeaseMs),
    loseData: async () => void (await server.command('FLUSHALL')),
    settle: () => settle(server),
    passShortLease: async (meanwhile = async () => undefined) => {
      await meanwhile();
      const start = await now();
      await vi.waitFor(
        async () => {
          if ((await now()) <= start + shortLeaseMs) throw new Error('not yet');
        },
        { timeout: 20_000, interval: 20 },
      );
    },
    [Symbol.asyncDispose]: async () => {
      for (const stores of opened) await stores[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

/** The implementations that can run here. */
export const kinds: readonly (readonly [string, () => Promise<Backend>])[] = [
  ['memory', startMemory],
  ...(hasRedis
    ? ([
        ['Redis', () => startRedis(false)],
        ['Redis Cluster', () => startRedis(true)],
      ] as const)
    : []),
];

export function worker(name: string, boot = 'boot-1'): WorkerInfo {
  const address = `http://127.0.0.1:1/${name}`;
  return { name, boot, address, version: '1.0.0', slots: 4, live: 0, waiting: 0, isDraining: false };
}

let drivers = 0;
/** Another driver for each test: they share a server. */
export function newDriver(): string {
  return `driver ${++drivers}`;
}

export const isTaken = (answer: Acquired): answer is { readonly epoch: number } => 'epoch' in answer;

export async function take({ directory }: ClusterStores, driver: string, by: WorkerInfo): Promise<Held> {
  const answer = await directory.acquire(driver, by);
  if (!isTaken(answer)) throw new Error(`not taken: ${JSON.stringify(answer)}`);
  return { driver, epoch: answer.epoch };
}
