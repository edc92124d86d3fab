import { assert, boolean, integer, property } from 'fast-check';
import { expect, test } from 'vitest';
import { CollectedItems } from './collected-items.ts';

function collect(windows: readonly (readonly string[])[], withKeys = false): readonly string[] {
  const items = new CollectedItems();
  for (const shown of windows) items.add(shown.map((text) => ({ text, ...(withKeys ? { key: text } : {}) })));
  return items.texts;
}

test('parts that overlap give each item once, even if items are equal', () => {
  expect(
    collect([
      ['a', 'a', 'b'],
      ['a', 'b', 'a'],
      ['b', 'a', 'c'],
    ]),
  ).toEqual(['a', 'a', 'b', 'a', 'c']);
});

test('an endless list, which keeps its items, adds only the new ones', () => {
  expect(
    collect([
      ['a', 'b'],
      ['a', 'b', 'b', 'c'],
    ]),
  ).toEqual(['a', 'b', 'b', 'c']);
});

test('a part that was seen adds nothing', () => {
  expect(
    collect([
      ['a', 'b', 'c', 'd'],
      ['b', 'c'],
    ]),
  ).toEqual(['a', 'b', 'c', 'd']);
});

test('keys decide where the page has them', () => {
  const items = new CollectedItems();
  items.add([
    { key: '1', text: 'same' },
    { key: '2', text: 'same' },
  ]);
  expect(
    items.add([
      { key: '2', text: 'same' },
      { key: '3', text: 'same' },
    ]),
  ).toBe(1);
  expect(items.texts).toEqual(['same', 'same', 'same']);
});

test('any list of different items is collected through any overlapping parts', () => {
  assert(
    property(integer({ min: 1, max: 80 }), integer({ min: 2, max: 12 }), boolean(), (length, size, withKeys) => {
      const all = Array.from({ length }, (_, index) => `item ${index}`);
      const starts = Array.from({ length }, (_, index) => index * Math.max(1, Math.floor(size / 2)));
      const windows = starts.map((start) => all.slice(start, start + size)).filter((shown) => shown.length > 0);
      expect(collect(windows, withKeys)).toEqual(all);
    }),
  );
});
