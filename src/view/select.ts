import type { Pattern } from '../util/pattern.ts';
import { elementsOf, hasRef, textOf } from './node.ts';
import type { ViewNode } from './node.ts';

const mostMatches = 50;
/** Limits the time that a pattern can take on one line. */
const longestSearched = 1000;

/** At most this many levels; what is below is counted. Pure. */
export function limitDepth(nodes: readonly ViewNode[], depth: number): readonly ViewNode[] {
  return nodes.map((node) => {
    if (depth > 1 || node.children.length === 0) return { ...node, children: limitDepth(node.children, depth - 1) };
    const count = node.children.length;
    const inside = count === 1 ? '1 thing' : `${count} things`;
    return { ...node, parts: [...node.parts, `: (${inside} in it)`], children: [] };
  });
}

/** Only the lines of elements with a ref. Pure. */
export function onlyInteractive(nodes: readonly ViewNode[]): readonly ViewNode[] {
  return nodes.flatMap((node) => {
    const inner = onlyInteractive(node.children);
    return hasRef(node) ? [{ ...node, children: inner }] : inner;
  });
}

/** Only what is in the viewport now. A line may say that everything from there on is outside it. Pure. */
export function onlyInView(nodes: readonly ViewNode[]): readonly ViewNode[] {
  let isBelow = false;
  const visit = (all: readonly ViewNode[]): readonly ViewNode[] =>
    all.flatMap((node) => {
      if (elementsOf(node).some(({ offscreen }) => offscreen === 'rest')) isBelow = true;
      if (isBelow || isOutside(node)) return [];
      const children = visit(node.children);
      return children.length === 0 && node.children.length > 0 ? [] : [{ ...node, children }];
    });
  return visit(nodes);
}

/** Nodes outside the viewport, with all that is in them. */
export function offscreenIn(nodes: readonly ViewNode[]): ReadonlySet<ViewNode> {
  const offscreen = new Set<ViewNode>();
  let isBelow = false;
  const visit = (node: ViewNode): boolean => {
    const wasBelow = isBelow;
    if (elementsOf(node).some(({ offscreen: where }) => where === 'rest')) isBelow = true;
    const areInside = node.children.map(visit);
    const isOut = wasBelow || (areInside.every(Boolean) && (areInside.length > 0 || isOutside(node)));
    if (isOut) offscreen.add(node);
    return isOut;
  };
  for (const node of nodes) visit(node);
  return offscreen;
}

/** A line may contain several elements, some of them in the viewport. */
function isOutside(node: ViewNode): boolean {
  const elements = elementsOf(node).filter(({ ref }) => ref !== undefined);
  return elements.length > 0 && elements.every(({ offscreen }) => offscreen !== undefined);
}

export interface Matches {
  readonly nodes: readonly ViewNode[];
  readonly count: number;
}

/** Lines that contain the text, each below its ancestors and between its siblings. Pure. */
export function searchView(nodes: readonly ViewNode[], wanted: string | Pattern): Matches {
  const text = typeof wanted === 'string' ? wanted.toLowerCase() : '';
  const holds = (line: string): boolean =>
    typeof wanted === 'string' ? line.toLowerCase().includes(text) : wanted.test(line.slice(0, longestSearched));
  let count = 0;
  const visit = (all: readonly ViewNode[]): readonly ViewNode[] => {
    const seen = all.map((node) => {
      const matches = holds(textOf(node));
      if (matches) count++;
      const isShown = matches && count <= mostMatches;
      return { node, isShown, children: visit(node.children) };
    });
    return seen.flatMap(({ node, isShown, children }, at) => {
      if (isShown || children.length > 0) return [{ ...node, children }];
      // The sibling of a label is often its field; the next of many buttons or rows is unrelated.
      const beside = [seen[at - 1], seen[at + 1]].filter((other) => other?.isShown === true);
      const isOther = (other: (typeof beside)[number]): boolean => other?.node.kind !== node.kind || !hasRef(node);
      return beside.some(isOther) ? limitDepth([node], 1) : [];
    });
  };
  return { nodes: visit(nodes), count };
}
