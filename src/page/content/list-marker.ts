import { attr, shownParentOf, tagOf } from '../dom/dom.ts';
import type { Styles } from '../dom/styles.ts';

const letters = 26;
const romans: readonly (readonly [number, string])[] = [
  [1000, 'm'],
  [900, 'cm'],
  [500, 'd'],
  [400, 'cd'],
  [100, 'c'],
  [90, 'xc'],
  [50, 'l'],
  [40, 'xl'],
  [10, 'x'],
  [9, 'ix'],
  [5, 'v'],
  [4, 'iv'],
  [1, 'i'],
];

/** The numbers of items in ordered lists, as they are drawn. */
export class ListMarkers {
  readonly #styles: Styles;
  readonly #numbers = new Map<Element, ReadonlyMap<Element, number>>();

  constructor(styles: Styles) {
    this.#styles = styles;
  }

  /** '' for other elements. */
  of(element: Element): string {
    const list = tagOf(element) === 'li' ? shownParentOf(element) : null;
    if (!(list instanceof HTMLOListElement)) return '';
    const { listStyleType, display } = this.#styles.of(element).style;
    if (listStyleType === 'none' || display !== 'list-item') return '';
    const numbers = this.#numbers.get(list) ?? numbersIn(list);
    this.#numbers.set(list, numbers);
    return markerText(numbers.get(element) ?? 0, listStyleType);
  }
}

function numbersIn(list: HTMLOListElement): ReadonlyMap<Element, number> {
  const numbers = new Map<Element, number>();
  const items = [...list.children].filter((child) => tagOf(child) === 'li');
  const step = list.reversed ? -1 : 1;
  let number = attr(list, 'start') === null && list.reversed ? items.length : list.start;
  for (const each of items) {
    const written = Number.parseInt(attr(each, 'value') ?? '', 10);
    if (!Number.isNaN(written)) number = written;
    numbers.set(each, number);
    number += step;
  }
  return numbers;
}

function markerText(number: number, type: string): string {
  if (/^(?:lower|upper)-(?:alpha|latin)$/.test(type) && number > 0) return cased(lettersOf(number), type);
  if (/^(?:lower|upper)-roman$/.test(type) && number > 0 && number < 4000) return cased(romanOf(number), type);
  return type.startsWith('decimal') ? `${number}.` : '';
}

function cased(text: string, type: string): string {
  return `${type.startsWith('upper') ? text.toUpperCase() : text}.`;
}

function lettersOf(number: number): string {
  let text = '';
  for (let left = number; left > 0; left = Math.floor((left - 1) / letters))
    text = String.fromCodePoint(97 + ((left - 1) % letters)) + text;
  return text;
}

function romanOf(number: number): string {
  let left = number;
  let text = '';
  for (const [value, sign] of romans) {
    for (; left >= value; left -= value) text += sign;
  }
  return text;
}
