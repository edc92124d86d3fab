import type { Dialog } from 'playwright-core';
import { cut, oneLine } from '../util/text.ts';

export type ModalKind = 'dialog';

/** Something that holds the page up until it is answered. */
export interface Modal {
  readonly kind: ModalKind;
  readonly description: string;
  readonly dialog: Dialog;
}

const longestMessage = 500;

export function dialogModal(dialog: Dialog): Modal {
  const message = JSON.stringify(cut(oneLine(dialog.message()), longestMessage));
  const article = dialog.type() === 'alert' ? 'an' : 'a';
  return { kind: 'dialog', description: `${article} ${dialog.type()} dialog with the message ${message}`, dialog };
}

/** A prompt that is accepted without a text keeps the one it proposes, as it would for a person. */
export async function answerDialog(
  dialog: Dialog,
  { accept, promptText }: { readonly accept: boolean; readonly promptText?: string | undefined },
): Promise<void> {
  if (!accept) return dialog.dismiss();
  return dialog.accept(promptText ?? (dialog.type() === 'prompt' ? dialog.defaultValue() : undefined));
}
