import { attr } from './dom.ts';
import type { ElementStyle } from './styles.ts';

/** A part that takes the focus so that keys can scroll it. Nothing suggests that it reacts to a click. */
export function isScrollRegion(element: Element, { style, isPointer }: ElementStyle): boolean {
  if (isPointer || attr(element, 'onclick') !== null || attr(element, 'draggable') === 'true') return false;
  return /auto|scroll/.test(`${style.overflowX} ${style.overflowY}`);
}
