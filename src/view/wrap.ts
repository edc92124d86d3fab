import type { ViewNode } from './node.ts';

const widest = 200;
/** How far before the end of a line a better place to break it is looked for. */
const slack = 40;

/**
 * Continues long lines of a text on further ones, which begin with an arrow. A text that must not be shown is taken out
 * first: half of it could not be told from another. Pure.
 */
export function wrapLines(nodes: readonly ViewNode[], redact: (text: string) => string): readonly ViewNode[] {
  return nodes.flatMap((node) => {
    if (node.kind !== 'line') {
      const children = node.children.length === 0 ? node.children : wrapLines(node.children, redact);
      return isSame(children, node.children) ? [node] : [{ ...node, children }];
    }
    // What can be acted on keeps its ref in one piece; a page cannot write one.
    const isWhole = node.line.length <= widest || node.line.includes('[ref=');
    return isWhole ? [node] : partsOf(redact(node.line)).map((line, at) => part(node, line, at));
  });
}

function part(node: ViewNode, line: string, at: number): ViewNode {
  return at === 0 ? { ...node, line } : { ...node, key: `${node.key}w${at}`, line: `↳ ${line}` };
}

function partsOf(line: string): readonly string[] {
  const parts: string[] = [];
  let rest = line;
  while (rest.length > widest) {
    const end = breakIn(rest);
    parts.push(rest.slice(0, end));
    rest = rest.slice(end);
  }
  return [...parts, rest];
}

/** After a space or a sign that ends something, else anywhere but in the midst of a character. */
function breakIn(line: string): number {
  const better = /^.*[\s,;)\]}]/s.exec(line.slice(widest - slack, widest))?.[0].length ?? 0;
  if (better > 0) return widest - slack + better;
  return /[\ud800-\udbff]/.test(line.charAt(widest - 1)) ? widest - 1 : widest;
}

function isSame(some: readonly ViewNode[], others: readonly ViewNode[]): boolean {
  return some.length === others.length && some.every((node, at) => node === others[at]);
}
