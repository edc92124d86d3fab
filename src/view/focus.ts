import { elementText, isActive } from '../page/walk/line.ts';
import type { LineElement } from '../page/walk/line.ts';
import { elementsOf, linesOf } from './node.ts';
import type { RefForm, ViewNode } from './node.ts';

export function isFocused(node: ViewNode): boolean {
  return elementsOf(node).some(isActive);
}

/** The focused element. */
export function focusedIn(nodes: readonly ViewNode[]): LineElement | undefined {
  for (const { node } of linesOf(nodes)) {
    const focused = elementsOf(node).find(isActive);
    if (focused !== undefined) return focused;
  }
  return undefined;
}

/** The focused element as text, if it differs from the one before. */
export function movedFocus(before: readonly ViewNode[], now: readonly ViewNode[], form: RefForm): string | undefined {
  const textOf = (nodes: readonly ViewNode[]): string | undefined => {
    const focused = focusedIn(nodes);
    if (focused === undefined) return undefined;
    const { isQuoted: _isQuoted, states = [], ...element } = focused;
    return elementText({ ...element, states: states.filter((state) => state !== 'active') }, form);
  };
  const focused = textOf(now);
  return focused === textOf(before) ? undefined : focused;
}
