import { getHeapStatistics } from 'node:v8';
import { expect, test, vi } from 'vitest';
import { OwnHeap } from './own-heap.ts';

const megabyte = 2 ** 20;
const taken = (): number => getHeapStatistics().total_heap_size / megabyte;

/** Arrays that only their list refers to. */
function litter(megabytes: number): unknown[] {
  return Array.from({ length: megabytes }, () => Array.from({ length: megabyte / 8 }, (_, index) => index + 0.5));
}

test('unreferenced memory is returned to the system', async () => {
  const heap = new OwnHeap();
  await heap.collect();
  const least = taken();
  const held = litter(64);
  expect(taken()).toBeGreaterThan(least + 60);
  held.length = 0;
  await heap.collect();
  expect(taken()).toBeLessThan(least + 16);
});

test('memory is returned under load too', async () => {
  const heap = new OwnHeap();
  await heap.collect();
  const least = taken();
  const held = litter(100);
  held.length = 0;
  heap.used();
  await vi.waitUntil(() => taken() < least + 32, { timeout: 10_000 });
});
