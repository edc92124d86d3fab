import { elementsOf, linesOf, textOf } from './node.ts';
import type { ViewNode } from './node.ts';

/** Lines with an element of the same role that a lost element may have become, the most similar name first. Pure. */
export function similarLines(
  nodes: readonly ViewNode[],
  lost: { readonly role: string; readonly name: string },
): readonly string[] {
  const wanted = wordsOf(lost.name);
  const found: { readonly line: string; readonly score: number }[] = [];
  for (const { node } of linesOf(nodes)) {
    if (!elementsOf(node).some(({ role, ref }) => role === lost.role && ref !== undefined)) continue;
    const words = wordsOf(textOf(node));
    const shared = [...wanted].filter((word) => words.has(word)).length;
    if (shared > 0 || wanted.size === 0) found.push({ line: textOf(node), score: shared });
  }
  return found.sort((a, b) => b.score - a.score).map(({ line }) => line);
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu));
}
