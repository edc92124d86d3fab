import { cut, pageText, pageUrl, plural } from '../../util/text.ts';
import { tableData } from '../lib/table-data.ts';
import type { Response } from '../../call/answer/response.ts';
import type { Extraction } from './answer.ts';
import type { PlannedPart } from './plan.ts';
import type { Extracted } from './read-page.ts';
import type { PagesRead } from './read-pages.ts';
import { itemOf, missingIn } from './values.ts';
import type { Item } from './values.ts';

/** The items of all pages, in their types. */
export function recordsOf(
  parts: readonly PlannedPart[],
  pages: readonly Extracted[],
  limit: number,
  response: Response,
): Extraction {
  const results = parts.map((part, place) => {
    // One object for the whole page is that of the first page.
    const read = part.isOne && part.items === undefined ? pages.slice(0, 1) : pages;
    const found = read.flatMap((page) => page.parts[place]?.items ?? []).map((raw) => itemOf(part.fields, raw));
    const all = read.reduce((sum, page) => sum + (page.parts[place]?.count ?? 0), 0);
    const items = found.slice(0, limit);
    noteItems(response, part, { items, all, from: read[0]?.parts[place]?.from ?? '' });
    return { part, items };
  });
  const [only] = results;
  if (only !== undefined && results.length === 1 && only.part.name === undefined) {
    const [item = {}] = only.items;
    if (only.part.isOne) return { value: item, facts: {} };
    return { value: only.items, facts: { count: only.items.length } };
  }
  const lists = results
    .filter(({ part }) => part.name !== undefined)
    .map(({ part, items }) => [part.name, items] as const);
  const own = results.find(({ part }) => part.name === undefined)?.items[0] ?? {};
  return { value: { ...own, ...Object.fromEntries(lists) }, facts: {} };
}

function noteItems(
  response: Response,
  { fields, isOne, name: list }: PlannedPart,
  { items, all, from }: { readonly items: readonly Item[]; readonly all: number; readonly from: string },
): void {
  const what = list === undefined ? '' : `${list}: `;
  if (!isOne) {
    const shown = from === '' ? '' : ` (${cut(pageText(from), 120)})`;
    const more = all > items.length ? `, the first of ${all}` : '';
    response.note(`${what}${plural(items.length, 'item')}${shown}${more}.`);
  }
  const missing = [...missingIn(fields, items)].map(([key, count]) =>
    count === items.length ? key : `${key} in ${count} of ${items.length}`,
  );
  if (missing.length > 0 && items.length > 0) response.note(`${what}No value: ${cut(missing.join(', '), 400)}.`);
}

/** JSON-LD, microdata and Open Graph data, of each page. */
export function metadataOf(pages: readonly Extracted[]): Extraction {
  const found = pages.map(({ metadata = {} }) => metadata);
  const [first = {}] = found;
  return found.length === 1 ? { value: first, facts: {} } : { value: found, facts: { count: found.length } };
}

/** The rows of the largest table of each page. */
export function tablesOf(pages: readonly Extracted[], response: Response): Extraction {
  const size = ({ rows }: Extracted['tables'][number]): number =>
    rows.reduce((sum, { cells }) => sum + cells.length, 0);
  const largest = pages.flatMap(({ tables }) => tables.toSorted((a, b) => size(b) - size(a)).slice(0, 1));
  const data = largest.map(tableData);
  const rows = data.flatMap((table) => table.rows);
  const { caption = '' } = largest[0] ?? {};
  const others = pages[0]?.tables.length ?? 1;
  if (others > 1) {
    const captions = (pages[0]?.tables ?? []).map((table) => table.caption).filter((text) => text !== '');
    const named =
      captions.length === 0
        ? ''
        : ` Captions: ${cut(captions.map((text) => JSON.stringify(pageText(text))).join(', '), 300)}.`;
    response.note(`The page has ${others} tables; this is the largest. Name another with ref.${named}`);
  }
  response.note(`${plural(rows.length, 'row')}.`);
  const title = caption === '' ? {} : { caption };
  return { value: rows, facts: { ...title, headers: data[0]?.headers ?? [], count: rows.length } };
}

/** Notes why the reading ended, or where it could go on. */
export function noteEnd(response: Response, { pages, stop }: PagesRead, hasPages: boolean): void {
  const read = `Read ${plural(pages.length, 'page')}`;
  if (stop !== undefined) return response.note(`${read}: ${stop}.`);
  const next = pages.at(-1)?.next;
  if (next === undefined) return;
  const where = next.url === undefined ? '' : ` (${cut(pageUrl(next.url), 300)})`;
  response.note(`${hasPages ? `${read}. ` : ''}There is a next page${where}.`);
}
