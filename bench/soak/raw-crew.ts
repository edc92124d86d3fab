/**
 * The same random work with playwright-core alone, in a process of its own, so that its memory can be compared. It makes
 * as many steps as its parent allows, and starts its browser again when that is killed.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { chromium } from 'playwright-core';
import type { Browser, Page } from 'playwright-core';
import { findBrowser, quietArgs } from '../browser.ts';
import { Random } from '../random.ts';
import { nextStep } from './work.ts';

const [count = '8', seed = '1', origin = ''] = process.argv.slice(2);
/** Steps that were made, and that may be made. */
const steps = { done: 0, allowed: 0 };
process.on('message', (message: unknown) => {
  if (typeof message === 'number') steps.allowed = message;
});
process.on('disconnect', () => process.exit());

let browser: Promise<Browser> | undefined;
async function launch(): Promise<Browser> {
  const signals = { handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false };
  const executablePath = findBrowser(process.env['PAGEHELM_BENCH_BROWSER']);
  const started = await chromium.launch({ ...signals, executablePath, chromiumSandbox: false, args: [...quietArgs] });
  started.on('disconnected', () => (browser = undefined));
  return started;
}

async function openPage(): Promise<Page> {
  browser ??= launch();
  const page = await (await (await browser).newContext()).newPage();
  page.setDefaultTimeout(10_000);
  return page;
}

async function step(page: Page, random: Random, url: () => string): Promise<void> {
  switch (nextStep(random)) {
    case 'navigate':
      await page.goto(url());
      break;
    case 'snapshot':
      await page.ariaSnapshot({ mode: 'ai' });
      break;
    case 'click':
      await page.click('#go');
      break;
    case 'type':
      await page.fill('#name', `text ${random.below(1e6)}`);
      break;
    case 'evaluate':
      await page.evaluate('document.title');
      break;
    default:
  }
}

async function work(index: number): Promise<void> {
  const random = new Random(Number(seed) + index);
  let round = 0;
  const url = (): string => `${origin}/work?who=raw${index}&round=${++round}`;
  let page: Page | undefined;
  for (;;) {
    while (steps.done >= steps.allowed) await pause(5);
    steps.done++;
    try {
      if (page === undefined) {
        page = await openPage();
        page.on('crash', () => (page = undefined));
        await page.goto(url());
      }
      await step(page, random, url);
    } catch {
      // The browser or the page was killed.
      await page
        ?.context()
        .close()
        .catch(() => undefined);
      page = undefined;
    }
  }
}

await Promise.all(Array.from({ length: Number(count) }, (_, index) => work(index)));
