import type { Page, Request } from 'playwright-core';
import { settlesWithin } from '../../util/signals.ts';
import { cut, oneLine } from '../../util/text.ts';
import { isMainNavigation } from '../settle/activity.ts';
import type { FastLane } from '../agent/cdp-channel.ts';

/** A tab, as far as it is needed here. */
export interface StuckPage {
  readonly page: Page;
  /** The short way to the page, which not every browser has. */
  readonly agents: { lane(): Promise<Pick<FastLane, 'stopLoading' | 'stopScript'> | undefined> };
}

export const answerLimitMs = 500;

/** Whether the page answers at all. */
export async function answers(page: Page, limitMs = answerLimitMs): Promise<boolean> {
  return settlesWithin(page.evaluate('0'), limitMs);
}

/** Stops what keeps a page from answering, so that the next call finds it usable. */
export async function unblock({ page, agents }: StuckPage, isNavigating: boolean): Promise<void> {
  if (await answers(page)) return;
  const lane = await agents.lane();
  if (lane === undefined || page.isClosed()) return;
  // A page that is on its way elsewhere does not answer either.
  if (isNavigating && (await lane.stopLoading()) && (await answers(page))) return;
  await lane.stopScript();
}

/** Ends a navigation that nobody answers, where the browser can do that; what is to be told of it. */
export async function giveUp({ page, agents }: StuckPage, pending: readonly Request[]): Promise<string | undefined> {
  const navigation = pending.findLast((request) => isMainNavigation(request, page));
  const lane = await agents.lane();
  if (navigation === undefined || lane === undefined || !(await lane.stopLoading())) return undefined;
  const where = cut(oneLine(navigation.url()), 200);
  return `The navigation to ${where} was not answered in time and was given up; the page is the one before.`;
}
