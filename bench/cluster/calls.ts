import { performance } from 'node:perf_hooks';
import { Caller } from './caller.ts';
import { keyNames } from './cluster.ts';
import { contestantNames, inTurns } from './contestants.ts';
import type { ContestantName, Contestants } from './contestants.ts';
import { ms, percentile } from './row.ts';
import type { Row } from './row.ts';

const clientCounts = [8, 32] as const;
const goalPerSecond = 2000;
const goalMs = 20;

interface Load {
  calls: number;
  seconds: number;
  readonly times: number[];
}

/** All callers send one call after the other for the time. */
async function run(callers: readonly Caller[], forMs: number): Promise<Load> {
  const startedAt = performance.now();
  const times: number[] = [];
  await Promise.all(
    callers.map(async (caller) => {
      for (let sentAt = performance.now(); sentAt < startedAt + forMs; sentAt = performance.now()) {
        await caller.post('list_sessions');
        times.push(performance.now() - sentAt);
      }
    }),
  );
  return { calls: times.length, seconds: (performance.now() - startedAt) / 1000, times };
}

async function measure({ origins }: Contestants, clients: number, rounds: number, blockMs: number): Promise<Row> {
  const loads = new Map<ContestantName, Load>();
  const names = keyNames.slice(0, clients);
  const callersAt = (origin: string): readonly Caller[] => names.map((name) => new Caller(origin, name));
  const callers = {
    single: callersAt(origins.single),
    cluster: callersAt(origins.cluster),
    bare: callersAt(origins.bare),
  };
  // The first round is a warm-up.
  for (let round = 0; round <= rounds; round++) {
    for (const name of inTurns(round)) {
      const block = await run(callers[name], blockMs);
      if (round === 0) continue;
      const load = loads.get(name) ?? { calls: 0, seconds: 0, times: [] };
      load.calls += block.calls;
      load.seconds += block.seconds;
      for (const time of block.times) load.times.push(time);
      loads.set(name, load);
    }
  }
  for (const each of Object.values(callers).flat()) each[Symbol.dispose]();
  const [single, cluster, bare] = contestantNames.map((name) => {
    const { calls, seconds, times } = loads.get(name) ?? { calls: 0, seconds: 1, times: [] };
    return { perSecond: Math.round(calls / seconds), p99: percentile(times, 0.99) };
  });
  const shown = (each: typeof cluster): string =>
    each === undefined ? '' : `${each.perSecond}/s, p99 ${ms(each.p99)}`;
  return {
    figure: `routed calls without a page, ${clients} clients`,
    value: `${shown(cluster)} (one process ${shown(single)}; bare proxy ${shown(bare)})`,
    goal: `at least ${goalPerSecond}/s, p99 at most ${goalMs} ms`,
    isMet: cluster !== undefined && cluster.perSecond >= goalPerSecond && cluster.p99 <= goalMs,
  };
}

/** Calls per second through one gateway and one worker. Clients, servers and Redis share the machine. */
export async function measureCalls(
  contestants: Contestants,
  { rounds, blockMs }: { readonly rounds: number; readonly blockMs: number },
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const clients of clientCounts) rows.push(await measure(contestants, clients, rounds, blockMs));
  return rows;
}
