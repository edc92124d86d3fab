import { setTimeout as after } from 'node:timers/promises';
import type { Random } from '../../../bench/random.ts';
import type { TestCluster } from './cluster.ts';

interface Fault {
  readonly name: string;
  /** Redis forgets calls. */
  readonly losesData?: boolean;
  /** Resolves when the fault is over. */
  run(cluster: TestCluster, random: Random): Promise<void>;
}

type Triple<T> = readonly [T, ...T[]];

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a cluster has three of each
const some = <T>(items: readonly T[]): Triple<T> => items as Triple<T>;

async function restart(
  cluster: TestCluster,
  kind: 'gateways' | 'workers',
  random: Random,
  signal: 'SIGKILL' | 'SIGTERM',
) {
  const { member } = random.pick(some<{ readonly member: TestCluster['members'][number] }>(cluster[kind]));
  await member.end(signal);
  await member.ensure();
}

async function stop(cluster: TestCluster, kind: 'gateways' | 'workers', random: Random): Promise<void> {
  const { member } = random.pick(some<{ readonly member: TestCluster['members'][number] }>(cluster[kind]));
  member.signal('SIGSTOP');
  await after(random.next() * 3 * cluster.leaseMs);
  member.signal('SIGCONT');
  // Its janitor may have ended it.
  await member.ensure();
}

async function cut(
  proxies: readonly { refuse(): void; silence(): void; open(): void }[],
  random: Random,
  leaseMs: number,
): Promise<void> {
  const proxy = random.pick(some(proxies));
  if (random.next() < 0.5) proxy.refuse();
  else proxy.silence();
  await after(random.next() * 2 * leaseMs);
  proxy.open();
}

export const faults: Triple<Fault> = [
  { name: 'kill a worker', run: (cluster, random) => restart(cluster, 'workers', random, 'SIGKILL') },
  { name: 'kill a gateway', run: (cluster, random) => restart(cluster, 'gateways', random, 'SIGKILL') },
  { name: 'drain a worker', run: (cluster, random) => restart(cluster, 'workers', random, 'SIGTERM') },
  { name: 'drain a gateway', run: (cluster, random) => restart(cluster, 'gateways', random, 'SIGTERM') },
  { name: 'stop a worker', run: (cluster, random) => stop(cluster, 'workers', random) },
  { name: 'stop a gateway', run: (cluster, random) => stop(cluster, 'gateways', random) },
  {
    name: 'pause Redis',
    run: async ({ redis, leaseMs }, random) => {
      redis.signal('SIGSTOP');
      await after(random.next() * 2 * leaseMs);
      redis.signal('SIGCONT');
    },
  },
  {
    name: 'restart Redis',
    run: async ({ redis, leaseMs }, random) => {
      await redis.kill();
      await after(random.next() * leaseMs);
      await redis.start();
    },
  },
  { name: 'flush Redis', losesData: true, run: async ({ redis }) => void (await redis.command('FLUSHALL')) },
  {
    name: 'close connections to Redis',
    run: async ({ redis }) => void (await redis.command('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes')),
  },
  {
    name: 'cut a worker from gateways',
    run: ({ workers, leaseMs }, random) =>
      cut(
        workers.map(({ calls }) => calls),
        random,
        leaseMs,
      ),
  },
  {
    name: 'cut a worker from Redis',
    run: ({ workers, leaseMs }, random) =>
      cut(
        workers.map(({ redis }) => redis),
        random,
        leaseMs,
      ),
  },
  {
    name: 'cut a gateway from Redis',
    run: ({ gateways, leaseMs }, random) =>
      cut(
        gateways.map(({ redis }) => redis),
        random,
        leaseMs,
      ),
  },
];

/** One fault can hardly follow from another by chance at the worst time. */
const together: readonly Fault[] = [
  {
    name: 'cut a worker from Redis, restart a gateway',
    run: async (cluster, random) => {
      const { redis } = random.pick(some(cluster.workers));
      redis.refuse();
      await after(1.1 * cluster.leaseMs);
      // Without what it remembers, it asks the directory.
      await restart(cluster, 'gateways', random, 'SIGKILL');
      await after(0.5 * cluster.leaseMs);
      redis.open();
    },
  },
];

/** The faults of a history. */
export function faultsOf(random: Random): Triple<Fault> {
  const all: Triple<Fault> = [...faults, ...together];
  return [random.pick(all), ...Array.from({ length: 1 + random.below(3) }, () => random.pick(all))];
}

/** Runs the faults, of which some overlap. */
export async function runFaults(cluster: TestCluster, chosen: readonly Fault[], random: Random): Promise<void> {
  const running: Promise<void>[] = [];
  for (const fault of chosen) {
    await after(random.next() * 0.5 * cluster.leaseMs);
    const over = alone(cluster, fault, () => fault.run(cluster, random));
    running.push(over);
    if (random.next() < 0.6) await over;
  }
  await Promise.all(running);
}

const redisFaults = new WeakMap<TestCluster, Promise<unknown>>();

/** Two faults of Redis would disturb each other. */
async function alone(cluster: TestCluster, { name }: Fault, run: () => Promise<void>): Promise<void> {
  if (!/^(?:pause|restart|flush|close)/.test(name)) return run();
  const mine = (redisFaults.get(cluster) ?? Promise.resolve()).then(run);
  redisFaults.set(
    cluster,
    mine.catch(() => undefined),
  );
  return mine;
}
