/** What the server and the page of the dashboard send each other. Both import this file. */

import type { HandInput, Popup } from '../session/control/inputs.ts';

export type PersonInput = HandInput;
export type NativePopup = Popup;

/** `view` looks, `control` also takes control, stops and closes, `admin` does so for the sessions of all keys. */
export type Scope = 'view' | 'control' | 'admin';

export interface TabState {
  readonly id: string;
  readonly url: string;
  readonly title: string;
  readonly isCurrent: boolean;
}

export interface RunningCall {
  readonly id: string;
  readonly tool: string;
  readonly since: number;
}

export interface SessionState {
  readonly id: string;
  readonly name: string;
  readonly driver: string;
  /** Whether it has a browser. */
  readonly isOpen: boolean;
  readonly calls: number;
  readonly tokens: number;
  readonly idleMs: number;
  /** Milliseconds until it expires. */
  readonly leftMs?: number;
  readonly running?: RunningCall;
  readonly control?: ControlView;
  /** A call waits for a mark of a person. */
  readonly wantsMark?: boolean;
  /** The agent asks for a person. */
  readonly asked?: { readonly reason: string; readonly kind: string };
  readonly tabs: readonly TabState[];
}

/** A person has the session, or waits for it. */
export interface ControlView {
  readonly by: string;
  /** It is the person who asks. */
  readonly isMine: boolean;
  readonly phase: 'waiting' | 'held';
  /** Other people do not see the page. */
  readonly isPrivate: boolean;
  readonly leftMs: number;
}

export interface ServerState {
  readonly version: string;
  readonly scope: Scope;
  /** Number of the newest event. */
  readonly seq: number;
  readonly upSeconds: number;
  readonly rssBytes: number;
  readonly browserRssBytes?: number;
  readonly sessions: readonly SessionState[];
}

/** One entry of a timeline, a console or a request log: an event of the server. */
export interface WatchedEvent {
  readonly seq: number;
  readonly at: number;
  readonly type: string;
  readonly session?: string;
  readonly call?: string;
  readonly tool?: string;
  readonly args?: unknown;
  readonly ms?: number;
  readonly tokens?: number;
  readonly bytes?: number;
  readonly code?: string;
  /** Of control. */
  readonly phase?: string;
  readonly by?: string;
}

export interface ConsoleLine {
  readonly sequence: number;
  readonly level: string;
  readonly text: string;
}

export interface RequestLine {
  readonly index: number;
  readonly method: string;
  readonly url: string;
  readonly status?: number;
  readonly type: string;
  readonly ms?: number;
  readonly failure?: string;
}

/** Messages of the page on the WebSocket. */
export type PageMessage =
  | { readonly type: 'hello'; readonly token: string }
  | {
      readonly type: 'watch';
      /** Chosen by the page; frames carry it. */
      readonly stream: number;
      readonly session: string;
      readonly width: number;
      readonly height: number;
      readonly fps: number;
    }
  | { readonly type: 'unwatch'; readonly stream: number }
  /** The frame was drawn: the next one may come. */
  | { readonly type: 'ack'; readonly stream: number; readonly seq: number }
  /** An input of the person in control. */
  | { readonly type: 'input'; readonly session: string; readonly id: number; readonly input: PersonInput };

/** Messages of the server on the WebSocket; frames are binary. */
export type ServerMessage =
  | { readonly type: 'state'; readonly state: ServerState }
  | { readonly type: 'event'; readonly event: WatchedEvent }
  /** What became of an input: a copy has the text. */
  | { readonly type: 'done'; readonly id: number; readonly isDone: boolean; readonly text?: string }
  /** The native popups of a session, for the person in control. */
  | { readonly type: 'popups'; readonly session: string; readonly popups: readonly NativePopup[] };

/** The header that every request of the page carries; its value comes with the cookie. */
export const tokenHeader = 'x-pagehelm-dashboard';

/** A binary message: this header, then a JPEG. */
export const frameHeaderBytes = 24;

export interface FrameHeader {
  readonly stream: number;
  readonly seq: number;
  /** When the browser made it, in milliseconds since the epoch. */
  readonly at: number;
  /** Size of the viewport in CSS pixels. */
  readonly width: number;
  readonly height: number;
}

const frameKind = 1;

export function writeFrameHeader(view: DataView, { stream, seq, at, width, height }: FrameHeader): void {
  view.setUint8(0, frameKind);
  view.setUint16(2, stream);
  view.setUint32(4, seq);
  view.setFloat64(8, at);
  view.setUint16(16, width);
  view.setUint16(18, height);
}

/** Undefined for a message that is no frame. */
export function readFrameHeader(view: DataView): FrameHeader | undefined {
  if (view.byteLength < frameHeaderBytes || view.getUint8(0) !== frameKind) return undefined;
  return {
    stream: view.getUint16(2),
    seq: view.getUint32(4),
    at: view.getFloat64(8),
    width: view.getUint16(16),
    height: view.getUint16(18),
  };
}
