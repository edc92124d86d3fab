import { TestCluster } from './cluster.ts';
import { runHistory } from './history.ts';
import type { History } from './history.ts';
import type { Broken } from './program-options.ts';

export const isLong = process.env['PAGEHELM_TESTS'] === 'long';
const leaseMs = 2000;
/** Clusters that run at once: they wait more than they compute. */
const clusters = 3;

/** Runs histories on clusters side by side until `isEnough`. */
export async function runHistories(
  program: string,
  seeds: readonly number[],
  broken: Broken,
  isEnough: (history: History) => boolean,
): Promise<readonly History[]> {
  const left = [...seeds];
  const made: History[] = [];
  await Promise.all(
    Array.from({ length: Math.min(clusters, seeds.length) }, async () => {
      await using cluster = await TestCluster.start(program, leaseMs, broken);
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
