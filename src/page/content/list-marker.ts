import type { PseudoTexts } from '../aria/pseudo.ts';
import { attr, shownParentOf, tagOf } from '../dom/dom.ts';
import type { StyleRules } from '../dom/style-rules.ts';
import type { Styles } from '../dom/styles.ts';
import { markerText } from './counter-style.ts';

/** The markers of list items as they are drawn: numbers and signs, not bullets. */
export class ListMarkers {
  /** A `style` attribute sets markers. */
  isStyledInline = false;
  readonly #styles: Styles;
  readonly #rules: StyleRules;
  readonly #pseudo: PseudoTexts;
  readonly #numbers = new Map<Element, ReadonlyMap<Element, number>>();

  constructor(styles: Styles, rules: StyleRules, pseudo: PseudoTexts) {
    this.#styles = styles;
    this.#rules = rules;
    this.#pseudo = pseudo;
  }

  /** '' for other elements. */
  of(element: Element): string {
    const list = tagOf(element) === 'li' ? shownParentOf(element) : null;
    if (list === null) return '';
    const isNumbered = list instanceof HTMLOListElement;
    const written = this.#rules.mayHave(element, 'marker') === false ? undefined : this.#written(element);
    if (written !== undefined) return written;
    if (!isNumbered && !this.isStyledInline && !this.#rules.hasMarkers(element)) return '';
    const { listStyleType, display } = this.#styles.of(element).style;
    if (listStyleType === 'none' || display !== 'list-item') return '';
    return markerText(this.#numberOf(element, list), listStyleType, this.#rules.counterStyle(element, listStyleType));
  }

  #written(element: Element): string | undefined {
    return this.#styles.of(element).style.display === 'list-item' ? this.#pseudo.ofMarker(element) : undefined;
  }

  #numberOf(element: Element, list: Element): number {
    const numbers = this.#numbers.get(list) ?? numbersIn(list);
    this.#numbers.set(list, numbers);
    return numbers.get(element) ?? 0;
  }
}

function numbersIn(list: Element): ReadonlyMap<Element, number> {
  const numbers = new Map<Element, number>();
  const items = [...list.children].filter((child) => tagOf(child) === 'li');
  const ordered = list instanceof HTMLOListElement ? list : undefined;
  const step = ordered?.reversed === true ? -1 : 1;
  let number = step < 0 && attr(list, 'start') === null ? items.length : (ordered?.start ?? 1);
  for (const each of items) {
    const written = Number.parseInt(attr(each, 'value') ?? '', 10);
    if (!Number.isNaN(written)) number = written;
    numbers.set(each, number);
    number += step;
  }
  return numbers;
}
