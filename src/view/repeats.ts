import { lineText } from '../page/walk/line.ts';
import { isFocused } from './focus.ts';
import { repeatLine } from './fold.ts';
import { countLines, elementsOf, linesOf } from './node.ts';
import type { ViewNode } from './node.ts';

/** Parts that the pages of a site share. */
const sharedKinds = new Set(['banner', 'navigation', 'contentinfo', 'complementary']);
const leastLines = 4;

export interface Repeats {
  /** The page, with one line in place of the content of each repeated part. */
  readonly nodes: readonly ViewNode[];
  /** The refs in the repeated parts: of the page before, and of this one. */
  readonly refs: ReadonlyMap<string, string>;
  /** Puts the content back. */
  readonly restore: (nodes: readonly ViewNode[]) => readonly ViewNode[];
}

/** Leaves out headers, menus and footers that are the same as on the page before, except for their refs. Pure. */
export function withoutRepeats(before: readonly ViewNode[], now: readonly ViewNode[]): Repeats {
  const known = new Map<string, ViewNode>();
  for (const { node } of linesOf(before)) if (sharedKinds.has(node.kind)) known.set(signatureOf(node), node);
  const refs = new Map<string, string>();
  const repeated = new Map<string, ViewNode>();
  const visit = (node: ViewNode): ViewNode => {
    const old = sharedKinds.has(node.kind) && isWorthIt(node) ? known.get(signatureOf(node)) : undefined;
    if (old === undefined) return node.children.length === 0 ? node : { ...node, children: node.children.map(visit) };
    const [were, are] = [refsIn(old), refsIn(node)];
    for (const [at, ref] of were.entries()) refs.set(ref, are[at] ?? '');
    repeated.set(node.key, node);
    return { ...node, children: [repeatLine(node)] };
  };
  const nodes = now.map(visit);
  const restore = (shown: readonly ViewNode[]): readonly ViewNode[] =>
    shown.map((node) => repeated.get(node.key) ?? { ...node, children: restore(node.children) });
  return { nodes, refs, restore };
}

function isWorthIt(node: ViewNode): boolean {
  return countLines(node.children) >= leastLines && ![...linesOf([node])].some((line) => isFocused(line.node));
}

/** All lines with their depth, without refs, focus and positions. */
function signatureOf(part: ViewNode): string {
  const texts = [...linesOf([part])].map(({ node, depth }) => {
    const parts = node.parts.map((each) =>
      typeof each === 'string' ? each : { ...each, ...(each.ref === undefined ? {} : { ref: '' }) },
    );
    return `${depth} ${lineText(parts, { isComparable: true })}`;
  });
  return texts.join('\n');
}

function refsIn(part: ViewNode): readonly string[] {
  return [...linesOf([part])].flatMap(({ node }) => elementsOf(node).flatMap(({ ref }) => ref ?? []));
}
