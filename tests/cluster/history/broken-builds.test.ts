import { afterAll, beforeAll, expect, test } from 'vitest';
import { Random } from '../../../bench/random.ts';
import type { Bundle } from './bundle.ts';
import { bundleProgram } from './bundle.ts';
import { faultsOf } from './nemesis.ts';
import { runHistories } from './run-histories.ts';

let bundle: Bundle;
beforeAll(async () => {
  bundle = await bundleProgram();
});
afterAll(() => bundle[Symbol.dispose]());

test.each([
  ['epochs', 'cut a worker from Redis, restart a gateway'],
  ['keeper', 'stop a worker'],
] as const)('a cluster without %s is found to be wrong', { timeout: 600_000 }, async (broken, needed) => {
  const all = Array.from({ length: 1000 }, (_, at) => at + 1);
  const seeds = all.filter((seed) => faultsOf(new Random(seed)).some(({ name }) => name === needed)).slice(0, 40);
  const made = await runHistories(bundle.program, seeds, broken, ({ problems }) => problems.length > 0);
  process.stdout.write(`without ${broken}: found in history ${made.length}\n`);
  expect(made.flatMap(({ problems }) => problems)).not.toEqual([]);
});
