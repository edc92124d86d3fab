import { attr, shownParentOf, textOf } from './dom.ts';

/** The names of the events by which the agent asks the main world; the server puts secret ones here. */
const [question, answer] = ['pagehelm-timer-question', 'pagehelm-timer-answer'];
/** What only a wrapper around the whole page contains. */
const pageParts = 'h1,main,nav,[role=main],[role=navigation]';
/** Elements that listen for drops, as the main world reported them. */
const listening = new WeakSet<Element>();
/** Elements that listen for clicks, and the elements around them. */
const pressed = new WeakSet<Element>();
const around = new WeakSet<Element>();
/** Inside of such an element, the controls are the targets. */
const controls = 'a[href],button,input,select,textarea,[role=button],[role=link],[role=menuitem],[role=tab],[onclick]';
const mostWords = 200;
let hasAsked = false;

/** Asks the page's main world for elements with listeners; returns those that were not known before. */
export function newTargets(document: Document): readonly Element[] {
  const found: Element[] = [];
  const listen = (event: Event): void => {
    const [target] = event.composedPath();
    if (!(target instanceof Element)) return;
    const isPress = event instanceof CustomEvent && event.detail === 'press';
    const known = isPress ? pressed : listening;
    if (known.has(target)) return;
    known.add(target);
    found.push(target);
    if (isPress) found.push(...noteAround(target));
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

/** Has a listener for clicks, and nothing inside is a target itself. */
export function isClickTarget(element: Element): boolean {
  if (!pressed.has(element) || around.has(element)) return false;
  if (Element.prototype.querySelector.call(element, controls) !== null) return false;
  return (textOf(element) ?? '').length <= mostWords;
}

/** Something inside has a listener for clicks. */
export function holdsClickTargets(element: Element): boolean {
  return around.has(element);
}

/** Has a listener for clicks, of any extent. */
export function isPressed(element: Element): boolean {
  return pressed.has(element) || attr(element, 'onclick') !== null;
}

/** Has a listener for drops, and is not a wrapper around the page. */
export function isDropTarget(element: Element): boolean {
  if (attr(element, 'ondrop') !== null || attr(element, 'ondragover') !== null) return true;
  return listening.has(element) && Element.prototype.querySelector.call(element, pageParts) === null;
}
