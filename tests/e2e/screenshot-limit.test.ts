import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { imageSize } from '../../src/util/images.ts';
import { expect, open, testWith } from '../fixtures.ts';
import { imagesIn } from '../images.ts';

const maxBytes = 60_000;
const test = testWith([`--max-screenshot-size=${maxBytes}`, '--output-dir=out']);
const testInline = testWith([`--max-screenshot-size=${maxBytes}`, '--output-dir=out', '--image-responses=inline']);
const testTiny = testWith(['--max-screenshot-size=400', '--output-dir=out']);

/** Noise, which does not compress. */
const noise = (side: number): string => `<title>Noise</title><canvas width="${side}" height="${side}"></canvas><script>
const pen = document.querySelector('canvas').getContext('2d');
const picture = pen.createImageData(${side}, ${side});
for (let at = 0, value = 1; at < picture.data.length; at++) {
  value ^= value << 13; value ^= value >>> 17; value ^= value << 5;
  picture.data[at] = at % 4 === 3 ? 255 : value & 255;
}
pen.putImageData(picture, 0, 0);
</script>`;

test('[R-36] a file within the limit is not changed', async ({ site, call, server }) => {
  await open(site, call, '<title>Plain</title><p>Text</p>');
  const answer = await call('browser_take_screenshot', { filename: 'plain.png' });
  expect(answer.section('Result')).toBe('Took a screenshot of the viewport (1280x720): out/plain.png');
  expect(imageSize(readFileSync(join(server.folder, 'out/plain.png')))).toEqual({ width: 1280, height: 720 });
});

test('[S1-128, R-36] a larger file becomes a JPEG of the same size, with a quality that fits', async ({
  site,
  call,
  server,
}) => {
  await open(site, call, noise(240));
  const answer = await call('browser_take_screenshot', { selector: 'canvas', filename: 'noise.png' });
  expect(answer.section('Result')).toMatch(
    /^Took a screenshot of canvas \(240x240\): out\/noise\.jpg\nThe screenshot had \d{6} bytes, more than the limit; it was reduced to a JPEG of 240x240 with \d{5} bytes\.$/,
  );
  const file = readFileSync(join(server.folder, 'out/noise.jpg'));
  expect(file.length).toBeLessThanOrEqual(maxBytes);
  expect(file.subarray(0, 2)).toEqual(Buffer.from([0xff, 0xd8]));
  expect(existsSync(join(server.folder, 'out/noise.png'))).toBe(false);
});

test('[R-36] a file that is still too large is scaled down too', async ({ site, call, server }) => {
  await open(site, call, noise(700));
  const answer = await call('browser_take_screenshot', { selector: 'canvas' });
  const [, width, height, path = ''] = /\((\d+)x(\d+)\): (out\/page-\S+\.jpeg)$/m.exec(answer.text) ?? [];
  const file = readFileSync(join(server.folder, path));
  expect(file.length).toBeLessThanOrEqual(maxBytes);
  expect(imageSize(file)).toEqual({ width: Number(width), height: Number(height) });
  expect(Number(width)).toBeLessThan(700);
  expect(width).toBe(height);
});

testInline('[R-36] the limit applies to files, not to images in the answer', async ({ site, call }) => {
  await open(site, call, noise(700));
  const [image] = imagesIn(await call('browser_take_screenshot', { selector: 'canvas' }));
  expect(image?.mimeType).toBe('image/jpeg');
  expect(image?.size).toEqual({ width: 700, height: 700 });
  expect(image?.data.length).toBeGreaterThan(maxBytes);
});

testTiny(
  '[S1-128, R-36] a screenshot that cannot be reduced to the limit is an error, and no file is written',
  async ({ site, call, server }) => {
    await open(site, call, noise(300));
    const answer = await call('browser_take_screenshot', { ref: 'canvas' });
    expect(answer.kind).toBe('SCREENSHOT_TOO_LARGE');
    expect(answer.structured).toMatchObject({ error: { code: 'RESOURCE_EXHAUSTED' } });
    expect(existsSync(join(server.folder, 'out')) ? readdirSync(join(server.folder, 'out')) : []).toEqual([]);
    expect((await call('browser_tabs', { action: 'list' })).section('Result')?.split('\n')).toHaveLength(1);
  },
);
