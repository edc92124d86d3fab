// Each of these is sent to the page as it is: it closes over nothing and imports nothing.

export interface RawCell {
  readonly text: string;
  readonly isHeader: boolean;
  readonly columns: number;
  /** 0: as many as are left. */
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
    const given = Number(cell.getAttribute(name) ?? cell.getAttribute(`aria-${name}`) ?? 1);
    return Number.isFinite(given) && given >= 0 ? Math.min(given, 1000) : 1;
  };
  const rows = [...table.querySelectorAll('tr, [role=row]')].filter(isOwn).map((row) => ({
    isHead: row.closest('thead') !== null && table.contains(row.closest('thead')),
    cells: [...row.querySelectorAll('td, th, [role=cell], [role=gridcell], [role=columnheader], [role=rowheader]')]
      .filter((cell) => isOwn(cell) && cell.parentElement?.closest('tr, [role=row]') === row)
      .map((cell) => ({
        text: textOf(cell),
        isHeader: cell.matches('th:not([scope=row]), [role=columnheader]'),
        columns: Math.max(1, span(cell, 'colspan')),
        rows: span(cell, 'rowspan'),
      })),
  }));
  const caption = table.querySelector('caption');
  return { caption: caption !== null && isOwn(caption) ? textOf(caption) : '', rows };
}
