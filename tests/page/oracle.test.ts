import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { zoo } from '../site/zoo.ts';
import { generated } from './generate.ts';
import { launch, Seen, walkScript } from './harness.ts';
import { explained, missing, namelessThere, oracleActions, ourActions, withoutTwins } from './oracle.ts';

/** Another beginning gives three hundred other documents. */
const first = 1;

let browser: Browser;
let seen: Seen;

beforeAll(async () => {
  browser = await launch();
  seen = new Seen(await browser.newPage(), await walkScript());
});
afterAll(() => browser.close());

const roleOf = (action: string): string => action.split(' ')[0] ?? '';

async function lacking(html: string): Promise<string[]> {
  await seen.show(html);
  const ours = ourActions(await seen.walk());
  const excused = await explained(seen.page);
  const theirs = withoutTwins(await oracleActions(seen.page, 'default'));
  const named = missing(theirs, ours, excused, await namelessThere(seen.page));
  const twins = (await oracleActions(seen.page, 'default')).length - theirs.length;
  const excusedRoles = [...excused.map(roleOf), ...Array.from({ length: twins }, () => 'link')];
  const roles = missing(await oracleActions(seen.page, 'ai'), ours.map(roleOf), excusedRoles);
  return [...named, ...roles];
}

describe('against Playwright', () => {
  for (const [name, html] of Object.entries(zoo)) {
    test(`everything to act on in the ${name} page is there under the same role and name`, async () => {
      expect(await lacking(html())).toEqual([]);
    });
  }

  test('everything to act on in generated documents is there under the same role and name', async () => {
    const wrong: Record<number, string[]> = {};
    for (let seed = first; seed < first + 300; seed++) {
      const lost = await lacking(generated(seed));
      if (lost.length > 0) wrong[seed] = lost;
    }
    expect(wrong).toEqual({});
  });
});
