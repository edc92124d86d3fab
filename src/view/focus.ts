import { linesOf } from './node.ts';
import type { ViewNode } from './node.ts';

/** The element with the focus as its line says it, without the mark; a line may hold several elements. */
export function focusedIn(nodes: readonly ViewNode[]): string | undefined {
  for (const { node } of linesOf(nodes)) {
    const focused = node.line.includes(' [active]') ? focusedPart(node.line) : undefined;
    if (focused !== undefined) return focused;
  }
  return undefined;
}

function focusedPart(line: string): string | undefined {
  // A name may hold anything: it is taken out while marks are looked for.
  const names: string[] = [];
  const bare = line.replaceAll(/"(?:[^"\\]|\\.)*"/g, (name) => `"${names.push(name) - 1}"`);
  const match = /([\w-]+(?: "\d+")?(?: \[[^\]]*\])*) \[active\]((?: \[[^\]]*\])*)/.exec(bare);
  if (match === null) return undefined;
  return `${match[1]}${match[2]}`.replaceAll(/"(\d+)"/g, (_, index: string) => names[Number(index)] ?? '');
}
