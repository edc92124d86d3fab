import type { Dialog, Page } from 'playwright-core';
import { cut, pageText } from '../../util/text.ts';

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
}

/** The dialogs of one page. */
export class Dialogs {
  /** The answer to every dialog, where the caller is not to be asked. */
  readonly #usual: Decision | undefined;
  readonly #listener: DialogListener;
  #open: readonly Modal[] = [];
  #announce: () => void = () => undefined;
  /** The answer to give to the next dialog, decided before it opened. */
  next: Decision | undefined;

  constructor(usual: Decision | undefined, listener: DialogListener) {
    this.#usual = usual;
    this.#listener = listener;
  }

  /** Open dialogs and choosers, oldest first. */
  get open(): readonly Modal[] {
    return this.#open;
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
    await answerDialog(modal.dialog, decision);
  }

  /** The page went away with its dialogs. */
  forget(): void {
    this.#open = [];
  }

  /** Takes a dialog that has opened: it is answered as decided before, or kept open for the caller. */
  async take(dialog: Dialog): Promise<void> {
    const modal = dialogModal(dialog);
    const isLeaving = dialog.type() === 'beforeunload';
    const decided = isLeaving ? { accept: true } : (this.next ?? this.#usual);
    if (decided === undefined) {
      this.#open = [...this.#open, modal];
      this.#announce();
      this.#listener.opened(modal);
      return;
    }
    if (!isLeaving) this.next = undefined;
    try {
      await answerDialog(dialog, decided);
      this.#listener.answered(`${decided.accept ? 'Accepted' : 'Dismissed'} ${modal.description}`);
    } catch {
      // The page went away with its dialog.
    }
  }
}

/** Hands a dialog to the page it is on. */
export async function takeDialog(dialog: Dialog, dialogsOf: (page: Page) => Dialogs): Promise<void> {
  const page = dialog.page();
  if (page !== null) return dialogsOf(page).take(dialog);
  // No tab can report the dialog, and the page may be closed by now.
  await dialog.dismiss().catch(() => undefined);
}
