import { attr, boxOf, closestOf, containsNode, isSvg, queryAll, scopeOf, tagOf, textOf } from './dom.ts';
import { roleOf } from '../aria/roles.ts';
import type { ElementStyle } from './styles.ts';

/** Elements that are never rendered. */
export const skipped = new Set(
  'script style noscript template head title meta link base datalist param source track colgroup col desc metadata'.split(
    ' ',
  ),
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

export function hasWordsOrControls(element: Element): boolean {
  return /[\p{L}\p{N}]/u.test(textOf(element) ?? '') || element.querySelector('a[href],button,input,select') !== null;
}

/** The check box or radio button of a label. */
export function hiddenToggleOf(label: Element): Element | undefined {
  const control = label instanceof HTMLLabelElement ? label.control : null;
  const isToggle = control instanceof HTMLInputElement && (control.type === 'checkbox' || control.type === 'radio');
  return isToggle ? control : undefined;
}

/** Has a sibling with the same tag and class beside it. */
export function isRepeated(element: Element, tag: string, style: ElementStyle): boolean {
  if (style.isInline || element.firstElementChild === null) return false;
  return isLike(element.previousElementSibling, element, tag) || isLike(element.nextElementSibling, element, tag);
}

function isLike(twin: Element | null, element: Element, tag: string): boolean {
  return twin !== null && tagOf(twin) === tag && attr(twin, 'class') === attr(element, 'class');
}

/** Whether two elements are not in different cards, rows or items of one list. */
export function isInOneCard(first: Element, second: Element): boolean {
  let [one, other] = [first, second];
  while (one.parentElement !== null && !containsNode(one.parentElement, second)) one = one.parentElement;
  while (other.parentElement !== null && !containsNode(other.parentElement, first)) other = other.parentElement;
  return one === first || other === second || !isLike(one, other, tagOf(other));
}

/** The text field of a custom dropdown, too small to be seen: its wrapper is clicked. */
export function isPinpoint(input: Element): boolean {
  if (!(input instanceof HTMLInputElement) || !/^(?:text|search)$/.test(input.type)) return false;
  if (attr(input, 'role') !== null || attr(input, 'aria-label') !== null) return false;
  const { width, height } = boxOf(input);
  return width <= 4 || height <= 4;
}

export function isSvgPart(element: Element, tag: string): boolean {
  return isSvg(element) && tag !== 'svg';
}

export function hasContent(svg: Element): boolean {
  return svg.querySelector('text,a,foreignObject,[role],[tabindex],[onclick],:scope > * title') !== null;
}

/** An `object` or `embed` that shows a document. */
export function holdsDocument(element: Element): boolean {
  if (element instanceof HTMLObjectElement) return element.contentWindow !== null && !isMedia(attr(element, 'type'));
  if (!(element instanceof HTMLEmbedElement)) return false;
  // An embedded document cannot be seen from outside: anything that is no media file may be one.
  const source = (attr(element, 'src') ?? '').replace(/[?#].*$/s, '');
  return source !== '' && !isMedia(attr(element, 'type')) && !mediaFile.test(source);
}

const mediaFile = /\.(?:avif|gif|jpe?g|mov|mp3|mp4|ogg|pdf|png|swf|wav|webm|webp)$/i;

function isMedia(type: string | null): boolean {
  return /^(?:image\/(?!svg)|audio\/|video\/|application\/(?!xhtml))/i.test(type ?? '');
}

/** The content of an `object` that could not be loaded is shown in its place. */
export function showsFallback(element: Element): boolean {
  if (!(element instanceof HTMLObjectElement) || element.contentWindow !== null) return false;
  const range = document.createRange();
  range.selectNodeContents(element);
  return range.getClientRects().length > 0;
}

/** A frame without any visible content. */
export function isEmptyFrame(frame: Element): boolean {
  return frame.clientWidth <= 1 || frame.clientHeight <= 1;
}

/** Letters in the font of an icon are drawn as a picture. */
export function isIconFont(style: CSSStyleDeclaration): boolean {
  return /icon|symbol|awesome|glyph/i.test(style.fontFamily);
}

/** The image of an image map's area. */
export function imageOfArea(area: Element): Element | undefined {
  const map = tagOf(area) === 'area' ? closestOf(area, 'map') : null;
  const name = map === null ? null : (attr(map, 'name') ?? attr(map, 'id'));
  const scope = scopeOf(area);
  if (name === null || scope === undefined) return undefined;
  return [...queryAll(scope, 'img[usemap]')].find((picture) => attr(picture, 'usemap') === `#${name}`);
}
