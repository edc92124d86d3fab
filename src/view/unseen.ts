import type { ShownView } from './diff.ts';
import { readCursor } from './fold.ts';
import { countOf, findNode, linesOf } from './node.ts';
import type { ViewNode } from './node.ts';

const mostKinds = 3;
const mostCursors = 3;

/**
 * One line about changes in parts that are not shown: how many, of what kind, and the cursors that show them, except for
 * those in the given lines. Pure.
 */
export function unseenLine(unseen: readonly ViewNode[], now: ShownView, lines: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const { kind } of unseen) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  const kinds = [...counts].toSorted((a, b) => b[1] - a[1]);
  const named = kinds
    .slice(0, mostKinds)
    .map(([kind, count]) => countOf(kind === '/url' ? 'link target' : kind, count));
  const others = kinds.length > mostKinds ? [...named, '…'] : named;
  const cursors = cursorsTo(new Set(unseen.map(({ key }) => key)), now)
    .map((cursor) => `cursor="${cursor}"`)
    .filter((cursor) => !lines.some((line) => line.endsWith(cursor)));
  const count = unseen.length === 1 ? '1 line' : `${unseen.length} lines`;
  return `# ${count} changed in parts that were not shown: ${[...others, ...cursors].join(', ')}`;
}

/** Cursors of the folded parts that contain any of the nodes. */
function cursorsTo(keys: ReadonlySet<string>, { whole, shown }: ShownView): readonly string[] {
  const cursors: string[] = [];
  for (const { node } of linesOf(shown)) {
    const place = node.cursor === undefined ? undefined : readCursor(node.cursor);
    if (place === undefined || node.cursor === undefined) continue;
    const siblings = place.key === '' ? whole : (findNode(whole, place.key)?.children ?? []);
    const hidden = siblings.slice(place.from, node.stands === undefined ? undefined : place.from + node.stands);
    if ([...linesOf(hidden)].some((line) => keys.has(line.node.key))) cursors.push(node.cursor);
    if (cursors.length === mostCursors) break;
  }
  return cursors;
}
