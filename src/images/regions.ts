import { areaOf, grown, overlapOf, unionOf } from './rectangle.ts';
import type { Rectangle } from './rectangle.ts';

/** A part of an image where pixels differ. */
export interface Region extends Rectangle {
  /** How many pixels in it differ. */
  readonly pixels: number;
}

/** Which pixels differ: one byte per pixel, row by row. */
export interface Mask {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

/** Pixels are collected in square cells; larger ones if the parts would be too many to merge. */
const cellSides = [8, 32, 128] as const;
const mostParts = 500;
/** Regions with a smaller gap are one: the letters of a word, the lines of a paragraph. */
const smallestGap = 12;

/** The parts of an image where pixels differ, from top to bottom. Parts close to each other are merged. */
export function regionsOf(mask: Mask): readonly Region[] {
  let parts: readonly Region[] = [];
  for (const side of cellSides) {
    parts = partsOf(mask, side);
    if (parts.length <= mostParts) break;
  }
  return merged(parts).toSorted((a, b) => a.y - b.y || a.x - b.x);
}

/** Groups of touching cells with differing pixels. */
function partsOf(mask: Mask, side: number): readonly Region[] {
  const cells = cellsOf(mask, side);
  const columns = Math.ceil(mask.width / side);
  const seen = new Uint8Array(cells.length);
  const found: Region[] = [];
  for (const [start, cell] of cells.entries()) {
    if (cell !== undefined && seen[start] === 0) found.push(connectedTo(start, cells, columns, seen));
  }
  return found;
}

/** The differing pixels of each cell; undefined for a cell without any. */
function cellsOf(mask: Mask, side: number): readonly (Region | undefined)[] {
  const cells: (Region | undefined)[] = [];
  for (let y = 0; y < mask.height; y += side) {
    for (let x = 0; x < mask.width; x += side) cells.push(cellAt(mask, x, y, side));
  }
  return cells;
}

function cellAt({ width, height, data }: Mask, x: number, y: number, side: number): Region | undefined {
  let [left, top, right, bottom, pixels] = [width, height, -1, -1, 0];
  for (let row = y; row < Math.min(y + side, height); row++) {
    for (let column = x; column < Math.min(x + side, width); column++) {
      if (data[row * width + column] === 0) continue;
      pixels++;
      left = Math.min(left, column);
      right = Math.max(right, column);
      top = Math.min(top, row);
      bottom = row;
    }
  }
  return pixels === 0 ? undefined : { x: left, y: top, width: right - left + 1, height: bottom - top + 1, pixels };
}

function joined(a: Region | undefined, b: Region): Region {
  return a === undefined ? b : { ...unionOf(a, b), pixels: a.pixels + b.pixels };
}

/** All cells that touch the first one, directly or through others. */
function connectedTo(first: number, cells: readonly (Region | undefined)[], columns: number, seen: Uint8Array): Region {
  let region: Region | undefined;
  const waiting = [first];
  seen[first] = 1;
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    const cell = cells[at];
    if (cell !== undefined) region = joined(region, cell);
    for (const next of neighboursOf(at, columns, cells.length)) {
      if (seen[next] !== 0 || cells[next] === undefined) continue;
      seen[next] = 1;
      waiting.push(next);
    }
  }
  return region ?? { x: 0, y: 0, width: 0, height: 0, pixels: 0 };
}

function neighboursOf(at: number, columns: number, count: number): readonly number[] {
  const column = at % columns;
  const sides = [-1, 0, 1].filter((step) => column + step >= 0 && column + step < columns);
  return [-columns, 0, columns]
    .flatMap((row) => sides.map((side) => at + row + side))
    .filter((next) => next !== at && next >= 0 && next < count);
}

/** Merges what overlaps or almost touches, until nothing does. */
function merged(regions: readonly Region[]): readonly Region[] {
  let rest = regions;
  for (;;) {
    const next: Region[] = [];
    for (const region of rest) {
      const near = next.findIndex((other) => areaOf(overlapOf(grown(other, smallestGap), region)) > 0);
      const other = next[near];
      if (other === undefined) next.push(region);
      else next[near] = joined(other, region);
    }
    if (next.length === rest.length) return next;
    rest = next;
  }
}
