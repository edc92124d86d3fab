/** Messages between the server and the page agent, as plain JSON. */
import type { Announcements } from './watch/announcements.ts';
import type { WalkOptions, WalkResult } from './walk/items.ts';
import type { Packed } from './walk/packed.ts';
import type { FieldKind } from './reads/field-kind.ts';

export type Command =
  | ({ readonly do: 'state' } & StateRequest)
  /** With `since`, parts that are unchanged since that walk of the whole document are only named. */
  | { readonly do: 'walk'; readonly root?: string; readonly since?: string; readonly options: WalkOptions }
  | ({ readonly do: 'find' } & Finding)
  | { readonly do: 'act'; readonly ref: string; readonly document: string; readonly action: DirectAction };

/** A command, with the first ref number that no earlier document of the frame has used. */
export type Message = Command & { readonly firstRef?: number };

/** An action that the agent prepares or completes in one message, if the element is ready. */
export type DirectAction =
  /** Get a point to click or hover. */
  | { readonly kind: 'point' }
  /** Get a point to click, unless the box is in the wanted state. */
  | { readonly kind: 'check'; readonly isOn: boolean }
  /** Focus the field and select its text, so that inserted text replaces it. */
  | { readonly kind: 'text' }
  /** Select options of a native list. */
  | { readonly kind: 'options'; readonly values: readonly string[] };

/** The ref does not resolve; the agent declined and changed nothing; a point to click; or the action is complete. */
export type DirectResult =
  | { readonly is: 'gone' | 'declined' }
  | { readonly is: 'at'; readonly x: number; readonly y: number }
  | { readonly is: 'done' };

/** Extras of a state request, to save a round trip. */
export interface StateRequest {
  /** An action is about to start: timers set from now on belong to it. */
  readonly begin?: boolean;
  readonly find?: Finding;
  readonly snapshot?: InlineSnapshot;
  /** Answer after the tasks that are due: frameworks render in a task of their own. */
  readonly afterTasks?: boolean;
  /** Answer only if this input has arrived since the action began. */
  readonly after?: ActionInput;
}

/** The input of an action: a trusted event, or options that the agent has selected. */
export type ActionInput = 'input' | 'keyup' | 'options';

/** A walk of the whole document inside a state request, under conditions. */
export interface InlineSnapshot {
  readonly since?: string;
  readonly options: WalkOptions;
  /** Skip it while the page is busy: another state request follows. */
  readonly onceAtRest?: Rest;
  /** Skip it if the page cannot have changed since this state. */
  readonly unless?: Pick<FrameState, 'document' | 'changes' | 'scene'>;
}

/** A page is at rest if it has not changed since the action began, or not for this long, and the action left no timer. */
export interface Rest {
  readonly restMs: number;
}

export interface Finding {
  readonly ref: string;
  /** A CSS path to it. */
  readonly wantsPath: boolean;
  /** The kind of field. */
  readonly wantsKind?: boolean;
  /** The attribute that holds test ids. */
  readonly testIdAttribute?: string;
}

/** The state of a frame. */
export interface FrameState {
  /** Differs between documents, so that a clock of one is never compared with that of another. */
  readonly document: string;
  /** Counts observed changes: DOM mutations, input and change events. */
  readonly changes: number;
  /** The changes that the page itself made to its DOM. */
  readonly mutations: number;
  /** Milliseconds since the last mutation other than of styles; -1 when there was none. */
  readonly quietMs: number;
  /** Milliseconds until the last timer fires that the action has set; -1 when there is none. */
  readonly timerMs: number;
  /** Milliseconds until the last fade since then has ended; -1 if there is none. */
  readonly fadeMs: number;
  /** Scroll position and running animations: they change without a mutation. */
  readonly scene: string;
  readonly announced: Announcements;
  readonly title: string;
  /** Differs when the cookies that scripts see have changed. */
  readonly cookies: number;
  /** Current values of password, one-time-code and card fields; never shown. */
  readonly secrets: readonly string[];
  /** Such a field has the focus. */
  readonly isInSecret: boolean;
  /** The value of the focused field, if it has as many characters as its maxlength allows and may be shown. */
  readonly full?: string;
  /** A modal dialog blocks the rest of the page. */
  readonly hasModal: boolean;
  /** Changes with the storage of its origin; 0 in a child frame. */
  readonly storage: number;
  /** The guarded click was blocked, because it would have hit another element. */
  readonly hasMissed?: boolean;
  /** Effects of the last action. */
  readonly effects?: Effects;
  readonly found?: Found;
  readonly snapshot?: Walked;
}

/** An effect of an action that no snapshot shows: on its target, or else elsewhere. */
export type Effects =
  /** Pixels to the right and down. */
  | { readonly moved: readonly [number, number] }
  /** Percent of the scroll range. */
  | { readonly scrolled: number }
  /** A canvas shows something else. */
  | { readonly isDrawn: true }
  /** The text that is selected now. */
  | { readonly selected: string }
  /** Another element moved: its text, and the pixels to the right and down. */
  | { readonly shifted: { readonly text: string; readonly by: readonly [number, number] } };

/** The result of a walk of a document. */
export type Walked = Pick<WalkResult, 'walk' | 'frames' | 'truncated' | 'suspects'> &
  Packed & {
    /** As in its state. */
    readonly document: string;
  };

/** An element on the page, with its ref. */
export interface Named {
  readonly ref: string;
  readonly role: string;
  readonly name: string;
}

/** Why an element cannot be acted on now. */
export interface WhyNot {
  readonly is: 'none' | 'gone' | 'disabled' | 'hidden' | 'read-only' | 'outside' | 'untouchable' | 'covered' | 'drawn';
  /** The element that covers it, or that its label draws in its place, with buttons that may close it. */
  readonly by?: Named;
  /** The element's own ref, if nothing blocks it. */
  readonly ref?: string;
  /** The point to click in the element drawn in its place; if nothing blocks it, its centre in the viewport. */
  readonly at?: { readonly x: number; readonly y: number };
  readonly ways?: readonly Named[];
  /** A timer or an animation is running that may change this. */
  readonly mayChange?: boolean;
  /** Milliseconds until the next timer; 0 if timers repeat. */
  readonly timerMs?: number;
  /** What timers did lately added nothing to the page, and did not happen all the time. */
  readonly isCalm?: boolean;
}

/** The state of a ref: its element exists, was re-rendered under another ref, or is unknown. */
export type Found =
  | ({ readonly is: 'here' } & Details)
  | ({ readonly is: 're-rendered'; readonly ref: string } & Details)
  | { readonly is: 'none' }
  | { readonly is: 'several' };

/** The requested facts of a found element. */
interface Details {
  readonly css?: string;
  /** Its test id, if no other element has the same. */
  readonly testId?: string;
  /** Locators by role do not find it. */
  readonly isAriaHidden?: true;
  readonly kind?: FieldKind;
}
