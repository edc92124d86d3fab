import { RateLimiterMemory } from 'rate-limiter-flexible';
import { RateLimits } from '../limiter.ts';
import { defaultLeaseMs } from '../retention.ts';
import type { ClusterStores } from '../stores.ts';
import { MemoryCheckpoints } from './checkpoints.ts';
import { MemoryDirectory } from './directory.ts';
import { MemoryEvents } from './events.ts';
import { MemoryJournal } from './journal.ts';

export interface MemoryStoresOptions {
  readonly leaseMs?: number;
  readonly clock?: { now(): number };
}

export interface MemoryStores extends ClusterStores {
  /** What FLUSHALL does to Redis. The journal keeps the calls of this process, as that on Redis does. */
  loseData(): void;
}

/** Stores for the processes of a cluster that are one process. */
export function memoryStores({
  leaseMs = defaultLeaseMs,
  clock = performance,
}: MemoryStoresOptions = {}): MemoryStores {
  const now = (): number => clock.now();
  const directory = new MemoryDirectory(now, leaseMs);
  const epochOf = directory.epochOf.bind(directory);
  const checkpoints = new MemoryCheckpoints(now, epochOf);
  const events = new MemoryEvents(now);
  let losses = 0;
  return {
    directory,
    checkpoints,
    journal: new MemoryJournal(now, epochOf),
    events,
    limits: new RateLimits((perSecond) => new RateLimiterMemory({ points: perSecond, duration: 1 })),
    loseData: () => {
      losses++;
      for (const store of [directory, checkpoints, events]) store.loseData();
    },
    generation: async () => String(losses),
    ping: async () => true,
    [Symbol.asyncDispose]: async () => undefined,
  };
}
