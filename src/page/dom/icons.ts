import { attr, boxOf, tagOf } from './dom.ts';

/** Classes of icon fonts and sprites: the part after the prefix names the picture. */
const iconClass =
  /^(?:fa|fas|far|fab|fi|bi|ti|ri|mdi|pi|la|lni|feather|glyphicon|octicon|codicon|anticon|ui-icon|icon|icn|ico|sprite|i)[-_]{1,2}([a-z][\w-]*)$/i;
const sizeWord = /^(?:\d*x?[sml]|lg|xl|fw|spin|solid|regular|brands?|light|small|large|inverse|\d+x?)$/i;
const longest = 40;

/** What an icon without words may mean, guessed from names that its author gave it; undefined if there are none. */
export function iconOf(element: Element): string | undefined {
  const inside = [element, ...element.querySelectorAll('img,svg,use,i,span,b,em')].slice(0, 6);
  for (const guess of [fileOf, spriteOf, classOf]) {
    for (const part of inside) {
      const found = plain(guess(part));
      if (found !== '') return found;
    }
  }
  // The id of a shape says less than its position and colour.
  if (element instanceof SVGElement && tagOf(element) !== 'svg') return undefined;
  const own = plain(attr(element, 'data-icon') ?? attr(element, 'name') ?? attr(element, 'id') ?? '');
  return own.length < 3 || /^\d+$/.test(own) ? undefined : own;
}

/** The name of an image file, in an attribute or a style. */
function fileOf(part: Element): string {
  const { content, backgroundImage, maskImage } = getComputedStyle(part);
  const [before, after] = ['::before', '::after'].map((pseudo) => getComputedStyle(part, pseudo).content);
  const styled = [content, backgroundImage, maskImage, before ?? '', after ?? ''].find((value) =>
    value.includes('url('),
  );
  const url = attr(part, 'src') ?? /url\("?([^")]*)/.exec(styled ?? '')?.[1] ?? '';
  if (url.startsWith('data:')) return '';
  const file = url.split(/[?#]/, 1)[0]?.split('/').at(-1) ?? '';
  // Build tools add a hash.
  return file.replace(/\.\w+$/, '').replace(/[.-][\da-f]{6,}$/i, '');
}

function spriteOf(part: Element): string {
  const use = tagOf(part) === 'use' ? (attr(part, 'href') ?? attr(part, 'xlink:href')) : null;
  return (use?.split('#').at(-1) ?? '').replace(/^(?:icon|ico|i|svg)[-_]+/i, '');
}

function classOf(part: Element): string {
  const classes = (attr(part, 'class') ?? '').split(/\s+/);
  const names = classes.flatMap((name) => iconClass.exec(name)?.[1] ?? []);
  return names.find((name) => !sizeWord.test(name)) ?? '';
}

/** Only characters that cannot imitate another part of a line. */
function plain(name: string): string {
  return name
    .replaceAll(/[^\w-]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, longest);
}

/** Position, size and colour of a target that shows nothing else. */
export function lookOf(element: Element, tag: string, style: CSSStyleDeclaration): string {
  const { left, top, width, height } = boxOf(element);
  const fill = element instanceof SVGElement ? style.fill : style.backgroundColor;
  const isPainted = fill !== '' && fill !== 'none' && !/^rgba\(.*, 0\)$/.test(fill);
  const shape = element instanceof SVGElement ? `${plain(tag)} ` : '';
  const colour = isPainted ? ` ${fill.replaceAll(/\s/g, '')}` : '';
  const [x, y, wide, high] = [left, top, width, height].map((size) => Math.round(size));
  return `${shape}at ${x},${y} size ${wide}x${high}${colour}`;
}
