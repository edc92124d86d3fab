import type { Piece, TextRun } from '../walk/items.ts';
import { withoutUnseen } from '../walk/text.ts';

/** Limit for preformatted text: some documents are logs of many megabytes. */
export const mostText = 500_000;
/** Longer single lines are wrapped too. */
const longestLine = 200;
const otherSpace = /[^\S\t ]/g;

export function isPreformatted(style: CSSStyleDeclaration): boolean {
  return /^(?:pre|break-spaces)/.test(style.whiteSpace);
}

/** The visible text, line by line, with its spaces. */
export function linesIn(raw: string): readonly string[] {
  return withoutUnseen(raw)
    .split('\n')
    .map((line) => line.replace(otherSpace, ' '));
}

/** Whether preformatted text is a listing, not just a short line. */
export function isListing(pieces: readonly Piece[]): boolean {
  if (!pieces.some((piece) => piece.kind === 'text' && piece.isLine === true)) return false;
  const lines = pieces.filter((piece): piece is TextRun => piece.kind === 'text' && piece.text.trim() !== '');
  const isLong = lines.length > 1 || (lines[0]?.text.trim().length ?? 0) > longestLine;
  return isLong && lines.some((line) => line.isLine === true);
}

/** The pieces of each line. Blank lines are kept only between others, one at a time. */
export function linesOf(pieces: readonly Piece[]): readonly (readonly Piece[])[] {
  const lines: Piece[][] = [];
  for (const piece of pieces) {
    const line = lines.at(-1);
    if (line === undefined || piece.breaks) lines.push([piece]);
    else line.push(piece);
  }
  const isText = lines.map((line) => line.some((piece) => piece.kind === 'item' || piece.text.trim() !== ''));
  const last = isText.lastIndexOf(true);
  return lines.filter((_, at) => isText[at] === true || (isText[at - 1] === true && at < last));
}
