import type { Named, WhyNot } from '../protocol.ts';
import { pictureOf } from '../dom/element-kinds.ts';
import type { Walker } from '../walk/walk.ts';

/** What stands in the way of acting on an element. */
type Obstacle =
  | { readonly is: 'none' }
  | { readonly is: 'gone' | 'disabled' | 'hidden' | 'read-only' | 'outside' | 'untouchable' }
  /** A box that is drawn by its label, as most switches are, or by what is around it, is clicked there. */
  | { readonly is: 'drawn'; readonly by: Element; readonly at?: { readonly x: number; readonly y: number } }
  | { readonly is: 'covered'; readonly by: Element };

/** Buttons named of what covers an element. */
const mostWays = 4;
const longestWords = 60;
const controls = 'a[href],button,input,select,textarea,[role],[tabindex],[contenteditable]';

/** Why the element of a ref cannot be acted on now, and what would help. */
export function whyNot(
  walker: Pick<Walker, 'elementOf' | 'refOf' | 'describe'>,
  ref: string,
  isEditing: boolean,
): WhyNot {
  const named = (element: Element): Named => ({ ref: walker.refOf(element), ...walker.describe(element) });
  const element = walker.elementOf(ref);
  if (element === undefined) return { is: 'gone' };
  const obstacle = obstacleOf(element, isEditing);
  if (obstacle.is === 'drawn') return { ...obstacle, by: named(obstacle.by) };
  if (obstacle.is !== 'covered') return obstacle;
  const cover = coverOf(obstacle.by);
  const buttons = [...cover.querySelectorAll('button,[role=button],a[href]')].filter((button) =>
    button.checkVisibility(),
  );
  const by = named(cover);
  // Most of what covers others has no name; its first words tell a person's banner from a spinner.
  const words = cover instanceof HTMLElement ? cover.innerText.replaceAll(/\s+/g, ' ').trim() : '';
  const name = by.name === '' ? words.slice(0, longestWords) : by.name;
  return { is: 'covered', by: { ...by, name }, ways: buttons.slice(0, mostWays).map(named) };
}

/** Dialogs that make all else on the page inert. The browser keeps a list of them, so that a large page is not searched. */
export function modalsIn(document: Document): readonly Element[] {
  return [...document.getElementsByTagName('dialog')].filter((dialog) => dialog.matches(':modal'));
}

/** Where the element is in the window is looked at as it stands. */
export function obstacleOf(element: Element, isEditing: boolean): Obstacle {
  if (!element.isConnected) return { is: 'gone' };
  if (element.matches(':disabled') || element.closest('[aria-disabled=true],[inert]') !== null)
    return { is: 'disabled' };
  const picture = pictureOf(element);
  if (picture !== undefined) return { is: 'drawn', by: picture, at: middleOf(element) };
  const box = element.getBoundingClientRect();
  if (box.width === 0 || box.height === 0 || getComputedStyle(element).visibility !== 'visible') {
    const stand = drawnInstead(element);
    return stand === undefined ? { is: 'hidden' } : { is: 'drawn', by: stand };
  }
  if (isEditing && element.matches(':read-only') && !(element instanceof HTMLElement && element.isContentEditable)) {
    return { is: 'read-only' };
  }
  const over = modalsIn(element.ownerDocument);
  const last = over.at(-1);
  if (last !== undefined && !over.some((each) => isWithin(each, element))) return { is: 'covered', by: last };
  if (isEditing) return { is: 'none' };
  const x = box.left + box.width / 2;
  const y = box.top + box.height / 2;
  if (x < 0 || y < 0 || x > innerWidth || y > innerHeight) return { is: 'outside' };
  const top = deepElementAt(element, x, y);
  if (top === undefined || isWithin(element, top)) return { is: 'none' };
  if (isLabelOf(top, element) || isDrawnWith(top, element)) return { is: 'drawn', by: top };
  // What is below it is found then, and covers nothing.
  return getComputedStyle(element).pointerEvents === 'none' ? { is: 'untouchable' } : { is: 'covered', by: top };
}

/** A point in an area of an image map: the middle of its corners, or of its circle. */
function middleOf(area: Element): { readonly x: number; readonly y: number } {
  const numbers = (area.getAttribute('coords') ?? '').split(',').map(Number);
  const isCircle = /^circ/i.test(area.getAttribute('shape') ?? '');
  const corners = isCircle ? numbers.slice(0, 2) : numbers;
  const mean = (all: readonly number[]): number => all.reduce((sum, each) => sum + each, 0) / Math.max(1, all.length);
  return { x: mean(corners.filter((_, i) => i % 2 === 0)), y: mean(corners.filter((_, i) => i % 2 === 1)) };
}

/** What a person clicks instead of a box that is not shown: a part of its label that is no link. */
function drawnInstead(element: Element): Element | undefined {
  if (!(element instanceof HTMLInputElement) || !/^(?:checkbox|radio)$/.test(element.type)) return undefined;
  const label = [...(element.labels ?? [])].find((each) => each.checkVisibility());
  const parts = [...(label?.querySelectorAll('*') ?? [])].filter((part) => part.checkVisibility());
  return (
    parts.find((part) => part.closest('a,button') === null && part.querySelector('a,button') === null) ??
    label ??
    pictureBeside(element)
  );
}

/** What a page draws beside a box that has no label: what can be clicked there, and best what has no words. */
function pictureBeside(box: Element): Element | undefined {
  const around = box.parentElement;
  if (around === null || around === document.body || !isAlone(box, around)) return undefined;
  const parts = [...around.querySelectorAll('*')].filter((part) => part.checkVisibility() && isPointedAt(part));
  return parts.find((part) => part.textContent.trim() === '') ?? parts[0];
}

/** A list that is a field in a frame of its own shows its value, or a hint, above the field: all of it opens the list. */
function isDrawnWith(top: Element, element: Element): boolean {
  if (element.getAttribute('role') !== 'combobox') return false;
  let around = element.parentElement;
  while (around !== null && !around.contains(top)) around = around.parentElement;
  if (around === null || around === document.body) return false;
  return isAlone(element, around) && isPointedAt(around) && isPointedAt(top);
}

/** Whether nothing else there can be used. */
function isAlone(element: Element, around: Element): boolean {
  return [...around.querySelectorAll(controls)].every((each) => each === element);
}

function isPointedAt(element: Element): boolean {
  return getComputedStyle(element).cursor === 'pointer';
}

/** What is on top at a point, also inside of shadow roots. */
export function deepElementAt(element: Element, x: number, y: number): Element | undefined {
  let top = element.ownerDocument.elementFromPoint(x, y);
  for (let inner = top?.shadowRoot?.elementFromPoint(x, y); inner !== null && inner !== undefined && inner !== top;) {
    top = inner;
    inner = top.shadowRoot?.elementFromPoint(x, y);
  }
  return top ?? undefined;
}

/** A click on something in the element is a click on it; so is one on what the element itself is in, if that is a control. */
export function isWithin(element: Element, top: Element): boolean {
  for (let at: Node | null = top; at !== null; at = parentOf(at)) if (at === element) return true;
  return false;
}

function parentOf(node: Node): Node | null {
  if (node instanceof Element && node.assignedSlot !== null) return node.assignedSlot;
  return node instanceof ShadowRoot ? node.host : node.parentNode;
}

function isLabelOf(top: Element, element: Element): boolean {
  const label = top.closest('label');
  return label !== null && label.control === element;
}

/** The whole thing that a covering element is part of: a dialog, a banner, else what is fixed above the page. */
function coverOf(element: Element): Element {
  const named = element.closest('dialog,[role=dialog],[role=alertdialog],[aria-modal=true]');
  if (named !== null) return named;
  let cover = element;
  for (let at: Element | null = element; at !== null && at !== document.body; at = at.parentElement) {
    const { position } = getComputedStyle(at);
    if (position === 'fixed' || position === 'absolute' || position === 'sticky') cover = at;
  }
  return cover;
}
