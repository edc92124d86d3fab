import type { Item, Piece } from './items.ts';
import { emptyWithoutName, transparentRoles } from './role-tables.ts';
import { tidy } from './text.ts';

const keptEmpty = new Set(
  'heading img iframe canvas cell gridcell columnheader rowheader progressbar meter dialog alertdialog option'.split(
    ' ',
  ),
);

/** The pieces that an item comes down to: itself, what is inside it, or nothing. */
export function compacted(pieces: readonly Piece[], _into: readonly Piece[] | undefined): Piece[] {
  return pieces.flatMap((piece) => (piece.kind === 'item' ? compactItem(piece) : [piece]));
}

function compactItem(item: Item): Piece[] {
  dropRepeats(item);
  const { children } = item;
  const hasOwn = item.name !== '' || item.value !== '' || item.states !== '';
  if (item.hasRef) return isWrapper(item) ? children : [item];
  if (transparentRoles.has(item.role)) return opened(item);
  if (!hasOwn && emptyWithoutName.has(item.role)) return opened(item);
  if (children.length === 0) {
    if (item.role === 'img') return item.name === '' ? [] : [item];
    return hasOwn || keptEmpty.has(item.role) ? [item] : [];
  }
  const [only] = children;
  if (children.length === 1 && only?.kind === 'item' && isRepeat(item, only)) return children;
  return [item];
}

/** The children in place of the item, which still begin where it began. */
function opened(item: Item): Piece[] {
  const [first, ...rest] = item.children;
  if (first === undefined || first.breaks || !item.breaks) return item.children;
  return [{ ...first, breaks: true }, ...rest];
}

/** Looks clickable because of the one thing in it that is. */
function isWrapper(item: Item): boolean {
  const [only] = item.children;
  return item.isGuess && item.name === '' && item.children.length === 1 && only?.kind === 'item' && only.hasRef;
}

function isRepeat(item: Item, only: Item): boolean {
  if (item.states !== '') return false;
  if (item.role === 'listitem' && item.name === '') return true;
  return item.name !== '' && item.name === only.name && only.role !== 'iframe';
}

/** Text that the name has said already. */
function dropRepeats(item: Item): void {
  if (item.name === '' || item.children.length === 0) return;
  item.children = item.children.filter((child) => {
    if (child.kind === 'text') return !item.name.includes(tidy(child.text));
    return child.hasRef || child.children.length > 0 || child.name !== item.name || child.role === 'heading';
  });
}
