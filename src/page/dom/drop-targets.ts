import { attr } from './dom.ts';

/** The names of the events by which the agent asks the main world; the server puts secret ones here. */
const [question, answer] = ['pagehelm-timer-question', 'pagehelm-timer-answer'];
/** What only a wrapper around the whole page contains. */
const pageParts = 'h1,main,nav,[role=main],[role=navigation]';
/** Elements that listen for drops, as the main world reported them. */
const listening = new WeakSet<Element>();
let hasAsked = false;

/** Asks the page's main world for drop targets; returns those that were not known before. */
export function newDropTargets(document: Document): readonly Element[] {
  const found: Element[] = [];
  const listen = (event: Event): void => {
    const [target] = event.composedPath();
    if (!(target instanceof Element) || listening.has(target)) return;
    listening.add(target);
    found.push(target);
  };
  // The events do not bubble. Those from open shadow roots are composed.
  document.addEventListener(answer, listen, true);
  // Without this, an agent that is created later in the same document would miss the targets reported before.
  document.dispatchEvent(new CustomEvent(question, { detail: hasAsked ? 'drop' : 'drop again' }));
  document.removeEventListener(answer, listen, true);
  hasAsked = true;
  return found;
}

/** Has a listener for drops, and is not a wrapper around the page. */
export function isDropTarget(element: Element): boolean {
  if (attr(element, 'ondrop') !== null || attr(element, 'ondragover') !== null) return true;
  return listening.has(element) && Element.prototype.querySelector.call(element, pageParts) === null;
}
