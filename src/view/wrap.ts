import { elementsOf, textOf } from './node.ts';
import type { ViewNode } from './node.ts';

const widest = 200;
/** How far before the end of a line a space or punctuation mark is searched for. */
const slack = 40;

/**
 * Breaks long lines of preformatted text; continuation lines begin with an arrow. Secrets are redacted first: a secret
 * that spans two lines would not be found later. Pure.
 */
export function wrapLines(nodes: readonly ViewNode[], redact: (text: string) => string): readonly ViewNode[] {
  return nodes.flatMap((node) => {
    if (node.kind !== 'line') {
      const children = node.children.length === 0 ? node.children : wrapLines(node.children, redact);
      return isSame(children, node.children) ? [node] : [{ ...node, children }];
    }
    const line = textOf(node);
    // A line with an element keeps its ref in one piece.
    const isWhole = line.length <= widest || elementsOf(node).length > 0;
    return isWhole ? [node] : piecesOf(redact(line)).map((piece, at) => continued(node, piece, at));
  });
}

function continued(node: ViewNode, piece: string, at: number): ViewNode {
  return at === 0 ? { ...node, parts: [piece] } : { ...node, key: `${node.key}w${at}`, parts: [`↳ ${piece}`] };
}

function piecesOf(line: string): readonly string[] {
  const pieces: string[] = [];
  let rest = line;
  while (rest.length > widest) {
    const end = breakIn(rest);
    pieces.push(rest.slice(0, end));
    rest = rest.slice(end);
  }
  return [...pieces, rest];
}

/** After a space or closing punctuation, else anywhere but inside a surrogate pair. */
function breakIn(line: string): number {
  const better = /^.*[\s,;)\]}]/s.exec(line.slice(widest - slack, widest))?.[0].length ?? 0;
  if (better > 0) return widest - slack + better;
  return /[\ud800-\udbff]/.test(line.charAt(widest - 1)) ? widest - 1 : widest;
}

function isSame(some: readonly ViewNode[], others: readonly ViewNode[]): boolean {
  return some.length === others.length && some.every((node, at) => node === others[at]);
}
