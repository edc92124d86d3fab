import type { Page } from 'playwright-core';
import { stopLoading } from '../../page/reads/stop-loading.ts';
import { settlesWithin } from '../../util/signals.ts';
import { cut, oneLine } from '../../util/text.ts';
import type { CdpChannel } from '../agent/cdp-channel.ts';
import { answerLimitMs } from '../timing.ts';
import { mainFrameOf, withoutFragment } from './main-frame.ts';

const mostStops = 3;
/** Connections that a browser opens to one host over HTTP/1.1. */
const connectionsPerHost = 6;

/** The parts of a tab that are needed to stop its page. */
export interface StuckPage {
  readonly page: Page;
  /** The CDP channel; Chromium only. */
  readonly cdp: { open(): Promise<Pick<CdpChannel, 'stopLoading' | 'stopScript'> | undefined> };
}

/** Whether the page evaluates scripts. */
export async function answers(page: Page, limitMs = answerLimitMs): Promise<boolean> {
  return settlesWithin(page.evaluate('0'), limitMs);
}

/** What it took to make a page answer. `none`: it does not answer. */
export type Unblocked = 'nothing' | 'stopped loading' | 'stopped script' | 'none';

/** Stops the navigation or the script that keeps a page from answering, so that the next call can use the page. */
export async function unblock({ page, cdp }: StuckPage): Promise<Unblocked> {
  if (await answers(page)) return 'nothing';
  const channel = await cdp.open();
  if (channel === undefined || page.isClosed()) return 'nothing';
  // Chromium does not evaluate scripts while a navigation is pending.
  if (mainFrameOf(page).isNavigating && (await channel.stopLoading()) && (await answers(page)))
    return 'stopped loading';
  // A page may run several endless scripts one after another.
  for (let attempt = 0; attempt < mostStops; attempt++) {
    await channel.stopScript();
    if (await answers(page)) return 'stopped script';
  }
  return 'none';
}

/** Cancels the pending navigation, where the browser can; returns the sentence that reports it. */
export async function cancelNavigation({ page, cdp }: StuckPage): Promise<string | undefined> {
  const main = mainFrameOf(page);
  const channel = await cdp.open();
  if (!main.isNavigating || channel === undefined || !(await channel.stopLoading())) return undefined;
  const url = cut(oneLine(main.requestedUrl ?? ''), 200);
  return `The navigation to ${url} got no response in time and was canceled; the page did not change.`;
}

/** A page whose requests may use up the connections to a host. */
interface RequestingPage {
  readonly page: Page;
  readonly actions: { requestsTo(url: string): number };
  readInPage(read: () => void, argument: undefined): Promise<unknown>;
}

/** Ends the requests of a page if a navigation would have to wait for their answers; returns whether it did. */
export async function freeConnection(tab: RequestingPage, url: string): Promise<boolean> {
  const { href, hash } = new URL(url);
  const staysInDocument = hash !== '' && withoutFragment(href) === withoutFragment(tab.page.url());
  if (staysInDocument || tab.actions.requestsTo(url) < connectionsPerHost) return false;
  await settlesWithin(tab.readInPage(stopLoading, undefined), answerLimitMs);
  return true;
}
