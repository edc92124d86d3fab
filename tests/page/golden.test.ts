import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import { zoo } from '../site/zoo.ts';
import { launch, Seen, steady, walkScript } from './harness.ts';

let browser: Browser;
let page: Page;
let seen: Seen;

beforeAll(async () => {
  browser = await launch();
  page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
  seen = new Seen(page, await walkScript());
});
afterAll(() => browser.close());

/** Playwright counts refs and frames over all pages that it has seen. */
function renumbered(text: string): string {
  const known = new Map<string, string>();
  return text.replaceAll(/\[ref=(f\d+)?e\d+\]/g, (ref, frame: string | undefined) => {
    const name = known.get(ref) ?? `[ref=${frame === undefined ? '' : 'f?'}e${known.size + 1}]`;
    known.set(ref, name);
    return name;
  });
}

describe('golden snapshots', () => {
  for (const [name, html] of Object.entries(zoo)) {
    test(`the ${name} page matches its golden file in every format`, async () => {
      await seen.show(html());
      const { lines } = await seen.walk();
      await expect(steady(lines)).toMatchFileSnapshot(`golden/${name}.compact.txt`);
      const everything = await seen.walk({ allRefs: true, urls: 'all' });
      await expect(steady(everything.lines)).toMatchFileSnapshot(`golden/${name}.all-refs.txt`);
      const playwright = await page.ariaSnapshot({ mode: 'ai' });
      await expect(`${renumbered(playwright)}\n`).toMatchFileSnapshot(`golden/${name}.playwright.txt`);
    });
  }
});
