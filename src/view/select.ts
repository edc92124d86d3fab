import type { ViewNode } from './node.ts';

const mostMatches = 50;
/** A pattern may take very long on a very long line. */
const longestSearched = 1000;

/** No deeper than this many levels; what is below is counted. Pure. */
export function limitDepth(nodes: readonly ViewNode[], depth: number): readonly ViewNode[] {
  return nodes.map((node) => {
    if (depth > 1 || node.children.length === 0) return { ...node, children: limitDepth(node.children, depth - 1) };
    const count = node.children.length;
    return { ...node, line: `${node.line} (${count === 1 ? '1 thing' : `${count} things`} in it)`, children: [] };
  });
}

/** Only what can be acted on, each with its line; what surrounds it is left out. Pure. */
export function onlyInteractive(nodes: readonly ViewNode[]): readonly ViewNode[] {
  return nodes.flatMap((node) => {
    const inner = onlyInteractive(node.children);
    return node.line.includes('[ref=') ? [{ ...node, children: inner }] : inner;
  });
}

/** Only what is in the window now; a line may say that the window ends there. Pure. */
export function onlyInView(nodes: readonly ViewNode[]): readonly ViewNode[] {
  let isBelow = false;
  const visit = (all: readonly ViewNode[]): readonly ViewNode[] =>
    all.flatMap((node) => {
      if (node.line.includes('[offscreen from here on]')) isBelow = true;
      if (isBelow || isOutside(node.line)) return [];
      const children = visit(node.children);
      return children.length === 0 && node.children.length > 0 ? [] : [{ ...node, children }];
    });
  return visit(nodes);
}

/** A line may hold several things, of which some are in view. */
function isOutside(line: string): boolean {
  const marks = line.split('[offscreen]').length - 1;
  return marks > 0 && marks >= line.split('[ref=').length - 1;
}

export interface Matches {
  readonly nodes: readonly ViewNode[];
  readonly count: number;
}

/** Lines that hold the text, each under the lines that it stands in and between its neighbours. Pure. */
export function searchView(nodes: readonly ViewNode[], wanted: string | RegExp): Matches {
  const text = typeof wanted === 'string' ? wanted.toLowerCase() : '';
  const holds = (line: string): boolean =>
    typeof wanted === 'string' ? line.toLowerCase().includes(text) : wanted.test(line.slice(0, longestSearched));
  let count = 0;
  const visit = (all: readonly ViewNode[]): readonly ViewNode[] => {
    const seen = all.map((node) => {
      const matches = holds(node.line);
      if (matches) count++;
      const isShown = matches && count <= mostMatches;
      return { node, isShown, children: visit(node.children) };
    });
    return seen.flatMap(({ node, isShown, children }, at) => {
      if (isShown || children.length > 0) return [{ ...node, children }];
      // What stands beside a label is often what it is about; the next button or row of many is not.
      const beside = [seen[at - 1], seen[at + 1]].filter((other) => other?.isShown === true);
      const isOther = (other: (typeof beside)[number]): boolean =>
        other?.node.kind !== node.kind || !node.line.includes('[ref=');
      return beside.some(isOther) ? limitDepth([node], 1) : [];
    });
  };
  return { nodes: visit(nodes), count };
}
