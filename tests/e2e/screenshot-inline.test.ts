import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { imageSize } from '../../src/util/images.ts';
import { expect, open, testWith } from '../fixtures.ts';
import { imagesIn, isQuality } from '../images.ts';

const test = testWith(['--image-responses=inline', '--screenshot-dir=shots', '--output-dir=out']);

const tall = `<title>Tall</title><style>body { margin: 0 }</style><h1>Top</h1>
  <div style="height: 3000px; background: linear-gradient(gold, navy)"></div><h1>Bottom</h1>`;

test('[S2-47, S2-49, S2-122, S2-123, S2-124, S2-126, R-8, R-18] inline: text with the path first, then the image, and the file in the given directory', async ({
  site,
  server,
  call,
}) => {
  await open(site, call, tall);
  const answer = await call('browser_take_screenshot');
  expect(answer.content.map((item) => item.type)).toEqual(['text', 'image']);
  const path = /^Took a screenshot of the viewport \(1280x720\): (shots\/page-\S+\.png)$/m.exec(answer.text)?.[1] ?? '';
  expect(imageSize(await readFile(join(server.folder, path)))).toEqual({ width: 1280, height: 720 });
  const [image] = imagesIn(answer);
  expect(image?.mimeType).toBe('image/jpeg');
  expect(image?.size).toEqual({ width: 1280, height: 720 });
});

test('[S2-48, S2-52, S2-53, S2-54] a picture too large for a model is scaled down in proportion as JPEG, and the file keeps its size', async ({
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

test('[S2-48, S2-54] a page of 20,000 pixels is captured to its end, and shown as small as a model needs', async ({
  site,
  server,
  call,
}) => {
  await open(site, call, '<style>body { margin: 0 }</style><div style="height: 20000px; background: teal">Tall</div>');
  const answer = await call('browser_take_screenshot', { fullPage: true, filename: 'tall.png' });
  expect(answer.section('Result')).toBe(
    'Took a screenshot of the full page (1280x20000): shots/tall.png\nThe picture in this answer is 100x1568.',
  );
  expect(imageSize(await readFile(join(server.folder, 'shots/tall.png')))).toEqual({ width: 1280, height: 20_000 });
  expect(imagesIn(answer)[0]?.size).toEqual({ width: 100, height: 1568 });
});

test('[S2-48] an element taller than a model takes is scaled down as well', async ({ site, call }) => {
  await open(
    site,
    call,
    '<style>body { margin: 0 }</style><div id="e" style="width: 400px; height: 4000px; background: teal">Tall</div>',
  );
  const [image] = imagesIn(await call('browser_take_screenshot', { selector: '#e' }));
  expect(image?.size).toEqual({ width: 156, height: 1568 });
});

test('a picture of a page that is scrolled shows what is in view', async ({ site, call }) => {
  await open(
    site,
    call,
    '<style>body { margin: 0 } div { height: 3000px; background: white } p { height: 720px; margin: 0; background: rgb(0, 128, 0) }</style><div></div><p></p>',
  );
  await call('browser_evaluate', { function: '() => scrollTo(0, 3000)' });
  const [image] = imagesIn(await call('browser_take_screenshot'));
  const source = `data:image/jpeg;base64,${image?.data.toString('base64')}`;
  const colour = await call('browser_evaluate', {
    function: `async (source) => {
      const image = Object.assign(new Image(), { src: source });
      await image.decode();
      const canvas = document.createElement('canvas').getContext('2d');
      canvas.drawImage(image, 0, 0);
      return [...canvas.getImageData(100, 100, 1, 1).data];
    }`,
    args: [source],
  });
  const [red = 0, green = 0, blue = 0] = JSON.parse(colour.section('Result') ?? '[]');
  expect([red, green, blue].map((value: number) => Math.round(value / 16))).toEqual([0, 8, 0]);
});
