import type { Page } from 'playwright-core';
import { cut, oneLine } from '../util/text.ts';

/** What a session still had when its browser was lost. */
export interface Loss {
  readonly reason: string;
  readonly urls: readonly string[];
  readonly activeUrl?: string;
}

const reopenLimitMs = 15_000;

/** Goes to a URL as far as it goes; says whether it got there. */
export async function goQuietly(page: Page, url: string, timeout: number, signal: AbortSignal): Promise<boolean> {
  // A page that crashed once is likely to crash again, and a crash does not end a navigation.
  const crashed = new AbortController();
  const onCrash = (): void => crashed.abort();
  page.once('crash', onCrash);
  try {
    const either = AbortSignal.any([signal, crashed.signal]);
    await page.goto(url, { timeout: Math.min(timeout, reopenLimitMs), signal: either, waitUntil: 'domcontentloaded' });
    return true;
  } catch {
    return false;
  } finally {
    page.off('crash', onCrash);
  }
}

/** What a loss cost, and whether the page that was looked at could be opened again, if that was tried. */
export function lossText({ reason, urls, activeUrl }: Loss, isBack?: boolean): string {
  const lost = `The browser was lost (${reason}) and was started again. Cookies, storage and page state are gone.`;
  if (isBack === undefined || activeUrl === undefined) return lost;
  const rest = urls.length - 1;
  const others = rest > 0 ? ` ${rest} other ${rest === 1 ? 'tab was' : 'tabs were'} not reopened.` : '';
  return `${lost} ${reopenedText(activeUrl, isBack)}.${others}`;
}

/** The same for a page that crashed alone. */
export function crashText(url: string, isBack: boolean | undefined): string {
  if (isBack === undefined) return 'The page had crashed; this is a new tab.';
  return `The page had crashed. ${reopenedText(url, isBack)} in a new tab; what was typed into it is gone.`;
}

function reopenedText(url: string, isBack: boolean): string {
  return `${isBack ? 'Reopened' : 'Could not reopen'} ${cut(oneLine(url), 200)}`;
}
