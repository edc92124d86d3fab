import type { Page } from 'playwright-core';
import { ToolError } from '../../errors.ts';
import { cut, oneLine } from '../../util/text.ts';
import type { Checkpoint } from './checkpoint.ts';
import { seedTabStorage } from './session-storage.ts';
import type { Tab } from '../tab.ts';
import type { OpenUrls } from '../tab-list.ts';
import { reopenLimitMs } from '../timing.ts';

/** The state of a session when its browser was lost. */
export interface Loss extends OpenUrls {
  readonly reason: string;
  /** An external browser: reconnect to it instead of launching one. */
  readonly isForeign: boolean;
  /** Cookies and storage are in a profile and survive the browser. */
  readonly hasProfile: boolean;
}

/** Navigates without throwing; returns whether it succeeded. */
export async function goQuietly(page: Page, url: string, timeout: number, signal: AbortSignal): Promise<boolean> {
  // A page that crashed is likely to crash again, and a crash does not end a navigation.
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

/** Opens the saved tabs of a session in parallel. */
export async function reopenTabs(
  { tabs }: Checkpoint,
  newTab: () => Promise<Tab>,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<readonly Tab[]> {
  const opened: Tab[] = [];
  for (const { storage } of tabs) {
    const tab = await newTab();
    await seedTabStorage(tab.page, storage);
    opened.push(tab);
  }
  await Promise.all(opened.map((tab, index) => goQuietly(tab.page, tabs[index]?.url ?? '', timeoutMs, signal)));
  return opened;
}

/** The event for a restored session. */
export function restoredEvent(tabs: number): string {
  const count = tabs === 1 ? '1 tab' : `${tabs} tabs`;
  return `The browser had been closed; the session was restored with ${count}, cookies and storage. Text typed into pages is lost.`;
}

/** The error for a call that was in progress. */
export function browserLostError({ reason }: Loss, cause: unknown): ToolError {
  return new ToolError('BROWSER_CRASHED', { reason }, { cause });
}

/** The event for a lost browser: what was lost, and whether the page was reopened. */
export function lossText({ reason, urls, activeUrl, isForeign, hasProfile }: Loss, isBack?: boolean): string {
  const again = isForeign ? 'was connected to again' : 'was started again';
  const gone = hasProfile
    ? 'Cookies and storage are as its profile has them; page state is gone.'
    : 'Cookies, storage and page state are gone.';
  const lost = `The browser was lost (${reason}) and ${again}. ${gone}`;
  if (isBack === undefined || activeUrl === undefined) return lost;
  const rest = urls.length - 1;
  const others = rest > 0 ? ` ${rest} other ${rest === 1 ? 'tab was' : 'tabs were'} not reopened.` : '';
  return `${lost} ${reopenedText(activeUrl, isBack)}.${others}`;
}

/** The event for a crashed page. */
export function crashText(url: string, isBack: boolean | undefined): string {
  if (isBack === undefined) return 'The page had crashed; this is a new tab.';
  return `The page had crashed. ${reopenedText(url, isBack)} in a new tab; text typed into it is lost.`;
}

function reopenedText(url: string, isBack: boolean): string {
  return `${isBack ? 'Reopened' : 'Could not reopen'} ${cut(oneLine(url), 200)}`;
}
