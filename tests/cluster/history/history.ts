import { Random } from '../../../bench/random.ts';
import { problemsOf } from './checker.ts';
import { callTool, runClient } from './client.ts';
import type { TestCluster } from './cluster.ts';
import { faultsOf, runFaults } from './nemesis.ts';

export interface History {
  readonly seed: number;
  readonly faults: readonly string[];
  readonly calls: number;
  readonly done: number;
  /** How long the last driver needed to answer after the last fault. */
  readonly backMs: number;
  readonly problems: readonly string[];
}

/** Calls of one driver that are under way at once. */
const clientsPerDriver = 2;
/** A driver that does not answer by then never will. */
const longestAbsenceMs = 60_000;

/** Runs clients of all drivers during the faults of a seed, and checks what came of it. */
export async function runHistory(cluster: TestCluster, seed: number): Promise<History> {
  const random = new Random(seed);
  const { drivers, leaseMs, sink } = cluster;
  const [first = '', ...others] = cluster.gateways.map(({ url }) => url);
  const chosen = faultsOf(random);
  // The faults meet a cluster that serves.
  await Promise.all(drivers.map(async (driver) => answersAgain(cluster, driver)));
  // The journal is in Redis: without it, a repeated call is not recognized if its worker is gone too.
  const repeats = !chosen.some(({ losesData }) => losesData === true);
  const end = new AbortController();
  const clients = drivers.flatMap((driver) =>
    Array.from({ length: clientsPerDriver }, async (_, at) =>
      runClient({
        driver,
        prefix: `${seed}-${driver}${at}`,
        urls: [first, ...others],
        random: new Random(random.below(2 ** 32)),
        leaseMs,
        repeats,
        ended: end.signal,
      }),
    ),
  );
  await runFaults(cluster, chosen, random);
  await cluster.heal();
  const healed = performance.now();
  const answers = await Promise.all(
    drivers.map(async (driver) => ({ driver, backMs: await answersAgain(cluster, driver) })),
  );
  end.abort();
  const calls = (await Promise.all(clients)).flat();
  const silent = answers.flatMap(({ driver, backMs }) =>
    backMs === undefined ? [`${driver}: no answer any more`] : [],
  );
  return {
    seed,
    faults: chosen.map(({ name }) => name),
    calls: calls.length,
    done: calls.filter(({ attempts }) => attempts.some(({ outcome }) => outcome === 'done')).length,
    backMs: Math.max(...answers.map(({ backMs }) => (backMs ?? Number.POSITIVE_INFINITY) - healed)),
    problems: [...problemsOf(calls, sink.effects), ...silent],
  };
}

/** When a gateway could read from the driver's worker; undefined if that was never so. */
async function answersAgain(cluster: TestCluster, driver: string): Promise<number | undefined> {
  const limit = performance.now() + longestAbsenceMs;
  while (performance.now() < limit) {
    const backs = await Promise.all(
      cluster.gateways.map(async ({ url }) => callTool(url, { driver, tool: 'history_read', args: { driver } })),
    );
    if (backs.every(({ outcome }) => outcome === 'done')) return performance.now();
  }
  return undefined;
}
