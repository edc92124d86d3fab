import type { LinePart } from './line.ts';

/** Text between elements. */
export interface TextRun {
  readonly kind: 'text';
  text: string;
  /** Starts a new line. */
  readonly breaks: boolean;
  /** Preformatted: its spaces are kept. */
  readonly isLine?: true;
  readonly column?: number;
}

/** An element that becomes a line of the snapshot, or a part of one. */
export interface Item {
  readonly kind: 'item';
  readonly element: Element;
  readonly role: string;
  readonly name: string;
  /** The name as Playwright computes it, where it differs from what a person sees. */
  readonly written?: string | undefined;
  readonly states: readonly string[];
  /** Printed after the ref. */
  readonly marks: string[];
  readonly value: string;
  /** Properties on separate lines, such as `/url`. */
  readonly props: readonly (readonly [string, string])[];
  readonly breaks: boolean;
  hasRef: boolean;
  /** Only its style or a listener suggests that it can be acted on: a wrapper around the real control gets no line. */
  readonly isGuess: boolean;
  /** Of a cell in a table with spans. */
  readonly column?: number;
  /** A line about the page, not an element of it. */
  readonly isNote?: true;
  /** A label that shows the state of its hidden field. */
  readonly isStandIn?: boolean;
  /** Outside the viewport; undefined where its box was not measured. */
  isOffscreen: boolean | undefined;
  children: Piece[];
}

export type Piece = Item | TextRun;

/** An item with nothing but its element and role. */
export function blankItem(element: Element, role: string, breaks: boolean): Item {
  return {
    kind: 'item',
    element,
    role,
    name: '',
    states: [],
    marks: [],
    value: '',
    props: [],
    breaks,
    hasRef: false,
    isGuess: false,
    isOffscreen: undefined,
    children: [],
  };
}

export interface WalkOptions {
  /** Levels of nesting to print. */
  readonly depth?: number;
  readonly boxes?: boolean;
  /** A ref on every line, not only on interactive elements. */
  readonly allRefs?: boolean;
  readonly interactiveOnly?: boolean;
  readonly maxNodes?: number;
  readonly maxMs?: number;
  /** Characters of a text or name before it is cut. */
  readonly maxText?: number;
  /** The same for a part of the page that is only one line. */
  readonly maxOneLine?: number;
  /** A text that is searched for: longer texts show the part around it, not their beginning. */
  readonly around?: string;
  /** Targets of links: on separate lines and for other sites (the default), everywhere, or nowhere. */
  readonly urls?: 'lines' | 'all' | 'none';
  /** Returns nodes in place of lines. */
  readonly nodes?: boolean;
}

export interface WalkNode {
  readonly depth: number;
  /** The same for the same element in every snapshot of the document. */
  readonly key: string;
  readonly role: string;
  /** The line, without indentation and dash. */
  readonly parts: readonly LinePart[];
  /** The node and its descendants have not changed since the walk before, and are not repeated. */
  readonly isSame?: true;
}

export type RefEntry = [ref: string, role: string, name: string, written?: string];

export interface WalkResult {
  /** Identifies a walk of the whole document. */
  readonly walk?: string;
  /** Empty if nodes are returned. */
  readonly lines: string[];
  readonly nodes?: WalkNode[];
  /** Ref, role and name of everything that has a ref, and its written name where a person sees another. */
  readonly refs: RefEntry[];
  /** Frames in document order, with the line of each. */
  readonly frames: { readonly ref: string; readonly index: number }[];
  /** The walk stopped early: how many nodes it had seen, and at which bound. */
  readonly truncated?: { readonly nodes: number; readonly bound: 'nodes' | 'time' | 'depth' | 'text' };
  /** How many invisible texts that read like instructions to an agent were left out. */
  readonly suspects?: number;
}
