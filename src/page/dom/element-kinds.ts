import { attr, closestOf, isSvg, queryAll, scopeOf, tagOf } from './dom.ts';
import { roleOf } from '../aria/roles.ts';
import type { ElementStyle } from './styles.ts';

/** Elements that are never rendered. */
export const skipped = new Set(
  'script style noscript template head title meta link base datalist param source track colgroup col'.split(' '),
);
/** Elements whose content cannot be read, and what the snapshot says instead. */
export const unreadable: ReadonlyMap<string, string> = new Map([
  ['canvas', '(canvas; screenshot this ref to see it)'],
  ['audio', '(audio)'],
  ['video', '(video; screenshot this ref to see it)'],
  ['embed', '(embedded content; screenshot this ref to see it)'],
  ['object', '(embedded content; screenshot this ref to see it)'],
]);

/** A link or button with aria-hidden can still be clicked. */
export function isOwnTarget(element: Element): boolean {
  const role = roleOf(element);
  return role === 'button' || role === 'link';
}

/** The check box or radio button of a label. */
export function hiddenToggleOf(label: Element): Element | undefined {
  const control = label instanceof HTMLLabelElement ? label.control : null;
  const isToggle = control instanceof HTMLInputElement && (control.type === 'checkbox' || control.type === 'radio');
  return isToggle ? control : undefined;
}

/** Has a sibling with the same tag and class. */
export function isRepeated(element: Element, tag: string, style: ElementStyle): boolean {
  if (style.isInline || element.firstElementChild === null) return false;
  const twin = element.previousElementSibling ?? element.nextElementSibling;
  return twin !== null && tagOf(twin) === tag && attr(twin, 'class') === attr(element, 'class');
}

export function isSvgPart(element: Element, tag: string): boolean {
  return isSvg(element) && tag !== 'svg';
}

export function hasContent(svg: Element): boolean {
  return svg.querySelector('text,a,foreignObject,[role],[tabindex],[onclick]') !== null;
}

/** The image of an image map's area. */
export function imageOfArea(area: Element): Element | undefined {
  const map = tagOf(area) === 'area' ? closestOf(area, 'map') : null;
  const name = map === null ? null : (attr(map, 'name') ?? attr(map, 'id'));
  const scope = scopeOf(area);
  if (name === null || scope === undefined) return undefined;
  return [...queryAll(scope, 'img[usemap]')].find((picture) => attr(picture, 'usemap') === `#${name}`);
}
