import { estimateTokens } from '../util/tokens.ts';
import { cutLine, fold } from './fold.ts';
import { linesOf, shownLine } from './node.ts';
import type { ViewNode } from './node.ts';

/** From a light fold to one that shows a single example of everything. */
const folds = [
  { longest: 12, kept: 8, foldsProse: false },
  { longest: 6, kept: 4, foldsProse: false },
  { longest: 3, kept: 2, foldsProse: true },
] as const;
/** The cost of a line with a cursor, at each level. */
const cutCost = 20;

/** Where nodes are: below which node, and after how many siblings. */
export interface Place {
  readonly key: string;
  readonly from: number;
}

/** Folds and cuts a view to a token budget. A line with a cursor replaces the omitted part. Pure. */
export function fitView(
  nodes: readonly ViewNode[],
  maxTokens: number,
  place: Place = { key: '', from: 0 },
): readonly ViewNode[] {
  // A document that is only text is meant to be read from its beginning.
  if (nodes.every((node) => node.kind === 'text')) return takeNodes(nodes, place, { left: maxTokens }).nodes;
  let folded: readonly ViewNode[] = nodes;
  for (const options of folds) {
    folded = fold(nodes, options, place);
    if (costOf(folded) <= maxTokens) return folded;
  }
  return takeNodes(folded, place, { left: maxTokens }).nodes;
}

/**
 * Fits the nodes at a cursor: as many as the budget allows, so that a long run is read in few steps. Only their content is
 * folded. Pure.
 */
export function fitRest(nodes: readonly ViewNode[], maxTokens: number, place: Place): readonly ViewNode[] {
  const parts = nodes.map((node) => ({ ...node, children: fold(node.children, folds[0], { key: node.key, from: 0 }) }));
  return takeNodes(parts, place, { left: maxTokens }).nodes;
}

export function costOf(nodes: readonly ViewNode[]): number {
  let cost = 0;
  for (const line of linesOf(nodes)) cost += lineCost(line.node, line.depth);
  return cost;
}

function lineCost(node: ViewNode, depth: number): number {
  return estimateTokens(shownLine({ node, depth })) + 1;
}

interface Budget {
  left: number;
}

function takeNodes(
  nodes: readonly ViewNode[],
  place: Place,
  budget: Budget,
  depth = 0,
): { readonly nodes: readonly ViewNode[]; readonly isCut: boolean } {
  const taken: ViewNode[] = [];
  let from = place.from;
  for (const [index, node] of nodes.entries()) {
    const cost = lineCost(node, depth);
    // The first line is always shown: otherwise the cursor would lead to itself.
    const isFirst = depth === 0 && index === 0;
    if (!isFirst && budget.left < cost + cutCost * (depth + 1)) {
      return { nodes: [...taken, cutLine(nodes.slice(index), { ...place, from })], isCut: true };
    }
    budget.left -= cost;
    from += node.stands ?? 1;
    const inner = takeNodes(node.children, { key: node.key, from: 0 }, budget, depth + 1);
    taken.push({ ...node, children: inner.nodes });
  }
  return { nodes: taken, isCut: false };
}
