import { expect, test } from 'vitest';
import { estimateTokens } from '../../util/tokens.ts';
import { fitData } from './fit-data.ts';

const words = (count: number): string => Array.from({ length: count }, (_, n) => `word${n}`).join(' ');
const costOf = (data: object): number => estimateTokens(JSON.stringify(data));

test('data that fits is unchanged', () => {
  const data = { count: 2, texts: ['a', 'b'] };
  expect(fitData(data, 500)).toBe(data);
});

test('a long list is truncated at its end, and the rest is counted', () => {
  const fitted = fitData({ count: 500, texts: Array.from({ length: 500 }, () => words(5)) }, 500);
  expect(costOf(fitted)).toBeLessThanOrEqual(500);
  expect(fitted['count']).toBe(500);
  expect(fitted['cut']).toMatch(
    /^\d+ of 500 texts are shown\. Request a smaller part of the page, or give a larger maxTokens\.$/,
  );
});

test('lists of one length are cut together', () => {
  const list = Array.from({ length: 300 }, (_, n) => [`cell ${n}`]);
  const fitted = fitData({ rows: list, cells: list, headers: ['a', 'b'] }, 600);
  expect(fitted['rows']).toEqual(fitted['cells']);
  expect(fitted['headers']).toEqual(['a', 'b']);
  expect(fitted['cut']).toMatch(/of 300 rows and cells are shown/);
});

test('a long text is cut where there is no list', () => {
  const fitted = fitData({ text: words(5000) }, 400);
  expect(costOf(fitted)).toBeLessThanOrEqual(400);
  expect(fitted['cut']).toMatch(/^\d+ of \d+ characters of text are shown\./);
});

test('a value that cannot be truncated is omitted with its size', () => {
  const deep = { result: { a: { b: words(5000) } } };
  expect(fitData(deep, 300)).toEqual({ cut: expect.stringMatching(/^The answer would take about \d+ tokens\. /) });
});
