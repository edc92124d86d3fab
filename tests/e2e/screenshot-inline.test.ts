import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { imageSize } from '../../src/util/images.ts';
import { expect, open, testWith } from '../fixtures.ts';
import { coloursAt, imagesIn, isQuality } from '../images.ts';

const test = testWith(['--image-responses=inline', '--screenshot-dir=shots', '--output-dir=out']);

const tall = `<title>Tall</title><style>body { margin: 0 }</style><h1>Top</h1>
  <div style="height: 3000px; background: linear-gradient(gold, navy)"></div><h1>Bottom</h1>`;

test('[S2-47, S2-49, S2-122, S2-123, S2-124, S2-126, R-8] inline: text with the path first, then the image, and the file in the given directory', async ({
  site,
  server,
  call,
}) => {
  await open(site, call, tall);
  const answer = await call('browser_take_screenshot');
  expect(answer.content.map((item) => item.type)).toEqual(['text', 'image', 'resource_link']);
  const path = /^Took a screenshot of the viewport \(1280x720\): (shots\/page-\S+\.png)$/m.exec(answer.text)?.[1] ?? '';
  expect(imageSize(await readFile(join(server.folder, path)))).toEqual({ width: 1280, height: 720 });
  const [image] = imagesIn(answer);
  expect(image?.mimeType).toBe('image/jpeg');
  expect(image?.size).toEqual({ width: 1280, height: 720 });
});

test('[S2-48, S2-52, S2-53, S2-54] an image too large for a model is scaled down proportionally as JPEG, and the file keeps its size', async ({
  site,
  server,
  call,
}) => {
  await open(site, call, tall);
  const answer = await call('browser_take_screenshot', { fullPage: true });
  const [, width, height, path] = /\((\d+)x(\d+)\): (\S+)$/m.exec(answer.text) ?? [];
  const full = { width: Number(width), height: Number(height) };
  expect(full.height).toBeGreaterThan(3000);
  expect(imageSize(await readFile(join(server.folder, path ?? '')))).toEqual(full);
  const [image] = imagesIn(answer);
  if (image === undefined) throw new Error('no image');
  expect(image.mimeType).toBe('image/jpeg');
  expect(isQuality(image.data, 80)).toBe(true);
  expect(Math.max(image.size.width, image.size.height)).toBeLessThanOrEqual(1568);
  expect(image.size.width * image.size.height).toBeLessThanOrEqual(1_150_000);
  expect(image.size.width / image.size.height).toBeCloseTo(full.width / full.height, 2);
});

test.for(['png', 'webp', 'jpeg'] as const)(
  '[S1-25] an image that fits is sent as the %s that was requested',
  async (type, { site, call }) => {
    await open(site, call, tall);
    const [image] = imagesIn(await call('browser_take_screenshot', { type }));
    expect(image?.mimeType).toBe(`image/${type}`);
  },
);

test('[S2-48, S2-54] a page of 20,000 pixels is captured in full and scaled down for the model', async ({
  site,
  server,
  call,
}) => {
  await open(site, call, '<style>body { margin: 0 }</style><div style="height: 20000px; background: teal">Tall</div>');
  const answer = await call('browser_take_screenshot', { fullPage: true, filename: 'tall.png' });
  expect(answer.section('Result')).toBe(
    'Took a screenshot of the full page (1280x20000): shots/tall.png\nThe image in this answer is 100x1568.',
  );
  expect(imageSize(await readFile(join(server.folder, 'shots/tall.png')))).toEqual({ width: 1280, height: 20_000 });
  expect(imagesIn(answer)[0]?.size).toEqual({ width: 100, height: 1568 });
});

test('[S2-48] an element too tall for a model is scaled down too', async ({ site, call }) => {
  await open(
    site,
    call,
    '<style>body { margin: 0 }</style><div id="e" style="width: 400px; height: 4000px; background: teal">Tall</div>',
  );
  const [image] = imagesIn(await call('browser_take_screenshot', { selector: '#e' }));
  expect(image?.size).toEqual({ width: 156, height: 1568 });
});

test('a screenshot of a scrolled page shows the viewport', async ({ site, call }) => {
  await open(
    site,
    call,
    '<style>body { margin: 0 } div { height: 3000px; background: white } p { height: 720px; margin: 0; background: rgb(0, 128, 0) }</style><div></div><p></p>',
  );
  await call('browser_evaluate', { function: '() => scrollTo(0, 3000)' });
  const [image] = imagesIn(await call('browser_take_screenshot'));
  if (image === undefined) throw new Error('no image');
  expect(await coloursAt(call, image, [[100, 100]])).toEqual(['0,8,0']);
});

const red = '16,0,0';
const green = '0,16,0';
const blue = '0,0,16';

test('an element that starts outside the page is captured as far as it is visible', async ({ site, call }) => {
  const stripes = 'linear-gradient(90deg, red 50px, lime 50px 100px, blue 100px)';
  await open(
    site,
    call,
    `<p>Else</p><div id="e" style="position: absolute; left: -50px; top: 300px; width: 150px; height: 80px; background: ${stripes}"></div>`,
  );
  const [image] = imagesIn(await call('browser_take_screenshot', { ref: '#e' }));
  if (image === undefined) throw new Error('no image');
  expect(image.size).toEqual({ width: 100, height: 80 });
  expect(
    await coloursAt(call, image, [
      [20, 40],
      [80, 40],
    ]),
  ).toEqual([green, blue]);
});

test.for([
  ['html { direction: rtl }'],
  ['body { direction: rtl } html { overflow-x: hidden }'],
  ['body { writing-mode: vertical-rl }'],
])('a page scrolled to the left is captured at its position: %s', async ([style], { site, call }) => {
  await open(
    site,
    call,
    `<style>${style} body { margin: 0; height: 1500px; background: white } div { width: 2560px; height: 300px; background: linear-gradient(90deg, lime 1280px, blue 1280px) }
      p { position: fixed; left: 0; top: 0; margin: 0; width: 90px; height: 90px; background: red }
      i { position: absolute; top: 0; right: 0; width: 100px; height: 50px; background: red }</style><div style="position: relative"><i></i></div><p></p>`,
  );
  const [window] = imagesIn(await call('browser_take_screenshot'));
  const [whole] = imagesIn(await call('browser_take_screenshot', { fullPage: true }));
  const [element] = imagesIn(await call('browser_take_screenshot', { ref: 'i' }));
  if (window === undefined || whole === undefined || element === undefined) throw new Error('no image');
  expect(window.size).toEqual({ width: 1280, height: 720 });
  expect(
    await coloursAt(call, window, [
      [40, 40],
      [200, 200],
      [1000, 200],
      [1250, 25],
      [600, 500],
    ]),
  ).toEqual([red, blue, blue, red, '16,16,16']);
  const half = whole.size.width / 2;
  expect(
    await coloursAt(call, whole, [
      [half - 100, 80],
      [half + 100, 80],
    ]),
  ).toEqual([green, blue]);
  expect(element.size).toEqual({ width: 100, height: 50 });
  expect(await coloursAt(call, element, [[50, 25]])).toEqual([red]);
});
