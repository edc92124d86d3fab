import type { StyleRules } from './style-rules.ts';
import type { Styles } from './styles.ts';

const wordStart = /(?<![\p{L}\p{N}\p{M}'’_])\p{L}/gu;

/** Text as `text-transform` shows it. The property is read only if a rule or a `style` attribute sets it anywhere. */
export class TextCase {
  /** A `style` attribute sets it. */
  isStyledInline = false;
  /** How many texts were changed. */
  changed = 0;
  /** Returns texts as they are written. */
  isOff = false;
  readonly #styles: Styles;
  readonly #rules: StyleRules;

  constructor(styles: Styles, rules: StyleRules) {
    this.#styles = styles;
    this.#rules = rules;
  }

  /** `before` ends with the text in front: a word may be spread over several elements. */
  shown(text: string, element: Element, before = ''): string {
    if (this.isOff || (!this.isStyledInline && !this.#rules.hasCase(element))) return text;
    const shown = transformed(text, this.#styles.of(element).style.textTransform, before);
    if (shown !== text) this.changed++;
    return shown;
  }
}

function transformed(text: string, transform: string, before: string): string {
  if (transform === 'none') return text;
  if (transform.startsWith('uppercase')) return text.toUpperCase();
  if (transform.startsWith('lowercase')) return text.toLowerCase();
  if (!transform.startsWith('capitalize')) return text;
  const last = before.slice(-1);
  return (last + text)
    .replaceAll(wordStart, (letter, at) => (at < last.length ? letter : letter.toUpperCase()))
    .slice(last.length);
}
