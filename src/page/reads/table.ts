// Each of these is sent to the page as it is: it closes over nothing and imports nothing.

export interface RawCell {
  readonly text: string;
  readonly isHeader: boolean;
  readonly columns: number;
  readonly rows: number;
}

export interface RawRow {
  readonly cells: readonly RawCell[];
  /** It stands in the head of the table. */
  readonly isHead: boolean;
}

export interface RawTable {
  readonly caption: string;
  readonly rows: readonly RawRow[];
}

/** The rows of a table, of HTML or of roles, without those of tables inside it; null where there is none. */
export function readTable(element: Element): RawTable | null {
  const tables = 'table, [role=table], [role=grid], [role=treegrid]';
  const table = element.matches(tables) ? element : element.querySelector(tables);
  if (table === null) return null;
  const isOwn = (part: Element): boolean => part.parentElement?.closest(tables) === table;
  const textOf = (part: Element): string =>
    (part instanceof HTMLElement ? part.innerText : (part.textContent ?? '')).replaceAll(/\s+/g, ' ').trim();
  const span = (cell: Element, name: string): number => {
    const given = Number.parseInt(cell.getAttribute(name) ?? cell.getAttribute(`aria-${name}`) ?? '1', 10);
    return given >= 0 ? given : 1;
  };
  const groupOf = (row: Element): Element | null => row.closest('thead, tbody, tfoot, [role=rowgroup]');
  const own = [...table.querySelectorAll('tr, [role=row]')].filter(isOwn);
  // A cell ends with its group of rows, however far it says it goes; 0 means as far as that.
  const height = (cell: Element, top: number, row: Element): number => {
    const end = own.findIndex((other, at) => at > top && groupOf(other) !== groupOf(row));
    const left = (end < 0 ? own.length : end) - top;
    return Math.min(span(cell, 'rowspan') || left, left);
  };
  const rows = own.map((row, top) => ({
    isHead: row.closest('thead') !== null && table.contains(row.closest('thead')),
    cells: [...row.querySelectorAll('td, th, [role=cell], [role=gridcell], [role=columnheader], [role=rowheader]')]
      .filter((cell) => isOwn(cell) && cell.parentElement?.closest('tr, [role=row]') === row)
      .map((cell) => ({
        text: textOf(cell),
        isHeader: cell.matches('th:not([scope=row]), [role=columnheader]'),
        columns: Math.min(Math.max(1, span(cell, 'colspan')), 1000),
        rows: height(cell, top, row),
      })),
  }));
  const caption = table.querySelector('caption');
  return { caption: caption !== null && isOwn(caption) ? textOf(caption) : '', rows };
}
