import { writeFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { PNG } from 'pngjs';
import { compareImages } from '../src/images/compare.ts';

const key = 'pagehelm-test-pages';
const screenshotTimeoutMs = 3000;
/** Per pixel, from 0 to 1. The shade of a button under the mouse is below it. */
const threshold = 0.1;
/** Focus rings are drawn by outlines. */
const withoutFocus = '*:focus, *:focus-visible { outline: none !important }';

/** Writes a module for --init-page that makes the pages of a server in this process available to `newestPage`. */
export function writePageCollector(path: string): string {
  writeFileSync(
    path,
    `export default ({ page }) => { (globalThis[Symbol.for('${key}')] ??= []).push(page); };
`,
  );
  return path;
}

/** The page that was opened last and is still open. */
export function newestPage(): Page | undefined {
  // Only the module above writes it.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const pages = Reflect.get(globalThis, Symbol.for(key)) as readonly Page[] | undefined;
  return pages?.findLast((page) => !page.isClosed());
}

export interface Screenshot {
  readonly page: Page;
  readonly png: PNG;
}

/** What a person sees of the viewport, without caret and focus ring; undefined while a dialog blocks the page. */
export async function screenshotOf(page: Page | undefined): Promise<Screenshot | undefined> {
  if (page === undefined) return undefined;
  const options = { animations: 'disabled', caret: 'hide', style: withoutFocus, timeout: screenshotTimeoutMs } as const;
  const data = await page.screenshot(options).catch(() => undefined);
  return data === undefined ? undefined : { page, png: PNG.sync.read(data) };
}

/** How many pixels differ; undefined if the screenshots are not of one page. */
export function differingPixels(before: Screenshot | undefined, after: Screenshot | undefined): number | undefined {
  if (before === undefined || after === undefined || before.page !== after.page) return undefined;
  return compareImages(before.png, after.png, { threshold, ignored: [] }).pixels;
}
