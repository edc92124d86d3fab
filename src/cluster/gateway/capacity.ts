import { Gauge, Registry } from 'prom-client';
import type { WorkerInfo } from '../stores.ts';

export interface Capacity {
  readonly workers: number;
  readonly draining: number;
  /** Sessions that fit. */
  readonly slots: number;
  readonly live: number;
  readonly waiting: number;
  /** Sessions that run or wait: what an autoscaler compares with the slots. */
  readonly wanted: number;
  /** Wanted against slots; 1 if there are none. */
  readonly load: number;
}

export function capacityOf(workers: readonly WorkerInfo[]): Capacity {
  const up = workers.filter(({ isDraining }) => !isDraining);
  const sum = (of: (worker: WorkerInfo) => number): number => up.reduce((total, worker) => total + of(worker), 0);
  const [slots, live, waiting] = [sum((each) => each.slots), sum((each) => each.live), sum((each) => each.waiting)];
  const wanted = live + waiting;
  const load = slots === 0 ? 1 : wanted / slots;
  return { workers: up.length, draining: workers.length - up.length, slots, live, waiting, wanted, load };
}

/** The same as metrics. */
export function capacityMetrics(workers: () => Promise<readonly WorkerInfo[]>): Registry {
  const registry = new Registry();
  const gauges: readonly (readonly [name: string, help: string, of: (capacity: Capacity) => number])[] = [
    ['pagehelm_workers', 'Workers that take sessions', ({ workers: count }) => count],
    ['pagehelm_slots_total', 'Sessions that fit', ({ slots }) => slots],
    ['pagehelm_slots_wanted', 'Sessions that run or wait', ({ wanted }) => wanted],
  ];
  for (const [name, help, of] of gauges) {
    const gauge: Gauge = new Gauge({
      name,
      help,
      registers: [registry],
      collect: async (): Promise<void> => gauge.set(of(capacityOf(await workers().catch(() => [])))),
    });
  }
  return registry;
}
