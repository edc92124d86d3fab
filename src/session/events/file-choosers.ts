import type { FileChooser, Page } from 'playwright-core';
import { settlesWithin } from '../../util/signals.ts';
import { chooserMs } from '../timing.ts';

/** The file choosers of a page. An open one holds nothing up: the page does not wait for it. */
export class Choosers {
  #open: FileChooser | undefined;
  #taker: ((chooser: FileChooser) => void) | undefined;

  constructor(page: Page, onOpen: () => unknown) {
    page.on('filechooser', (chooser) => {
      if (this.#taker !== undefined) {
        this.#taker(chooser);
        return;
      }
      this.#open = chooser;
      onOpen();
    });
  }

  /** The open one, which from then on is the caller's. */
  take(): FileChooser | undefined {
    const chooser = this.#open;
    this.#open = undefined;
    return chooser;
  }

  /** Has it wait again: what it was given was not taken. */
  giveBack(chooser: FileChooser): void {
    this.#open ??= chooser;
  }

  /** The one that an action opens; undefined when the page has come to rest without. */
  async openedBy(
    action: () => Promise<unknown>,
    isBusy: () => Promise<boolean>,
    signal: AbortSignal,
  ): Promise<FileChooser | undefined> {
    let opened: FileChooser | undefined;
    const opening = new Promise<void>((resolve) => {
      this.#taker = (chooser) => {
        opened = chooser;
        resolve();
      };
    });
    try {
      await action();
      while (!(await settlesWithin(opening, chooserMs)) && !signal.aborted && (await isBusy()));
      return opened;
    } finally {
      this.#taker = undefined;
    }
  }
}
