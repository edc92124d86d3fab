import type { Page } from 'playwright-core';
import { isMainNavigation } from '../settle/activity.ts';

/** Where each page was last on its way to. */
const wanted = new WeakMap<Page, string>();

export function watchAddress(page: Page): void {
  page.on('request', (request) => {
    if (isMainNavigation(request, page)) wanted.set(page, request.url());
  });
}

/** The browser's own page for an address that could not be opened. */
export function isErrorPage(page: Page): boolean {
  return page.url().startsWith('chrome-error:');
}

/** Whether its document was sent by a server. */
export function isServed(page: Page): boolean {
  return /^https?:/.test(page.url());
}

/** Where a page is; in the place of an error page it is the address that could not be opened. */
export function addressOf(page: Page): string {
  return isErrorPage(page) ? (wanted.get(page) ?? page.url()) : page.url();
}
