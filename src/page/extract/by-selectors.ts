import { attributeOf, parentOf, queryDeep, valueOf } from './query.ts';
import type { RawValue, WantedField } from './request.ts';

const mostInList = 1000;

/** The values of fields with selectors in one item. */
export function readFields(fields: readonly WantedField[], item: Element): Readonly<Record<string, RawValue>> {
  return Object.fromEntries(fields.map((field) => [field.key, readField(field, item)]));
}

function readField({ selector = '', attribute, isList, type }: WantedField, item: Element): RawValue {
  const inside = selector === '' ? [] : queryDeep(item, selector);
  // The item itself may be what the selector means.
  const isItself = selector === '' || (inside.length === 0 && item.matches(selector));
  const found = isItself ? [item] : inside;
  const read = (element: Element): string | null => {
    if (attribute !== undefined) return attributeOf(element, attribute);
    if (type === 'link') return attributeOf(element, 'href') ?? valueOf(element);
    if (type === 'image') return attributeOf(element, 'src') ?? valueOf(element);
    return valueOf(element);
  };
  if (isList)
    return found
      .slice(0, mostInList)
      .map(read)
      .filter((value) => value !== null);
  const [first] = found;
  return first === undefined ? null : read(first);
}

/**
 * The items of fields with selectors, if no selector of the items was given: the largest elements with one match each of
 * the field that matches most. One match or none of each field means that the whole part is one item.
 */
export function itemsAround(fields: readonly WantedField[], root: Element): readonly Element[] {
  const matches = fields
    .filter(({ isList, selector = '' }) => !isList && selector !== '')
    .map(({ selector = '' }) => queryDeep(root, selector));
  const most = matches.toSorted((a, b) => b.length - a.length)[0] ?? [];
  if (most.length < 2) return [root];
  const anchors = new Set(most);
  const holders = new Map<Element, number>();
  for (const anchor of anchors) {
    for (let at: Element | null = anchor; at !== null; at = parentOf(at)) {
      holders.set(at, (holders.get(at) ?? 0) + 1);
      if (at === root) break;
    }
  }
  return most.map((anchor) => {
    let item = anchor;
    for (let at = parentOf(anchor); at !== null && at !== root && holders.get(at) === 1; at = parentOf(at)) item = at;
    return item;
  });
}
