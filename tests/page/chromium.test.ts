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

/** The share of elements on which Chromium and we agree, and Playwright's share of those that it shows too. */
function agreement(what: string, all: readonly Compared[]): { readonly ours: number; readonly line: string } {
  const ours = all.filter((one) => isSame(one) || isTableName(one)).length / all.length;
  const shared = all.filter(({ playwright }) => playwright.length > 0);
  const playwright = shared.filter((one) => one.playwright.includes(one.theirs)).length / shared.length;
  const line = `agreement with Chromium, ${what}: pagehelm ${ours.toFixed(3)} of ${all.length}, Playwright ${playwright.toFixed(3)} of ${shared.length}`;
  return { ours, line };
}

describe('roles and names agree with the accessibility tree of Chromium', () => {
  // The tree of the largest page takes minutes to compare node by node.
  const pages = Object.entries(zoo).filter(([name]) => name !== 'big');

  test.each(pages)('on the %s page, but for the listed differences', async (_, html) => {
    const all = await compared(seen, cdp, html());
    expect(all.filter((one) => !isSame(one) && !isListed(one)).map(shown)).toEqual([]);
  });

  const documents = isLongRun ? 1000 : 30;

  test(`on at least 97 of 100 elements of the zoo and of ${documents} generated documents`, async () => {
    const ofZoo: Compared[] = [];
    for (const [, html] of pages) ofZoo.push(...(await compared(seen, cdp, html())));
    const ofDocuments: Compared[] = [];
    for (let seed = firstSeed; seed < firstSeed + documents; seed++)
      ofDocuments.push(...(await compared(seen, cdp, generated(seed))));
    expect(ofZoo.length).toBeGreaterThan(300);
    expect(ofDocuments.length).toBeGreaterThan(documents * 10);
    const rows = [agreement('zoo', ofZoo), agreement(`${documents} documents from seed ${firstSeed}`, ofDocuments)];
    if (isLongRun) process.stdout.write(`${rows.map(({ line }) => line).join('\n')}\n`);
    for (const { ours } of rows) expect(ours).toBeGreaterThanOrEqual(0.97);
    if (!isLongRun) expect(ofDocuments.filter((one) => !isSame(one) && !isListed(one)).map(shown)).toEqual([]);
  }, 3_600_000);
});
