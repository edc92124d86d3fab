import { attr, boxOf, hasAnyAttribute, tagOf } from './dom.ts';
import { iconOf, lookOf } from './icons.ts';
import type { Item, Piece } from '../walk/items.ts';
import type { Progress } from '../walk/progress.ts';
import { placeRoles } from '../aria/role-tables.ts';
import {
  holdsClickTargets,
  isClickTarget,
  isDragItem,
  isDropTarget,
  isEmptyColumn,
  isPressItem,
  isPressed,
} from './listeners.ts';
import { isSvgPart, imageOfArea } from './element-kinds.ts';
import { isConcealed } from './concealment.ts';
import type { StyleRules } from './style-rules.ts';
import { isTiny } from './styles.ts';
import type { ElementStyle, Styles } from './styles.ts';

const mostBoxes = 1500;
/** Colours are compared for this many texts. */
const mostColours = 1000;
/** Where style sheets cannot be read, this many elements are checked for properties that hide them. */
const mostUnread = 1000;

/** Decides what of an element is visible and clickable. Boxes and colours are read up to a limit per walk. */
export class Visibility {
  readonly #styles: Styles;
  readonly #rules: StyleRules;
  readonly #progress: Progress;
  readonly #showsBoxes: boolean;
  readonly #viewport = { left: 0, top: 0, right: window.innerWidth, bottom: window.innerHeight };

  constructor(styles: Styles, rules: StyleRules, progress: Progress, showsBoxes: boolean) {
    this.#styles = styles;
    this.#rules = rules;
    this.#progress = progress;
    this.#showsBoxes = showsBoxes;
  }

  isClickable(element: Element, tag: string, style: ElementStyle, parent: ElementStyle | undefined): boolean {
    if (tag === 'body' || tag === 'html' || tag === 'option') return false;
    if (tag === 'label') return this.#isStandIn(element);
    // A pointer around targets belongs to them.
    if (style.isPointer && parent?.isPointer !== true && !isSvgPart(element, tag))
      return !holdsClickTargets(element) || isPressed(element);
    if (isClickTarget(element) || isPressItem(element) || isDragItem(element) || isEmptyColumn(element)) return true;
    if (isHandle(style, parent) && !isSvgPart(element, tag)) return true;
    if (!hasAnyAttribute(element)) return false;
    if (attr(element, 'onclick') !== null || attr(element, 'draggable') === 'true' || isDropTarget(element))
      return true;
    const tabindex = attr(element, 'tabindex');
    return tabindex !== null && Number.parseInt(tabindex, 10) >= 0 && !placeRoles.has(tag);
  }

  isLegible(element: Element, style: ElementStyle): boolean {
    if (isTiny(style.style)) return false;
    return this.#progress.colours++ >= mostColours || !this.#styles.isColourless(element, style.style);
  }

  /** Hidden by a clip path, a filter, a mask, a transform or its position. */
  isConcealed(element: Element, style: ElementStyle, isStyledInline: boolean, pane: Pane | undefined): boolean {
    if (!isStyledInline) {
      const mayHide = this.#rules.mayHave(element, 'hiding');
      if (mayHide === false || (mayHide === undefined && this.#progress.unread++ >= mostUnread)) return false;
    }
    return isConcealed(element, style.style, pane !== undefined);
  }

  /** Whether the box is in view or can be scrolled into view. */
  isReachable(element: Element, pane: Pane | undefined): boolean {
    const { box } = this.#styles.of(element);
    if (box.right + window.scrollX <= 0 || box.bottom + window.scrollY <= 0) return false;
    return pane === undefined || !isOutside(box, pane);
  }

  /** Marks an item that is outside the viewport or invisible. */
  measure(item: Item, isUnseen: boolean, pane: Pane | undefined): void {
    if (this.#progress.boxes >= mostBoxes && !this.#showsBoxes) return;
    this.#progress.boxes++;
    const { box } = this.#styles.of(imageOfArea(item.element) ?? item.element);
    item.isOffscreen = isOutside(box, this.#viewport) || (pane !== undefined && isOutside(box, pane));
    // Styled controls often consist of a transparent native field over a drawn one.
    const isField = item.element instanceof HTMLInputElement;
    const isNothing = box.width === 0 && box.height === 0 && item.element.firstElementChild === null;
    if (!isField && (isUnseen || isNothing)) item.marks.push('invisible');
    if (this.#showsBoxes) {
      const sizes = [box.x, box.y, box.width, box.height].map((size) => Math.round(size));
      item.marks.push(`box=${sizes.join(',')}`);
    }
  }

  /** Without content and without an area: there is nothing to click. */
  isNothing({ element, name, value, children }: Item): boolean {
    if (name !== '' || value !== '' || children.length > 0 || element.firstElementChild !== null) return false;
    const { box } = this.#styles.of(element);
    return box.width === 0 || box.height === 0;
  }

  /** Marks a target without words: what its icon may mean, or where it is and which colour it has. */
  hint(item: Item, tag: string, { style }: ElementStyle): void {
    if (item.name !== '' || item.value !== '' || !item.children.every(isWordless) || fields.has(tag)) return;
    const icon = iconOf(item.element);
    if (icon !== undefined) item.marks.push(`icon=${icon}`);
    else if (item.isGuess || item.role === 'cell' || item.role === 'gridcell')
      item.marks.push(lookOf(item.element, tag, style));
  }

  /** A label is clicked in place of its hidden field. */
  #isStandIn(label: Element): boolean {
    const control = label instanceof HTMLLabelElement ? label.control : null;
    return control !== null && this.#styles.of(control).isHidden;
  }
}

/** Its cursor, and not the inherited one, says that it can be moved or resized. */
function isHandle(style: ElementStyle, parent: ElementStyle | undefined): boolean {
  return style.cursor !== '' && style.cursor !== 'pointer' && parent?.cursor !== style.cursor;
}

const fields = new Set(['input', 'textarea', 'select']);

function isWordless(piece: Piece): boolean {
  return piece.kind === 'text' ? !/[\p{L}\p{N}]/u.test(piece.text) : piece.role === 'img' && piece.name === '';
}

function isOutside(box: DOMRect, { left, top, right, bottom }: Omit<Pane, 'isPositioned'>): boolean {
  return box.bottom <= top || box.right <= left || box.top >= bottom || box.left >= right;
}

/** The clip rectangle of a box that scrolls or hides overflow. */
export interface Pane {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  /** It clips absolutely positioned descendants as well. */
  readonly isPositioned: boolean;
}

/** The clip rectangle that applies to an element. */
export function paneAround(position: string, around: Pane | undefined): Pane | undefined {
  const isFree = position === 'fixed' || (position === 'absolute' && around?.isPositioned === false);
  return isFree ? undefined : around;
}

/** The clip rectangle for the content of an element that may clip it: its own and the one around it, intersected. */
export function paneInside(
  element: Element,
  style: ElementStyle,
  position: string,
  outer: Pane | undefined,
): Pane | undefined {
  if (style.isInline || element.firstElementChild === null || !style.clips) return outer;
  // The overflow of the body applies to the viewport.
  if (tagOf(element) === 'body') return outer;
  const { left, top, right, bottom } = style.box;
  const isPositioned = position !== 'static';
  if (outer === undefined) return { left, top, right, bottom, isPositioned };
  return {
    left: Math.max(left, outer.left),
    top: Math.max(top, outer.top),
    right: Math.min(right, outer.right),
    bottom: Math.min(bottom, outer.bottom),
    isPositioned: isPositioned && outer.isPositioned,
  };
}

/** A box without height or width that clips its content, such as a closed drawer. */
export function isCollapsed(element: Element, style: ElementStyle): boolean {
  if (style.isInline) return false;
  if (style.style.contentVisibility === 'hidden') return true;
  // The overflow of the body applies to the viewport.
  if (!style.clips || tagOf(element) === 'body') return false;
  const { box } = style;
  return box.height === 0 || box.width === 0;
}

/** A box of a pixel that clips its content. */
export function isPinhole(style: ElementStyle): boolean {
  return !style.isInline && style.clips && style.box.width <= 1 && style.box.height <= 1;
}

export function isBig(element: Element, least: number): boolean {
  const box = boxOf(element);
  return box.width >= least && box.height >= least;
}
