import { ToolError } from '../../errors.ts';
import type { ExtractRequest } from '../../page/extract/request.ts';
import { editDistance } from '../../util/nearest.ts';
import { cut, pageText, pageUrl } from '../../util/text.ts';
import { optionalTarget } from '../lib/argument-shapes.ts';
import type { TargetArguments } from '../lib/argument-shapes.ts';
import type { ReadingCall } from '../reading/content.ts';
import { openNext } from './follow.ts';
import { amountOf, extractFrom } from './read-page.ts';
import type { Extracted } from './read-page.ts';

export interface PagesRead {
  readonly pages: readonly Extracted[];
  /** Why no further page was read. */
  readonly stop?: string | undefined;
}

export type ExtractCall = ReadingCall & { readonly args: TargetArguments };

/** Extracts from the page, and from the pages that its next links lead to. */
export async function readPages(
  call: ExtractCall,
  request: ExtractRequest,
  most: number,
  tool: string,
): Promise<PagesRead> {
  const { tab, progress, session, args, response } = call;
  const target = optionalTarget(args, session);
  const visited = new Set([tab.page.url()]);
  const pages: Extracted[] = [];
  for (;;) {
    const number = pages.length + 1;
    if (most > 1) {
      progress(`Page ${number} of at most ${most}`);
      // A failure on the first page is that of the whole call.
      if (number > 1) response.done.push(`page ${number}: interrupted`);
    }
    // A ref belongs to the first page; on the next ones the whole page is read.
    const read = await extractFrom(call, request, pages.length === 0 || target?.kind !== 'ref' ? target : undefined);
    const before = pages.at(-1);
    if (before === undefined) refuseIfEmpty(call, request, read);
    else if (amountOf(read) === 0) return { pages, stop: 'the next page has none of the fields' };
    else if (JSON.stringify(contentOf(read)) === JSON.stringify(contentOf(before)))
      return { pages, stop: 'the next page has the same items' };
    pages.push(read);
    if (most > 1) response.done[number - 1] = `page ${number}: read`;
    if (pages.length >= most) return { pages };
    const stop = await openNext(call, read.next, visited, tool);
    if (stop !== undefined) return { pages, stop };
  }
}

function contentOf({ parts, tables, metadata }: Extracted): unknown {
  return [parts, tables, metadata];
}

function refuseIfEmpty({ tab }: ReadingCall, { kind, parts }: ExtractRequest, read: Extracted): void {
  const { invalid, names } = read;
  if (invalid !== undefined) {
    throw new ToolError('INVALID_SELECTOR', { selector: invalid, reason: 'it is not a CSS selector' });
  }
  if (amountOf(read) > 0) return;
  const selectors = parts.flatMap(({ items, fields }) => [items ?? '', ...fields.map(({ selector = '' }) => selector)]);
  const wanted = selectors.filter((selector) => selector !== '');
  const isEmpty = (part: Extracted['parts'][number] | undefined): boolean => part?.items.length === 0;
  const missing = parts.find(({ items }, place) => items !== undefined && isEmpty(read.parts[place]))?.items;
  const what = {
    table: 'The page has no table.',
    metadata: 'The page has neither JSON-LD nor microdata nor Open Graph data.',
    fields:
      missing !== undefined
        ? `No element matches the selector ${JSON.stringify(missing)} of the items.`
        : wanted.length > 0
          ? `None of the selectors matches: ${cut(wanted.map((each) => JSON.stringify(each)).join(', '), 300)}.`
          : 'No repeated items with these fields were found.',
  }[kind];
  const candidates = nearNames(missing === undefined ? wanted : [missing], names);
  const page = { found: `The page is ${cut(pageUrl(tab.page.url()), 200)}` };
  throw new ToolError('NOTHING_TO_EXTRACT', { what, candidates, ...page });
}

/** Classes, ids and tags of the page that are like those of the selectors. */
function nearNames(selectors: readonly string[], names: readonly string[]): readonly string[] {
  const words = [...new Set(selectors.flatMap((selector) => selector.match(/[.#]?[\w-]{3,}/g) ?? []))];
  const scored = names.flatMap((each) => {
    const bare = each.replace(/^[.#]/, '').toLowerCase();
    const near = words.map((word) => {
      const own = word.replace(/^[.#]/, '').toLowerCase();
      if (own !== bare && bare.length > 3 && (bare.includes(own) || own.includes(bare))) return 1;
      const distance = editDistance(own.slice(0, 40), bare.slice(0, 40));
      return distance <= Math.max(1, Math.floor(own.length / 3)) ? distance : 100;
    });
    const distance = Math.min(100, ...near);
    return distance < 100 ? [{ each, distance }] : [];
  });
  return scored
    .toSorted((a, b) => a.distance - b.distance)
    .slice(0, 5)
    .map(({ each }) => pageText(cut(each, 60)));
}
