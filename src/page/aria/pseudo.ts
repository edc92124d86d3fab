import { attr, queryAll, scopeOf, tagOf } from '../dom/dom.ts';
import { leastOpacity } from '../dom/styles.ts';

type Pseudo = '::before' | '::after';

const enough = 16;
const mostRules = 20_000;
const pseudoElement = /::?(?:before|after)\b/;
const privateUse = /[\ue000-\uf8ff]|[\u{f0000}-\u{10ffff}]/gu;

/** The text of `::before` and `::after`. */
export class PseudoTexts {
  readonly #misses = new Map<string, number>();
  readonly #candidates = new Map<Document | ShadowRoot, ReadonlySet<Element> | undefined>();

  /** False if no rule gives the element text: then there is nothing to read. */
  mayHave(element: Element): boolean {
    return this.#candidatesIn(scopeOf(element))?.has(element) !== false;
  }

  /** The text of a pseudo-element, of an element that may have one. */
  of(element: Element, pseudo: Pseudo): string {
    if (this.#candidatesIn(scopeOf(element)) !== undefined) return textOf(element, pseudo);
    // Reading a style is slow; elements of a kind that had no text several times are skipped.
    const kind = `${tagOf(element)} ${pseudo} ${attr(element, 'class') ?? ''}`;
    const misses = this.#misses.get(kind) ?? 0;
    if (misses >= enough) return '';
    const text = textOf(element, pseudo);
    this.#misses.set(kind, text === '' ? misses + 1 : Number.NEGATIVE_INFINITY);
    return text;
  }

  /** Elements that a rule may give text; undefined where the rules cannot be read. */
  #candidatesIn(scope: Document | ShadowRoot | undefined): ReadonlySet<Element> | undefined {
    if (scope === undefined) return undefined;
    const known = this.#candidates.get(scope);
    if (known !== undefined || this.#candidates.has(scope)) return known;
    const candidates = candidatesIn(scope);
    this.#candidates.set(scope, candidates);
    return candidates;
  }
}

function candidatesIn(scope: Document | ShadowRoot): ReadonlySet<Element> | undefined {
  const selectors: string[] = [];
  for (const sheet of [...scope.styleSheets, ...scope.adoptedStyleSheets]) {
    const own = selectorsIn(sheet);
    if (own === undefined) return undefined;
    selectors.push(...own);
  }
  const found = new Set<Element>();
  for (const selector of selectors) {
    try {
      for (const element of queryAll(scope, selector)) found.add(element);
    } catch {
      return undefined;
    }
  }
  // Rules for a shadow host and for slotted elements match elements of another scope.
  return selectors.some((selector) => /:host|::slotted|::part/.test(selector)) ? undefined : found;
}

const known = new WeakMap<
  CSSStyleSheet,
  { readonly count: number; readonly selectors: readonly string[] | undefined }
>();

/** Selectors of the rules that generate text; undefined where they cannot be read, or are too many. */
function selectorsIn(sheet: CSSStyleSheet): readonly string[] | undefined {
  try {
    const { length: count } = sheet.cssRules;
    const before = known.get(sheet);
    if (before?.count === count) return before.selectors;
    const selectors: string[] = [];
    const isRead = readRules(sheet.cssRules, '', selectors, { left: mostRules });
    known.set(sheet, { count, selectors: isRead ? selectors : undefined });
    return isRead ? selectors : undefined;
  } catch {
    // The rules of a cross-origin style sheet cannot be read.
    return undefined;
  }
}

function readRules(rules: CSSRuleList, parent: string, into: string[], budget: { left: number }): boolean {
  for (const rule of rules) {
    if (budget.left-- <= 0) return false;
    if (rule instanceof CSSImportRule) {
      if (rule.styleSheet !== null && !readRules(rule.styleSheet.cssRules, parent, into, budget)) return false;
    } else if (rule instanceof CSSStyleRule) {
      const selector = nested(rule.selectorText, parent);
      if (pseudoElement.test(selector) && mayHaveText(rule.style.content)) into.push(withoutPseudo(selector));
      if (!readRules(rule.cssRules, selector, into, budget)) return false;
    } else if ('cssRules' in rule && rule.cssRules instanceof CSSRuleList) {
      if (!readRules(rule.cssRules, parent, into, budget)) return false;
    }
  }
  return true;
}

function nested(selector: string, parent: string): string {
  if (parent === '') return selector;
  return selector.includes('&') ? selector.replaceAll('&', `:is(${parent})`) : `:is(${parent}) ${selector}`;
}

/** The elements whose pseudo-elements the selector matches. */
function withoutPseudo(selector: string): string {
  return selector.replaceAll(/(^|[\s,>+~(])::?(?:before|after)\b/g, '$1*').replaceAll(/::?(?:before|after)\b/g, '');
}

function mayHaveText(content: string): boolean {
  if (content === '' || content === 'none' || content === 'normal') return false;
  return (
    /(?:attr|var)\(/.test(content) ||
    textIn(content, () => '')
      .replaceAll(privateUse, '')
      .trim() !== ''
  );
}

function textOf(element: Element, pseudo: Pseudo): string {
  const style = getComputedStyle(element, pseudo);
  const content = style.content;
  if (content === 'none' || content === 'normal' || content === '') return '';
  const display = style.display;
  const isHidden = display === 'none' || style.visibility !== 'visible' || Number(style.opacity) < leastOpacity;
  if (isHidden) return '';
  const text = textIn(content, (name) => attr(element, name) ?? '');
  return display === 'inline' || text === '' ? text : ` ${text} `;
}

/** The strings and attributes of a `content` value; behind a slash is the alternative text, which wins. */
function textIn(content: string, attribute: (name: string) => string): string {
  let text = '';
  for (const [token, string, name] of content.matchAll(/"((?:[^"\\]|\\.)*)"|attr\(\s*([\w-]+)[^)]*\)|\/|[^"/]/g)) {
    if (token === '/') text = '';
    else if (string !== undefined) text += string.replaceAll(/\\(.)/g, '$1');
    else if (name !== undefined) text += attribute(name);
  }
  return text;
}
