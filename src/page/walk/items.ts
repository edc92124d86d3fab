/** Text between elements. */
export interface TextRun {
  readonly kind: 'text';
  text: string;
  /** Begins on a line of its own. */
  readonly breaks: boolean;
  /** Of preformatted text: its spaces count. */
  readonly isLine?: true;
}

/** What becomes a line of the snapshot. */
export interface Item {
  readonly kind: 'item';
  readonly element: Element;
  readonly role: string;
  readonly name: string;
  readonly states: string;
  /** Marks behind the ref. */
  marks: string;
  readonly value: string;
  /** Lines such as `/url`, which are no elements. */
  readonly props: readonly (readonly [string, string])[];
  readonly breaks: boolean;
  hasRef: boolean;
  /** Can be acted on only by the look of it: a wrapper around the real thing is not worth a line. */
  readonly isGuess: boolean;
  /** Outside of the viewport; undefined where nobody looked. */
  isOffscreen: boolean | undefined;
  children: Piece[];
}

export type Piece = Item | TextRun;

/** An item of which nothing is known yet. */
export function blankItem(element: Element, role: string, breaks: boolean): Item {
  return {
    kind: 'item',
    element,
    role,
    name: '',
    states: '',
    marks: '',
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
  /** A ref on every line, not only on what can be acted on. */
  readonly allRefs?: boolean;
  readonly interactiveOnly?: boolean;
  readonly maxNodes?: number;
  readonly maxMs?: number;
  /** Characters of a text or name before it is cut. */
  readonly maxText?: number;
  /** Targets of links: on lines of their own and where they lead elsewhere (the default), everywhere, or nowhere. */
  readonly urls?: 'lines' | 'all' | 'none';
  /** Gives the lines as nodes too, with an identity each. */
  readonly nodes?: boolean;
}

export interface WalkNode {
  readonly depth: number;
  /** The same for the same element in every snapshot of the document. */
  readonly key: string;
  readonly role: string;
  /** Without indentation and dash. */
  readonly line: string;
  /** It and all that is in it are as they were in the walk before, and are not told again. */
  readonly isSame?: true;
}

export interface WalkResult {
  /** The name of this walk, if it was of the whole document. */
  readonly walk?: string;
  /** Empty where nodes are given. */
  readonly lines: string[];
  readonly nodes?: WalkNode[];
  /** Ref, role and name of everything that has a ref. */
  readonly refs: [string, string, string][];
  /** Frames in document order, with the line that stands for each. */
  readonly frames: { readonly ref: string; readonly index: number }[];
  /** The walk stopped early: how many nodes it had seen, and at which bound. */
  readonly truncated?: { readonly nodes: number; readonly bound: 'nodes' | 'time' | 'depth' | 'text' };
  /** Texts left out because no one can see them, of those that read like orders to an agent. */
  readonly suspects?: number;
}
