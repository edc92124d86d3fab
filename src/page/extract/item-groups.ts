import { candidatesIn, kindOf, stableClasses } from './candidates.ts';
import { matchFields } from './match-fields.ts';
import type { Matching } from './match-fields.ts';
import { elementsBelow, isShown, parentOf } from './query.ts';
import type { WantedField } from './request.ts';

/** Elements that repeat on the page: cards, rows, entries of a list. */
export interface ItemGroup {
  readonly items: readonly Element[];
  /** As a selector, for messages. */
  readonly from: string;
}

const mostGroups = 40;
const mostSamples = 5;
/** Menus and footers repeat, too. */
const around = 'nav, footer, [role=navigation], [role=contentinfo], [role=menu], [role=menubar], [role=tablist]';
const never = new Set(['OPTION', 'BR', 'HR', 'SOURCE', 'TRACK', 'COL', 'META', 'LINK', 'TH', 'TD', 'DT', 'DD']);

/** The groups of like elements below a root, those with most text first. */
function groupsBelow(root: Element): readonly ItemGroup[] {
  const byKind = new Map<string, Element[]>();
  for (const element of elementsBelow(root)) {
    const parent = parentOf(element);
    if (parent === null || never.has(element.tagName) || !isShown(element)) continue;
    // Rows of cards have several parents of one kind.
    const place = `${kindOf(parent)} > ${element.localName}[${element.getAttribute('role') ?? ''}]`;
    const like = byKind.get(place);
    if (like === undefined) byKind.set(place, [element]);
    else like.push(element);
  }
  return [...byKind.values()]
    .map(alike)
    .filter((items) => items.length > 1)
    .map((items) => ({ items, weight: items.reduce((sum, { textContent }) => sum + (textContent ?? '').length, 0) }))
    .toSorted((a, b) => b.weight - a.weight)
    .slice(0, mostGroups)
    .map(({ items }) => ({ items, from: selectorOf(items) }));
}

/** Without headings of tables, and without elements that share no class with most of the others. */
function alike(elements: readonly Element[]): readonly Element[] {
  const rows = elements.filter(
    (element) => element.localName !== 'tr' || element.querySelector('td, [role=cell], [role=gridcell]') !== null,
  );
  const counts = new Map<string, number>();
  for (const name of rows.flatMap(stableClasses)) counts.set(name, (counts.get(name) ?? 0) + 1);
  const common = [...counts].filter(([, count]) => count > rows.length / 2).map(([name]) => name);
  if (common.length === 0) return rows;
  return rows.filter(({ classList }) => common.some((name) => classList.contains(name)));
}

function selectorOf(items: readonly Element[]): string {
  const [first] = items;
  if (first === undefined) return '';
  const shared = stableClasses(first).filter((name) => items.every(({ classList }) => classList.contains(name)));
  const parent = parentOf(first);
  const own = `${first.localName}${shared.map((name) => `.${name}`).join('')}`;
  return parent === null || shared.length > 0 ? own : `${kindOf(parent)} > ${own}`;
}

/** The repeated items that the fields fit best, and where the fields are in them. */
export function findItems(
  root: Element,
  fields: readonly WantedField[],
): { readonly group: ItemGroup; readonly matching: Matching } | undefined {
  let best: { group: ItemGroup; matching: Matching; score: number } | undefined;
  for (const group of groupsBelow(root)) {
    const { items } = group;
    const step = Math.max(1, Math.floor(items.length / mostSamples));
    const samples = items.filter((_, place) => place % step === 0).slice(0, mostSamples);
    const matching = matchFields(
      fields,
      samples.map((item) => candidatesIn(item)),
    );
    const isAround = items[0]?.closest(around) !== null;
    const score = matching.quality * Math.log2(1 + Math.min(items.length, 64)) * (isAround ? 0.3 : 1);
    // Of an element and the only element in it, the outer one comes first and is kept.
    if (matching.quality > 0 && (best === undefined || score > best.score * 1.02)) best = { group, matching, score };
  }
  return best;
}
