/** What the server asks of the page agent, and what it answers: plain JSON both ways. */
export type Command = { readonly do: 'state' };

/** What the agent knows about its frame. */
export interface FrameState {
  /** Differs between documents, so that a clock of one is never compared with that of another. */
  readonly document: string;
  /** Counts everything seen to change: DOM mutations, input and change events. */
  readonly changes: number;
  /** The part of the changes that the page itself made to its DOM. */
  readonly mutations: number;
  /** Milliseconds since the last mutation other than of styles; -1 when there was none. */
  readonly quietMs: number;
  readonly title: string;
  /** What password, one-time-code and card fields hold now: never to be shown. */
  readonly secrets: readonly string[];
  /** Such a field has the focus. */
  readonly isInSecret: boolean;
}
