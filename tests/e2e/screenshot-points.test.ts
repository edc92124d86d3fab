import { evaluate, expect, open, testWith } from '../fixtures.ts';
import type { Answer, Call } from '../fixtures.ts';
import { imagesIn } from '../images.ts';

const flags = ['--caps=vision', '--image-responses=inline'];
const test = testWith(flags);
const testPhone = testWith([...flags, '--device=iPhone 13']);

const ground = (
  width: number,
): string => `<title>Ground</title><style>body { margin: 0; width: ${width}px; height: 3000px }</style>
  <button>Button</button>
  <script>onclick = (event) => { document.title = [event.pageX, event.pageY].map((at) => Math.floor(at / 100) * 100).join(); }</script>`;

/** Clicks a point found in the screenshot, using only the answer. */
async function clickAsShown(call: Call, shot: Answer, point: { readonly x: number; readonly y: number }) {
  const [image] = imagesIn(shot);
  const [, width, height, times] =
    /^The image in this answer is (\d+)x(\d+): multiply its coordinates by ([\d.]+) for viewport coordinates\.$/m.exec(
      shot.text,
    ) ?? [];
  expect(image?.size).toEqual({ width: Number(width), height: Number(height) });
  const shownWidth = Number(await evaluate(call, 'visualViewport.width'));
  const scale = (image?.size.width ?? 0) / shownWidth;
  const inPicture = { x: Math.round(point.x * scale), y: Math.round(point.y * scale) };
  await call('browser_mouse_click_xy', { x: inPicture.x * Number(times), y: inPicture.y * Number(times) });
}

test('[S2-48, S2-91] a scaled screenshot gives the factor to viewport coordinates', async ({ site, call }) => {
  await open(site, call, ground(2400));
  await call('browser_resize', { width: 2400, height: 1600 });
  await call('browser_evaluate', { function: '() => scrollTo(0, 800)' });
  const shot = await call('browser_take_screenshot');
  const [image] = imagesIn(shot);
  expect((image?.size.width ?? 0) * (image?.size.height ?? 0)).toBeLessThanOrEqual(1_150_000);
  await clickAsShown(call, shot, { x: 2150, y: 1350 });
  expect(await evaluate(call, 'document.title')).toBe('2100,2100');
  await call('browser_resize', { width: 1280, height: 720 });
  expect((await call('browser_take_screenshot')).text).not.toContain('coordinates');
});

testPhone(
  '[S2-48, S2-91] on a zoomed-out mobile device the factor is correct, and the device stays emulated',
  async ({ site, call }) => {
    await open(site, call, ground(900));
    const shot = await call('browser_take_screenshot');
    expect(imagesIn(shot)[0]?.size).toEqual({ width: 390, height: 664 });
    await clickAsShown(call, shot, { x: 850, y: 1250 });
    expect(await evaluate(call, 'document.title')).toBe('800,1200');
    expect((await call('browser_mouse_click_xy', { x: 850, y: 1250 })).text).not.toContain('outside');
    for (const args of [{ fullPage: true }, { ref: 'button' }]) {
      expect((await call('browser_take_screenshot', args)).isError).toBe(false);
    }
    expect(await evaluate(call, 'devicePixelRatio')).toBe('3');
    expect(await evaluate(call, 'innerWidth > 900')).toBe('true');
  },
);

testPhone('a full-page screenshot of a document without a body keeps the device emulation', async ({ site, call }) => {
  site.set('/', (_request, response) =>
    response
      .setHeader('content-type', 'image/svg+xml')
      .end('<svg xmlns="http://www.w3.org/2000/svg" width="300" height="1500"><rect width="9" height="9"/></svg>'),
  );
  await call('browser_navigate', { url: site.url('/') });
  expect((await call('browser_take_screenshot', { fullPage: true })).isError).toBe(false);
  expect(await evaluate(call, 'devicePixelRatio')).toBe('3');
});
