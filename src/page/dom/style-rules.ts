import { attr, hasAnyAttribute, queryAll, scopeOf, tagOf } from './dom.ts';

/** Rules that few elements match. Querying their selectors is cheaper than reading the styles of every element. */
type Trait = 'text' | 'marker' | 'hiding' | 'clipping' | 'strike' | 'raising';

const bits: Readonly<Record<Trait, number>> = { text: 1, marker: 2, hiding: 4, clipping: 8, strike: 16, raising: 32 };
const traitNames: readonly Trait[] = ['text', 'marker', 'hiding', 'clipping', 'strike', 'raising'];
const allTraits = 63;

interface Flags {
  /** A rule sets `text-transform`. */
  hasCase: boolean;
  /** A rule makes elements transparent, or animates them. */
  hasFaint: boolean;
  /** A rule gives list items a marker that is not just a bullet. */
  hasMarkers: boolean;
}

/** What the rules of a style sheet say. */
interface Digest extends Flags {
  readonly selectors: Readonly<Record<Trait, string[]>>;
  readonly counterStyles: Map<string, CSSCounterStyleRule>;
}

/** The style sheets of a document or shadow root. All flags are set if some sheet cannot be read. */
interface Scope extends Flags {
  readonly digests: readonly Digest[];
  /** The traits that some rule may give an element, as bits. */
  readonly traits: number;
  /** Some style sheet is of another origin, or has too many rules. */
  readonly isUnreadable: boolean;
  readonly found: Map<Trait, ReadonlySet<Element> | undefined>;
}

const mostRules = 20_000;
const pseudoElement = /::?(?:before|after)\b/;
const privateUse = /[\ue000-\uf8ff]|[\u{f0000}-\u{10ffff}]/gu;
/** Offsets of at least this many pixels may move an element out of the page. */
const farOff = /-?(?:\d{3,}(?:\.\d+)?px|\d{2,}(?:\.\d+)?(?:em|rem|vw|vh|%))|var\(|calc\(/;
const noScale = /scale(?:3d|[xyz])?\(\s*0|rotate(?:3d|[xy])\(|matrix|var\(/i;
const bullet = /^(?:disc|circle|square|none|inherit|initial|unset|revert|)$/;

const inlineCase = /text-transform/;
const inlineMarkers = /list-style/;
const inlineClipping = /overflow|content-visibility|all\s*:/;
const inlineStrike = /line-through|var\(|all\s*:/;
const inlineRaising = /vertical-align\s*:\s*su|var\(/;
const inlineHiding =
  /clip-path|mask|filter|backface|transform|translate|scale|rotate|zoom|margin[^;]*-\d{3}|(?:left|top|right|bottom|inset)\s*:\s*-?\d{3}/;

export interface InlineTraits {
  readonly hasCase: boolean;
  readonly hasMarkers: boolean;
  readonly mayHide: boolean;
}

/** What a `style` attribute may say. */
export function inlineTraits(style: string): InlineTraits {
  return { hasCase: inlineCase.test(style), hasMarkers: inlineMarkers.test(style), mayHide: inlineHiding.test(style) };
}

/** Elements whose overflow the browser clips without a rule. */
const clippingTags = new Set(
  'input textarea select img video canvas iframe embed object svg hr meter progress marquee details'.split(' '),
);
const struckTags = new Set(['del', 's', 'strike']);

/** The style sheets of a page, as far as they concern text and visibility, for the time of one walk. */
export class StyleRules {
  /** Without shadow roots, every element belongs to the document. Finding the root of each element would be slow. */
  hasShadows = false;
  readonly #scopes = new Map<Document | ShadowRoot, Scope>();
  #document: Scope | undefined;

  /** False if no rule matches; undefined where the rules cannot be read. */
  mayHave(element: Element, trait: Trait): boolean | undefined {
    // Most pages have no rule for most traits, and this is asked several times for each element.
    if (!this.hasShadows && (this.#ofDocument().traits & bits[trait]) === 0) return false;
    const scope = this.hasShadows ? scopeOf(element) : document;
    return scope === undefined ? undefined : this.#candidates(scope, trait)?.has(element);
  }

  /** Overflow may be clipped, or the content skipped. */
  mayClip(element: Element): boolean {
    if (this.mayHave(element, 'clipping') !== false || clippingTags.has(tagOf(element))) return true;
    if (!hasAnyAttribute(element)) return false;
    return inlineClipping.test(attr(element, 'style') ?? '') || attr(element, 'hidden') !== null;
  }

  mayBeStruck(element: Element, tag: string): boolean {
    if (this.mayHave(element, 'strike') !== false || struckTags.has(tag)) return true;
    return hasAnyAttribute(element) && inlineStrike.test(attr(element, 'style') ?? '');
  }

  /** Superscript or subscript by a style. */
  mayBeRaised(element: Element): boolean {
    if (this.mayHave(element, 'raising') !== false) return true;
    return hasAnyAttribute(element) && inlineRaising.test(attr(element, 'style') ?? '');
  }

  hasCase(element: Element): boolean {
    return this.#some(element, 'hasCase');
  }

  /** The element's opacity may be 0. */
  mayBeFaint(element: Element): boolean {
    if (this.#some(element, 'hasFaint')) return true;
    return hasAnyAttribute(element) && (attr(element, 'style') ?? '').includes('opacity');
  }

  hasMarkers(element: Element): boolean {
    return this.#some(element, 'hasMarkers');
  }

  counterStyle(element: Element, name: string): CSSCounterStyleRule | undefined {
    const scope = scopeOf(element);
    if (scope === undefined) return undefined;
    for (const { counterStyles } of this.#scope(scope).digests) {
      const rule = counterStyles.get(name);
      if (rule !== undefined) return rule;
    }
    return undefined;
  }

  /** Inherited properties: a rule of any scope around the element counts. */
  #some(element: Element, flag: keyof Flags): boolean {
    if (!this.hasShadows) return this.#ofDocument()[flag];
    for (let scope = scopeOf(element); scope !== undefined;) {
      if (this.#scope(scope)[flag]) return true;
      scope = scope instanceof ShadowRoot ? scopeOf(scope.host) : undefined;
    }
    return false;
  }

  /** The getter of `document` is slow for something that is asked for every element. */
  #ofDocument(): Scope {
    return this.#document ?? this.#scope(document);
  }

  #candidates(scope: Document | ShadowRoot, trait: Trait): ReadonlySet<Element> | undefined {
    const known = this.#scope(scope);
    const found = known.found.get(trait);
    if (found !== undefined || known.found.has(trait)) return found;
    const candidates = candidatesIn(scope, known, trait);
    known.found.set(trait, candidates);
    return candidates;
  }

  #scope(scope: Document | ShadowRoot): Scope {
    const known = this.hasShadows ? this.#scopes.get(scope) : this.#document;
    if (known !== undefined) return known;
    const all = [...scope.styleSheets, ...scope.adoptedStyleSheets].map(digestOf);
    const readable = all.filter((digest) => digest !== undefined);
    const isUnreadable = readable.length < all.length;
    const read = {
      digests: readable,
      isUnreadable,
      traits: isUnreadable ? allTraits : traitsIn(readable),
      hasCase: isUnreadable || readable.some(({ hasCase }) => hasCase),
      hasFaint: isUnreadable || readable.some(({ hasFaint }) => hasFaint),
      hasMarkers: isUnreadable || readable.some(({ hasMarkers }) => hasMarkers),
      found: new Map(),
    };
    this.#scopes.set(scope, read);
    if (scope instanceof Document) this.#document = read;
    return read;
  }
}

function traitsIn(digests: readonly Digest[]): number {
  let traits = 0;
  for (const { selectors } of digests)
    for (const trait of traitNames) if (selectors[trait].length > 0) traits |= bits[trait];
  return traits;
}

function candidatesIn(
  scope: Document | ShadowRoot,
  { digests, isUnreadable }: Scope,
  trait: Trait,
): ReadonlySet<Element> | undefined {
  if (isUnreadable) return undefined;
  const selectors = digests.flatMap((digest) => digest.selectors[trait]);
  // Rules for a shadow host and for slotted elements match elements of another scope.
  if (selectors.some((selector) => /:host|::slotted|::part/.test(selector))) return undefined;
  const found = new Set<Element>();
  for (const selector of selectors) {
    try {
      for (const element of queryAll(scope, selector)) found.add(element);
    } catch {
      return undefined;
    }
  }
  return found;
}

const digests = new WeakMap<CSSStyleSheet, { readonly count: number; readonly digest: Digest | undefined }>();

function digestOf(sheet: CSSStyleSheet): Digest | undefined {
  try {
    const { length: count } = sheet.cssRules;
    const known = digests.get(sheet);
    if (known?.count === count) return known.digest;
    const digest: Digest = {
      selectors: { text: [], marker: [], hiding: [], clipping: [], strike: [], raising: [] },
      hasCase: false,
      hasFaint: false,
      hasMarkers: false,
      counterStyles: new Map(),
    };
    const isRead = readRules(sheet.cssRules, '', digest, { left: mostRules });
    digests.set(sheet, { count, digest: isRead ? digest : undefined });
    return isRead ? digest : undefined;
  } catch {
    // The rules of a cross-origin style sheet cannot be read.
    return undefined;
  }
}

function readRules(rules: CSSRuleList, parent: string, into: Digest, budget: { left: number }): boolean {
  for (const rule of rules) {
    if (budget.left-- <= 0) return false;
    if (rule instanceof CSSImportRule) {
      if (rule.styleSheet !== null && !readRules(rule.styleSheet.cssRules, parent, into, budget)) return false;
    } else if (rule instanceof CSSStyleRule) {
      const selector = nested(rule.selectorText, parent);
      readRule(selector, rule.style, into);
      if (rule.cssRules.length > 0 && !readRules(rule.cssRules, selector, into, budget)) return false;
    } else if (rule instanceof CSSCounterStyleRule) {
      into.counterStyles.set(rule.name, rule);
    } else if ('cssRules' in rule && rule.cssRules instanceof CSSRuleList) {
      if (!readRules(rule.cssRules, parent, into, budget)) return false;
    }
  }
  return true;
}

/** Property by property: most rules have few, and a getter for each interesting one would be slower. */
function readRule(selector: string, style: CSSStyleDeclaration, into: Digest): void {
  let mayHide = false;
  let mayClip = false;
  let mayStrike = false;
  let mayRaise = false;
  for (const property of style) {
    switch (property) {
      case 'content':
        if (pseudoElement.test(selector) && mayHaveText(style.content))
          into.selectors.text.push(withoutPseudo(selector));
        else if (selector.includes('::marker')) into.selectors.marker.push(withoutPseudo(selector));
        break;
      case 'text-transform':
        into.hasCase = true;
        break;
      case 'opacity':
        into.hasFaint ||= /^0?\.?0|^0$|var\(|calc\(/.test(style.opacity);
        break;
      case 'animation-name':
        into.hasFaint ||= style.animationName !== 'none';
        break;
      case 'list-style-type':
        into.hasMarkers ||= !bullet.test(style.listStyleType);
        break;
      case 'overflow-x':
      case 'overflow-y':
      case 'overflow-block':
      case 'overflow-inline':
      case 'content-visibility':
        mayClip ||= !/^(?:visible|initial)$/.test(style.getPropertyValue(property));
        break;
      case 'text-decoration-line':
        mayStrike ||= !/^(?:none|underline|overline|initial)$/.test(style.textDecorationLine);
        break;
      case 'vertical-align':
        mayRaise ||= /^(?:super|sub|inherit)$|var\(/.test(style.verticalAlign);
        break;
      case 'all':
        [mayClip, mayStrike] = [true, true];
        break;
      default:
        mayHide ||= isHiding(property, style);
    }
  }
  if (selector.includes('::')) return;
  if (mayHide) into.selectors.hiding.push(selector);
  if (mayClip) into.selectors.clipping.push(selector);
  if (mayStrike) into.selectors.strike.push(selector);
  if (mayRaise) into.selectors.raising.push(selector);
}

function isHiding(property: string, style: CSSStyleDeclaration): boolean {
  switch (property) {
    case 'clip-path':
    case 'mask-image':
    case 'mask-size':
      return !/^(?:none|auto|initial)$/.test(style.getPropertyValue(property));
    case 'filter':
      return /opacity|var\(/.test(style.filter);
    case 'transform':
      return noScale.test(style.transform) || farOff.test(style.transform);
    case 'translate':
    case 'margin-left':
    case 'margin-top':
    case 'left':
    case 'top':
    case 'right':
    case 'bottom':
      return farOff.test(style.getPropertyValue(property));
    case 'backface-visibility':
      return style.backfaceVisibility !== 'visible';
    case 'zoom':
      return !/^(?:normal|1)$/.test(style.zoom);
    case 'rotate':
      return !/^(?:none|z .*|-?[\d.]+\w+)$/.test(style.rotate);
    case 'scale':
      return /^0|\s0|var\(/.test(style.scale);
    default:
      return false;
  }
}

function nested(selector: string, parent: string): string {
  if (parent === '') return selector;
  return selector.includes('&') ? selector.replaceAll('&', `:is(${parent})`) : `:is(${parent}) ${selector}`;
}

/** The elements whose pseudo-elements the selector matches. */
function withoutPseudo(selector: string): string {
  return selector
    .replaceAll(/(^|[\s,>+~(])::?(?:before|after|marker)\b/g, '$1*')
    .replaceAll(/::?(?:before|after|marker)\b/g, '');
}

function mayHaveText(content: string): boolean {
  if (content === '' || content === 'none' || content === 'normal') return false;
  if (/(?:attr|var|counters?)\(|\b(?:open|close)-quote/.test(content)) return true;
  const strings = [...content.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, string = '']) => string).join('');
  return strings.replaceAll(privateUse, '').trim() !== '';
}
