import { readTable } from '../reads/table.ts';
import { itemsAround, readFields } from './by-selectors.ts';
import { candidatesIn } from './candidates.ts';
import { findItems } from './item-groups.ts';
import { matchFields, matchOne } from './match-fields.ts';
import { nextPage } from './next-link.ts';
import { elementsBelow, queryDeep } from './query.ts';
import type { ExtractedPart, ExtractRequest, ExtractResult, RawValue, WantedField, WantedPart } from './request.ts';
import { jsonLd, structuredData } from './structured-data.ts';
import { fit, meaningOf, wordsOf } from './words.ts';

interface RefLookup {
  elementOf(ref: string): Element | undefined;
}

type Item = Readonly<Record<string, RawValue>>;

const mostNames = 1000;
const mostSamples = 30;
const mostCharacters = 10_000_000;
const tables = 'table, [role=table], [role=grid], [role=treegrid]';
const nothing = { parts: [], tables: [], names: [] };

/** Extracts data from the page. Runs in the world of the page agent, which knows the refs. */
export function extractPage(request: ExtractRequest, element?: Element): ExtractResult {
  // In browsers without an own world for the agent there is none.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const agent = Reflect.get(globalThis, 'pagehelmAgent') as RefLookup | undefined;
  const root = element ?? (request.ref === undefined ? document.documentElement : agent?.elementOf(request.ref));
  if (!root) return nothing;
  const invalid = invalidSelector(request, root);
  if (invalid !== undefined) return { ...nothing, invalid };
  const next = request.next === undefined ? undefined : nextPage(request.next);
  const found = { ...nothing, ...(next === undefined ? {} : { next }) };
  if (request.kind === 'metadata') return { ...found, metadata: structuredData(root) };
  if (request.kind === 'table') return { ...found, tables: tablesIn(root) };
  const parts = request.parts.map((part) => extractPart(part, root, request.mostItems));
  return { ...found, parts, names: parts.every(hasAll) ? [] : namesBelow(root) };
}

function invalidSelector({ parts, next }: ExtractRequest, root: Element): string | undefined {
  const used = parts.flatMap(({ fields, items }) => [items, ...fields.map(({ selector }) => selector)]);
  return [...used, next].find((selector) => {
    try {
      if (selector !== undefined && selector !== '') root.querySelector(selector);
      return false;
    } catch {
      return true;
    }
  });
}

function tablesIn(root: Element) {
  const own = root.matches(tables) ? [root] : queryDeep(root, tables);
  return own
    .map(readTable)
    .filter((table) => table !== null)
    .filter(({ rows }) => rows.some(({ cells }) => cells.length > 1) || rows.length > 1);
}

function extractPart({ fields, isOne, items: selector }: WantedPart, root: Element, mostItems: number): ExtractedPart {
  const isSelected = fields.some((field) => field.selector !== undefined);
  if (isOne && selector === undefined) {
    const item = isSelected ? readFields(fields, root) : describedIn(matchOne(fields, bodyOf(root)), fields, root);
    return { items: [item], count: 1, from: '' };
  }
  if (selector !== undefined) {
    const found = queryDeep(root, selector);
    const items = found.slice(0, isOne ? 1 : mostItems);
    const samples = isSelected ? [] : items.slice(0, mostSamples).map((item) => candidatesIn(item));
    const matching = matchFields(fields, samples);
    const read = (item: Element): Item => (isSelected ? readFields(fields, item) : matching.read(candidatesIn(item)));
    return { items: readWithin(items, read), count: found.length, from: selector };
  }
  if (isSelected) {
    const found = itemsAround(fields, root);
    const items = readWithin(found.slice(0, mostItems), (item) => readFields(fields, item));
    return { items, count: found.length, from: '' };
  }
  const best = findItems(bodyOf(root), fields);
  if (best === undefined) return { items: [], count: 0, from: '' };
  const { group, matching } = best;
  const items = readWithin(group.items.slice(0, mostItems), (item) => matching.read(candidatesIn(item)));
  return { items, count: group.items.length, from: group.from };
}

/** Reads items until their texts are as long as one answer can carry. */
function readWithin(elements: readonly Element[], read: (element: Element) => Item): readonly Item[] {
  const items: Item[] = [];
  let length = 0;
  for (const element of elements) {
    const item = read(element);
    length += Object.values(item).reduce(
      (sum, value) => sum + (value === null ? 0 : [value].flat().join('').length),
      0,
    );
    if (length > mostCharacters) break;
    items.push(item);
  }
  return items;
}

function bodyOf(root: Element): Element {
  return root === document.documentElement ? (document.body ?? root) : root;
}

/** Fills fields that the visible page does not have from its metadata. */
function describedIn(
  item: Readonly<Record<string, RawValue>>,
  fields: readonly WantedField[],
  root: Element,
): Readonly<Record<string, RawValue>> {
  const missing = fields.filter(({ key, isList }) => !isList && item[key] === null);
  if (missing.length === 0 || root !== document.documentElement) return item;
  const known = [...jsonLd(document).flatMap((each) => entriesOf(each)), ...metaEntries()];
  const filled = missing.map((field) => {
    const fitting = known
      .map(({ name, value }) => ({ value, score: fit(field.words, name) }))
      .filter(({ score }) => score > 0.5)
      .toSorted((a, b) => b.score - a.score);
    const isPlace = field.words.length === 1 && meaningOf(field.words[0] ?? '') === 'url';
    return [field.key, fitting[0]?.value ?? (isPlace ? location.href : null)];
  });
  return { ...item, ...Object.fromEntries(filled) };
}

interface Entry {
  readonly name: readonly string[];
  readonly value: string;
}

/** The values in an object, also those in objects inside, under their own names. */
function entriesOf(value: unknown, depth = 0): readonly Entry[] {
  if (typeof value !== 'object' || value === null || depth > 3) return [];
  return Object.entries(value).flatMap(([key, inner]): readonly Entry[] => {
    if (typeof inner === 'string' || typeof inner === 'number' || typeof inner === 'boolean')
      return key.startsWith('@') ? [] : [{ name: wordsOf(key), value: String(inner) }];
    const nested = entriesOf(inner, depth + 1);
    // The name of an author is the author.
    const named: unknown = typeof inner === 'object' && inner !== null ? Reflect.get(inner, 'name') : undefined;
    return typeof named === 'string' ? [{ name: wordsOf(key), value: named }, ...nested] : nested;
  });
}

function metaEntries(): readonly Entry[] {
  return [...document.querySelectorAll('meta[name], meta[property]')].map((tag) => {
    const name = (tag.getAttribute('property') ?? tag.getAttribute('name') ?? '').replace(/^.*:/, '');
    return { name: wordsOf(name), value: (tag.getAttribute('content') ?? '').trim() };
  });
}

function hasAll({ items }: ExtractedPart): boolean {
  return items.some((item) => Object.values(item).some((value) => value !== null && value.length > 0));
}

function namesBelow(root: Element): readonly string[] {
  const names = new Set<string>();
  for (const element of elementsBelow(root)) {
    if (element.id !== '') names.add(`#${element.id}`);
    for (const name of element.classList) names.add(`.${name}`);
    names.add(element.localName);
    if (names.size > mostNames) break;
  }
  return [...names].slice(0, mostNames);
}
