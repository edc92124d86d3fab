import type { Place } from './fit.ts';
import { countLines } from './node.ts';
import type { ViewNode } from './node.ts';

export interface FoldOptions {
  /** Longer runs of similar siblings are folded. */
  readonly longest: number;
  /** How many of a folded run are shown. */
  readonly kept: number;
  /** Prose is similar in form only, and controls have names of their own: by default only other items are folded. */
  readonly folds: 'items' | 'everything';
  /** Longer runs of controls are folded too. */
  readonly mostControls?: number;
  /** Only runs whose end is outside the viewport; what is in it stays. */
  readonly isOffscreenOnly?: boolean;
  /** Nodes outside the viewport. */
  readonly offscreen?: ReadonlySet<ViewNode>;
  /** Nodes that stay, with what contains them. */
  readonly isWanted?: (node: ViewNode) => boolean;
}

/** Deeper differences do not count: a card with a badge is similar to one without. */
const shapeDepth = 2;
const proseKinds = new Set(['paragraph', 'heading', 'text', 'blockquote']);

/** Folds runs of similar siblings into the first few and a line with the cursor for the rest. Pure. */
export function fold(nodes: readonly ViewNode[], options: FoldOptions, place: Place): readonly ViewNode[] {
  const result: ViewNode[] = [];
  for (let start = 0; start < nodes.length;) {
    const end = runEnd(nodes, start);
    const kept = keptOf(nodes.slice(start, end), options);
    for (let at = start; at < end;) {
      const node = nodes[at];
      if (node === undefined) break;
      if (kept.has(node)) {
        result.push({ ...node, children: fold(node.children, options, { key: node.key, from: 0 }) });
        at++;
        continue;
      }
      let next = at;
      for (let hidden = nodes[next]; next < end && hidden !== undefined && !kept.has(hidden); hidden = nodes[next])
        next++;
      result.push(foldLine(nodes.slice(at, next), { ...place, from: place.from + at }));
      at = next;
    }
    start = end;
  }
  return result;
}

/** The nodes of a run that are shown: all of them unless it is folded. */
function keptOf(run: readonly ViewNode[], options: FoldOptions): ReadonlySet<ViewNode> {
  const { kept, offscreen, isOffscreenOnly = false, isWanted } = options;
  const all = new Set(run);
  if (run.length <= longestOf(run, options)) return all;
  const isSeen = (node: ViewNode): boolean => isOffscreenOnly && offscreen?.has(node) !== true;
  const shown = run.filter((node, at) => at < kept || isSeen(node) || contains(node, isWanted));
  // A line for a single hidden node would save nothing.
  return run.length - shown.length < 2 ? all : new Set(shown);
}

function longestOf(run: readonly ViewNode[], { longest, folds, mostControls }: FoldOptions): number {
  if (folds === 'everything') return longest;
  if (proseKinds.has(run[0]?.kind ?? '')) return Number.POSITIVE_INFINITY;
  return run.every(isControl) ? Math.max(longest, mostControls ?? Number.POSITIVE_INFINITY) : longest;
}

/** A line that is only one element with a name and a ref. */
function isControl(node: ViewNode): boolean {
  const [only, ...others] = node.parts;
  if (node.children.length > 0 || others.length > 0) return false;
  return typeof only === 'object' && only.ref !== undefined && only.name !== undefined;
}

function contains(node: ViewNode, isWanted: FoldOptions['isWanted']): boolean {
  if (isWanted === undefined) return false;
  return isWanted(node) || node.children.some((child) => contains(child, isWanted));
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
    cursor,
  };
}

/** Stands for the content of a part that the page before had too. */
export function repeatLine({ key, children }: ViewNode): ViewNode {
  const cursor = cursorOf({ key, from: 0 });
  return {
    key: `repeat:${cursor}`,
    kind: 'fold',
    parts: [`… ${countLines(children)} lines as on the page before, same refs, cursor="${cursor}"`],
    children: [],
    stands: children.length,
    cursor,
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
    cursor,
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
