import { afterAll, beforeAll, expect, test } from 'vitest';
import { Random } from '../../../bench/random.ts';
import type { Bundle } from './bundle.ts';
import { bundleProgram } from './bundle.ts';
import { TestCluster } from './cluster.ts';
import { faultsOf } from './nemesis.ts';
import type { Broken } from './program-options.ts';
import { runHistory } from './history.ts';
import type { History } from './history.ts';

const isLong = process.env['PAGEHELM_TESTS'] === 'long';
const histories = Number(process.env['HISTORIES'] ?? (isLong ? 1000 : 30));
const firstSeed = Number(process.env['HISTORY_SEED'] ?? 1);
const leaseMs = 2000;
/** Clusters that run at once: they wait more than they compute. */
const clusters = 3;

let bundle: Bundle;
beforeAll(async () => {
  bundle = await bundleProgram();
});
afterAll(() => bundle[Symbol.dispose]());

/** Runs histories on clusters side by side until `isEnough`. */
async function runAll(
  seeds: readonly number[],
  broken: Broken,
  isEnough: (history: History) => boolean,
): Promise<readonly History[]> {
  const left = [...seeds];
  const made: History[] = [];
  await Promise.all(
    Array.from({ length: Math.min(clusters, seeds.length) }, async () => {
      await using cluster = await TestCluster.start(bundle.program, leaseMs, broken);
      for (let seed = left.shift(); seed !== undefined; seed = left.shift()) {
        const history = await runHistory(cluster, seed);
        made.push(history);
        if (process.env['HISTORY_LOG'] !== undefined || history.problems.length > 0 || isLong)
          process.stdout.write(`${JSON.stringify(history)}\n`);
        if (isEnough(history)) left.length = 0;
      }
    }),
  );
  return made;
}

test(
  `${histories} histories of a cluster under faults have nothing wrong`,
  { timeout: 60_000 + histories * 30_000 },
  async () => {
    const seeds = Array.from({ length: histories }, (_, at) => firstSeed + at);
    const made = await runAll(seeds, undefined, ({ problems }) => problems.length > 0);
    const [calls, done, slowest] = [
      made.reduce((sum, history) => sum + history.calls, 0),
      made.reduce((sum, history) => sum + history.done, 0),
      Math.max(...made.map(({ backMs }) => backMs)),
    ];
    process.stdout.write(
      `${made.length} histories, ${calls} calls, ${done} acknowledged; all drivers back after ${Math.round(slowest)} ms at most\n`,
    );
    expect(
      made.flatMap(({ seed, faults, problems }) => problems.map((problem) => ({ seed, faults, problem }))),
    ).toEqual([]);
    expect(made).toHaveLength(histories);
  },
);

test.each([
  ['epochs', 'cut a worker from Redis, restart a gateway'],
  ['keeper', 'stop a worker'],
] as const)('a cluster without %s is found to be wrong', { timeout: 600_000 }, async (broken, needed) => {
  const all = Array.from({ length: 1000 }, (_, at) => at + 1);
  const seeds = all.filter((seed) => faultsOf(new Random(seed)).some(({ name }) => name === needed)).slice(0, 40);
  const made = await runAll(seeds, broken, ({ problems }) => problems.length > 0);
  process.stdout.write(`without ${broken}: found in history ${made.length}\n`);
  expect(made.flatMap(({ problems }) => problems)).not.toEqual([]);
});
