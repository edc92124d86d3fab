import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Bundle } from './bundle.ts';
import { bundleProgram } from './bundle.ts';
import { isLong, runHistories } from './run-histories.ts';

const histories = Number(process.env['HISTORIES'] ?? (isLong ? 1000 : 30));
const firstSeed = Number(process.env['HISTORY_SEED'] ?? 1);

let bundle: Bundle;
beforeAll(async () => {
  bundle = await bundleProgram();
});
afterAll(() => bundle[Symbol.dispose]());

test(
  `${histories} histories of a cluster under faults have nothing wrong`,
  { timeout: 60_000 + histories * 30_000 },
  async () => {
    const seeds = Array.from({ length: histories }, (_, at) => firstSeed + at);
    const made = await runHistories(bundle.program, seeds, undefined, ({ problems }) => problems.length > 0);
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
