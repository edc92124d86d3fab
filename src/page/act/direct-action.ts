import type { Clock } from '../watch/change-clock.ts';
import { deepElementAt, isWithin, obstacleOf } from './obstacle.ts';
import type { DirectResult, DirectAction } from '../protocol.ts';
import { tidy } from '../walk/text.ts';
import { steadyMs } from '../timing.ts';

/** Input types that take any text as it is; others go through Playwright. */
const plainFields = new Set(['text', 'search', 'url', 'tel', 'email', 'password']);
const declined: DirectResult = { is: 'declined' };

/**
 * Acts on an element at once if it is visible, enabled, uncovered and stable; declines otherwise, without a change, and
 * the server falls back to Playwright, which waits and scrolls. The clock tells whether anything on the page moves.
 */
export function actDirectly(element: Element | undefined, action: DirectAction, clock: Clock): DirectResult {
  if (element === undefined) return { is: 'gone' };
  switch (action.kind) {
    case 'point':
      return pointIn(element, clock);
    case 'check':
      return checkbox(element, action.isOn, clock);
    case 'text':
      return textField(element);
    case 'options':
      return list(element, action.values);
  }
}

/** The centre of an element that is entirely in the viewport, enabled, uncovered and stable. */
function pointIn(element: Element, clock: Clock): DirectResult {
  const scale = visualViewport?.scale ?? 1;
  if (clock.read().stillMs < steadyMs || scale !== 1 || clock.motions().length > 0) return declined;
  if (obstacleOf(element, false).is !== 'none') return declined;
  // A link that wraps has a box per line, and the centre of its bounding box may belong to another element.
  const box = [...element.getClientRects()].find(({ width, height }) => width * height >= 1);
  const { clientWidth, clientHeight } = element.ownerDocument.documentElement;
  if (box === undefined || box.left < 0 || box.top < 0 || box.right > clientWidth || box.bottom > clientHeight)
    return declined;
  const x = box.left + box.width / 2;
  const y = box.top + box.height / 2;
  const top = deepElementAt(element, x, y);
  return top !== undefined && isWithin(element, top) ? { is: 'at', x, y } : declined;
}

function checkbox(element: Element, isOn: boolean, clock: Clock): DirectResult {
  if (!(element instanceof HTMLInputElement) || !/^(?:checkbox|radio)$/.test(element.type)) return declined;
  if (element.indeterminate) return declined;
  if (element.checked === isOn) return { is: 'done' };
  return element.type === 'radio' && !isOn ? declined : pointIn(element, clock);
}

/** Focuses the field and selects its text, so that inserted text replaces it. */
function textField(element: Element): DirectResult {
  const isInput = element instanceof HTMLInputElement && plainFields.has(element.type);
  if (!isInput && !(element instanceof HTMLTextAreaElement)) return declined;
  if (isOutOfReach(element)) return declined;
  element.select();
  element.focus();
  return isFocused(element) ? { is: 'done' } : declined;
}

/** Selects the first option for each value and dispatches the events of a user's choice. */
function list(element: Element, values: readonly string[]): DirectResult {
  if (!(element instanceof HTMLSelectElement) || values.length === 0 || isOutOfReach(element)) return declined;
  if (!element.multiple && values.length > 1) return declined;
  const options = values.map((value) => [...element.options].find((option) => isCalled(option, value)));
  if (options.some((option) => option === undefined || option.matches(':disabled'))) return declined;
  if (element.multiple) for (const option of element.options) option.selected = options.includes(option);
  else for (const option of options) if (option !== undefined) option.selected = true;
  element.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
  element.dispatchEvent(new Event('change', { bubbles: true }));
  return { is: 'done' };
}

function isCalled(option: HTMLOptionElement, value: string): boolean {
  return option.value === value || tidy(option.label) === tidy(value);
}

/** A field need not be in the viewport to be filled. */
function isOutOfReach(element: Element): boolean {
  return obstacleOf(element, !(element instanceof HTMLSelectElement)).is !== 'none';
}

function isFocused(element: Element): boolean {
  const root = element.getRootNode();
  return (root instanceof Document || root instanceof ShadowRoot) && root.activeElement === element;
}
