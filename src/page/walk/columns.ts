import { closestOf } from '../dom/dom.ts';

const mostSpan = 1000;

/** The columns of cells in tables with `colspan` or `rowspan`. */
export class Columns {
  readonly #tables = new Map<Element, ReadonlyMap<Element, number> | undefined>();
  /** The row of the last cell, and the columns of its table. */
  #row: Element | null = null;
  #columns: ReadonlyMap<Element, number> | undefined;

  /** Undefined outside such tables. */
  of(cell: Element): number | undefined {
    if (!(cell instanceof HTMLTableCellElement)) return undefined;
    const row = cell.parentElement;
    if (row === null || row !== this.#row) this.#columns = this.#columnsAround(cell);
    this.#row = row;
    return this.#columns?.get(cell);
  }

  #columnsAround(cell: Element): ReadonlyMap<Element, number> | undefined {
    const table = closestOf(cell, 'table');
    if (!(table instanceof HTMLTableElement)) return undefined;
    if (!this.#tables.has(table)) this.#tables.set(table, columnsIn(table));
    return this.#tables.get(table);
  }
}

function columnsIn(table: HTMLTableElement): ReadonlyMap<Element, number> | undefined {
  if (table.querySelector('[colspan],[rowspan]') === null) return undefined;
  const columns = new Map<Element, number>();
  /** How many rows below a column is still taken by a cell above. */
  let taken: number[] = [];
  for (const row of table.rows) {
    const next = taken.map((rows) => Math.max(0, rows - 1));
    let column = 0;
    for (const cell of row.cells) {
      while ((taken[column] ?? 0) > 0) column++;
      columns.set(cell, column);
      const end = column + Math.min(cell.colSpan, mostSpan);
      for (; column < end; column++) next[column] = (cell.rowSpan === 0 ? mostSpan : cell.rowSpan) - 1;
    }
    taken = next;
  }
  return columns;
}
