import { boxOf, shownParentOf } from './dom.ts';
import { leastOpacity } from './styles.ts';

/** Text scaled to less than this share of its size is illegible. */
const leastScale = 0.05;
/** A margin beyond this, in pixels, may move text out of the page. */
const farOut = -500;
/** How many texts of an element are measured. */
const mostTexts = 20;

/** Hidden by a property that few elements have. Call it only where a rule or a `style` attribute sets one of them. */
export function isConcealed(element: Element, style: CSSStyleDeclaration, canScroll: boolean): boolean {
  return (
    isFiltered(style.filter) ||
    isMasked(style) ||
    isFlattened(style) ||
    isTurnedAway(element, style) ||
    isCutAway(element, style.clipPath) ||
    (!canScroll && isBeyondPage(element, style))
  );
}

function isFiltered(filter: string): boolean {
  const opacity = /\bopacity\(([\d.]+)(%?)\)/.exec(filter);
  return opacity !== null && Number(opacity[1]) / (opacity[2] === '' ? 1 : 100) < leastOpacity;
}

/** A gradient mask whose colours are all transparent, or a mask without a size. */
function isMasked({ maskImage, maskSize }: CSSStyleDeclaration): boolean {
  if (maskImage === 'none') return false;
  if (/^0(?:px|%)?(?: 0(?:px|%)?)?$/.test(maskSize)) return true;
  const colors = maskImage.match(/rgba?\([^)]*\)/g) ?? [];
  return !maskImage.includes('url(') && colors.length > 0 && colors.every((color) => color.endsWith(', 0)'));
}

/** Scaled to nothing, or turned edge-on. */
function isFlattened({ transform, scale, rotate, zoom }: CSSStyleDeclaration): boolean {
  if (Number(zoom) < leastScale || isEdgeOn(rotate)) return true;
  if (scale !== 'none' && scale.split(' ').some((factor) => Math.abs(Number.parseFloat(factor)) < leastScale))
    return true;
  if (transform === 'none') return false;
  const { a, b, c, d } = new DOMMatrix(transform);
  return Math.hypot(a, b) < leastScale || Math.hypot(c, d) < leastScale || Math.abs(a * d - b * c) < leastScale ** 2;
}

/** Turned by a right angle about an axis in the plane of the page: `x 90deg`, `0.5 0.5 0 -90deg`. */
function isEdgeOn(rotate: string): boolean {
  const [, axis = '', degrees = ''] = /^(.+) (-?[\d.]+)deg$/.exec(rotate) ?? [];
  const isInPlane = /^(?:x|y|-?[\d.]+ -?[\d.]+ 0)$/.test(axis);
  return isInPlane && Math.abs(Math.cos((Number(degrees) * Math.PI) / 180)) < leastScale;
}

/** The side of a card that faces away: the element is turned, or the card around it. */
function isTurnedAway(element: Element, style: CSSStyleDeclaration): boolean {
  if (style.backfaceVisibility !== 'hidden') return false;
  let matrix = matrixOf(style);
  for (let at = shownParentOf(element); at !== null; at = shownParentOf(at)) {
    const around = getComputedStyle(at);
    // Only such a parent shares its space with its children; another one shows them as a flat picture.
    if (around.transformStyle !== 'preserve-3d') break;
    matrix = matrixOf(around).multiply(matrix);
  }
  return matrix.m33 < 0;
}

function matrixOf({ transform, rotate }: CSSStyleDeclaration): DOMMatrix {
  const own = new DOMMatrix(transform === 'none' ? '' : transform);
  const [, axis = 'z', angle = ''] = /^(?:(.+) )?(-?[\d.]+deg)$/.exec(rotate) ?? [];
  if (angle === '') return own;
  const named = new Map([
    ['x', '1,0,0'],
    ['y', '0,1,0'],
    ['z', '0,0,1'],
  ]);
  return new DOMMatrix(`rotate3d(${named.get(axis) ?? axis.replaceAll(' ', ',')},${angle})`).multiply(own);
}

/** Clipped to an area of no size. */
function isCutAway(element: Element, clipPath: string): boolean {
  const [, shape = '', given = ''] = /^(circle|ellipse|inset|polygon|rect|xywh)\((.*)\)/.exec(clipPath) ?? [];
  if (shape === '') return false;
  const { width, height } = boxOf(element);
  const size = (value: string, whole: number): number =>
    value.endsWith('%') ? (Number.parseFloat(value) / 100) * whole : Number.parseFloat(value);
  if (shape === 'circle' || shape === 'ellipse') {
    const radii = (given.split(' at ')[0] ?? '').split(' ').filter((radius) => /^[\d.]/.test(radius));
    return radii.some((radius) => Number.parseFloat(radius) === 0);
  }
  if (shape === 'polygon') return areaOf(given, width, height, size) < 1;
  const [top = '', right = top, bottom = top, left = right] = (given.split(' round ')[0] ?? '').split(' ');
  if (shape === 'xywh') return size(bottom, width) < 1 || size(left, height) < 1;
  const isInset = shape === 'inset';
  const across = size(right, width) - size(left, width);
  const down = size(bottom, height) - size(top, height);
  return isInset
    ? size(left, width) + size(right, width) > width - 1 || size(top, height) + size(bottom, height) > height - 1
    : across < 1 || down < 1;
}

function areaOf(given: string, width: number, height: number, size: (value: string, whole: number) => number): number {
  const points = given
    .replace(/^(?:nonzero|evenodd),\s*/, '')
    .split(',')
    .map((point) => {
      const [x = '0', y = '0'] = point.trim().split(' ');
      return { x: size(x, width), y: size(y, height) };
    });
  let twice = 0;
  for (const [at, { x, y }] of points.entries()) {
    const next = points[(at + 1) % points.length] ?? { x, y };
    twice += x * next.y - next.x * y;
  }
  // A term that is not a number, such as calc(), counts as an area.
  return Number.isNaN(twice) ? Number.POSITIVE_INFINITY : Math.abs(twice) / 2;
}

/** Beyond the left or upper edge of the page, where no scrolling leads, or beyond the viewport if it is fixed. */
function isBeyondPage(element: Element, { position, marginLeft }: CSSStyleDeclaration): boolean {
  const box = boxOf(element);
  if (box.width === 0 || box.height === 0) return false;
  const isFixed = position === 'fixed';
  if (isFixed && (box.left >= window.innerWidth || box.top >= window.innerHeight)) return true;
  const page = document.scrollingElement;
  const isReversed = page !== null && getComputedStyle(page).direction === 'rtl';
  const left = isReversed && page !== null ? page.clientWidth - page.scrollWidth : 0;
  const [x, y] = isFixed ? [0, 0] : [window.scrollX, window.scrollY];
  const isBeyond = (one: DOMRect): boolean => one.right + x <= left || one.bottom + y <= 0;
  // A block with a negative margin still reaches into the page; its text does not.
  return isBeyond(box) || (Number.parseFloat(marginLeft) < farOut && isTextBeyond(element, isBeyond));
}

function isTextBeyond(element: Element, isBeyond: (box: DOMRect) => boolean): boolean {
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  let left = mostTexts;
  for (let node = texts.nextNode(); node !== null && left > 0; node = texts.nextNode()) {
    range.selectNodeContents(node);
    const box = range.getBoundingClientRect();
    if (box.width === 0) continue;
    if (!isBeyond(box)) return false;
    left--;
  }
  return left < mostTexts;
}
