import { attr, isSvg, tagOf } from './dom.ts';
import { roleOf } from './roles.ts';
import type { Look } from './styles.ts';

/** A link or button that is itself hidden from readers is still there for the pointer. */
export function isOwnTarget(element: Element): boolean {
  const role = roleOf(element);
  return role === 'button' || role === 'link';
}

/** Has a neighbour of the same make. */
export function isRepeated(element: Element, tag: string, look: Look): boolean {
  if (look.isInline || element.firstElementChild === null) return false;
  const twin = element.previousElementSibling ?? element.nextElementSibling;
  return twin !== null && tagOf(twin) === tag && attr(twin, 'class') === attr(element, 'class');
}

export function isSvgPart(element: Element, tag: string): boolean {
  return isSvg(element) && tag !== 'svg';
}

export function hasContent(svg: Element): boolean {
  return svg.querySelector('text,a,foreignObject,[role],[tabindex],[onclick]') !== null;
}
