import { attr, closestOf, shownParentOf, tagOf } from '../dom/dom.ts';
import { numberText } from '../content/counter-style.ts';
import { Counters } from '../content/counters.ts';
import { quotationMark } from '../content/quotes.ts';
import type { CounterPlace } from '../content/counters.ts';
import type { StyleRules } from '../dom/style-rules.ts';
import { leastOpacity } from '../dom/styles.ts';

type Pseudo = '::before' | '::after';

const enough = 16;
/** Strings, attributes, counters, quotation marks, the slash before the alternative text, images, and anything else by character. */
const contentToken =
  /"((?:[^"\\]|\\.)*)"|attr\(\s*([\w-]+)[^)]*\)|counters?\(\s*([^\s,)]+)(?:,\s*"((?:[^"\\]|\\.)*)")?(?:,\s*([\w-]+))?\s*\)|\b(open|close)-quote|\/|[\w-]+\((?:"(?:[^"\\]|\\.)*"|[^"()]|\((?:"(?:[^"\\]|\\.)*"|[^"()])*\))*\)|[^"/]/g;

/** The text of `::before`, `::after` and `::marker`. */
export class PseudoTexts {
  /** How many texts with counters were read: they change with elements elsewhere. */
  counted = 0;
  /** Leaves out counters and quotation marks, as Playwright does in names. */
  readsStringsOnly = false;
  readonly #rules: StyleRules;
  readonly #counters: Counters;
  readonly #misses = new Map<string, number>();

  constructor(rules: StyleRules) {
    this.#rules = rules;
    this.#counters = new Counters(rules);
  }

  /** False if no rule gives the element text: then there is nothing to read. */
  mayHave(element: Element): boolean {
    return this.#rules.mayHave(element, 'text') !== false || tagOf(element) === 'q';
  }

  /** The text of a pseudo-element, of an element that may have one. */
  of(element: Element, pseudo: Pseudo): string {
    if (this.#rules.mayHave(element, 'text') !== undefined || tagOf(element) === 'q')
      return this.#read(element, pseudo);
    // Reading a style is slow; elements of a kind that had no text several times are skipped.
    const kind = `${tagOf(element)} ${pseudo} ${attr(element, 'class') ?? ''}`;
    const misses = this.#misses.get(kind) ?? 0;
    if (misses >= enough) return '';
    const text = this.#read(element, pseudo);
    this.#misses.set(kind, text === '' ? misses + 1 : Number.NEGATIVE_INFINITY);
    return text;
  }

  /** The `content` of a list item's marker; undefined where a rule gives it none. */
  ofMarker(element: Element): string | undefined {
    if (this.#rules.mayHave(element, 'marker') === false) return undefined;
    const { content } = getComputedStyle(element, '::marker');
    return content === 'normal' || content === '' ? undefined : this.#textIn(content, element, '::marker').trim();
  }

  #read(element: Element, pseudo: Pseudo): string {
    const style = getComputedStyle(element, pseudo);
    const content = style.content;
    if (content === 'none' || content === 'normal' || content === '') return '';
    const display = style.display;
    const isHidden = display === 'none' || style.visibility !== 'visible' || Number(style.opacity) < leastOpacity;
    if (isHidden) return '';
    if (this.readsStringsOnly && /\bcounters?\(|\b(?:open|close)-quote/.test(content)) return '';
    const text = this.#textIn(content, element, pseudo);
    return display === 'inline' || text === '' ? text : ` ${text} `;
  }

  /** The strings, attributes and counters of a `content` value; behind a slash is the alternative text, which wins. */
  #textIn(content: string, element: Element, place: CounterPlace): string {
    let text = '';
    for (const [token, string, name, counter, separator, style, quote] of content.matchAll(contentToken)) {
      if (token === '/') text = '';
      else if (string !== undefined) text += unescaped(string);
      else if (name !== undefined) text += attr(element, name) ?? '';
      else if (quote !== undefined) text += quoteOf(element, quote === 'open');
      else if (counter !== undefined) text += this.#counter(element, place, counter, { separator, style });
    }
    return text;
  }

  #counter(
    element: Element,
    place: CounterPlace,
    name: string,
    { separator, style = 'decimal' }: { separator: string | undefined; style: string | undefined },
  ): string {
    this.counted++;
    const values = this.#counters.at(element, place, name);
    const custom = this.#rules.counterStyle(element, style);
    const shown = (value: number): string => numberText(value, style, custom);
    if (separator === undefined) return shown(values.at(-1) ?? 0);
    return values.map(shown).join(unescaped(separator));
  }
}

function quoteOf(element: Element, isOpening: boolean): string {
  let depth = 0;
  for (let at = shownParentOf(element); at !== null; at = shownParentOf(at)) if (tagOf(at) === 'q') depth++;
  const tagged = closestOf(element, '[lang]');
  return quotationMark(getComputedStyle(element).quotes, (tagged && attr(tagged, 'lang')) ?? '', depth, isOpening);
}

function unescaped(string: string): string {
  return string.replaceAll(/\\(.)/g, '$1');
}
