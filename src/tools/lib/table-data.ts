import type { RawRow, RawTable } from '../../page/reads/table.ts';

export interface TableData {
  readonly headers: readonly string[];
  /** Each row, keyed by column name. */
  readonly rows: readonly Readonly<Record<string, string>>[];
}

/** A table as data. A cell that spans rows or columns is repeated in each of them. */
export function tableData({ rows }: Pick<RawTable, 'rows'>): TableData {
  // A row without own cells gets those of the row spans above.
  const all = spread(rows);
  const filled = rows.filter((_, place) => all[place]?.length !== 0);
  const grid = all.filter((row) => row.length > 0);
  const heads = headRows(filled);
  const width = Math.max(0, ...grid.map((row) => row.length));
  const columns = Array.from({ length: width }, (_, column) => column);
  const headers = named(columns.map((column) => headerOf(grid.slice(0, heads), column)));
  const cells = grid.slice(heads).map((row) => columns.map((column) => row[column] ?? ''));
  return {
    headers: heads === 0 ? [] : headers,
    rows: cells.map((row) => Object.fromEntries(row.map((text, column) => [headers[column] ?? '', text]))),
  };
}

/** The rows at the top that name the columns: those of the thead, otherwise a first row of headers only. */
function headRows(rows: readonly RawRow[]): number {
  const inHead = rows.findIndex(({ isHead }) => !isHead);
  if (rows[0]?.isHead === true) return inHead < 0 ? rows.length : inHead;
  const first = rows.findIndex(({ cells }) => !cells.every(({ isHeader }) => isHeader));
  return first < 0 ? Math.min(1, rows.length) : first;
}

function spread(rows: readonly RawRow[]): readonly (readonly string[])[] {
  const grid: (string | undefined)[][] = rows.map(() => []);
  for (const [top, row] of rows.entries()) {
    let left = 0;
    for (const cell of row.cells) {
      while (grid[top]?.[left] !== undefined) left++;
      const bottom = Math.min(rows.length, top + cell.rows);
      for (let at = top; at < bottom; at++) {
        for (let column = left; column < left + cell.columns; column++) {
          const line = grid[at];
          if (line !== undefined) line[column] ??= cell.text;
        }
      }
      left += cell.columns;
    }
  }
  return grid.map((row) => Array.from(row, (text) => text ?? ''));
}

/** Joins headers of several rows from the top; one that spans rows is used once. */
function headerOf(heads: readonly (readonly string[])[], column: number): string {
  const words = heads.map((row) => row[column] ?? '').filter((text) => text !== '');
  return words.filter((text, index) => text !== words[index - 1]).join(' ');
}

/** Makes column names unique. */
function named(headers: readonly string[]): readonly string[] {
  const seen = new Set<string>();
  return headers.map((text, column) => {
    const base = text === '' ? `Column ${column + 1}` : text;
    let name = base;
    for (let count = 2; seen.has(name); count++) name = `${base} (${count})`;
    seen.add(name);
    return name;
  });
}
