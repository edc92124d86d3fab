import pixelmatch from 'pixelmatch';
import { areaOf, countOf, coverageOf } from './rectangle.ts';
import type { Rectangle } from './rectangle.ts';
import { regionsOf } from './regions.ts';
import type { Mask, Region } from './regions.ts';

/** An image in memory: four bytes per pixel, row by row. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

export interface ComparisonOptions {
  /** Color tolerance per pixel, from 0 to 1. */
  readonly threshold: number;
  /** Parts that are not compared. */
  readonly ignored: readonly Rectangle[];
}

export interface Comparison {
  /** Pixels that differ. */
  readonly pixels: number;
  /** Pixels that were compared. */
  readonly compared: number;
  readonly regions: readonly Region[];
  /** The differing pixels in red, else transparent; as large as both images together. Absent if nothing differs. */
  readonly difference?: Pixels;
}

const bytes = 4;
const red = [220, 20, 60] as const;

/**
 * Compares two images pixel by pixel. Pixels that differ only by anti-aliasing are equal. If the sizes differ, pixels that
 * only one image has are different.
 */
export function compareImages(baseline: Pixels, current: Pixels, options: ComparisonOptions): Comparison {
  const width = Math.max(baseline.width, current.width);
  const height = Math.max(baseline.height, current.height);
  const whole = { x: 0, y: 0, width, height };
  const shared = {
    ...whole,
    width: Math.min(baseline.width, current.width),
    height: Math.min(baseline.height, current.height),
  };
  const mask: Mask = { width, height, data: new Uint8Array(width * height).fill(1) };
  const differing = differenceOf(cropped(baseline, shared), cropped(current, shared), shared, options.threshold);
  for (let y = 0; y < shared.height; y++) {
    mask.data.set(differing.subarray(y * shared.width, (y + 1) * shared.width), y * width);
  }
  const skipped = coverageOf(whole, options.ignored);
  for (let at = 0; at < skipped.length; at++) if (skipped[at] === 1) mask.data[at] = 0;
  const pixels = countOf(mask.data);
  const compared = skipped.length - countOf(skipped);
  if (pixels === 0) return { pixels, compared, regions: [] };
  return { pixels, compared, regions: regionsOf(mask), difference: painted(mask) };
}

/** One byte per pixel: 1 where the images differ. */
function differenceOf(a: Uint8Array, b: Uint8Array, size: Rectangle, threshold: number): Uint8Array {
  const result = new Uint8Array(areaOf(size));
  if (result.length === 0) return result;
  const output = new Uint8Array(result.length * bytes);
  pixelmatch(a, b, output, size.width, size.height, { threshold, diffMask: true });
  for (let at = 0; at < result.length; at++) result[at] = output[at * bytes + 3] === 0 ? 0 : 1;
  return result;
}

function cropped(image: Pixels, { width, height }: Rectangle): Uint8Array {
  if (image.width === width) return image.data.subarray(0, width * height * bytes);
  const data = new Uint8Array(width * height * bytes);
  for (let y = 0; y < height; y++) {
    const start = y * image.width * bytes;
    data.set(image.data.subarray(start, start + width * bytes), y * width * bytes);
  }
  return data;
}

/** Only the differing pixels, on a transparent background. */
function painted({ width, height, data: differs }: Mask): Pixels {
  const data = new Uint8Array(differs.length * bytes);
  const color = new Uint32Array(Uint8Array.of(...red, 255).buffer)[0] ?? 0;
  const pixels = new Uint32Array(data.buffer);
  for (let at = 0; at < differs.length; at++) if (differs[at] === 1) pixels[at] = color;
  return { width, height, data };
}
