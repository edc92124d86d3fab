import { PNG } from 'pngjs';
import { expect, test } from 'vitest';
import { compareImages } from './compare.ts';
import type { Pixels } from './compare.ts';
import { runComparison } from './run-comparison.ts';
import type { Rectangle } from './rectangle.ts';
import { regionsOf } from './regions.ts';

/** A white image with black rectangles. */
function image(width: number, height: number, ...boxes: readonly Rectangle[]): Pixels {
  const data = new Uint8Array(width * height * 4).fill(255);
  for (const box of boxes) {
    for (let y = box.y; y < box.y + box.height; y++) {
      for (let x = box.x; x < box.x + box.width; x++) data.set([0, 0, 0], (y * width + x) * 4);
    }
  }
  return { width, height, data };
}

const options = { threshold: 0.1, ignored: [] };
const box = { x: 20, y: 30, width: 40, height: 10 };

test('equal images have no difference', () => {
  const result = compareImages(image(100, 80, box), image(100, 80, box), options);
  expect(result).toEqual({ pixels: 0, compared: 8000, regions: [] });
});

test('a new box is one region of its size', () => {
  const { pixels, regions } = compareImages(image(100, 80), image(100, 80, box), options);
  expect({ pixels, regions }).toEqual({ pixels: 400, regions: [{ ...box, pixels: 400 }] });
});

test('boxes far apart are two regions, boxes close together one', () => {
  const far = { ...box, x: 300 };
  expect(compareImages(image(400, 80), image(400, 80, box, far), options).regions).toHaveLength(2);
  const near = { ...box, x: 68 };
  const { regions } = compareImages(image(400, 80), image(400, 80, box, near), options);
  expect(regions).toEqual([{ ...box, width: 88, pixels: 800 }]);
});

test('an ignored part is not compared', () => {
  const result = compareImages(image(100, 80), image(100, 80, box), { ...options, ignored: [box] });
  expect(result).toMatchObject({ pixels: 0, compared: 8000 - 400, regions: [] });
});

test('an ignored part outside of the image changes nothing', () => {
  const ignored = [{ x: -50, y: 500, width: 10, height: 10 }];
  expect(compareImages(image(100, 80), image(100, 80), { ...options, ignored }).compared).toBe(8000);
});

test('pixels of only one image differ', () => {
  const { pixels, regions, difference } = compareImages(image(100, 80), image(120, 60), options);
  expect(difference).toMatchObject({ width: 120, height: 80 });
  // A strip on the right and one at the bottom, and the corner that neither image has.
  expect(pixels).toBe(120 * 80 - 100 * 60);
  expect(regions).toHaveLength(1);
});

test('the difference image has the differing pixels in red', () => {
  const { difference } = compareImages(image(100, 80), image(100, 80, box), options);
  const at = (x: number, y: number): readonly number[] => [
    ...(difference?.data ?? new Uint8Array()).subarray((y * 100 + x) * 4, (y * 100 + x) * 4 + 4),
  ];
  expect(at(25, 35)).toEqual([220, 20, 60, 255]);
  expect(at(5, 5)).toEqual([0, 0, 0, 0]);
});

test('noise over a large image has few regions', () => {
  const [width, height] = [2000, 4000];
  const data = new Uint8Array(width * height);
  for (let at = 0; at < data.length; at += 37 * 24) data[at] = 1;
  expect(regionsOf({ width, height, data }).length).toBeLessThan(500);
});

function png({ width, height, data }: Pixels): Buffer {
  const file = new PNG({ width, height });
  file.data.set(data);
  return PNG.sync.write(file);
}

test('files are compared in a worker', async () => {
  const files = { baseline: png(image(100, 80)), current: png(image(100, 80, box)) };
  const answer = await runComparison({ ...files, ...options }, new AbortController().signal);
  expect(answer).toMatchObject({ pixels: 400, compared: 8000 });
  const difference =
    'difference' in answer && answer.difference !== undefined
      ? PNG.sync.read(Buffer.from(answer.difference))
      : undefined;
  expect([...(difference?.data.subarray((35 * 100 + 25) * 4, (35 * 100 + 25) * 4 + 3) ?? [])]).toEqual([220, 20, 60]);
});

test.each([
  ['baseline', Buffer.from('not an image'), png(image(1, 1))],
  ['baseline', png(image(50, 50)).subarray(0, 60), png(image(1, 1))],
  ['current', png(image(1, 1)), Buffer.alloc(0)],
])('a %s that is not a PNG is reported', async (unreadable, baseline, current) => {
  const signal = new AbortController().signal;
  expect(await runComparison({ baseline, current, ...options }, signal)).toEqual({ unreadable });
});

test('the worker ends with the signal', async () => {
  const control = new AbortController();
  const large = png(image(3000, 3000, box));
  const running = runComparison({ baseline: large, current: large, ...options }, control.signal);
  control.abort(new Error('canceled'));
  await expect(running).rejects.toThrow('canceled');
});
