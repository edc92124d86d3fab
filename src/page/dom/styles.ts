import { attr, boxOf, firstChildOf, shownParentOf } from './dom.ts';
import { rgbOf } from './colors.ts';

/** What the walk needs of an element's computed style. Reading a property is slow, so most are read on demand. */
export class ElementStyle {
  readonly style: CSSStyleDeclaration;
  /** Neither the element nor its content is rendered. */
  readonly isNone: boolean;
  /** `visibility: hidden`: descendants may still be visible. */
  readonly isHidden: boolean;
  readonly isInline: boolean;
  /** On one line with its siblings. */
  readonly isFlowing: boolean;
  readonly isContents: boolean;
  #cursor: string | undefined;
  #clips: boolean | undefined;
  readonly #element: Element;
  #box: DOMRect | undefined;

  constructor(element: Element) {
    this.#element = element;
    this.style = getComputedStyle(element);
    const display = this.style.display;
    this.isNone = display === 'none' || display === '';
    this.isHidden = this.isNone || this.style.visibility !== 'visible';
    this.isContents = display === 'contents';
    this.isInline = display === 'inline' || this.isContents;
    this.isFlowing = this.isInline || display.startsWith('inline') || display === 'math';
  }

  get isPointer(): boolean {
    return this.cursor === 'pointer';
  }

  /** The cursor, if it says that the element can be clicked, moved or resized; else empty. */
  get cursor(): string {
    if (this.#cursor === undefined) {
      const { cursor } = this.style;
      this.#cursor = cursor !== 'auto' && /^(?:pointer|grab|move|[a-z]+-resize)$/.test(cursor) ? cursor : '';
    }
    return this.#cursor;
  }

  /** Overflow is clipped or scrolls. */
  get clips(): boolean {
    this.#clips ??= this.style.overflow !== 'visible';
    return this.#clips;
  }

  get box(): DOMRect {
    this.#box ??= boxOf(this.#element);
    return this.#box;
  }
}

/** Anything fainter is invisible to a person. */
export const leastOpacity = 0.05;
/** Smaller text, in pixels, is illegible. */
const leastFont = 3;
/** In pixels. */
const leastGap = 2;
const leastInlineGap = 4;
/** Text indented by more than this is outside its box. */
const farOut = -500;
/** Colours whose channels differ by no more than this look the same. */
const mostAlike = 6;

/** Computed styles, read once per walk: reading them dominates the cost of a walk. */
export class Styles {
  readonly #known = new Map<Element, ElementStyle>();
  readonly #backgrounds = new Map<Element, string>();
  readonly #near = new Map<string, boolean>();
  /** Forced colours replace those of the page by legible ones. */
  readonly #isForced = matchMedia('(forced-colors: active)').matches;

  of(element: Element): ElementStyle {
    const known = this.#known.get(element);
    if (known !== undefined) return known;
    const style = new ElementStyle(element);
    this.#known.set(element, style);
    return style;
  }

  /** Text in the element is illegible because of the element's own style. */
  isUnreadable(element: Element): boolean {
    const { style } = this.of(element);
    if (Number(style.opacity) < leastOpacity || isTiny(style)) return true;
    return isOutOfSight(element, style) || this.isColourless(element, style);
  }

  /** Text in the colour of its background. Over an image, text counts as legible. */
  isColourless(element: Element, style: CSSStyleDeclaration): boolean {
    const indent = style.textIndent;
    if (indent !== '0px' && isIndentedAway(indent, style)) return true;
    if (this.#isForced) return false;
    // Text is painted in this colour. Without a value of its own it is `color`.
    const color = style.webkitTextFillColor;
    const isClear = isTransparent(color);
    if (!isClear && !this.#isNear(color, this.#behind(element))) return false;
    if (style.textShadow !== 'none' || isOutlined(style)) return false;
    return isClear ? style.backgroundImage === 'none' : this.#isPlain(element);
  }

  /** Most texts of a page have one of a few pairs of colours. */
  #isNear(color: string, behind: string): boolean {
    const pair = `${color} ${behind}`;
    const known = this.#near.get(pair);
    if (known !== undefined) return known;
    const is = isNear(color, behind);
    this.#near.set(pair, is);
    return is;
  }

  /** The nearest background colour: the element's own or an ancestor's. */
  #behind(element: Element): string {
    const known = this.#backgrounds.get(element);
    if (known !== undefined) return known;
    const own = this.of(element).style.backgroundColor;
    let color = own;
    if (own === 'rgba(0, 0, 0, 0)') {
      const parent = shownParentOf(element);
      color = parent === null ? canvasOf(element, this.of(element).style) : this.#behind(parent);
    }
    this.#backgrounds.set(element, color);
    return color;
  }

  /** Behind the text is a plain colour: no image, and no other element that it overlaps by positioning. */
  #isPlain(element: Element): boolean {
    for (let at: Element | null = element; at !== null; at = shownParentOf(at)) {
      const { style } = this.of(at);
      if (style.backgroundImage !== 'none') return false;
      if (style.backgroundColor !== 'rgba(0, 0, 0, 0)') return true;
      if (style.position === 'absolute' || style.position === 'fixed') return false;
    }
    return true;
  }
}

/** Moved to the left of the page, or to the right of a box that clips it. */
function isIndentedAway(indent: string, style: CSSStyleDeclaration): boolean {
  const size = Number.parseFloat(indent);
  return size < farOut || (indent.endsWith('%') && size >= 100 && style.overflow !== 'visible');
}

export function isStruck(tag: string, style: CSSStyleDeclaration): boolean {
  return tag === 'del' || tag === 's' || style.textDecorationLine.includes('line-through');
}

/** Padding, margin or border keep an inline box apart from the text beside it. */
export function hasGap(style: CSSStyleDeclaration): boolean {
  return (
    Number.parseFloat(style.paddingLeft) >= leastGap ||
    Number.parseFloat(style.borderLeftWidth) > 0 ||
    Number.parseFloat(style.marginLeft) >= leastGap ||
    Number.parseFloat(style.marginRight) >= leastGap ||
    Number.parseFloat(style.paddingRight) >= leastGap
  );
}

/** A box without content, which keeps apart the texts beside it. */
export function isSpacer(element: Element, style: ElementStyle): boolean {
  return firstChildOf(element) === null && style.box.width >= leastInlineGap;
}

/** One edge of an inline element. */
export function hasInlineGap(style: CSSStyleDeclaration, side: 'Left' | 'Right'): boolean {
  return (
    Number.parseFloat(style[`margin${side}`]) + Number.parseFloat(style[`padding${side}`]) >= leastInlineGap ||
    Number.parseFloat(style[`border${side}Width`]) > 0
  );
}

export function isTiny(style: CSSStyleDeclaration): boolean {
  return Number.parseFloat(style.fontSize) < leastFont;
}

/** `rgba(0, 0, 0, 0)`, `oklch(0.5 0.1 20 / 0)`. */
function isTransparent(color: string): boolean {
  return color.endsWith(' 0)') && (color.startsWith('rgba(') || color.endsWith(' / 0)'));
}

/** The outline of the letters is drawn. */
function isOutlined({ webkitTextStrokeWidth: width, webkitTextStrokeColor: color }: CSSStyleDeclaration): boolean {
  return width !== '0px' && width !== '' && !isTransparent(color);
}

/** The colours look the same. */
function isNear(one: string, other: string): boolean {
  if (one === other) return true;
  const [first, second] = [one, other].map(rgbOf);
  if (first === undefined || second === undefined) return false;
  return first.every((part, i) => Math.abs(part - (second[i] ?? 0)) <= mostAlike);
}

/** The canvas colour: white, unless the page supports a dark scheme, whose colour is unknown. */
function canvasOf(root: Element, style: CSSStyleDeclaration): string {
  const meta = root.ownerDocument.querySelector('meta[name="color-scheme" i]');
  const schemes = `${style.colorScheme} ${meta === null ? '' : attr(meta, 'content')}`;
  return schemes.includes('dark') ? '' : 'rgb(255, 255, 255)';
}

/** Positioned far outside the page, or clipped to nothing. */
export function isOutOfSight(element: Element, style: CSSStyleDeclaration): boolean {
  const position = style.position;
  if (position !== 'absolute' && position !== 'fixed') return false;
  const box = boxOf(element);
  const isClipped = style.overflow !== 'visible' || style.clip !== 'auto' || style.clipPath !== 'none';
  if (isClipped && box.width <= 1 && box.height <= 1) return true;
  if (/^rect\(0(?:px)?,? 0/.test(style.clip) || style.clipPath === 'inset(50%)' || style.clipPath === 'inset(100%)') {
    return true;
  }
  if (box.width === 0 && box.height === 0) return false;
  const left = position === 'fixed' ? 0 : window.scrollX;
  const top = position === 'fixed' ? 0 : window.scrollY;
  // Just beyond the edge is a drawer that slides in; far beyond is a way to hide text.
  return box.right + left < -500 || box.bottom + top < -500;
}
