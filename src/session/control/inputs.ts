import type { NativeField } from '../../page/reads/native-popups.ts';

export type Modifier = 'Alt' | 'Control' | 'Meta' | 'Shift';
export type MouseButton = 'left' | 'middle' | 'right';

interface At {
  /** In CSS pixels of the viewport. */
  readonly x: number;
  readonly y: number;
  readonly modifiers: readonly Modifier[];
}

export type PointerInput =
  | ({ readonly kind: 'move' } & At)
  | ({ readonly kind: 'down' | 'up'; readonly button: MouseButton; readonly clicks: number } & At)
  | ({ readonly kind: 'wheel'; readonly dx: number; readonly dy: number } & At);

/** A person's answer to a popup; without one, it is closed. */
export interface PopupAnswer {
  /** Places of options in a list. */
  readonly options?: readonly number[] | undefined;
  /** A date, a time or a color, or the text of a prompt. */
  readonly value?: string | undefined;
  readonly accept?: boolean | undefined;
}

/** One input of a person. */
export type HandInput =
  | PointerInput
  | { readonly kind: 'keydown' | 'keyup'; readonly key: string; readonly modifiers: readonly Modifier[] }
  /** Text of an input method, or of a keyboard without keys. */
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'paste'; readonly text: string }
  | { readonly kind: 'copy' | 'cut' }
  | ({ readonly kind: 'answer'; readonly popup: number } & PopupAnswer)
  | { readonly kind: 'navigate'; readonly url: string }
  | { readonly kind: 'go'; readonly to: 'back' | 'forward' | 'reload' }
  | { readonly kind: 'tab'; readonly tab: string };

/** What became of an input; a copy returns the text. */
export interface HandResult {
  readonly isDone: boolean;
  readonly text?: string;
}

/** What the browser would show in a window of its own; no image of the page contains it. */
export type Popup = { readonly id: number } & (
  | ({ readonly is: 'field' } & NativeField)
  | { readonly is: 'file'; readonly isMultiple: boolean; readonly accept: string }
  | { readonly is: 'dialog'; readonly type: string; readonly message: string; readonly value: string }
);
