import type { Item, Piece } from './items.ts';
import { emptyWithoutName } from '../aria/role-tables.ts';
import { isIconFont } from '../dom/element-kinds.ts';
import { tidy } from './text.ts';

const keptEmpty = new Set(
  'heading img iframe canvas cell gridcell columnheader rowheader progressbar meter dialog alertdialog option'.split(
    ' ',
  ),
);
/** Containers that are dropped around a single item. */
const shells = new Set('listitem paragraph cell gridcell columnheader rowheader'.split(' '));
const letter = /[\p{L}\p{N}]/u;
const wordless = /^[^\p{L}\p{N}]*$/u;

/** Reduces an item to itself, its content, or nothing. */
export function compactItem(item: Item): Piece[] {
  item.children = withoutEchoes(item.children);
  dropRepeats(item);
  const { children } = item;
  const hasOwn = item.name !== '' || item.value !== '' || item.states.length > 0;
  if (item.hasRef) return isWrapper(item) ? children : [item];
  if (!hasOwn && emptyWithoutName.has(item.role)) return opened(item);
  if (children.length === 0) {
    if (item.role === 'img') return item.name === '' ? [] : [item];
    return hasOwn || keptEmpty.has(item.role) ? [item] : [];
  }
  const [only] = children;
  if (children.length === 1 && only?.kind === 'item' && isRepeat(item, only)) return opened(item);
  return [item];
}

/** Drops texts that repeat the name of a field, and image links that duplicate a named link. */
export function withoutEchoes(pieces: Piece[]): Piece[] {
  if (pieces.length < 2) return pieces;
  return pieces.filter((piece, at) => {
    if (piece.kind === 'item') return !isNamelessTwin(piece, pieces);
    const text = tidy(piece.text).replace(/\s*[:*]+$/, '');
    return !isNamed(pieces[at + 1], text) && !isNamed(pieces[at - 1], text);
  });
}

function isNamelessTwin(item: Item, among: readonly Piece[]): boolean {
  const [url] = item.props;
  if (item.role !== 'link' || item.name !== '' || item.children.length > 0 || url === undefined) return false;
  // The named link may be in a heading.
  const isTwin = (other: Piece): boolean => {
    if (other.kind === 'text') return false;
    if (other.role === 'link' && other.name !== '' && other.props[0]?.[1] === url[1]) return true;
    return other.role === 'heading' && other.children.some(isTwin);
  };
  return among.some(isTwin);
}

function isNamed(piece: Piece | undefined, text: string): boolean {
  if (piece?.kind !== 'item' || !piece.hasRef || piece.role === 'link') return false;
  // A button prints its own text, except for file inputs.
  if (piece.role === 'button' && !(piece.element instanceof HTMLInputElement)) return false;
  return piece.name.replace(/\s*[:*]+$/, '') === text;
}

/** Replaces the item with its children, which keep its line break. */
function opened(item: Item): Piece[] {
  const [first, ...rest] = item.children;
  if (first === undefined || first.breaks || !item.breaks) return item.children;
  return [{ ...first, breaks: true }, ...rest];
}

/** Seems clickable only because of the control inside it. */
function isWrapper(item: Item): boolean {
  const [only] = item.children;
  return item.isGuess && item.name === '' && item.children.length === 1 && only?.kind === 'item' && only.hasRef;
}

function isRepeat(item: Item, only: Item): boolean {
  if (item.states.length > 0) return false;
  if (shells.has(item.role) && item.name === '') return true;
  return item.name !== '' && item.name === only.name && only.role !== 'iframe';
}

/** Text that repeats the name, and icon fonts. */
function dropRepeats(item: Item): void {
  if (item.name === '' || item.children.length === 0) return;
  item.children = item.children.filter((child) => {
    if (child.kind === 'item') return child.hasRef || !isSaid(child, item.name);
    const text = tidy(child.text);
    if (item.role === 'img' && isDrawn(item, text)) return false;
    return !saysWords(item.name, text) && !(item.hasRef && wordless.test(text));
  });
}

/** The name has the text, and not only as a part of a word. */
function saysWords(name: string, text: string): boolean {
  const at = name.indexOf(text);
  if (at < 0 || text === '') return at >= 0;
  const isInWord = (before: string, after: string): boolean => letter.test(before) && letter.test(after);
  const end = at + text.length;
  return !isInWord(name.charAt(at - 1), text.charAt(0)) && !isInWord(text.charAt(text.length - 1), name.charAt(end));
}

/** The signs of a picture, such as stars, and letters in the font of an icon. */
function isDrawn({ element, name }: Item, text: string): boolean {
  return (
    wordless.test(text) || name.toLowerCase().includes(text.toLowerCase()) || isIconFont(getComputedStyle(element))
  );
}

function isSaid(child: Item, name: string): boolean {
  if (child.role === 'heading') return false;
  const [only, ...others] = child.children;
  if (only === undefined) return child.name === name;
  return child.name === '' && others.length === 0 && only.kind === 'text' && tidy(only.text) === name;
}
