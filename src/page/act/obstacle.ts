import type { Named, WhyNot } from '../protocol.ts';
import { imageOfArea } from '../dom/element-kinds.ts';
import { modalsIn } from '../dom/modals.ts';
import type { Walker } from '../walk/walk.ts';

/** Fields without text, which `:read-only` matches although their value can be changed. */
const textless = 'input:is([type=range],[type=color]),[role=slider]:not([aria-readonly=true])';

function isReadOnly(element: Element): boolean {
  if (!element.matches(':read-only') || element.matches(textless)) return false;
  return !(element instanceof HTMLElement && element.isContentEditable);
}

/** The reason why an element cannot be acted on. */
type Obstacle =
  | { readonly is: 'none' }
  | { readonly is: 'gone' | 'disabled' | 'hidden' | 'read-only' | 'outside' | 'untouchable' }
  /** The box is drawn by its label, as most switches are, or by a neighbour: click that instead. */
  | { readonly is: 'drawn'; readonly by: Element; readonly at?: { readonly x: number; readonly y: number } }
  | { readonly is: 'covered'; readonly by: Element };

/** Buttons of a covering element that are listed. */
const mostWays = 4;
const longestWords = 60;
const controls = 'a[href],button,input,select,textarea,[role],[tabindex],[contenteditable]';

/** Why an element cannot be acted on now, with the buttons that may remove the obstacle. */
export function whyNot(walker: Pick<Walker, 'refOf' | 'describe'>, element: Element, isEditing: boolean): WhyNot {
  const named = (each: Element): Named => ({ ref: walker.refOf(each), ...walker.describe(each) });
  const obstacle = obstacleOf(element, isEditing);
  if (obstacle.is === 'none') return { is: 'none', ref: walker.refOf(element), at: centreOf(element) };
  if (obstacle.is === 'drawn') return { ...obstacle, by: named(obstacle.by) };
  if (obstacle.is !== 'covered') return obstacle;
  const cover = coverOf(obstacle.by);
  const buttons = [...cover.querySelectorAll('button,[role=button],a[href]')].filter((button) =>
    button.checkVisibility(),
  );
  const by = named(cover);
  // Most covering elements have no name; their first words tell a banner from a spinner.
  const words = cover instanceof HTMLElement ? cover.innerText.replaceAll(/\s+/g, ' ').trim() : '';
  const name = by.name === '' ? words.slice(0, longestWords) : by.name;
  return { is: 'covered', by: { ...by, name }, ways: buttons.slice(0, mostWays).map(named) };
}

/** Checks the element at its current scroll position. */
export function obstacleOf(element: Element, isEditing: boolean): Obstacle {
  if (!element.isConnected) return { is: 'gone' };
  if (element.matches(':disabled') || element.closest('[aria-disabled=true],[inert]') !== null)
    return { is: 'disabled' };
  const picture = imageOfArea(element);
  if (picture !== undefined) return { is: 'drawn', by: picture, at: middleOf(element) };
  const box = element.getBoundingClientRect();
  if (box.width === 0 || box.height === 0 || getComputedStyle(element).visibility !== 'visible') {
    const stand = drawnInstead(element);
    return stand === undefined ? { is: 'hidden' } : { is: 'drawn', by: stand };
  }
  if (isEditing && isReadOnly(element)) return { is: 'read-only' };
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
  // With pointer-events: none, the hit test finds the element below, which covers nothing.
  return getComputedStyle(element).pointerEvents === 'none' ? { is: 'untouchable' } : { is: 'covered', by: top };
}

function centreOf(element: Element): { readonly x: number; readonly y: number } {
  const { left, top, width, height } = element.getBoundingClientRect();
  return { x: left + width / 2, y: top + height / 2 };
}

/** A point in an area of an image map: the mean of its corners, or the centre of its circle. */
function middleOf(area: Element): { readonly x: number; readonly y: number } {
  const numbers = (area.getAttribute('coords') ?? '').split(',').map(Number);
  const isCircle = /^circ/i.test(area.getAttribute('shape') ?? '');
  const corners = isCircle ? numbers.slice(0, 2) : numbers;
  const mean = (all: readonly number[]): number => all.reduce((sum, each) => sum + each, 0) / Math.max(1, all.length);
  return { x: mean(corners.filter((_, i) => i % 2 === 0)), y: mean(corners.filter((_, i) => i % 2 === 1)) };
}

/** The element to click for a hidden box: a part of its label that is not a link. */
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

/** The element drawn for a hidden box without a label: a clickable neighbour, preferably without text. */
function pictureBeside(box: Element): Element | undefined {
  const around = box.parentElement;
  if (around === null || around === document.body || !isAlone(box, around)) return undefined;
  const parts = [...around.querySelectorAll('*')].filter((part) => part.checkVisibility() && isPointedAt(part));
  return parts.find((part) => part.textContent.trim() === '') ?? parts[0];
}

/** A combobox shows its value or placeholder above its input: a click anywhere in its border opens the list. */
function isDrawnWith(top: Element, element: Element): boolean {
  if (element.getAttribute('role') !== 'combobox') return false;
  let around = element.parentElement;
  while (around !== null && !around.contains(top)) around = around.parentElement;
  if (around === null || around === document.body) return false;
  return isAlone(element, around) && isPointedAt(around) && isPointedAt(top);
}

/** Whether there is no other control. */
function isAlone(element: Element, around: Element): boolean {
  return [...around.querySelectorAll(controls)].every((each) => each === element);
}

function isPointedAt(element: Element): boolean {
  return getComputedStyle(element).cursor === 'pointer';
}

/** The hit test at a point, also inside of shadow roots. */
export function deepElementAt(element: Element, x: number, y: number): Element | undefined {
  let top = element.ownerDocument.elementFromPoint(x, y);
  for (let inner = top?.shadowRoot?.elementFromPoint(x, y); inner !== null && inner !== undefined && inner !== top;) {
    top = inner;
    inner = top.shadowRoot?.elementFromPoint(x, y);
  }
  return top ?? undefined;
}

/** Whether the element contains the other one, across shadow roots and slots. */
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

/** The dialog or positioned container that a covering element is part of. */
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
