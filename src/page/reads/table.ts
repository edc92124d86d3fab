// These functions are serialized into the page, so they use no closures and no imports.

export interface RawCell {
  readonly text: string;
  readonly isHeader: boolean;
  readonly columns: number;
  readonly rows: number;
}

export interface RawRow {
  readonly cells: readonly RawCell[];
  /** It is in the thead. */
  readonly isHead: boolean;
}

export interface RawTable {
  readonly caption: string;
  readonly rows: readonly RawRow[];
}

/** The rows of an HTML or ARIA table, without those of nested tables; null if there is no table. */
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
  const groups = own.map(groupOf);
  // How many rows are left in the row group, from each row on.
  const left: number[] = [];
  for (let at = own.length - 1; at >= 0; at--) left[at] = groups[at] === groups[at + 1] ? (left[at + 1] ?? 0) + 1 : 1;
  // A rowspan ends with its row group; 0 means up to its end.
  const height = (cell: Element, top: number): number => {
    const most = left[top] ?? 1;
    return Math.min(span(cell, 'rowspan') || most, most);
  };
  const rows = own.map((row, top) => ({
    isHead: row.closest('thead') !== null && table.contains(row.closest('thead')),
    cells: [...row.querySelectorAll('td, th, [role=cell], [role=gridcell], [role=columnheader], [role=rowheader]')]
      .filter((cell) => isOwn(cell) && cell.parentElement?.closest('tr, [role=row]') === row)
      .map((cell) => ({
        text: textOf(cell),
        isHeader: cell.matches('th:not([scope=row]), [role=columnheader]'),
        columns: Math.min(Math.max(1, span(cell, 'colspan')), 1000),
        rows: height(cell, top),
      })),
  }));
  const caption = table.querySelector('caption');
  return { caption: caption !== null && isOwn(caption) ? textOf(caption) : '', rows };
}
