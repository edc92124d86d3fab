import { isBlocking, isInFront } from '../dom/modals.ts';
import { blankItem } from './items.ts';
import type { Item, Piece } from './items.ts';

const mark = 'modal';

/** A modal dialog before everything else, and a line that says that the rest is out of reach. */
export function withModalFirst(body: Element, pieces: readonly Piece[]): readonly Piece[] {
  const blocking = modalsIn(pieces).filter(({ element }) => isBlocking(element));
  const first = blocking.findLast(({ element }) => isInFront(element)) ?? blocking.at(-1);
  if (first === undefined) return pieces;
  const rest = without(first, pieces);
  const front = { ...first, breaks: true };
  if (rest.length === 0) return [front];
  const note = { ...blankItem(body, 'generic', true), marks: ['out of reach from here on'], isNote: true as const };
  return [front, note, ...rest];
}

function modalsIn(pieces: readonly Piece[]): readonly Item[] {
  const found: Item[] = [];
  const visit = (piece: Piece): void => {
    if (piece.kind === 'text') return;
    if (piece.marks.includes(mark)) found.push(piece);
    for (const child of piece.children) visit(child);
  };
  for (const piece of pieces) visit(piece);
  return found;
}

/** Only the items around it are copied: the others are known from the walk before. */
function without(item: Item, pieces: readonly Piece[]): Piece[] {
  return pieces.flatMap((piece): Piece[] => {
    if (piece === item) return [];
    if (piece.kind === 'text' || !contains(piece, item)) return [piece];
    const children = without(item, piece.children);
    return children.length === 0 && !piece.hasRef && piece.name === '' ? [] : [{ ...piece, children }];
  });
}

function contains(piece: Item, item: Item): boolean {
  return piece.children.some((child) => child === item || (child.kind === 'item' && contains(child, item)));
}
