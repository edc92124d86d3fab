import type { Place } from './fit.ts';
import { countLines } from './node.ts';
import type { ViewNode } from './node.ts';

export interface FoldOptions {
  /** Runs of like siblings longer than this are folded. */
  readonly longest: number;
  /** How many of a folded run are shown. */
  readonly kept: number;
  /** Whether prose is folded too: its parts are alike in form only. */
  readonly foldsProse: boolean;
}

/** Deeper differences do not make two rows unlike: one card with a badge is still a card. */
const shapeDepth = 2;
const proseKinds = new Set(['paragraph', 'heading', 'text', 'blockquote']);

/** Folds runs of like siblings: the first few, and a line that says how to see the rest. Pure. */
export function fold(nodes: readonly ViewNode[], options: FoldOptions, place: Place): readonly ViewNode[] {
  const result: ViewNode[] = [];
  for (let start = 0; start < nodes.length;) {
    const end = runEnd(nodes, start);
    const isProse = proseKinds.has(nodes[start]?.kind ?? '');
    const isLong = end - start > options.longest && (options.foldsProse || !isProse);
    const shown = isLong ? nodes.slice(start, start + options.kept) : nodes.slice(start, end);
    for (const node of shown)
      result.push({ ...node, children: fold(node.children, options, { key: node.key, from: 0 }) });
    if (isLong)
      result.push(
        foldLine(nodes.slice(start + options.kept, end), { ...place, from: place.from + start + options.kept }),
      );
    start = end;
  }
  return result;
}

function foldLine(hidden: readonly ViewNode[], place: Place): ViewNode {
  if (hidden[0]?.kind === 'line') return { ...cutLine(hidden, place), stands: hidden.length };
  const cursor = cursorOf(place);
  return {
    key: `fold:${cursor}`,
    kind: 'fold',
    line: `… ${hidden.length} more like these, cursor="${cursor}"`,
    children: [],
    stands: hidden.length,
  };
}

/** Stands for what a budget left no room for. */
export function cutLine(hidden: readonly ViewNode[], place: Place): ViewNode {
  const cursor = cursorOf(place);
  return {
    key: `cut:${cursor}`,
    kind: 'fold',
    line: `… ${countLines(hidden)} more lines, cursor="${cursor}"`,
    children: [],
  };
}

/** `e12+5`: what stands in the element e12, from its sixth part on. */
function cursorOf({ key, from }: Place): string {
  return `${key}+${from}`;
}

export function readCursor(cursor: string): Place | undefined {
  const match = /^([\w:]*)\+(\d+)$/.exec(cursor.trim());
  return match === null ? undefined : { key: match[1] ?? '', from: Number(match[2]) };
}

/** Where the run of nodes that look like the first one ends. */
function runEnd(nodes: readonly ViewNode[], start: number): number {
  const first = nodes[start];
  if (first === undefined) return nodes.length;
  const shape = shapeOf(first, shapeDepth);
  let end = start + 1;
  for (let node = nodes[end]; node !== undefined && shapeOf(node, shapeDepth) === shape; node = nodes[end]) end++;
  return end;
}

/** Roles, without counts: a list of three links and one of five are alike. */
function shapeOf(node: ViewNode, depth: number): string {
  if (depth === 0 || node.children.length === 0) return node.kind;
  const inner = new Set(
    node.children.filter((child) => child.kind !== 'text').map((child) => shapeOf(child, depth - 1)),
  );
  return inner.size === 0 ? node.kind : `${node.kind}(${[...inner].sort().join()})`;
}
