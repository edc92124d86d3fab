import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { firstSeed, isLongRun } from '../extent.ts';
import { zoo } from '../site/zoo.ts';
import { generated } from './generate.ts';
import { Seen } from './harness.ts';
import { lacking } from './oracle.ts';

const documents = isLongRun ? Number(process.env['PAGEHELM_DOCUMENTS'] ?? 300) : 60;

let seen: Seen;

beforeAll(async () => {
  seen = await Seen.open();
});
afterAll(() => seen.close());

describe('against Playwright', () => {
  for (const [name, html] of Object.entries(zoo)) {
    test(`every interactive element of the ${name} page has the same role and name`, async () => {
      expect(await lacking(seen, html())).toEqual([]);
    });
  }

  test('every interactive element of generated documents has the same role and name', async () => {
    const wrong: Record<number, string[]> = {};
    for (let seed = firstSeed; seed < firstSeed + documents; seed++) {
      const lost = await lacking(seen, generated(seed));
      if (lost.length > 0) wrong[seed] = lost;
    }
    expect(wrong).toEqual({});
  }, 3_600_000);
});
