import { mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page, PageScreenshotOptions } from 'playwright-core';
import { PNG } from 'pngjs';
import { afterAll } from 'vitest';
import { compareImages } from '../../src/images/compare.ts';
import { evaluate, expect, open, refOf, testWith } from '../fixtures.ts';
import type { Answer } from '../fixtures.ts';
import { newestPage, writePageCollector } from '../page-screenshots.ts';

const folder = mkdtempSync(join(tmpdir(), 'helm-pixels-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const test = testWith(['--toolset=all', `--init-page=${writePageCollector(join(folder, 'collect.mjs'))}`]);

const boxes = Array.from(
  { length: 60 },
  (_, index) => `<p style="background: hsl(${index * 11} 60% 70%)">Line ${index} of the page</p>`,
).join('');
const html = `<meta name="viewport" content="width=device-width"><title>Pixels</title><style>body { margin: 0; background: linear-gradient(gold, navy) } p { width: 90%; padding: 8px }</style>
<input id="name" value="typed" style="font: 40px serif"><button id="box" style="width: 200px; height: 90px; background: teal">Box</button>${boxes}`;
/** Of the same colours, as Playwright numbers them. */
const threshold = 0;

function page(): Page {
  const newest = newestPage();
  if (newest === undefined) throw new Error('no page was opened');
  return newest;
}

/** The screenshot of an answer, and how many pixels of Playwright's own differ from it. */
async function compared(at: string, answer: Answer, own: Buffer) {
  const path = /: (\S+\.(?:png|jpe?g))$/m.exec(answer.section('Result') ?? '')?.[1] ?? '';
  const [taken, expected] = [PNG.sync.read(await readFile(join(at, path))), PNG.sync.read(own)];
  const { width, height } = taken;
  const isSameSize = width === expected.width && height === expected.height;
  const pixels = isSameSize ? compareImages(taken, expected, { threshold, ignored: [] }).pixels : -1;
  return { width, height, pixels };
}

const sessions = [
  ['the default device', {}, 1, false],
  ['a device with two pixels per CSS pixel', { device: 'Desktop Chrome HiDPI' }, 2, false],
  ['a mobile device', { device: 'Pixel 7' }, 2.625, true],
] as const;

test.for(sessions)(
  'screenshots of %s have the pixels of Playwright',
  async ([, options, ratio, isMobile], { site, server, call }) => {
    expect((await call('browser_context_create', { name: 'device', ...options })).section('Error')).toBeUndefined();
    const ref = refOf((await open(site, call, html)).text, 'button', 'Box');
    const device = '[innerWidth, innerHeight, devicePixelRatio, outerWidth, screen.width].join()';
    const before = await evaluate(call, device);
    const size = page().viewportSize() ?? { width: 0, height: 0 };
    const shot = async (args: object, own: PageScreenshotOptions) =>
      compared(server.folder, await call('browser_take_screenshot', args), await page().screenshot(own));
    // Playwright rounds the height of some devices down.
    expect(await shot({}, { scale: 'css' })).toMatchObject({ width: size.width, pixels: 0 });
    const width = Math.floor(size.width * ratio);
    expect(await shot({ scale: 'device' }, { scale: 'device' })).toMatchObject({ width, pixels: 0 });
    expect(await shot({ fullPage: true }, { scale: 'css', fullPage: true })).toMatchObject({ pixels: 0 });
    const element = await call('browser_take_screenshot', { ref });
    const own = await page().locator('#box').screenshot({ scale: 'css' });
    expect(await compared(server.folder, element, own)).toEqual({ width: 200, height: 90, pixels: 0 });
    // Scrolled, with the focus in a field.
    await evaluate(call, "{ document.querySelector('#name').focus({ preventScroll: true }); scrollTo(0, 333) }");
    expect(await shot({}, { scale: 'css' })).toMatchObject({ width: size.width, pixels: 0 });
    expect(await evaluate(call, device)).toBe(before);
    expect(isMobile).toBe(await page().evaluate(() => 'ontouchstart' in globalThis));
  },
);

test('the caret is hidden, and back afterwards', async ({ site, server, call }) => {
  const { text } = await open(site, call, html);
  await call('browser_click', { ref: refOf(text, 'textbox') });
  const answer = await call('browser_take_screenshot');
  const own = await page().screenshot({ scale: 'css', caret: 'hide' });
  expect((await compared(server.folder, answer, own)).pixels).toBe(0);
  expect(await evaluate(call, "document.querySelector('#name').style.caretColor")).toBe('');
  expect(await page().evaluate(() => getComputedStyle(document.activeElement ?? document.body).caretColor)).not.toBe(
    'rgba(0, 0, 0, 0)',
  );
});

test.for([
  ['whose focus is in a frame', `<iframe srcdoc="<input autofocus style='font: 40px serif'>"></iframe>`],
  ['that is written from the right', `<html dir="rtl"><div style="width: 3000px; background: gold">Right</div>`],
  [
    'with a field in a shadow root',
    `<div id="host"></div><script>host.attachShadow({ mode: 'open' }).innerHTML = '<input id="x">'; host.shadowRoot.querySelector('input').focus()</script>`,
  ],
  ['without a doctype, zoomed', `<body style="zoom: 1.5; height: 3000px">Large`],
])('a page %s has the pixels of Playwright', async ([, extra], { site, server, call }) => {
  await open(site, call, `${extra}<p>Words</p>`);
  const answer = await call('browser_take_screenshot');
  // In a page that is written from the right, Playwright captures the wrong part without a clip of the full page.
  const x = await page().evaluate(() => document.documentElement.scrollWidth - innerWidth);
  const own = await page().screenshot(
    x === 0 ? { scale: 'css' } : { scale: 'css', fullPage: true, clip: { x, y: 0, width: 1280, height: 720 } },
  );
  expect((await compared(server.folder, answer, own)).pixels).toBe(0);
});
