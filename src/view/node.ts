/** One thing on the page, as a line; what is in it, as further ones. */
export interface ViewNode {
  /** Names the element as long as it lives; the same in every walk of its document. */
  readonly key: string;
  /** The line, without indentation and dash. */
  readonly line: string;
  /** Its role, or what else it is (`text`, `line`, `fold`): likes are folded together. */
  readonly kind: string;
  readonly children: readonly ViewNode[];
  /** How many siblings a line about folded ones stands for; absent means one. */
  readonly stands?: number;
}

/** A line and how deep it stands. */
export interface ViewLine {
  readonly node: ViewNode;
  readonly depth: number;
}

const indent = '  ';

export function* linesOf(nodes: readonly ViewNode[], depth = 0): Generator<ViewLine> {
  for (const node of nodes) {
    yield { node, depth };
    yield* linesOf(node.children, depth + 1);
  }
}

/** As it is shown: a dash, and a colon where something stands below. */
export function shownLine({ node, depth }: ViewLine): string {
  const opens = node.children.length > 0 && !node.line.endsWith(':') ? ':' : '';
  return `${indent.repeat(depth)}${dashed(node)}${opens}`;
}

/** With a dash, but for a line of a text, which has its own mark. */
export function dashed({ kind, line }: ViewNode): string {
  return kind === 'line' ? line : `- ${line}`;
}

export function countLines(nodes: readonly ViewNode[]): number {
  let count = 0;
  for (const node of nodes) count += 1 + countLines(node.children);
  return count;
}

export function findNode(nodes: readonly ViewNode[], key: string): ViewNode | undefined {
  for (const node of nodes) {
    if (node.key === key) return node;
    const found = findNode(node.children, key);
    if (found !== undefined) return found;
  }
  return undefined;
}
