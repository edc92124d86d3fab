// These functions are serialized into the page, so they use no closures and no imports.

export interface DropPoint {
  /** From the top left corner of the target. */
  readonly x: number;
  readonly y: number;
}

/**
 * The point to release a dragged element at, so that it comes before or after the target. Lists move their items while
 * one is dragged over them: the point is where the item will be, a quarter away from the edge that it comes from.
 */
export function readDropPoint(
  target: Element,
  { dragged, position }: { readonly dragged: Element | null; readonly position: 'before' | 'after' },
): DropPoint {
  const itemRoles = 'li,tr,option,[role=listitem],[role=row],[role=option],[role=treeitem],[draggable=true]';
  /** The element, or the item around it, that is a child of the common ancestor. */
  const itemOf = (element: Element, other: Element): Element | undefined => {
    let item = element;
    while (item.parentElement !== null && !item.parentElement.contains(other)) item = item.parentElement;
    return item === element || item.matches(itemRoles) ? item : undefined;
  };
  const box = target.getBoundingClientRect();
  const item = dragged === null ? undefined : itemOf(dragged, target);
  const place = dragged === null ? undefined : itemOf(target, dragged);
  const isList = item !== undefined && place !== undefined && item !== place;
  const here = (isList ? place : target).getBoundingClientRect();
  const beside = (isList ? place : target).nextElementSibling ?? (isList ? place : target).previousElementSibling;
  const next = beside?.getBoundingClientRect();
  const isRow =
    next !== undefined &&
    next.height > 0 &&
    Math.min(here.bottom, next.bottom) - Math.max(here.top, next.top) > here.height / 2;
  const isForward = isList && (item.compareDocumentPosition(place) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
  const passed = isForward ? place?.previousElementSibling : place?.nextElementSibling;
  // An item that comes from above and stops before the target takes the place of the item before it.
  const stopsEarly = isList && (position === 'before') === isForward;
  const slot = stopsEarly ? passed?.getBoundingClientRect() : undefined;
  const goal = slot === undefined || slot.width === 0 || slot.height === 0 ? here : slot;
  const isAtEnd = goal === here ? position === 'after' : position === 'before';
  const part = isAtEnd ? 0.75 : 0.25;
  return {
    x: goal.left - box.left + goal.width * (isRow ? part : 0.5),
    y: goal.top - box.top + goal.height * (isRow ? 0.5 : part),
  };
}

/** Whether two elements are items of one list, or inside of such items. */
export function isInSameList(target: Element, dragged: Element | null): boolean {
  if (dragged === null || target.contains(dragged) || dragged.contains(target)) return false;
  const isItem = (element: Element, other: Element): boolean => {
    let item = element;
    while (item.parentElement !== null && !item.parentElement.contains(other)) item = item.parentElement;
    return item === element || item.matches('li,tr,[role=listitem],[role=row],[role=option],[draggable=true]');
  };
  return isItem(target, dragged) && isItem(dragged, target);
}

/**
 * Whether a dragged item is already among the items of the target's list, but on the wrong side of the target. Libraries
 * that move the item only when it is released give no answer: false.
 */
export function isMisplaced(
  target: Element,
  { dragged, position }: { readonly dragged: Element | null; readonly position: 'before' | 'after' },
): boolean {
  if (dragged === null || dragged.parentElement !== target.parentElement) return false;
  const neighbour = position === 'before' ? dragged.nextElementSibling : dragged.previousElementSibling;
  return neighbour !== target;
}

/** The width of the border: points in an element are counted from inside of it, as Playwright does. */
export function readBorder(element: Element): DropPoint {
  return { x: element.clientLeft, y: element.clientTop };
}

/** Waits two frames, and the end of short animations; answers whether there were any. */
export async function untilAtRest(mostMs: number): Promise<boolean> {
  const frame = async (): Promise<unknown> => new Promise((resolve) => requestAnimationFrame(resolve));
  const isMoving = ({ playState, effect }: Animation): boolean =>
    playState === 'running' && effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY;
  const start = performance.now();
  let hasMoved = false;
  await frame();
  await frame();
  while (performance.now() - start < mostMs && document.getAnimations().some(isMoving)) {
    hasMoved = true;
    await frame();
  }
  return hasMoved;
}
