import { attr, tagOf } from '../dom/dom.ts';

const enough = 16;

/** The text of `::before` and `::after`, which is part of names. */
export class PseudoTexts {
  readonly #misses = new Map<string, number>();

  of(element: Element, pseudo: '::before' | '::after'): string {
    // StateRequest is dear; elements of a kind that never had any are no longer asked.
    const kind = `${tagOf(element)} ${pseudo} ${attr(element, 'class') ?? ''}`;
    const misses = this.#misses.get(kind) ?? 0;
    if (misses >= enough) return '';
    const text = textOf(element, pseudo);
    this.#misses.set(kind, text === '' ? misses + 1 : Number.NEGATIVE_INFINITY);
    return text;
  }
}

function textOf(element: Element, pseudo: string): string {
  const style = getComputedStyle(element, pseudo);
  const content = style.content;
  if (content === 'none' || content === 'normal' || content === '') return '';
  const display = style.display;
  if (display === 'none' || style.visibility !== 'visible') return '';
  const alternative = /\/\s*"((?:[^"\\]|\\.)*)"$/.exec(content);
  const parts = alternative === null ? content.matchAll(/"((?:[^"\\]|\\.)*)"/g) : [alternative];
  const text = [...parts].map((part) => (part[1] ?? '').replaceAll(/\\(.)/g, '$1')).join('');
  return display === 'inline' ? text : ` ${text} `;
}
