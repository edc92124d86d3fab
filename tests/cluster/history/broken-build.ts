import type { ClusterStores } from '../../../src/cluster/stores.ts';
import type { ClusterWorker } from '../../../src/cluster/worker/worker.ts';

/** Stores of a worker that never learns that another one has a driver. */
export function withoutEpochCheck(stores: ClusterStores): ClusterStores {
  const { directory, journal } = stores;
  return {
    ...stores,
    ping: () => stores.ping(),
    [Symbol.asyncDispose]: () => stores[Symbol.asyncDispose](),
    directory: {
      leaseMs: directory.leaseMs,
      announce: async (worker, held) => {
        await directory.announce(worker, held);
        return [];
      },
      workers: () => directory.workers(),
      locate: (driver) => directory.locate(driver),
      acquire: (driver, worker) => directory.acquire(driver, worker),
      release: (held) => directory.release(held),
      leave: (worker) => directory.leave(worker),
    },
    journal: {
      begin: async (held, call, hash) => {
        const entry = await journal.begin(held, call, hash);
        return entry.state === 'fenced' ? { state: 'new' } : entry;
      },
      finish: async (held, call, answer) => {
        await journal.finish(held, call, answer);
        return true;
      },
    },
  };
}

/** The lease of the worker never ends. */
export function withoutLease({ lease }: ClusterWorker): void {
  Object.defineProperty(lease, 'isValid', { get: () => true });
}
