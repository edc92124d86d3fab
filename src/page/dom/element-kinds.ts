import { attr, closestOf, isSvg, queryAll, scopeOf, tagOf } from './dom.ts';
import { roleOf } from '../aria/roles.ts';
import type { Look } from './styles.ts';

/** Elements of which nothing is ever shown. */
export const skipped = new Set(
  'script style noscript template head title meta link base datalist param source track colgroup col'.split(' '),
);
/** What cannot be read, with how to see it. */
export const pictures: Readonly<Record<string, string>> = {
  canvas: '(a picture; use browser_take_screenshot with this ref)',
  audio: '(a sound; it cannot be heard from here)',
  video: '(a video; use browser_take_screenshot with this ref)',
  embed: '(embedded content; use browser_take_screenshot with this ref)',
  object: '(embedded content; use browser_take_screenshot with this ref)',
};

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

/** The picture that an area of an image map is a part of. */
export function pictureOf(area: Element): Element | undefined {
  const map = tagOf(area) === 'area' ? closestOf(area, 'map') : null;
  const name = map === null ? null : (attr(map, 'name') ?? attr(map, 'id'));
  const scope = scopeOf(area);
  if (name === null || scope === undefined) return undefined;
  return [...queryAll(scope, 'img[usemap]')].find((picture) => attr(picture, 'usemap') === `#${name}`);
}
