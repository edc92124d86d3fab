/** What happened in a server. Texts from pages are data; secrets were removed before. */
export type EventBody =
  | {
      readonly type: 'call.started';
      readonly session?: string | undefined;
      readonly call: string;
      readonly tool: string;
      readonly driver: string;
      /** Arguments without secrets and typed texts. */
      readonly args: unknown;
      /** The W3C trace context that the client sent. */
      readonly trace?: string | undefined;
    }
  | {
      readonly type: 'call.ended';
      readonly session?: string | undefined;
      readonly call: string;
      readonly tool: string;
      readonly driver: string;
      /** As above, with typed texts that are no secrets. */
      readonly args: unknown;
      readonly ms: number;
      /** Size of the answer. */
      readonly bytes: number;
      readonly tokens: number;
      /** The kind of the error; undefined if the call succeeded. */
      readonly code?: string | undefined;
    }
  | { readonly type: 'session.opened'; readonly session: string; readonly name: string; readonly driver: string }
  | { readonly type: 'session.closed'; readonly session: string; readonly reason: 'closed' | 'expired' }
  /** Tabs were opened or closed. */
  | { readonly type: 'session.changed'; readonly session: string }
  | { readonly type: 'tab.changed'; readonly session: string; readonly tab: string; readonly url: string }
  | { readonly type: 'loss'; readonly session: string; readonly what: 'browser' | 'page' }
  | {
      readonly type: 'recovery';
      readonly session: string;
      readonly what: 'browser' | 'page';
      readonly ms: number;
    }
  /** A person has requested or taken control, or the agent has it again. */
  | {
      readonly type: 'control.changed';
      readonly session: string;
      readonly phase: 'waiting' | 'held' | 'agent';
      readonly by?: string | undefined;
    }
  /** There is an image of the page after a call. */
  | { readonly type: 'picture'; readonly session: string; readonly call: string }
  /** Popups opened or closed that the person in control sees. */
  | { readonly type: 'popups.changed'; readonly session: string }
  | { readonly type: 'egress.denied'; readonly rule: string };

export type ServerEvent = EventBody & {
  /** Numbers all events of a server, from 1. */
  readonly seq: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
};
