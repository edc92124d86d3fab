import type { Page } from 'playwright-core';
import { ToolError } from '../../errors.ts';
import { cut, oneLine } from '../../util/text.ts';
import type { Checkpoint } from './checkpoint.ts';
import { seedTabStorage } from './session-storage.ts';
import type { Tab } from '../tab.ts';
import type { OpenTabs } from '../tab-list.ts';
import type { StorageState } from './storage-state.ts';
import { reopenLimitMs } from '../timing.ts';

/** The state of a session when its browser was lost. */
export interface Loss extends OpenTabs {
  readonly reason: string;
  /** An external browser: reconnect to it instead of launching one. */
  readonly isForeign: boolean;
  /** Cookies and storage are in a profile and survive the browser. */
  readonly hasProfile: boolean;
  /** Cookies and storage as of the last answer, unless the browser keeps them itself. */
  readonly state?: StorageState | undefined;
}

/** A page that fails this often within the time is left alone. */
export const mostCrashes = 3;
export const crashWindowMs = 300_000;
/** Tabs that are reopened after a loss, besides the active one. */
export const mostReopened = 10;

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

/** The event for a session whose browser was kept while the server was restarted. */
export function keptEvent(tabs: number): string {
  const count = tabs === 1 ? '1 tab is' : `${tabs} tabs are`;
  return `The server was restarted. The browser was kept: ${count} as before, with text typed into pages; refs are valid again after a snapshot. Mocked and blocked requests, recordings, downloads in progress and earlier console and network logs are lost; dialogs were dismissed.`;
}

/** The error for a call that was in progress. */
export function browserLostError({ reason }: Loss, cause?: unknown): ToolError {
  return new ToolError('BROWSER_CRASHED', { reason }, { cause });
}

/** The tabs of a lost browser that are open again; the active one has loaded, or could not be opened. */
export interface Reopened {
  readonly isBack: boolean;
  /** Tabs besides the active one. */
  readonly others: number;
}

/** The event for a lost browser: what was lost, and what is back. */
export function lossText(loss: Loss, reopened?: Reopened): string {
  const again = loss.isForeign ? 'was connected to again' : 'was started again';
  const lost = `The browser was lost (${loss.reason}) and ${again}. ${storageText(loss)}`;
  const url = loss.tabs[loss.active]?.url;
  if (reopened === undefined || url === undefined) return lost;
  const { isBack, others } = reopened;
  const rest = others > 0 ? ` and ${others} other ${others === 1 ? 'tab' : 'tabs'}` : '';
  return `${lost} ${reopenedText(url, isBack)}${rest}.`;
}

function storageText({ hasProfile, state }: Loss): string {
  if (hasProfile) return 'Cookies and storage are as its profile has them; page state is gone.';
  if (state === undefined) return 'Cookies, storage and page state are gone.';
  return 'Cookies, localStorage and sessionStorage were restored; page state is gone.';
}

/** The event for a crashed page. */
export function crashText(url: string, what: string, isBack: boolean | undefined): string {
  if (isBack === undefined) return `The page ${what}; this is a new tab, without its history.`;
  return `The page ${what}. ${reopenedText(url, isBack)} in a new tab; text typed into it is lost.`;
}

/** The event for a page that is not opened again by itself. */
export function breakerText(url: string): string {
  const shown = cut(oneLine(url), 200);
  return `${shown} failed ${mostCrashes} times within 5 minutes and was not reopened; this is a new tab.`;
}

function reopenedText(url: string, isBack: boolean): string {
  return `${isBack ? 'Reopened' : 'Could not reopen'} ${cut(oneLine(url), 200)}`;
}
