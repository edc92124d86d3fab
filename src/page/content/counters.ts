import { attr, eachShownChild, isElement, tagOf } from '../dom/dom.ts';
import type { StyleRules } from '../dom/style-rules.ts';

export type CounterPlace = '::before' | '::after' | '::marker';

interface Counter {
  readonly name: string;
  value: number;
  /** The element whose children share the counter. */
  readonly within: Element | null;
}

type Values = ReadonlyMap<string, readonly number[]>;

const mostElements = 20_000;
const mostDepth = 400;
const none: Values = new Map();

/**
 * The values of CSS counters. Browsers do not reveal them, so that they are computed from the properties of all elements
 * of the document, the first time that a text uses one.
 */
export class Counters {
  readonly #rules: StyleRules;
  readonly #values = new Map<Element, Map<CounterPlace, Values>>();
  readonly #open: Counter[] = [];
  #isRead = false;
  #left = mostElements;

  constructor(rules: StyleRules) {
    this.#rules = rules;
  }

  /** The values of a counter at a pseudo-element, outermost first; 0 for a counter that does not exist. */
  at(element: Element, place: CounterPlace, name: string): readonly number[] {
    if (!this.#isRead) {
      this.#isRead = true;
      this.#read(document.documentElement, null, 0);
    }
    return (this.#values.get(element)?.get(place) ?? none).get(name) ?? [0];
  }

  #read(element: Element, parent: Element | null, depth: number): void {
    if (this.#left-- <= 0 || depth > mostDepth) return;
    const style = getComputedStyle(element);
    if (style.display === 'none') return;
    this.#count(style, parent, listCounts(element));
    const hasText = this.#rules.mayHave(element, 'text') !== false;
    if (this.#rules.mayHave(element, 'marker') !== false && style.display === 'list-item')
      this.#note(element, '::marker');
    if (hasText) this.#pseudo(element, '::before');
    eachShownChild(element, (child) => {
      if (isElement(child)) this.#read(child, element, depth + 1);
    });
    if (hasText) this.#pseudo(element, '::after');
    // A counter ends with the parent of the element that created it.
    while (this.#open.at(-1)?.within === element) this.#open.pop();
  }

  #pseudo(element: Element, place: CounterPlace): void {
    const style = getComputedStyle(element, place);
    if (style.content === 'none' || style.display === 'none') return;
    this.#count(style, element, noCounts);
    this.#note(element, place);
  }

  #count(style: CSSStyleDeclaration, parent: Element | null, own: ListCounts): void {
    const { counterReset, counterSet, counterIncrement } = style;
    for (const [name, value] of [...own.resets, ...pairsIn(counterReset, 0)]) this.#reset(name, value, parent);
    const increments = pairsIn(counterIncrement, 1);
    const implied = increments.some(([name]) => name === listItem) ? [] : own.increments;
    for (const [name, value] of [...implied, ...increments]) this.#find(name, parent).value += value;
    for (const [name, value] of [...own.sets, ...pairsIn(counterSet, 0)]) this.#find(name, parent).value = value;
  }

  #reset(name: string, value: number, parent: Element | null): void {
    const last = this.#last(name);
    if (last !== undefined && last.within === parent) last.value = value;
    else this.#open.push({ name, value, within: parent });
  }

  #find(name: string, parent: Element | null): Counter {
    const known = this.#last(name);
    if (known !== undefined) return known;
    const created = { name, value: 0, within: parent };
    this.#open.push(created);
    return created;
  }

  #last(name: string): Counter | undefined {
    return this.#open.findLast((counter) => counter.name === name);
  }

  #note(element: Element, place: CounterPlace): void {
    const values = new Map<string, number[]>();
    for (const { name, value } of this.#open) values.set(name, [...(values.get(name) ?? []), value]);
    const places = this.#values.get(element) ?? new Map<CounterPlace, Values>();
    places.set(place, values);
    this.#values.set(element, places);
  }
}

type Pairs = readonly (readonly [string, number])[];

interface ListCounts {
  readonly resets: Pairs;
  readonly increments: Pairs;
  readonly sets: Pairs;
}

const listItem = 'list-item';
const noCounts: ListCounts = { resets: [], increments: [], sets: [] };

/** Lists count their items without a style. */
function listCounts(element: Element): ListCounts {
  switch (tagOf(element)) {
    case 'ol':
      return { ...noCounts, resets: [[listItem, element instanceof HTMLOListElement ? element.start - 1 : 0]] };
    case 'ul':
    case 'menu':
      return { ...noCounts, resets: [[listItem, 0]] };
    case 'li': {
      const value = Number.parseInt(attr(element, 'value') ?? '', 10);
      return { ...noCounts, increments: [[listItem, 1]], sets: Number.isNaN(value) ? [] : [[listItem, value]] };
    }
    default:
      return noCounts;
  }
}

/** `chapter 2 part` as names with numbers. */
function pairsIn(property: string, fallback: number): Pairs {
  if (property === 'none' || property === '') return [];
  return [...property.matchAll(/([^\s\d-][^\s]*|-[^\s\d][^\s]*)(?:\s+(-?\d+))?/g)].map(([, name = '', number]) => [
    name,
    number === undefined ? fallback : Number(number),
  ]);
}
