import type { BrowserContext, Dialog, Page, Request } from 'playwright-core';
import type { BlockedRequests } from '../network/blocked-requests.ts';
import { wasForDownload } from '../files/downloads.ts';
import { takeDialog } from './dialogs.ts';
import type { Tab } from '../tab.ts';

/** Listeners of a session on its context. Shared contexts outlive the session, so they must be removed. */
export function listenTo(context: BrowserContext, adopt: (page: Page) => Tab, blocked: BlockedRequests): Disposable {
  const onPage = (page: Page): void => void (wasForDownload(page) || adopt(page));
  const onFailed = (request: Request): void => blocked.note(request.url());
  // Of the context, not of each page: a window may open one before anybody could listen to it.
  const onDialog = (dialog: Dialog): void => void takeDialog(dialog, (page) => adopt(page).dialogs);
  context.on('page', onPage).on('requestfailed', onFailed).on('dialog', onDialog);
  return {
    [Symbol.dispose]: () => void context.off('page', onPage).off('requestfailed', onFailed).off('dialog', onDialog),
  };
}
