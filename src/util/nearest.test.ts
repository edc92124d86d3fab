import { expect, test } from 'vitest';
import { editDistance, nearest } from './nearest.ts';

const names = ['browser_click', 'browser_close', 'browser_type', 'url', 'timeout', 'textGone'];

test.each([
  ['browser_clik', 'browser_click'],
  ['browserClick', 'browser_click'],
  ['BROWSER-CLICK', 'browser_click'],
  ['text_gone', 'textGone'],
  ['ulr', 'url'],
  ['timeotu', 'timeout'],
])('the nearest name of %s is %s', (word, name) => {
  expect(nearest(word, names)).toBe(name);
});

test.each(['', 'make_coffee', 'zzz', 'x'.repeat(100_000)])('%.20j has no nearest name', (word) => {
  expect(nearest(word, names)).toBeUndefined();
});

test('without candidates there is no nearest one', () => {
  expect(nearest('word', [])).toBeUndefined();
});

test.each([
  ['', '', 0],
  ['abc', 'abc', 0],
  ['abc', 'ab', 1],
  ['abc', 'axc', 1],
  ['abc', 'acb', 1],
  ['abc', '', 3],
  ['kitten', 'sitting', 3],
])('from %j to %j it takes %d edits', (a, b, edits) => {
  expect(editDistance(a, b)).toBe(edits);
  expect(editDistance(b, a)).toBe(edits);
});
