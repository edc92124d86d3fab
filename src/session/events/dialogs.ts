import type { Dialog, Page } from 'playwright-core';
import { cut, pageText } from '../../util/text.ts';
import { pause } from '../../util/signals.ts';
import { nextDialogMs } from '../timing.ts';
import { DialogStorm } from './dialog-storm.ts';

export type ModalKind = 'dialog';

/** A dialog or file chooser that blocks the page until it is answered. */
export interface Modal {
  readonly kind: ModalKind;
  readonly description: string;
  readonly dialog: Dialog;
}

export interface Decision {
  readonly accept: boolean;
  readonly promptText?: string | undefined;
}

const longestMessage = 500;

function dialogModal(dialog: Dialog): Modal {
  const message = JSON.stringify(cut(pageText(dialog.message()), longestMessage));
  const article = dialog.type() === 'alert' ? 'an' : 'a';
  const proposal = cut(pageText(dialog.defaultValue()), longestMessage);
  const proposed = proposal === '' ? '' : ` that proposes ${JSON.stringify(proposal)}`;
  const description = `${article} ${dialog.type()} dialog with the message ${message}${proposed}`;
  return { kind: 'dialog', description, dialog };
}

/** A prompt that is accepted without a text keeps the one it proposes, as it would for a person. */
async function answerDialog(dialog: Dialog, { accept, promptText }: Decision): Promise<void> {
  if (!accept) return dialog.dismiss();
  return dialog.accept(promptText ?? (dialog.type() === 'prompt' ? dialog.defaultValue() : undefined));
}

interface DialogListener {
  readonly opened: (modal: Modal) => void;
  /** A dialog was answered as decided before, in a sentence. */
  readonly answered: (event: string) => void;
  /** Stops the script that opens dialogs in a loop. */
  readonly stopScript: () => void;
  /** A person has control: every dialog is shown to that person. */
  readonly isHeld: () => boolean;
}

/** The dialogs of one page. */
export class Dialogs {
  /** The answer to every dialog, where the caller is not to be asked; `watch` where others answer it. */
  readonly #usual: Decision | 'watch' | undefined;
  readonly #listener: DialogListener;
  #open: readonly Modal[] = [];
  #announce: () => void = () => undefined;
  readonly #storm = new DialogStorm();
  /** The answer to give to the next dialog, decided before it opened. */
  next: Decision | undefined;

  constructor(usual: Decision | 'watch' | undefined, listener: DialogListener) {
    this.#usual = usual;
    this.#listener = listener;
  }

  /** Open dialogs and choosers, oldest first. */
  get open(): readonly Modal[] {
    return this.#open;
  }

  /** Dialogs are dismissed until the page navigates. */
  get isStorm(): boolean {
    return this.#storm.isOn;
  }

  /** Resolves when one opens; at once when one is open. */
  async whenOpen(): Promise<void> {
    if (this.#open.length > 0) return;
    await new Promise<void>((resolve) => {
      this.#announce = resolve;
    });
  }

  async answer(modal: Modal, decision: Decision): Promise<void> {
    this.#open = this.#open.filter((other) => other !== modal);
    this.#storm.answered();
    await answerDialog(modal.dialog, decision);
  }

  /** Dismisses the open dialogs, and those that follow until the page navigates: nothing may block leaving a page. */
  async leave(): Promise<void> {
    const open = this.#open;
    this.#open = [];
    if (open.length === 0) return;
    this.#storm.begin();
    this.#storm.answered();
    for (const { dialog, description } of open) {
      // The page may go away with its dialog.
      await dialog.dismiss().catch(() => undefined);
      this.#listener.answered(`Dismissed ${description} to leave the page`);
    }
  }

  /** Whether no further dialog opens for a moment. */
  async areOver(): Promise<boolean> {
    const before = this.#storm.count;
    await pause(nextDialogMs);
    return this.#storm.count === before;
  }

  /** An action has ended and the page is at rest. */
  atRest(): void {
    this.#storm.rest();
  }

  /** The dialogs that were dismissed by rule since the last answer, as a sentence. */
  takeDismissed(): readonly string[] {
    const event = this.#storm.take();
    return event === undefined ? [] : [event];
  }

  /** The page went away with its dialogs. */
  forget(): void {
    this.#open = [];
    this.#storm.end();
  }

  /** Takes a dialog that has opened: it is answered as decided before, or kept open for the caller. */
  async take(dialog: Dialog): Promise<void> {
    const modal = dialogModal(dialog);
    if (this.#usual === 'watch') {
      this.#show(modal);
      return;
    }
    const isBeforeUnload = dialog.type() === 'beforeunload';
    if (this.#listener.isHeld() && !isBeforeUnload) {
      this.#show(modal);
      return;
    }
    const isStorm = !isBeforeUnload && this.#storm.opened(modal.description);
    if (isStorm && this.next === undefined) return this.#dismiss(dialog);
    const decided = isBeforeUnload ? { accept: true } : (this.next ?? this.#usual);
    if (decided === undefined) {
      this.#show(modal);
      return;
    }
    if (!isBeforeUnload) this.next = undefined;
    this.#storm.answered();
    try {
      await answerDialog(dialog, decided);
      this.#listener.answered(`${decided.accept ? 'Accepted' : 'Dismissed'} ${modal.description}`);
    } catch {
      // The page went away with its dialog.
    }
  }

  /** A dialog was answered. */
  closed(dialog: Dialog): void {
    this.#open = this.#open.filter((modal) => modal.dialog !== dialog);
  }

  #show(modal: Modal): void {
    this.#open = [...this.#open, modal];
    this.#announce();
    this.#listener.opened(modal);
  }

  async #dismiss(dialog: Dialog): Promise<void> {
    // Without this, a script that opens dialogs in a loop blocks every navigation.
    if (this.#storm.dismissed()) this.#listener.stopScript();
    this.#storm.answered();
    // The page may go away with its dialog.
    await dialog.dismiss().catch(() => undefined);
  }
}

/** Hands a dialog to the page it is on. */
export async function takeDialog(dialog: Dialog, dialogsOf: (page: Page) => Dialogs | undefined): Promise<void> {
  const page = dialog.page();
  const dialogs = page === null ? undefined : dialogsOf(page);
  if (dialogs !== undefined) return dialogs.take(dialog);
  // No tab can report the dialog, and the page may be closed by now.
  await dialog.dismiss().catch(() => undefined);
}
