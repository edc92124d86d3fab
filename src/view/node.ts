import { isBarred, lineText } from '../page/walk/line.ts';
import type { LineElement, LinePart } from '../page/walk/line.ts';

/** One line of the snapshot with the lines below it. */
export interface ViewNode {
  /** Identifies the element for its lifetime; the same in every walk of its document. */
  readonly key: string;
  /** The line, without indentation and dash. */
  readonly parts: readonly LinePart[];
  /** Its role, or `text`, `line`, `fold`, … Similar siblings are folded together. */
  readonly kind: string;
  readonly children: readonly ViewNode[];
  /** How many siblings a fold line stands for; absent means one. */
  readonly stands?: number;
  /** Where a fold line continues. */
  readonly cursor?: string;
}

/** A line and its depth. */
export interface ViewLine {
  readonly node: ViewNode;
  readonly depth: number;
}

export interface RefForm {
  /** Put before each ref: the name of the session, with a colon. */
  readonly refPrefix?: string;
}

const indent = '  ';
/** Lines are compared, measured and searched several times. */
const texts = new WeakMap<readonly LinePart[], string>();

/** The text of a node's line. Only for people and models: what it means is in the parts. */
export function textOf({ parts }: ViewNode): string {
  const known = texts.get(parts);
  if (known !== undefined) return known;
  const text = lineText(parts);
  texts.set(parts, text);
  return text;
}

/** The elements in a line. */
export function elementsOf({ parts }: ViewNode): readonly LineElement[] {
  return parts.filter((part) => typeof part !== 'string');
}

/** The element that the line is about; undefined for text, properties and notes. */
export function headOf({ kind, parts }: ViewNode): LineElement | undefined {
  const head = parts.find((part) => typeof part !== 'string');
  return head?.role === kind ? head : undefined;
}

export function hasRef(node: ViewNode): boolean {
  return node.parts.some((part) => typeof part !== 'string' && part.ref !== undefined);
}

export function* linesOf(nodes: readonly ViewNode[], depth = 0): Generator<ViewLine> {
  for (const node of nodes) {
    yield { node, depth };
    yield* linesOf(node.children, depth + 1);
  }
}

/** The line as it is shown: with a dash, and a colon where lines follow below it. */
export function shownLine({ node, depth }: ViewLine, form?: RefForm): string {
  return `${indent.repeat(depth)}${dashed(node, form)}${node.children.length > 0 ? ':' : ''}`;
}

/** With a dash. Rows and lines of preformatted text have a bar instead; wrapped lines have an arrow. */
export function dashed(node: ViewNode, form?: RefForm): string {
  const text = form?.refPrefix === undefined ? textOf(node) : lineText(node.parts, form);
  return node.kind === 'line' || isBarred(node.parts) ? text : `- ${text}`;
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

/** `8 articles`: a number of lines of one kind. */
export function countOf(kind: string, count: number): string {
  const noun = kind === 'generic' ? 'item' : kind;
  if (count === 1) return `1 ${noun}`;
  if (/(?:[sx]|ch)$/.test(noun)) return `${count} ${noun}es`;
  return `${count} ${noun.replace(/y$/, 'ie')}s`;
}
