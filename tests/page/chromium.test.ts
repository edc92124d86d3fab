import type { CDPSession } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { firstSeed, isLongRun } from '../extent.ts';
import { zoo } from '../site/zoo.ts';
import { chromiumDifferences } from './chromium-differences.ts';
import { compared } from './chromium.ts';
import type { Compared } from './chromium.ts';
import { generated } from './generate.ts';
import { Seen } from './harness.ts';

let seen: Seen;
let cdp: CDPSession;

beforeAll(async () => {
  seen = await Seen.open();
  cdp = await seen.page.context().newCDPSession(seen.page);
});
afterAll(() => seen.close());

const isSame = ({ theirs, ours }: Compared): boolean => theirs === ours;
const isListed = (one: Compared): boolean => chromiumDifferences.some(({ covers }) => covers(one));
const isTableName = (one: Compared): boolean => chromiumDifferences[0]?.covers(one) === true;
const shown = ({ theirs, ours, html }: Compared): string => `${theirs} is shown as ${ours}: ${html}`;

describe('roles and names agree with the accessibility tree of Chromium', () => {
  // The tree of the largest page takes minutes to compare node by node.
  const pages = Object.entries(zoo).filter(([name]) => name !== 'big');

  test.each(pages)('on the %s page, but for the listed differences', async (_, html) => {
    const all = await compared(seen, cdp, html());
    expect(all.filter((one) => !isSame(one) && !isListed(one)).map(shown)).toEqual([]);
  });

  const documents = isLongRun ? 1000 : 30;

  test(`on at least 97 of 100 elements of ${documents} generated documents`, { timeout: 600_000 }, async () => {
    const all: Compared[] = [];
    for (let seed = firstSeed; seed < firstSeed + documents; seed++)
      all.push(...(await compared(seen, cdp, generated(seed))));
    const same = all.filter((one) => isSame(one) || isTableName(one));
    expect(all.length).toBeGreaterThan(documents * 10);
    expect(same.length / all.length).toBeGreaterThanOrEqual(0.97);
    if (!isLongRun) expect(all.filter((one) => !isSame(one) && !isListed(one)).map(shown)).toEqual([]);
  });
});
