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

/** A URL as a sentence shows it. */
export function shownUrl(url: string): string {
  return cut(oneLine(url), 200);
}
