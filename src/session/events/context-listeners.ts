import type { BrowserContext, Dialog, Page, Request } from 'playwright-core';
import { BlockedRequests } from '../network/blocked-requests.ts';
import type { DeniedBy } from '../network/blocked-requests.ts';
import { wasForDownload } from '../files/downloads.ts';
import { takeDialog } from './dialogs.ts';
import type { Tab } from '../tab.ts';

/** What a session watches in its context beside its tabs: blocked requests, and popups beyond the limit. */
export class ContextEvents {
  readonly popups: PopupLimit;
  readonly #blocked: BlockedRequests;

  constructor(maxTabs: number, deniedBy: DeniedBy) {
    this.popups = new PopupLimit(maxTabs);
    this.#blocked = new BlockedRequests(deniedBy);
  }

  listenTo(context: BrowserContext, adopt: (page: Page) => Tab | undefined): Disposable {
    return listenTo(context, adopt, this.#blocked);
  }

  /** As sentences; each is returned once. */
  take(): readonly string[] {
    return [...this.#blocked.take(), ...this.popups.take()];
  }
}

/**
 * Listeners of a session on its context. Shared contexts outlive the session, so they must be removed.
 * A page beyond the tab limit is closed instead of adopted.
 */
function listenTo(
  context: BrowserContext,
  adopt: (page: Page) => Tab | undefined,
  blocked: BlockedRequests,
): Disposable {
  const onPage = (page: Page): void => void (wasForDownload(page) || adopt(page));
  const onFailed = (request: Request): void => blocked.note(request.url());
  // Of the context, not of each page: a window may open one before anybody could listen to it.
  const onDialog = (dialog: Dialog): void => void takeDialog(dialog, (page) => adopt(page)?.dialogs);
  context.on('page', onPage).on('requestfailed', onFailed).on('dialog', onDialog);
  return {
    [Symbol.dispose]: () => void context.off('page', onPage).off('requestfailed', onFailed).off('dialog', onDialog),
  };
}

/** Closes popups beyond the tab limit of a session as they open: a page can open them without limit. */
class PopupLimit {
  readonly #maxTabs: number;
  readonly #refused = new WeakSet<Page>();
  #unreported = 0;

  constructor(maxTabs: number) {
    this.#maxTabs = maxTabs;
  }

  /** Closes a page that has opened beside this many tabs, if they are too many; false if it may stay. */
  refuses(page: Page, tabs: number): boolean {
    if (this.#refused.has(page)) return true;
    if (tabs < this.#maxTabs) return false;
    this.#refused.add(page);
    this.#unreported++;
    // A popup that is gone by now needs no closing.
    page.close({ runBeforeUnload: false }).catch(() => undefined);
    return true;
  }

  hasRefused(page: Page): boolean {
    return this.#refused.has(page);
  }

  /** The closed popups as a sentence; each is reported once. */
  take(): readonly string[] {
    const count = this.#unreported;
    this.#unreported = 0;
    if (count === 0) return [];
    const popups = count === 1 ? '1 popup was' : `${count} popups were`;
    return [`${popups} closed: the limit of ${this.#maxTabs} tabs per session is reached.`];
  }
}
