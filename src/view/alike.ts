import { linesOf } from './node.ts';
import type { ViewNode } from './node.ts';

/**
 * Lines with a ref that could be what a lost element was: the same role, alone or in the midst of a line, and the most
 * alike name first. Pure.
 */
export function alikeLines(
  nodes: readonly ViewNode[],
  lost: { readonly role: string; readonly name: string },
): readonly string[] {
  const wanted = wordsOf(lost.name);
  const found: { readonly line: string; readonly score: number }[] = [];
  for (const { node } of linesOf(nodes)) {
    const isOfRole = node.kind === lost.role || new RegExp(`(?:^| )${lost.role} ["[]`).test(node.line);
    if (!isOfRole || !node.line.includes('[ref=')) continue;
    const words = wordsOf(node.line);
    const shared = [...wanted].filter((word) => words.has(word)).length;
    if (shared > 0 || wanted.size === 0) found.push({ line: node.line, score: shared });
  }
  return found.sort((a, b) => b.score - a.score).map(({ line }) => line);
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu));
}
