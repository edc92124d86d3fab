import { attr, matchesSelector, shownParentOf, tagOf, textOf } from './dom.ts';

/** The names of the events by which the agent asks the main world; the server puts secret ones here. */
const [question, answer] = ['pagehelm-timer-question', 'pagehelm-timer-answer'];
/** What only a wrapper around the whole page contains. */
const pageParts = 'h1,main,nav,[role=main],[role=navigation]';
/** Elements that listen for drops, as the main world reported them. */
const listening = new WeakSet<Element>();
/** Elements that listen for clicks, and the elements around them. */
const pressed = new WeakSet<Element>();
const around = new WeakSet<Element>();
/** Elements that listen for the start of a drag: items, or lists that drag their items. */
const grabbed = new WeakSet<Element>();
/** Similar siblings of an element with items to drag: the columns of a board. */
const columns = new WeakSet<Element>();
/** Around an item, this many elements are checked for being a column. */
const mostLevels = 3;
/** This many elements of a column are checked for being an item. */
const mostInColumn = 100;
/** Their listeners do not move them. */
const fixedControls = 'a,button,input,select,textarea,canvas,[role=button],[role=slider],[role=separator]';
/** Inside of such an element, the controls are the targets. */
const controls = 'a[href],button,input,select,textarea,[role=button],[role=link],[role=menuitem],[role=tab],[onclick]';
const mostWords = 200;
/** Of a longer list or larger table that listens for clicks, the items are not listed as targets. */
const mostItems = 100;
let hasAsked = false;
/** Whether any element listens for clicks or drags. Every element is asked about. */
let [hasPressed, hasGrabbed] = [false, false];

/** Asks the page's main world for elements with listeners; returns those that were not known before. */
export function newTargets(document: Document): readonly Element[] {
  const found: Element[] = [];
  const listen = (event: Event): void => {
    const [target] = event.composedPath();
    if (!(target instanceof Element)) return;
    const kind: unknown = event instanceof CustomEvent ? event.detail : 'drop';
    const known = kind === 'press' ? pressed : kind === 'drag' ? grabbed : listening;
    if (known.has(target)) return;
    known.add(target);
    hasPressed ||= kind === 'press';
    hasGrabbed ||= kind === 'drag';
    found.push(target);
    if (kind === 'press') found.push(...noteAround(target), ...pressItemsOf(target));
    if (kind === 'drag') found.push(...noteColumns(target));
  };
  // The events do not bubble. Those from open shadow roots are composed.
  document.addEventListener(answer, listen, true);
  // Without this, an agent that is created later in the same document would miss the targets reported before.
  document.dispatchEvent(new CustomEvent(question, { detail: hasAsked ? 'drop' : 'drop again' }));
  document.removeEventListener(answer, listen, true);
  hasAsked = true;
  return found;
}

/** The elements around a click target that were not known to contain one. */
function noteAround(target: Element): readonly Element[] {
  const fresh: Element[] = [];
  for (let at = shownParentOf(target); at !== null && !around.has(at); at = shownParentOf(at)) {
    around.add(at);
    fresh.push(at);
  }
  // Only the closest ones can be mistaken for the target.
  return fresh.slice(0, 2);
}

/** The similar siblings of the closest element around an item that has some, and that were not known. */
function noteColumns(item: Element): readonly Element[] {
  if (matchesSelector(item, fixedControls) || isPageWrapper(item)) return [];
  let at = shownParentOf(item);
  for (let level = 0; at !== null && level < mostLevels; level++) {
    const similar = [...(at.parentElement?.children ?? [])].filter((each) => isSimilar(each, at));
    if (similar.length > 1) {
      const fresh = similar.filter((each) => !columns.has(each));
      for (const each of fresh) columns.add(each);
      return fresh;
    }
    at = shownParentOf(at);
  }
  return [];
}

/** Has the same tag and, if there are classes, one in common. */
function isSimilar(element: Element, other: Element | null): boolean {
  if (other === null || tagOf(element) !== tagOf(other)) return false;
  const [one, two] = [element, other].map((each) => (attr(each, 'class') ?? '').split(/\s+/));
  return one?.some((name) => two?.includes(name)) === true;
}

/** A column of a board without items. Nothing shows that it takes items. */
export function isEmptyColumn(element: Element): boolean {
  if (!hasGrabbed || !columns.has(element) || (textOf(element) ?? '').length > mostWords) return false;
  const inside = [...Element.prototype.querySelectorAll.call(element, '*')].slice(0, mostInColumn);
  return !inside.some((each) => grabbed.has(each));
}

/** An item of a list that listens in place of its items. */
export function isDragItem(element: Element): boolean {
  if (!hasGrabbed) return false;
  const list = element.parentElement;
  if (list === null || !grabbed.has(list) || matchesSelector(list, `body,${fixedControls}`)) return false;
  if ((textOf(element) ?? '').length > mostWords || isPageWrapper(list)) return false;
  if (/^(?:inline|contents|none)/.test(getComputedStyle(element).display)) return false;
  const tag = tagOf(element);
  if (tag === 'li' || tag === 'tr' || isDropTarget(list) || matchesSelector(list, '.ui-sortable')) return true;
  const name = attr(element, 'class');
  const similar = [...list.children].filter((each) => tagOf(each) === tag && attr(each, 'class') === name);
  return similar.length >= (name === null ? 3 : 2);
}

function isPageWrapper(element: Element): boolean {
  return Element.prototype.querySelector.call(element, pageParts) !== null;
}

/** Has a listener for clicks, and nothing inside is a target itself. */
export function isClickTarget(element: Element): boolean {
  if (!hasPressed || !pressed.has(element) || around.has(element)) return false;
  if ([...element.children].some(isDragItem) || pressItemsOf(element).length > 0) return false;
  if (Element.prototype.querySelector.call(element, controls) !== null) return false;
  return (textOf(element) ?? '').length <= mostWords;
}

/** An item of a list, table or menu that listens for clicks in place of its items. */
export function isPressItem(element: Element): boolean {
  if (!hasPressed) return false;
  const parent = element.parentElement;
  const section = element instanceof HTMLTableCellElement ? parent?.parentElement : parent;
  return listsFor(element, section) || listsFor(element, section?.parentElement);
}

function listsFor(item: Element, list: Element | null | undefined): boolean {
  return list !== null && list !== undefined && pressed.has(list) && pressItemsOf(list).includes(item);
}

/** The items that an element listens for, if it is not itself the target. */
function pressItemsOf(list: Element): readonly Element[] {
  if (around.has(list)) return [];
  const items = candidatesIn(list);
  if (items.length < 2 || items.length > mostItems) return [];
  // Controls in it are the targets.
  return Element.prototype.querySelector.call(list, controls) === null ? items : [];
}

function candidatesIn(list: Element): readonly Element[] {
  if (list instanceof HTMLTableElement || list instanceof HTMLTableSectionElement) {
    const { rows } = list;
    // Every cell asks: a large table must not be read each time.
    if (rows.length * (rows[0]?.cells.length ?? 0) > mostItems) return [];
    return [...rows].flatMap(({ cells }) => [...cells]);
  }
  const tag = tagOf(list);
  if (list.childElementCount > mostItems) return [];
  const children = [...list.children];
  if (tag === 'ul' || tag === 'ol') return children.filter((each) => tagOf(each) === 'li');
  return haveValues(children) ? children : [];
}

/** Whether similar elements have different values in one attribute, by which a listener can distinguish them. */
function haveValues(elements: readonly Element[]): boolean {
  const [first, second] = elements;
  if (first === undefined || second === undefined || !elements.every((each) => isSimilar(each, first))) return false;
  const names = first.getAttributeNames().filter((name) => name.startsWith('data-'));
  return names.some((name) => new Set(elements.map((each) => attr(each, name))).size === elements.length);
}

/** Something inside has a listener for clicks. */
export function holdsClickTargets(element: Element): boolean {
  return around.has(element) || Element.prototype.querySelector.call(element, '[onclick]') !== null;
}

/** Has a listener for clicks, of any extent. */
export function isPressed(element: Element): boolean {
  return pressed.has(element) || attr(element, 'onclick') !== null;
}

/** Has a listener for drops, and is not a wrapper around the page. */
export function isDropTarget(element: Element): boolean {
  if (attr(element, 'ondrop') !== null || attr(element, 'ondragover') !== null) return true;
  return listening.has(element) && !isPageWrapper(element);
}
