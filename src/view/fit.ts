import { estimateTokens } from '../util/tokens.ts';
import { cutLine, fold } from './fold.ts';
import type { FoldOptions } from './fold.ts';
import { linesOf, shownLine } from './node.ts';
import type { ViewNode } from './node.ts';
import { offscreenIn } from './select.ts';

/**
 * Steps of folding, taken until the page is small enough: first long runs of similar items outside the viewport, then
 * shorter ones and those in the viewport. Controls with names of their own come last.
 */
const folds: readonly FoldOptions[] = [
  { longest: 12, kept: 8, folds: 'items', isOffscreenOnly: true },
  { longest: 12, kept: 8, folds: 'items' },
  { longest: 12, kept: 8, folds: 'items', mostControls: 40 },
];
/** Further steps if the page exceeds what an answer can hold, to a single example of everything. */
const hardFolds: readonly FoldOptions[] = [
  { longest: 6, kept: 4, folds: 'items', mostControls: 12 },
  { longest: 3, kept: 2, folds: 'everything' },
];
const lightFold: FoldOptions = { longest: 12, kept: 8, folds: 'items', mostControls: 40 };
/** The cost of a line with a cursor, at each level. */
const cutCost = 20;

/** Where nodes are: below which node, and after how many siblings. */
export interface Place {
  readonly key: string;
  readonly from: number;
}

export interface FitLimits {
  /** Token budget. */
  readonly most: number;
  /** Up to this many tokens nothing is folded; default: the budget. */
  readonly whole?: number;
  /** Nodes that are not folded, with what contains them. */
  readonly isWanted?: (node: ViewNode) => boolean;
}

/** Folds and cuts a view to a token budget. A line with a cursor replaces the omitted part. Pure. */
export function fitView(
  nodes: readonly ViewNode[],
  { most, whole = most, isWanted }: FitLimits,
  place: Place = { key: '', from: 0 },
): readonly ViewNode[] {
  // A document that is only text is meant to be read from its beginning.
  if (nodes.every((node) => node.kind === 'text')) return takeNodes(nodes, place, { left: most }).nodes;
  const goal = Math.min(whole, most);
  if (isWithin(nodes, goal)) return nodes;
  const offscreen = offscreenIn(nodes);
  const keeps = { offscreen, ...(isWanted && { isWanted }) };
  let folded: readonly ViewNode[] = nodes;
  for (const options of folds) {
    folded = fold(nodes, { ...options, ...keeps }, place);
    if (isWithin(folded, goal)) return folded;
  }
  for (const options of hardFolds) {
    if (isWithin(folded, most)) return folded;
    folded = fold(nodes, { ...options, ...keeps }, place);
  }
  return isWithin(folded, most) ? folded : takeNodes(folded, place, { left: most }).nodes;
}

/**
 * Fits the nodes at a cursor: as many as the budget allows, so that a long run is read in few steps. Only their content is
 * folded. Pure.
 */
export function fitRest(nodes: readonly ViewNode[], { most }: FitLimits, place: Place): readonly ViewNode[] {
  if (isWithin(nodes, most)) return nodes;
  const parts = nodes.map((node) => ({
    ...node,
    children: fold(node.children, lightFold, { key: node.key, from: 0 }),
  }));
  return takeNodes(parts, place, { left: most }).nodes;
}

/** Stops where the budget ends: a page of thousands of lines is asked about at every step of folding. */
function isWithin(nodes: readonly ViewNode[], budget: number): boolean {
  let left = budget;
  for (const { node, depth } of linesOf(nodes)) {
    left -= lineCost(node, depth);
    if (left < 0) return false;
  }
  return true;
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
