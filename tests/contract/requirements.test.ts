import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../built.ts';
import { formattedJson } from './json.ts';
import { idsInTitles, idsPerTitle, requirementIds, restrictions } from './requirements.ts';

const files = ['src', 'tests'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts') && !file.endsWith('requirements.test.ts'))
    .map((file) => join(root, folder, file)),
);
const covered = new Set(files.flatMap((file) => idsInTitles(readFileSync(file, 'utf8'))));

test('every requirement has a test with its id in the title, or is listed as open', async () => {
  const open = requirementIds.filter((id) => !covered.has(id));
  await expect(formattedJson(open)).toMatchFileSnapshot('./open-requirements.json');
});

test.each(restrictions)('$id is restricted by $by, and a test shows it', ({ id, by }) => {
  const titles = files.flatMap((file) => idsPerTitle(readFileSync(file, 'utf8')));
  expect(titles.filter((ids) => ids.includes(id) && ids.includes(by))).not.toEqual([]);
});

test('every id in a title is a requirement', () => {
  expect(covered.size).toBeGreaterThan(0);
  expect([...covered].filter((id) => !requirementIds.includes(id))).toEqual([]);
});

test('there are 481 requirements, with ids as in their lists', () => {
  expect(requirementIds).toHaveLength(481);
  expect(requirementIds).toEqual(expect.arrayContaining(['S0-01', 'S1-99', 'S1-135', 'S2-131', 'R-1', 'C5-16']));
});

test.each([
  ["test('[S2-09] a', () => {});", ['S2-09']],
  ['test("[S2-13, S2-14] a", () => {});', ['S2-13', 'S2-14']],
  ["test.each([1, 2])('[R-1] %s', () => {});", ['R-1']],
  ["test.each([\n  ['[C5-1] a', 1],\n])('when %s', () => {});", ['C5-1']],
  ['test(\n  `[S1-100] a`, () => {});', ['S1-100']],
  ["describe('[S2-09] a', () => {});", []],
  ["test.skip('[S2-09] a', () => {});", []],
  ["test.todo('[S2-09] a');", []],
  ["page.click('[data-x]'); // [S2-09]", []],
])('ids are read from titles: %s', (text, ids) => {
  expect(idsInTitles(text)).toEqual(ids);
});
