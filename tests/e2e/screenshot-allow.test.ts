import { expect, open, testWith } from '../fixtures.ts';
import { imagesIn } from '../images.ts';

const test = testWith(['--image-responses=allow']);

test('[R-8] allow: the original pixels are sent when they fit', async ({ site, call }) => {
  await open(site, call, '<h1>Fits</h1>');
  const answer = await call('browser_take_screenshot');
  expect(answer.content.map((item) => item.type)).toEqual(['text', 'image', 'resource_link']);
  const [image] = imagesIn(answer);
  expect(image?.mimeType).toBe('image/png');
  expect(image?.size).toEqual({ width: 1280, height: 720 });
});

test('[R-8] allow: larger images are scaled down', async ({ site, call }) => {
  await open(site, call, '<div style="height: 5000px">Long</div>');
  const [image] = imagesIn(await call('browser_take_screenshot', { fullPage: true }));
  expect(image?.mimeType).toBe('image/jpeg');
  expect(image?.size.height).toBeLessThanOrEqual(1568);
});
