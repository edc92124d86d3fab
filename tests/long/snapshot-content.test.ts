import { afterAll, beforeAll, expect, test } from 'vitest';
import { generated } from '../page/generate.ts';
import { Seen } from '../page/harness.ts';
import { lacking } from '../page/oracle.ts';
import { disagreements } from '../page/remembering.ts';

/** The default suite has the first of them; another beginning gives other documents. */
const first = Number(process.env['PAGEHELM_SEED'] ?? 301);

let seen: Seen;

beforeAll(async () => {
  seen = await Seen.open();
});
afterAll(() => seen.close());

test('everything to act on in thousands of generated documents is there under the same role and name', async () => {
  const wrong: Record<number, string[]> = {};
  for (let seed = first; seed < first + 3000; seed++) {
    const lost = await lacking(seen, generated(seed));
    if (lost.length > 0) wrong[seed] = lost;
  }
  expect(wrong).toEqual({});
});

test('after hundreds of changes a walk that remembers tells the same as one that does not', async () => {
  expect(await disagreements(seen, { first, pages: 10, steps: 60 })).toEqual([]);
});
