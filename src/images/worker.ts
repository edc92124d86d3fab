import { parentPort, workerData } from 'node:worker_threads';
import { PNG } from 'pngjs';
import { compareImages } from './compare.ts';
import type { ComparisonAnswer, ComparisonRequest } from './run-comparison.ts';

/** Decoding takes a second for a long page, so it runs in a thread of its own. This file is bundled as a string. */
function answerTo({ baseline, current, ...options }: ComparisonRequest): ComparisonAnswer {
  const decoded = [baseline, current].map((data) => {
    try {
      return PNG.sync.read(Buffer.from(data));
    } catch {
      return undefined;
    }
  });
  const [before, now] = decoded;
  if (before === undefined || now === undefined) return { unreadable: before === undefined ? 'baseline' : 'current' };
  const { difference, ...result } = compareImages(before, now, options);
  if (difference === undefined) return result;
  const image = new PNG({ width: difference.width, height: difference.height });
  image.data.set(difference.data);
  // Mostly transparent, so it is small without filters.
  return { ...result, difference: PNG.sync.write(image, { deflateLevel: 1, filterType: 0 }) };
}

// The data comes from runComparison, which types it.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion, unicorn/require-post-message-target-origin -- a thread has no origin
parentPort?.postMessage(answerTo(workerData as ComparisonRequest));
