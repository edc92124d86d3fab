import { expect, test } from 'vitest';
import type { RawCell, RawRow } from '../../page/reads/table.ts';
import { tableData } from './table-data.ts';

/** `*` before a text makes it a header, `>2` after it spans columns, `v2` rows. */
function cell(text: string): RawCell {
  const [, star = '', words = '', columns = '1', rows = '1'] = /^(\*?)(.*?)(?:>(\d))?(?:v(\d))?$/.exec(text) ?? [];
  return { text: words, isHeader: star !== '', columns: Number(columns), rows: Number(rows) };
}

function row(text: string, isHead = false): RawRow {
  return { isHead, cells: text.split('|').map(cell) };
}

test('a first row of headers names the columns', () => {
  expect(tableData({ rows: [row('*A|*B'), row('1|2'), row('3|4')] })).toEqual({
    headers: ['A', 'B'],
    rows: [
      { A: '1', B: '2' },
      { A: '3', B: '4' },
    ],
  });
});

test('a table without headers numbers its columns', () => {
  expect(tableData({ rows: [row('1|2')] })).toEqual({
    headers: [],
    rows: [{ 'Column 1': '1', 'Column 2': '2' }],
  });
});

test('a cell that spans rows and columns is repeated in each of them', () => {
  const { rows } = tableData({ rows: [row('*A|*B|*C'), row('1v2|2>2'), row('3|4')] });
  expect(rows).toEqual([
    { A: '1', B: '2', C: '2' },
    { A: '1', B: '3', C: '4' },
  ]);
});

test('headers over two rows are joined, and one that spans both is used once', () => {
  const { headers, rows } = tableData({
    rows: [row('*Namev2|*Price>2', true), row('*Net|*Gross', true), row('Tea|2|3')],
  });
  expect(headers).toEqual(['Name', 'Price Net', 'Price Gross']);
  expect(rows).toEqual([{ Name: 'Tea', 'Price Net': '2', 'Price Gross': '3' }]);
});

test('columns of the same name are numbered, and short rows are filled', () => {
  const { headers, rows } = tableData({ rows: [row('*A|*A|*'), row('1')] });
  expect(headers).toEqual(['A', 'A (2)', 'Column 3']);
  expect(rows).toEqual([{ A: '1', 'A (2)': '', 'Column 3': '' }]);
});

test('a generated name does not collide with another column', () => {
  const { headers, rows } = tableData({ rows: [row('*A|*A|*A (2)'), row('1|2|3')] });
  expect(headers).toEqual(['A', 'A (2)', 'A (2) (2)']);
  expect(rows).toEqual([{ A: '1', 'A (2)': '2', 'A (2) (2)': '3' }]);
});

test('a row without own cells gets those of the spans', () => {
  const { rows } = tableData({ rows: [row('1v2|2v2'), { isHead: false, cells: [] }, row('3|4')] });
  expect(rows.map((each) => Object.values(each))).toEqual([
    ['1', '2'],
    ['1', '2'],
    ['3', '4'],
  ]);
});

test('an empty table has nothing', () => {
  expect(tableData({ rows: [] })).toEqual({ headers: [], rows: [] });
});
