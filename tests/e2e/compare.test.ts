import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PNG } from 'pngjs';
import * as z from 'zod';
import { evaluate, expect, open, startApp, testWith } from '../fixtures.ts';
import type { Answer } from '../fixtures.ts';
import { imagesIn } from '../images.ts';

const test = testWith(['--caps', 'testing']);
const testInline = testWith(['--caps', 'testing', '--image-responses', 'inline']);

const shots = '.viewpoint-mcp-screenshots';
const total = 1280 * 720;
const outline = [0xe1, 0x1d, 0x48];
const maskColor = [0x94, 0xa3, 0xb8];

const resultSchema = z.object({
  data: z.object({
    status: z.enum(['match', 'different', 'created', 'updated']),
    diffPercent: z.number().optional(),
    diffPixels: z.number().optional(),
    comparedPixels: z.number().optional(),
    regions: z
      .array(
        z.object({
          x: z.number(),
          y: z.number(),
          width: z.number(),
          height: z.number(),
          elements: z.array(z.object({ ref: z.string(), label: z.string() })),
        }),
      )
      .default([]),
  }),
});

function resultOf(answer: Answer) {
  expect(answer.isError, answer.text).toBe(false);
  return resultSchema.parse(answer.structured).data;
}

/** A page with one box, as a button so that it has a name. */
function page({ left = 100, color = 'steelblue', extra = '' } = {}): string {
  return `<title>Box</title><style>body{margin:0;background:white}#box{position:absolute;left:${left}px;top:100px;width:200px;height:50px;border:0;padding:0;background:${color};color:transparent}</style>
<button id="box" onclick="document.title='Clicked'">Save</button>${extra}`;
}

function pixelsOf(file: string): PNG {
  return PNG.sync.read(readFileSync(file));
}

function colorAt(image: PNG, x: number, y: number): readonly number[] {
  const at = (y * image.width + x) * 4;
  return [...image.data.subarray(at, at + 3)];
}

function countOf(image: PNG, color: readonly number[]): number {
  let count = 0;
  for (let at = 0; at < image.data.length; at += 4) {
    if (color.every((value, index) => image.data[at + index] === value)) count++;
  }
  return count;
}

function linkIn(answer: Answer): string {
  const link = answer.content.find((item) => item.type === 'resource_link');
  return link?.type === 'resource_link' ? link.uri : '';
}

/** The path of the difference image. */
function differenceIn(folder: string, answer: Answer): string {
  const path = /^Difference image: (.+)$/m.exec(answer.text)?.[1];
  expect(path, answer.text).toBeDefined();
  return join(folder, path ?? '');
}

test('a missing baseline is created, and the same page matches it', async ({ site, server, call }) => {
  await open(site, call, page());
  const created = await call('browser_compare_screenshot', { baseline: 'created' });
  expect(created.section('Result')).toBe(`There was no baseline. Created ${shots}/created.png (1280x720).`);
  expect(resultOf(created).status).toBe('created');
  expect(linkIn(created)).toMatch(/^playwright:\/\/\/screenshot\/default\//);
  const file = join(server.folder, shots, 'created.png');
  expect(colorAt(pixelsOf(file), 200, 125)).toEqual([0x46, 0x82, 0xb4]);
  const again = await call('browser_compare_screenshot', { baseline: 'created.png' });
  expect(again.section('Result')).toBe(`Matches ${shots}/created.png: no pixel differs.`);
  expect(resultOf(again)).toMatchObject({ status: 'match', diffPercent: 0, diffPixels: 0, comparedPixels: total });
});

test('a changed color is one region with its element', async ({ site, call }) => {
  await open(site, call, page());
  await call('browser_compare_screenshot', { baseline: 'color' });
  await open(site, call, page({ color: 'crimson' }));
  const result = resultOf(await call('browser_compare_screenshot', { baseline: 'color' }));
  expect(result).toMatchObject({
    status: 'different',
    diffPixels: 10_000,
    diffPercent: Math.round((10_000 / total) * 1e6) / 1e4,
    regions: [{ x: 100, y: 100, width: 200, height: 50, elements: [{ label: 'button "Save"' }] }],
  });
  await call('browser_click', { ref: result.regions[0]?.elements[0]?.ref ?? '' });
  expect(await evaluate(call, 'document.title')).toBe('Clicked');
});

test('a moved box is a region where it was and one where it is', async ({ site, call }) => {
  await open(site, call, page());
  await call('browser_compare_screenshot', { baseline: 'moved' });
  await open(site, call, page({ left: 600 }));
  const answer = await call('browser_compare_screenshot', { baseline: 'moved' });
  const { diffPixels, regions } = resultOf(answer);
  expect(diffPixels).toBe(20_000);
  expect(regions).toMatchObject([
    { x: 100, y: 100, width: 200, height: 50, elements: [] },
    { x: 600, y: 100, width: 200, height: 50, elements: [{ label: 'button "Save"' }] },
  ]);
  expect(answer.text).toContain('1. 100,100 200x50: page background\n2. 600,100 200x50: button "Save" [ref=');
});

test('an element without a role is named by its tag', async ({ site, call }) => {
  const swatch = (color: string): string =>
    page({
      extra: `<div id="swatch" style="position:absolute;left:500px;top:300px;width:80px;height:80px;background:${color}"></div>`,
    });
  await open(site, call, swatch('teal'));
  await call('browser_compare_screenshot', { baseline: 'swatch' });
  await open(site, call, swatch('gold'));
  const { regions } = resultOf(await call('browser_compare_screenshot', { baseline: 'swatch' }));
  expect(regions).toMatchObject([{ x: 500, y: 300, width: 80, height: 80, elements: [{ label: 'div#swatch' }] }]);
  const ref = regions[0]?.elements[0]?.ref ?? '';
  const answer = await call('browser_evaluate', { function: '(element) => element.id', ref });
  expect(answer.section('Result')).toBe('swatch');
});

test('a difference in anti-aliasing alone is none', async ({ site, server, call }) => {
  const circle = (radius: number): string =>
    page({
      extra: `<svg style="position:absolute;left:400px;top:200px" width="300" height="300"><circle cx="150" cy="150" r="${radius}" fill="black"/></svg>`,
    });
  await open(site, call, circle(100));
  await call('browser_compare_screenshot', { baseline: 'circle' });
  await open(site, call, circle(100.2));
  await call('browser_take_screenshot', { filename: 'circle-now.png' });
  const [before, now] = ['circle.png', 'circle-now.png'].map((name) => pixelsOf(join(server.folder, shots, name)).data);
  expect(before?.equals(now ?? Buffer.alloc(0))).toBe(false);
  expect(resultOf(await call('browser_compare_screenshot', { baseline: 'circle' }))).toMatchObject({
    status: 'match',
    diffPixels: 0,
  });
});

test.for([
  ['a rectangle', ['100,100,200,50']],
  ['a rectangle as an object', [{ x: 100, y: 100, width: 200, height: 50 }]],
  ['a selector', ['#box']],
] as const)('a part that is ignored is not compared: %s', async ([name, ignore], { site, call, callRaw }) => {
  const baseline = name.replaceAll(' ', '-');
  await open(site, call, page());
  await call('browser_compare_screenshot', { baseline });
  await open(site, call, page({ color: 'crimson' }));
  const answer = await callRaw('browser_compare_screenshot', { baseline, ignore });
  expect(resultOf(answer)).toMatchObject({ status: 'match', diffPixels: 0, comparedPixels: total - 10_000 });
});

test('an ignored ref, and an ignored selector that matches several elements or none', async ({ site, call }) => {
  const dots = (color: string): string =>
    page({
      color,
      extra: [300, 500]
        .map(
          (top) =>
            `<i class="dot" style="position:absolute;left:40px;top:${top}px;width:20px;height:20px;background:${color}"></i>`,
        )
        .join(''),
    });
  await open(site, call, dots('steelblue'));
  await call('browser_compare_screenshot', { baseline: 'dots' });
  const { text } = await open(site, call, dots('crimson'));
  const ref = /button "Save" \[ref=(\w+)\]/.exec(text)?.[1] ?? '';
  const answer = await call('browser_compare_screenshot', { baseline: 'dots', ignore: [ref, '.dot', '.ghost'] });
  expect(resultOf(answer).status).toBe('match');
  expect(answer.text).toContain('".ghost" matches no visible element.');
  expect(resultOf(await call('browser_compare_screenshot', { baseline: 'dots', ignore: ['.dot'] })).diffPixels).toBe(
    10_000,
  );
});

test('a mask covers the element in the baseline and is not compared', async ({ site, server, call }) => {
  await open(site, call, page());
  await call('browser_compare_screenshot', { baseline: 'masked', mask: ['#box'] });
  expect(colorAt(pixelsOf(join(server.folder, shots, 'masked.png')), 200, 125)).toEqual(maskColor);
  await open(site, call, page({ color: 'crimson' }));
  expect(resultOf(await call('browser_compare_screenshot', { baseline: 'masked', mask: ['#box'] })).status).toBe(
    'match',
  );
  await open(site, call, page({ left: 140 }));
  const { regions } = resultOf(await call('browser_compare_screenshot', { baseline: 'masked', mask: ['#box'] }));
  expect(regions).toMatchObject([{ x: 100, y: 100, width: 40, height: 50 }]);
});

test('a size that changed is reported', async ({ site, call }) => {
  await open(site, call, page());
  await call('browser_compare_screenshot', { baseline: 'size' });
  await call('browser_resize', { width: 1280, height: 700 });
  const answer = await call('browser_compare_screenshot', { baseline: 'size' });
  expect(answer.text).toContain('The size changed from 1280x720 to 1280x700;');
  expect(resultOf(answer)).toMatchObject({
    status: 'different',
    diffPixels: 1280 * 20,
    regions: [{ x: 0, y: 700, width: 1280, height: 20 }],
  });
});

test('threshold is the tolerance of color, maxDiffPercent that of pixels', async ({ site, call }) => {
  await open(site, call, page({ color: 'rgb(200, 200, 200)' }));
  await call('browser_compare_screenshot', { baseline: 'limits' });
  await open(site, call, page({ color: 'rgb(230, 230, 230)' }));
  const compare = async (limits: { readonly threshold?: number; readonly maxDiffPercent?: number }) =>
    resultOf(await call('browser_compare_screenshot', { baseline: 'limits', ...limits }));
  expect(await compare({ threshold: 0.02 })).toMatchObject({ status: 'different', diffPixels: 10_000 });
  expect(await compare({ threshold: 0.3 })).toMatchObject({ status: 'match', diffPixels: 0 });
  expect(await compare({ threshold: 0.02, maxDiffPercent: 1 })).toMatchObject({ status: 'different' });
  expect(await compare({ threshold: 0.02, maxDiffPercent: 2 })).toMatchObject({ status: 'match', diffPixels: 10_000 });
});

test('the full page has regions below the viewport, with their elements', async ({ site, call }) => {
  const long = (color: string): string =>
    page({
      extra: `<div style="height:2000px"></div><button style="position:absolute;left:50px;top:1500px;width:120px;height:40px;border:0;color:transparent;background:${color}">Send</button>`,
    });
  await open(site, call, long('teal'));
  await call('browser_compare_screenshot', { baseline: 'long', fullPage: true });
  await open(site, call, long('gold'));
  await evaluate(call, 'scrollTo(0, 300)');
  const { regions } = resultOf(await call('browser_compare_screenshot', { baseline: 'long', fullPage: true }));
  expect(regions).toMatchObject([{ x: 50, y: 1500, width: 120, height: 40, elements: [{ label: 'button "Send"' }] }]);
});

test('an element is compared by itself', async ({ site, call }) => {
  await open(site, call, page());
  await call('browser_compare_screenshot', { baseline: 'element', ref: '#box' });
  await open(site, call, page({ left: 333, extra: '<p>Elsewhere</p>' }));
  expect(resultOf(await call('browser_compare_screenshot', { baseline: 'element', ref: '#box' }))).toMatchObject({
    status: 'match',
    comparedPixels: 10_000,
  });
  await open(site, call, page({ color: 'crimson' }));
  expect(resultOf(await call('browser_compare_screenshot', { baseline: 'element', ref: '#box' }))).toMatchObject({
    diffPercent: 100,
    regions: [{ x: 0, y: 0, width: 200, height: 50, elements: [{ label: 'button "Save"' }] }],
  });
});

test('animations are stopped', async ({ site, call }) => {
  const moving = page({
    extra:
      '<style>@keyframes slide{to{transform:translateX(500px)}}#box{animation:slide 1s infinite alternate}</style>',
  });
  await open(site, call, moving);
  await call('browser_compare_screenshot', { baseline: 'moving' });
  await evaluate(call, 'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))');
  expect(resultOf(await call('browser_compare_screenshot', { baseline: 'moving' })).status).toBe('match');
});

test('a page that never looks the same is reported', async ({ site, call }) => {
  await open(site, call, page());
  await call('browser_compare_screenshot', { baseline: 'noise' });
  const noise = `<script>let turn = 0; const draw = () => { box.style.background = 'hsl(' + (turn += 7) + ' 90% 50%)'; requestAnimationFrame(draw) }; draw()</script>`;
  await open(site, call, page({ extra: noise }));
  const answer = await call('browser_compare_screenshot', { baseline: 'noise' });
  expect(resultOf(answer).status).toBe('different');
  expect(answer.text).toContain('The page looked different in each of 5 screenshots');
});

test('the difference image shows both images and outlined regions', async ({ site, server, call }) => {
  await open(site, call, page());
  await call('browser_compare_screenshot', { baseline: 'drawn' });
  await open(site, call, page({ color: 'gold' }));
  const answer = await call('browser_compare_screenshot', { baseline: 'drawn' });
  const drawn = pixelsOf(differenceIn(server.folder, answer));
  expect(drawn.width).toBeGreaterThan(3 * 1280);
  expect(drawn.height).toBeGreaterThan(720);
  // The box in each panel, without its outline.
  expect(countOf(drawn, [0x46, 0x82, 0xb4])).toBeGreaterThan(8000);
  expect(countOf(drawn, [255, 215, 0])).toBeGreaterThan(8000);
  expect(countOf(drawn, [220, 20, 60])).toBeGreaterThan(8000);
  expect(countOf(drawn, outline)).toBeGreaterThan(3000);
  expect(linkIn(answer)).toMatch(/^playwright:\/\/\/screenshot\//);
  expect(imagesIn(answer)).toEqual([]);
});

testInline('the difference image is in the answer if images are wanted', async ({ site, call }) => {
  await open(site, call, page());
  expect(imagesIn(await call('browser_compare_screenshot', { baseline: 'inline' }))).toEqual([]);
  await open(site, call, page({ color: 'gold' }));
  const [image] = imagesIn(await call('browser_compare_screenshot', { baseline: 'inline' }));
  expect(Math.max(image?.size.width ?? 0, image?.size.height ?? 0)).toBeLessThanOrEqual(1568);
  expect(image?.size.width).toBeGreaterThan(1000);
});

test('update accepts the current state', async ({ site, call }) => {
  await open(site, call, page());
  await call('browser_compare_screenshot', { baseline: 'accepted' });
  await open(site, call, page({ color: 'crimson' }));
  const updated = await call('browser_compare_screenshot', { baseline: 'accepted', update: true });
  expect(updated.section('Result')).toBe(`Updated the baseline ${shots}/accepted.png (1280x720).`);
  expect(resultOf(await call('browser_compare_screenshot', { baseline: 'accepted' })).status).toBe('match');
  await open(site, call, page());
  expect(resultOf(await call('browser_compare_screenshot', { baseline: 'accepted' })).status).toBe('different');
});

test('a later server updates a baseline of the working directory, but no other image', async ({ site }) => {
  const folder = mkdtempSync(join(tmpdir(), 'helm-compare-'));
  try {
    for (const color of ['steelblue', 'crimson']) {
      await using server = await startApp(['--caps', 'testing'], { folder });
      await using driver = await server.drive();
      await open(site, driver.call, page({ color }));
      for (const baseline of ['./base/home.png', 'base/home.png']) {
        const answer = await driver.call('browser_compare_screenshot', { baseline, update: true });
        expect(answer.isError, answer.text).toBe(false);
      }
      const own = PNG.sync.write(new PNG({ width: 10, height: 10 }));
      writeFileSync(join(folder, 'logo.png'), own);
      const refused = await driver.call('browser_compare_screenshot', { baseline: './logo.png', update: true });
      expect(refused.kind).toBe('PATH_DENIED');
      expect(readFileSync(join(folder, 'logo.png')).equals(own)).toBe(true);
    }
    const { mode } = statSync(join(folder, 'base/home.png'));
    expect(mode & 0o777).toBe(0o600);
    expect(colorAt(pixelsOf(join(folder, 'base/home.png')), 200, 125)).toEqual([220, 20, 60]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('a resource is a baseline for its own driver, and cannot be updated', async ({ site, server, call }) => {
  await open(site, call, page());
  const baseline = linkIn(await call('browser_take_screenshot'));
  expect(resultOf(await call('browser_compare_screenshot', { baseline })).status).toBe('match');
  await open(site, call, page({ color: 'crimson' }));
  expect(resultOf(await call('browser_compare_screenshot', { baseline })).diffPixels).toBe(10_000);
  expect((await call('browser_compare_screenshot', { baseline, update: true })).text).toContain(
    'A resource cannot be replaced',
  );
  await using other = await server.drive();
  await open(site, other.call, page());
  const refused = await other.call('browser_compare_screenshot', { baseline });
  expect(refused.kind).toBe('PATH_DENIED');
  expect(refused.text).toContain('there is no such resource');
});

test('a baseline may be a JPEG', async ({ site, call }) => {
  await open(site, call, page());
  await call('browser_take_screenshot', { filename: 'photo.jpg', type: 'jpeg', quality: 95 });
  expect(resultOf(await call('browser_compare_screenshot', { baseline: 'photo.jpg' })).status).toBe('match');
  await open(site, call, page({ color: 'crimson' }));
  expect(resultOf(await call('browser_compare_screenshot', { baseline: 'photo.jpg' })).status).toBe('different');
  const missing = await call('browser_compare_screenshot', { baseline: 'missing.jpg' });
  expect(missing.text).toContain('A new baseline is a PNG file');
});

/** The header of a PNG file of this size, without content. */
function hollowPng(width: number, height: number): Buffer {
  const file = PNG.sync.write(new PNG({ width: 1, height: 1 }));
  file.writeUInt32BE(width, 16);
  file.writeUInt32BE(height, 20);
  return file;
}

test.for([
  [
    'text.png',
    Buffer.from('This is not an image, although its name says so.'),
    'is not a readable PNG, JPEG or WebP image',
  ],
  [
    'cut.png',
    PNG.sync.write(new PNG({ width: 200, height: 200 })).subarray(0, 80),
    'is not a readable PNG, JPEG or WebP image',
  ],
  ['bomb.png', hollowPng(60_000, 60_000), 'images of more than 40 megapixels are not compared'],
  ['empty.png', Buffer.alloc(0), 'is not a readable PNG, JPEG or WebP image'],
] as const)('%s is refused as a baseline', async ([name, data, reason], { site, server, call }) => {
  writeFileSync(join(server.folder, name), data);
  await open(site, call, page());
  const answer = await call('browser_compare_screenshot', { baseline: `./${name}` });
  expect(answer.kind).toBe('INVALID_ARGUMENT');
  expect(answer.text).toContain(reason);
});

test.for([
  '/etc/hostname',
  '../../outside.png',
  '/tmp/outside.png',
  './.hidden/base.png',
  'playwright:///screenshot/x/y/z',
  'a\0b',
])('the path %j is refused', async (baseline, { site, call }) => {
  await open(site, call, page());
  expect((await call('browser_compare_screenshot', { baseline })).kind).toBe('PATH_DENIED');
});

test.for([{ ignore: ['1,2,3'] }, { mask: ['div[['] }])('%j is not a selector', async (parts, { site, call }) => {
  await open(site, call, page());
  await call('browser_compare_screenshot', { baseline: 'parts' });
  const answer = await call('browser_compare_screenshot', { baseline: 'parts', ...parts });
  expect(answer.kind).toBe('INVALID_SELECTOR');
});

test('a comparison of nothing is refused', async ({ site, call }) => {
  await open(site, call, page());
  await call('browser_compare_screenshot', { baseline: 'nothing' });
  for (const color of ['steelblue', 'gold']) {
    await open(site, call, page({ color }));
    const answer = await call('browser_compare_screenshot', { baseline: 'nothing', ignore: ['0,0,99999,99999'] });
    expect(answer.kind).toBe('INVALID_ARGUMENT');
    expect(answer.text).toContain('nothing is compared');
  }
});

test('images of a wide element are below each other, and numbers cover only the difference', async ({
  site,
  server,
  call,
}) => {
  const bar = (color: string): string =>
    `<style>body{margin:0}</style><nav style="height:40px;background:white"><button style="position:absolute;left:200px;top:5px;width:60px;height:30px;border:0;background:${color}"></button></nav>`;
  await open(site, call, bar('gold'));
  await call('browser_compare_screenshot', { baseline: 'wide', ref: 'nav' });
  await open(site, call, bar('teal'));
  const drawn = pixelsOf(
    differenceIn(server.folder, await call('browser_compare_screenshot', { baseline: 'wide', ref: 'nav' })),
  );
  expect(drawn.width).toBeLessThan(1280 * 1.2);
  expect(drawn.height).toBeGreaterThan(3 * 40);
  expect(countOf(drawn, [255, 215, 0])).toBe(60 * 30);
  expect(countOf(drawn, [0, 128, 128])).toBe(60 * 30);
});

test('arguments that exclude each other are refused', async ({ site, call }) => {
  await open(site, call, page());
  const answer = await call('browser_compare_screenshot', { baseline: 'both', ref: '#box', fullPage: true });
  expect(answer.text).toContain('Give either ref or fullPage, not both.');
});

test('the tool is listed with the capability testing only', async ({ driver }) => {
  const { tools } = await driver.client.listTools();
  expect(tools.map(({ name }) => name)).toContain('browser_compare_screenshot');
  await using plain = await startApp();
  await using other = await plain.drive();
  expect((await other.client.listTools()).tools.map(({ name }) => name)).not.toContain('browser_compare_screenshot');
});

test('the prompt visual_regression names the tool', async ({ driver }) => {
  const { messages } = await driver.client.getPrompt({
    name: 'visual_regression',
    arguments: { url: 'https://shop.example/', baseline_screenshot: 'home.png' },
  });
  expect(JSON.stringify(messages[1])).toContain('browser_compare_screenshot does steps 2 to 6 in one call');
});
