import { lineText } from '../page/walk/line.ts';
import type { LineElement, LinePart } from '../page/walk/line.ts';
import { elementsOf, headOf, linesOf, textOf } from './node.ts';
import type { ViewNode } from './node.ts';

const comparable = { isComparable: true };

/** A line whose content is on lines of its own now: it became too long or too rich for one. Pure. */
export function isOpened(old: ViewNode, now: ViewNode): boolean {
  return old.children.length === 0 && now.children.length > 0 && elementsOf(old).length > 1;
}

/** What the line of an opened one says that the whole did not: nothing, a change, or something new. Pure. */
export function newsIn(line: ViewNode, opened: ViewNode): 'none' | 'change' | 'all' {
  const [first, ...rest] = line.parts;
  if (line.kind === 'text') return textOf(opened).includes(contentOf(line.parts)) ? 'none' : 'all';
  if (typeof first !== 'object' || first.ref === undefined) return 'all';
  const at = opened.parts.findIndex((part) => typeof part === 'object' && part.ref === first.ref);
  const before = opened.parts[at];
  if (before === undefined) return 'all';
  const isSame = lineText([before], comparable) === lineText([first], comparable);
  return isSame && hasValue(opened.parts[at + 1], lineText(rest)) ? 'none' : 'change';
}

/** The elements of an opened line that are gone. Pure. */
export function lostElements(opened: ViewNode, refs: ReadonlySet<string>): readonly LineElement[] {
  const head = headOf(opened);
  return elementsOf(opened).filter((each) => each !== head && each.ref !== undefined && !refs.has(each.ref));
}

/** The line of an element or a text that is now part of the line of its parent. Pure. */
export function isIncluded(line: ViewNode, parent: ViewNode | undefined): boolean {
  if (parent === undefined || line.children.length > 0) return false;
  const ref = headOf(line)?.ref;
  if (ref !== undefined) return elementsOf(parent).some((each) => each.ref === ref);
  return line.kind === 'text' && textOf(parent).includes(contentOf(line.parts));
}

export function refsOf(nodes: readonly ViewNode[]): ReadonlySet<string> {
  return new Set([...linesOf(nodes)].flatMap(({ node }) => elementsOf(node).flatMap(({ ref }) => ref ?? [])));
}

/** The texts at the beginning of a line, which say which one it is. */
export function leadText({ parts }: ViewNode): string {
  const texts = parts.filter((part) => typeof part === 'string').map((text) => text.trim());
  return texts.find((text) => /[\p{L}\p{N}]/u.test(text)) ?? '';
}

/** Without `text: ` and quotes. */
function contentOf(parts: readonly LinePart[]): string {
  const text = lineText(parts).replace(/^text: /, '');
  return text.replace(/^(["'])(.*)\1$/, '$2');
}

/** Whether the value after a field in a line is what follows it on a line of its own. */
function hasValue(after: LinePart | undefined, rest: string): boolean {
  const text = typeof after === 'string' ? after : '';
  if (rest === '') return !text.startsWith(' = ');
  const value = rest.replace(/^: /, '');
  return text.startsWith(` = ${JSON.stringify(value)}`) || text.startsWith(` = ${value}`);
}
