import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { zoo } from '../site/zoo.ts';
import { generated } from './generate.ts';
import { Seen } from './harness.ts';
import { lacking } from './oracle.ts';

/** Another beginning gives three hundred other documents. */
const first = 1;

let seen: Seen;

beforeAll(async () => {
  seen = await Seen.open();
});
afterAll(() => seen.close());

describe('against Playwright', () => {
  for (const [name, html] of Object.entries(zoo)) {
    test(`everything to act on in the ${name} page is there under the same role and name`, async () => {
      expect(await lacking(seen, html())).toEqual([]);
    });
  }

  test('everything to act on in generated documents is there under the same role and name', async () => {
    const wrong: Record<number, string[]> = {};
    for (let seed = first; seed < first + 300; seed++) {
      const lost = await lacking(seen, generated(seed));
      if (lost.length > 0) wrong[seed] = lost;
    }
    expect(wrong).toEqual({});
  }, 180_000);
});
