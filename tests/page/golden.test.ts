import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import { zoo } from '../site/zoo.ts';
import { launch, Seen, walkScript } from './harness.ts';

let browser: Browser;
let page: Page;
let seen: Seen;

beforeAll(async () => {
  browser = await launch();
  page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
  seen = new Seen(page, await walkScript());
});
afterAll(() => browser.close());

describe('golden snapshots', () => {
  for (const [name, html] of Object.entries(zoo)) {
    test(`the ${name} page is the same in every format`, async () => {
      await seen.show(html());
      const { lines } = await seen.walk();
      await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(`golden/${name}.compact.txt`);
      const everything = await seen.walk({ allRefs: true, urls: 'all' });
      await expect(`${everything.lines.join('\n')}\n`).toMatchFileSnapshot(`golden/${name}.all-refs.txt`);
      const playwright = await page.ariaSnapshot({ mode: 'ai' });
      // Frames get their numbers from the browser process, which counts over all pages.
      const text = playwright.replaceAll(/\bf\d+e/g, 'f?e');
      await expect(`${text}\n`).toMatchFileSnapshot(`golden/${name}.playwright.txt`);
    });
  }
});
