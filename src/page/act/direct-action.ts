import type { Clock } from '../watch/change-clock.ts';
import { deepElementAt, isWithin, obstacleOf } from './obstacle.ts';
import type { Grasped, Wish } from '../protocol.ts';
import { tidy } from '../walk/text.ts';

/** A box that has not been moved for this long, three frames, stays where it is. */
const steadyMs = 50;
/** Fields that take what is written as it is; others are left to who knows their ways. */
const plainFields = new Set(['text', 'search', 'url', 'tel', 'email', 'password']);
const not: Grasped = { is: 'not' };

/**
 * Takes hold of an element at once, if nothing stands in the way and nothing has to be waited for; the careful way, which
 * waits, scrolls and asks again, is for all other cases. The clock tells whether anything on the page moves.
 */
export function grasp(element: Element | undefined, wish: Wish, clock: Clock): Grasped {
  if (element === undefined) return { is: 'gone' };
  switch (wish.for) {
    case 'pointer':
      return pointIn(element, clock);
    case 'check':
      return checkbox(element, wish.isOn, clock);
    case 'text':
      return textField(element);
    case 'options':
      return list(element, wish.values);
  }
}

/** The middle of an element that is in full view, enabled, uncovered and does not move. */
function pointIn(element: Element, clock: Clock): Grasped {
  const scale = visualViewport?.scale ?? 1;
  if (clock.read().stillMs < steadyMs || scale !== 1 || clock.motions().length > 0) return not;
  if (obstacleOf(element, false).is !== 'none') return not;
  // A link that runs over two lines has a box for each, and nothing of its own in the middle of both.
  const box = [...element.getClientRects()].find(({ width, height }) => width * height >= 1);
  const { clientWidth, clientHeight } = element.ownerDocument.documentElement;
  if (box === undefined || box.left < 0 || box.top < 0 || box.right > clientWidth || box.bottom > clientHeight)
    return not;
  const x = box.left + box.width / 2;
  const y = box.top + box.height / 2;
  const top = deepElementAt(element, x, y);
  return top !== undefined && isWithin(element, top) ? { is: 'at', x, y } : not;
}

function checkbox(element: Element, isOn: boolean, clock: Clock): Grasped {
  if (!(element instanceof HTMLInputElement) || !/^(?:checkbox|radio)$/.test(element.type)) return not;
  if (element.indeterminate) return not;
  if (element.checked === isOn) return { is: 'done' };
  return element.type === 'radio' && !isOn ? not : pointIn(element, clock);
}

/** Has the focus and all its text selected, so that what is written next takes its place. */
function textField(element: Element): Grasped {
  const isInput = element instanceof HTMLInputElement && plainFields.has(element.type);
  if (!isInput && !(element instanceof HTMLTextAreaElement)) return not;
  if (isOutOfReach(element)) return not;
  element.select();
  element.focus();
  return isFocused(element) ? { is: 'done' } : not;
}

/** Chooses in a native list as a person would: the first option for each value, then the events that follow a choice. */
function list(element: Element, values: readonly string[]): Grasped {
  if (!(element instanceof HTMLSelectElement) || values.length === 0 || isOutOfReach(element)) return not;
  if (!element.multiple && values.length > 1) return not;
  const options = values.map((value) => [...element.options].find((option) => isCalled(option, value)));
  if (options.some((option) => option === undefined || option.matches(':disabled'))) return not;
  if (element.multiple) for (const option of element.options) option.selected = options.includes(option);
  else for (const option of options) if (option !== undefined) option.selected = true;
  element.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
  element.dispatchEvent(new Event('change', { bubbles: true }));
  return { is: 'done' };
}

function isCalled(option: HTMLOptionElement, value: string): boolean {
  return option.value === value || tidy(option.label) === tidy(value);
}

/** What is written into need not be in view. */
function isOutOfReach(element: Element): boolean {
  return obstacleOf(element, !(element instanceof HTMLSelectElement)).is !== 'none';
}

function isFocused(element: Element): boolean {
  const root = element.getRootNode();
  return (root instanceof Document || root instanceof ShadowRoot) && root.activeElement === element;
}
