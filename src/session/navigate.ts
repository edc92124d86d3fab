import type { Frame, Page } from 'playwright-core';
import { isGone, isTimeout, netErrorOf, reasonOf } from '../browser/failure.ts';
import { ToolError } from '../errors.ts';
import { raceSignal } from '../util/signals.ts';

export interface OpenOptions {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  readonly waitUntil?: 'load' | 'domcontentloaded' | 'networkidle' | 'commit';
}

/** A tab, as far as it is needed here. */
interface OpenPage {
  readonly page: Page;
  /** The short way to the page, which not every browser has. */
  readonly agents: { lane(): Promise<{ stopLoading(): Promise<void> } | undefined> };
}

/** What a URL turned out to be. */
export type Opened = 'page' | 'download';

const attempts = 3;
/** A page that loads itself anew more often than this goes on for ever. */
export const mostDocuments = 10;

/** Goes to a URL. A navigation that turns into a download is no failure. */
export async function openUrl(
  { page, agents }: OpenPage,
  url: string,
  options: OpenOptions,
  hasDownload: () => boolean,
): Promise<Opened> {
  const { signal } = options;
  const stop = new AbortController();
  let documents = 0;
  const onNavigated = (frame: Frame): void => {
    if (frame === page.mainFrame() && ++documents > mostDocuments) stop.abort();
  };
  page.on('framenavigated', onNavigated);
  try {
    return await raceSignal(goTo(page, url, options, hasDownload), stop.signal);
  } catch (error) {
    // It is there, and will never be ready.
    if (stop.signal.aborted && !signal.aborted) return 'page';
    const isGivenUp = signal.aborted || (error instanceof ToolError && error.code === 'NAVIGATION_TIMEOUT');
    // What was given up must not come in under a later call. A document that is there already goes on loading.
    if (isGivenUp && documents === 0) await (await agents.lane())?.stopLoading();
    throw error;
  } finally {
    page.off('framenavigated', onNavigated);
  }
}

async function goTo(page: Page, url: string, options: OpenOptions, hasDownload: () => boolean): Promise<Opened> {
  const { signal, timeoutMs: timeout } = options;
  for (let attempt = 1; ; attempt++) {
    try {
      await page.goto(url, { signal, timeout, waitUntil: options.waitUntil ?? 'domcontentloaded' });
      return 'page';
    } catch (error) {
      signal.throwIfAborted();
      const reason = reasonOf(error);
      if (/Download is starting/.test(reason) || hasDownload()) return 'download';
      // Another document was still on its way in: the error page of the navigation before, or the page's own anew.
      const other = /interrupted by another navigation to "([^"]*)"/.exec(reason)?.[1];
      // An attempt that seemed to have failed has come there.
      if (attempt > 1 && other === new URL(url).href) return 'page';
      if (other !== undefined && attempt < attempts) continue;
      if (isTimeout(error)) throw new ToolError('NAVIGATION_TIMEOUT', { url, timeout }, { cause: error });
      if (isGone(error)) throw error;
      const netError = netErrorOf(error);
      const known = netError === undefined ? { reason } : { netError, reason: netError };
      throw new ToolError('NAVIGATION_FAILED', { url, ...known }, { cause: error });
    }
  }
}
