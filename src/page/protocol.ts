/** What the server asks of the page agent, and what it answers: plain JSON both ways. */
import type { Announcements } from './watch/announcements.ts';
import type { WalkNode, WalkOptions, WalkResult } from './walk/items.ts';
import type { FieldKind } from './reads/field-kind.ts';

export type Command =
  | ({ readonly do: 'state' } & Asking)
  /** With `since` parts that are as they were in that walk of the whole document are only named. */
  | { readonly do: 'walk'; readonly root?: string; readonly since?: string; readonly options: WalkOptions }
  | ({ readonly do: 'find' } & Finding)
  | { readonly do: 'why'; readonly ref: string; readonly editing: boolean }
  | { readonly do: 'grasp'; readonly ref: string; readonly document: string; readonly wish: Wish };

/** What an element is wanted for. */
export type Wish =
  /** To be pointed at. */
  | { readonly for: 'pointer' }
  | { readonly for: 'check'; readonly isOn: boolean }
  /** To have the focus, and a text written in place of its own. */
  | { readonly for: 'text' }
  | { readonly for: 'options'; readonly values: readonly string[] };

/** What came of it at once: it is not there, or not ready; a point to click at; or all that was wanted. */
export type Grasped =
  | { readonly is: 'gone' | 'not' }
  | { readonly is: 'at'; readonly x: number; readonly y: number }
  | { readonly is: 'done' };

/** What is asked beside the state, to save the way. */
export interface Asking {
  /** An action is about to happen: timers that are set from now on are its own. */
  readonly begin?: boolean;
  readonly find?: Finding;
  readonly glance?: Glance;
}

/** A walk of the whole document, if it is worth while. */
export interface Glance {
  readonly since?: string;
  readonly options: WalkOptions;
  /** Not while the page is at something: it will be looked at again. */
  readonly onceAtRest?: Rest;
  /** Not if the page cannot look different from this. */
  readonly unless?: Pick<FrameState, 'document' | 'changes' | 'scene'>;
}

/** A page is at rest that has not changed itself since the action began, or not for so long, and has no timer of it left. */
export interface Rest {
  readonly restMs: number;
}

export interface Finding {
  readonly ref: string;
  /** A CSS path that leads to it. */
  readonly wantsPath: boolean;
  /** What it takes to fill it. */
  readonly wantsKind?: boolean;
}

/** What the agent knows about its frame. */
export interface FrameState {
  /** Differs between documents, so that a clock of one is never compared with that of another. */
  readonly document: string;
  /** Counts everything seen to change: DOM mutations, input and change events. */
  readonly changes: number;
  /** The part of the changes that the page itself made to its DOM. */
  readonly mutations: number;
  /** Fields written into and keys let go so far, by hand and not by script. */
  readonly inputs: number;
  readonly keys: number;
  /** Milliseconds since the last mutation other than of styles; -1 when there was none. */
  readonly quietMs: number;
  /** Milliseconds until the last timer fires that the action has set; -1 when there is none. */
  readonly timerMs: number;
  /** Milliseconds until all that comes into sight since then, or goes out of it, has done so; -1 when nothing does. */
  readonly fadeMs: number;
  /** Where the window stands over the page, and whether styles are in motion: what may change without a mutation. */
  readonly scene: string;
  readonly announced: Announcements;
  readonly title: string;
  /** What password, one-time-code and card fields hold now: never to be shown. */
  readonly secrets: readonly string[];
  /** Such a field has the focus. */
  readonly isInSecret: boolean;
  /** A dialog of the page keeps people from all else on it. */
  readonly hasModal: boolean;
  readonly found?: Found;
  readonly walked?: Walked;
}

/** A document as it was walked. */
export type Walked = Pick<WalkResult, 'walk' | 'refs' | 'frames' | 'truncated' | 'suspects'> & {
  /** As in its state. */
  readonly document: string;
  readonly nodes: readonly WalkNode[];
};

/** Something on the page, by its ref. */
export interface Named {
  readonly ref: string;
  readonly role: string;
  readonly name: string;
}

/** Why an element cannot be acted on, as far as one look tells. */
export interface WhyNot {
  readonly is: 'none' | 'gone' | 'disabled' | 'hidden' | 'read-only' | 'outside' | 'untouchable' | 'covered' | 'drawn';
  /** What covers it, or is drawn in its place by its own label, and what in that can be clicked to be rid of it. */
  readonly by?: Named;
  /** Where in that it is. */
  readonly at?: { readonly x: number; readonly y: number };
  readonly ways?: readonly Named[];
}

/** What became of a ref: its element is there, was rendered anew under another ref, or cannot be told. */
export type Found =
  | ({ readonly is: 'here' } & Details)
  | ({ readonly is: 'anew'; readonly ref: string } & Details)
  | { readonly is: 'none' }
  | { readonly is: 'several' };

/** Of a found element, as far as it was wanted. */
interface Details {
  readonly css?: string;
  readonly kind?: FieldKind;
}
