import type { Place } from './fit.ts';
import { countLines } from './node.ts';
import type { ViewNode } from './node.ts';

export interface FoldOptions {
  /** Longer runs of similar siblings are folded. */
  readonly longest: number;
  /** How many of a folded run are shown. */
  readonly kept: number;
  /** Whether prose is folded too: its paragraphs are similar in form only. */
  readonly foldsProse: boolean;
}

/** Deeper differences do not count: a card with a badge is similar to one without. */
const shapeDepth = 2;
const proseKinds = new Set(['paragraph', 'heading', 'text', 'blockquote']);

/** Folds runs of similar siblings into the first few and a line with the cursor for the rest. Pure. */
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
    parts: [`… ${hidden.length} more like these, cursor="${cursor}"`],
    children: [],
    stands: hidden.length,
  };
}

/** Stands for the lines that exceed the budget. */
export function cutLine(hidden: readonly ViewNode[], place: Place): ViewNode {
  const cursor = cursorOf(place);
  return {
    key: `cut:${cursor}`,
    kind: 'fold',
    parts: [`… ${countLines(hidden)} more lines, cursor="${cursor}"`],
    children: [],
  };
}

/** `n12+5`: the content of the node n12, from its sixth child on. */
function cursorOf({ key, from }: Place): string {
  return `${key}+${from}`;
}

export function readCursor(cursor: string): Place | undefined {
  const match = /^([\w:]*)\+(\d+)$/.exec(cursor.trim());
  return match === null ? undefined : { key: match[1] ?? '', from: Number(match[2]) };
}

/** The end of the run of nodes similar to the first one. */
function runEnd(nodes: readonly ViewNode[], start: number): number {
  const first = nodes[start];
  if (first === undefined) return nodes.length;
  const shape = shapeOf(first, shapeDepth);
  let end = start + 1;
  for (let node = nodes[end]; node !== undefined && shapeOf(node, shapeDepth) === shape; node = nodes[end]) end++;
  return end;
}

/** Roles, without counts: a list of three links and one of five are similar. */
function shapeOf(node: ViewNode, depth: number): string {
  if (depth === 0 || node.children.length === 0) return node.kind;
  const inner = new Set(
    node.children.filter((child) => child.kind !== 'text').map((child) => shapeOf(child, depth - 1)),
  );
  return inner.size === 0 ? node.kind : `${node.kind}(${[...inner].sort().join()})`;
}
