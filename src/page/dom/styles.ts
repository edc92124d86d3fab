import { attr, boxOf, shownParentOf } from './dom.ts';

/** What the walk needs to know of an element's computed style. Each property costs, so most are read when asked for. */
export class Look {
  readonly style: CSSStyleDeclaration;
  /** Neither it nor anything inside is rendered. */
  readonly isNone: boolean;
  /** `visibility: hidden`: not shown itself, while what is inside may be. */
  readonly isHidden: boolean;
  readonly isInline: boolean;
  /** Stands in a line with what is before and after it. */
  readonly isFlowing: boolean;
  readonly isContents: boolean;
  #isPointer: boolean | undefined;

  constructor(element: Element) {
    this.style = getComputedStyle(element);
    const display = this.style.display;
    this.isNone = display === 'none' || display === '';
    this.isHidden = this.isNone || this.style.visibility !== 'visible';
    this.isContents = display === 'contents';
    this.isInline = display === 'inline' || this.isContents;
    this.isFlowing = this.isInline || display.startsWith('inline');
  }

  get isPointer(): boolean {
    this.#isPointer ??= this.style.cursor === 'pointer';
    return this.#isPointer;
  }
}

/** Fainter than this is for machines, not for people. */
export const leastOpacity = 0.05;
/** Smaller letters, in pixels, are dots to a person. */
const leastFont = 3;
const transparent = /^rgba\(.*, 0\)$/;
const opaque = /^rgb\((\d+), (\d+), (\d+)\)$/;
/** How far colours may be apart, of 255, and still look the same. */
const mostAlike = 6;

/** Computed styles, read once per walk: reading them is most of what a walk costs. */
export class Styles {
  readonly #looks = new Map<Element, Look>();
  readonly #backgrounds = new Map<Element, string>();
  /** The system has replaced the page's colours by such as can be read. */
  readonly #isForced = matchMedia('(forced-colors: active)').matches;

  of(element: Element): Look {
    const known = this.#looks.get(element);
    if (known !== undefined) return known;
    const look = new Look(element);
    this.#looks.set(element, look);
    return look;
  }

  /** No one can read text in an element, as far as its own style says. */
  isUnreadable(element: Element): boolean {
    const { style } = this.of(element);
    if (Number(style.opacity) < leastOpacity || isTiny(style)) return true;
    return isOutOfSight(element, style) || this.isColourless(element, style);
  }

  /** Text in the colour of what is behind it; where a picture is behind it nobody can say. */
  isColourless(element: Element, style: CSSStyleDeclaration): boolean {
    if (this.#isForced) return false;
    const color = style.color;
    if (transparent.test(color)) return style.backgroundImage === 'none' && style.textShadow === 'none';
    return isNear(color, this.#behind(element)) && style.textShadow === 'none' && this.#isPlain(element);
  }

  /** The nearest background colour, its own or one above. */
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

  /** Nothing but colour is behind it: no picture, and no other element that it was moved over. */
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

export function isTiny(style: CSSStyleDeclaration): boolean {
  return Number.parseFloat(style.fontSize) < leastFont;
}

/** No person tells these two apart. */
function isNear(one: string, other: string): boolean {
  if (one === other) return true;
  const [first, second] = [one, other].map((color) => opaque.exec(color)?.slice(1).map(Number));
  if (first === undefined || second === undefined) return false;
  return first.every((part, i) => Math.abs(part - (second[i] ?? 0)) <= mostAlike);
}

/** What is behind everything: white, unless the page has a dark scheme as well; which dark that is, nobody says. */
function canvasOf(root: Element, style: CSSStyleDeclaration): string {
  const meta = root.ownerDocument.querySelector('meta[name="color-scheme" i]');
  const schemes = `${style.colorScheme} ${meta === null ? '' : attr(meta, 'content')}`;
  return schemes.includes('dark') ? '' : 'rgb(255, 255, 255)';
}

/** Taken out of the flow to where no one looks, or clipped to nothing. */
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
  // A little beyond the edge is a drawer that slides in; far beyond is never meant to be seen.
  return box.right + left < -500 || box.bottom + top < -500;
}
