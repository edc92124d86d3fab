import type { ElementHandle, FileChooser, Frame } from 'playwright-core';
import {
  elementAt,
  focusedElement,
  frameOrigin,
  mayHavePopup,
  readNativeField,
} from '../../page/reads/native-popups.ts';
import type { NativeField } from '../../page/reads/native-popups.ts';
import { cut } from '../../util/text.ts';
import type { Modal } from '../events/dialogs.ts';
import type { Tab } from '../tab.ts';
import type { Popup, PopupAnswer } from './inputs.ts';

/** A file of the person. */
interface PersonFile {
  readonly name: string;
  readonly mimeType: string;
  readonly buffer: Buffer;
}

interface OpenField {
  readonly id: number;
  readonly field: NativeField;
  readonly element: ElementHandle<Element>;
}

interface OpenChooser {
  readonly id: number;
  readonly chooser: FileChooser;
  readonly accept: string;
  readonly files: PersonFile[];
}

interface Point {
  readonly x: number;
  readonly y: number;
}

const longestMessage = 2000;
const longestAccept = 300;
/** How long a field may take to accept an answer. */
const answerMs = 5000;

/** The native popups of a session that a person has. */
export class Popups {
  readonly #tabs: () => readonly Tab[];
  readonly #changed: () => void;
  readonly #dialogIds = new WeakMap<Modal, number>();
  #field: OpenField | undefined;
  #chooser: OpenChooser | undefined;
  #next = 1;

  constructor(tabs: () => readonly Tab[], changed: () => void) {
    this.#tabs = tabs;
    this.#changed = changed;
  }

  /** Dialogs first: they block the rest. */
  get open(): readonly Popup[] {
    const dialogs = this.#modals().map(({ id, modal: { dialog } }) => ({
      id,
      is: 'dialog' as const,
      type: dialog.type(),
      message: cut(dialog.message(), longestMessage),
      value: cut(dialog.defaultValue(), longestMessage),
    }));
    const { chooser, field } = { chooser: this.#chooser, field: this.#field };
    return [
      ...dialogs,
      ...(chooser === undefined
        ? []
        : [{ id: chooser.id, is: 'file' as const, isMultiple: chooser.chooser.isMultiple(), accept: chooser.accept }]),
      ...(field === undefined ? [] : [{ id: field.id, is: 'field' as const, ...field.field }]),
    ];
  }

  /** Shows the field at a point instead of the browser's own popup; false if there is none. */
  async openAt(tab: Tab, point: Point): Promise<boolean> {
    const isPossible = await tab.readInPage(mayHavePopup, point).catch(() => false);
    return isPossible === true && this.#show(await elementIn(tab.page.mainFrame(), point));
  }

  /** Shows the focused field, if a key would open its popup. */
  async openFocused(tab: Tab, key: string, hasAlt: boolean): Promise<boolean> {
    if (!isOpening(key, hasAlt)) return false;
    const element = await focusedIn(tab.page.mainFrame());
    const field = await element?.evaluate(readNativeField).catch(() => undefined);
    if (field === undefined || (field.kind === 'select' && field.isMultiple)) return false;
    return this.#show(element);
  }

  async choose(tab: Tab): Promise<void> {
    const chooser = tab.choosers.take();
    if (chooser === undefined) return;
    const accept = await chooser
      .element()
      .getAttribute('accept')
      .catch(() => null);
    this.#chooser = { id: this.#next++, chooser, accept: (accept ?? '').slice(0, longestAccept), files: [] };
    this.#changed();
  }

  /** False if the popup is no longer open. */
  async answer(id: number, answer: PopupAnswer): Promise<boolean> {
    const dialog = this.#modals().find((each) => each.id === id);
    if (dialog !== undefined) {
      const { tab, modal } = dialog;
      await tab.dialogs.answer(modal, { accept: answer.accept === true, promptText: answer.value });
      this.#changed();
      return true;
    }
    if (this.#chooser?.id === id) {
      this.#chooser = undefined;
      this.#changed();
      return true;
    }
    if (this.#field?.id !== id) return false;
    const { element } = this.#field;
    this.#field = undefined;
    try {
      if (answer.options !== undefined)
        await element.selectOption(
          answer.options.map((index) => ({ index })),
          { timeout: answerMs },
        );
      else if (answer.value !== undefined) await element.fill(answer.value, { timeout: answerMs });
    } finally {
      this.#changed();
      await element.dispose().catch(() => undefined);
    }
    return true;
  }

  /** Adds a file of the person to the open chooser, and answers it with the last one; false if that is not possible. */
  async add(id: number, file: PersonFile, isMore: boolean, most: number): Promise<boolean> {
    if (this.#chooser?.id !== id || this.#chooser.files.length >= most) return false;
    const { chooser, files } = this.#chooser;
    files.push(file);
    if (isMore) return true;
    this.#chooser = undefined;
    try {
      await chooser.setFiles(files, { timeout: answerMs });
    } finally {
      this.#changed();
    }
    return true;
  }

  /** A person who clicks elsewhere closes the popup of a field. */
  closeField(): void {
    if (this.#field === undefined) return;
    this.#field = undefined;
    this.#changed();
  }

  forget(): void {
    this.#field = undefined;
    this.#chooser = undefined;
  }

  async #show(element: ElementHandle<Element> | undefined): Promise<boolean> {
    const field = await element?.evaluate(readNativeField).catch(() => undefined);
    if (element === undefined || field === undefined) return false;
    // As a click would.
    await element.focus().catch(() => undefined);
    this.#field = { id: this.#next++, field, element };
    this.#changed();
    return true;
  }

  #modals(): readonly { readonly id: number; readonly tab: Tab; readonly modal: Modal }[] {
    return this.#tabs().flatMap((tab) =>
      tab.modals.map((modal) => {
        const id = this.#dialogIds.get(modal) ?? this.#next++;
        this.#dialogIds.set(modal, id);
        return { id, tab, modal };
      }),
    );
  }
}

function isOpening(key: string, hasAlt: boolean): boolean {
  return key === ' ' || key === 'Enter' || key === 'F4' || (hasAlt && /^Arrow(?:Up|Down)$/.test(key));
}

/** The element at a point, through frames. */
async function elementIn(frame: Frame, point: Point): Promise<ElementHandle<Element> | undefined> {
  const found = (await frame.evaluateHandle(elementAt, point)).asElement();
  if (found === null) return undefined;
  const inner = await found.contentFrame();
  if (inner === null) return found;
  const origin = await found.evaluate(frameOrigin);
  return elementIn(inner, { x: point.x - origin.x, y: point.y - origin.y });
}

async function focusedIn(frame: Frame): Promise<ElementHandle<Element> | undefined> {
  const found = (await frame.evaluateHandle(focusedElement)).asElement();
  const inner = (await found?.contentFrame()) ?? null;
  return inner === null ? (found ?? undefined) : focusedIn(inner);
}
