import { expect, test } from 'vitest';
import { Ring } from './ring.ts';

test('the newest entries are kept, oldest first', () => {
  const ring = new Ring<number>(3);
  expect(ring.items()).toEqual([]);
  for (let item = 1; item <= 100; item++) {
    ring.push(item);
    expect(ring.items()).toEqual([item - 2, item - 1, item].filter((kept) => kept > 0));
  }
});

test('cleared, it is empty and can be filled again', () => {
  const ring = new Ring<number>(2);
  for (const item of [1, 2, 3]) ring.push(item);
  ring.clear();
  expect(ring.items()).toEqual([]);
  ring.push(4);
  expect(ring.items()).toEqual([4]);
});
