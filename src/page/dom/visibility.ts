import { attr, boxOf, tagOf } from './dom.ts';
import type { Item } from '../walk/items.ts';
import { placeRoles } from '../aria/role-tables.ts';
import { isSvgPart, pictureOf } from './element-kinds.ts';
import { isTiny } from './styles.ts';
import type { Look, Styles } from './styles.ts';

const mostBoxes = 1500;
/** Colours are compared this often: a person is not misled by text number one thousand and one. */
const mostColours = 1000;

/** What a person sees of elements, and takes for something to act on; looked at no oftener than a walk can afford. */
export class Sight {
  readonly #styles: Styles;
  readonly #tellsBoxes: boolean;
  readonly #view = { left: 0, top: 0, right: window.innerWidth, bottom: window.innerHeight };
  boxes = 0;
  colours = 0;

  constructor(styles: Styles, tellsBoxes: boolean) {
    this.#styles = styles;
    this.#tellsBoxes = tellsBoxes;
  }

  isClickable(element: Element, tag: string, look: Look, parent: Look | undefined): boolean {
    if (tag === 'body' || tag === 'html' || tag === 'option') return false;
    if (tag === 'label') return this.#isStandIn(element);
    if (look.isPointer && parent?.isPointer !== true && !isSvgPart(element, tag)) return true;
    if (attr(element, 'onclick') !== null || attr(element, 'draggable') === 'true') return true;
    const tabindex = attr(element, 'tabindex');
    return tabindex !== null && Number.parseInt(tabindex, 10) >= 0 && !placeRoles.has(tag);
  }

  isLegible(element: Element, look: Look): boolean {
    if (isTiny(look.style)) return false;
    return this.colours++ >= mostColours || !this.#styles.isColourless(element, look.style);
  }

  /** Marks an item that is out of view or cannot be seen. */
  lookAt(item: Item, isUnseen: boolean, pane: Pane | undefined): void {
    if (this.boxes >= mostBoxes && !this.#tellsBoxes) return;
    this.boxes++;
    const box = boxOf(pictureOf(item.element) ?? item.element);
    item.isOffscreen = isOutside(box, this.#view) || (pane !== undefined && isOutside(box, pane));
    // A transparent field that lies over a drawn one is how such controls are made.
    const isField = item.element instanceof HTMLInputElement;
    const isNothing = box.width === 0 && box.height === 0 && item.element.firstElementChild === null;
    if (!isField && (isUnseen || isNothing)) item.marks += ' [invisible]';
    if (this.#tellsBoxes) {
      const sizes = [box.x, box.y, box.width, box.height].map((size) => Math.round(size));
      item.marks += ` [box=${sizes.join(',')}]`;
    }
  }

  /** A label is acted on in place of a field that no one can see. */
  #isStandIn(label: Element): boolean {
    const control = label instanceof HTMLLabelElement ? label.control : null;
    return control !== null && this.#styles.of(control).isHidden;
  }
}

function isOutside(box: DOMRect, { left, top, right, bottom }: Omit<Pane, 'isPositioned'>): boolean {
  return box.bottom <= top || box.right <= left || box.top >= bottom || box.left >= right;
}

/** A box that shows only a part of what is in it: it scrolls, or cuts off. */
export interface Pane {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  /** What is placed absolutely in it is cut off by it as well. */
  readonly isPositioned: boolean;
}

/** Through what is in an element seen: the panes around it, and its own. */
export function paneInside(element: Element, look: Look, position: string, around: Pane | undefined): Pane | undefined {
  const isFree = position === 'fixed' || (position === 'absolute' && around?.isPositioned === false);
  const outer = isFree ? undefined : around;
  if (look.isInline || element.firstElementChild === null || look.style.overflow === 'visible') return outer;
  // The viewport takes over what the body says.
  if (tagOf(element) === 'body') return outer;
  const { left, top, right, bottom } = boxOf(element);
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

/** A closed drawer: a box without height or width that shows nothing of what is inside. */
export function isCollapsed(element: Element, look: Look): boolean {
  if (look.isInline || element.firstElementChild === null) return false;
  if (look.style.contentVisibility === 'hidden') return true;
  // The viewport takes over what the body says.
  if (look.style.overflow === 'visible' || tagOf(element) === 'body') return false;
  const box = boxOf(element);
  return box.height === 0 || box.width === 0;
}

export function isBig(element: Element, least: number): boolean {
  const box = boxOf(element);
  return box.width >= least && box.height >= least;
}
