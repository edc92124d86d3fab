import type { Frame, Page } from 'playwright-core';
import { isGone, isTimeout, netErrorOf, reasonOf } from '../browser/failure.ts';
import { ToolError } from '../errors.ts';

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

/** Goes to a URL. A navigation that turns into a download is no failure. */
export async function openUrl(
  { page, agents }: OpenPage,
  url: string,
  options: OpenOptions,
  hasDownload: () => boolean,
): Promise<Opened> {
  const { signal } = options;
  let hasCome = false;
  const onNavigated = (frame: Frame): void => {
    hasCome ||= frame === page.mainFrame();
  };
  page.on('framenavigated', onNavigated);
  try {
    return await goTo(page, url, options, hasDownload);
  } catch (error) {
    const isGivenUp = signal.aborted || (error instanceof ToolError && error.code === 'NAVIGATION_TIMEOUT');
    // What was given up must not come in under a later call. A document that is there already goes on loading.
    if (isGivenUp && !hasCome) await (await agents.lane())?.stopLoading();
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
      // The error page of the navigation before is still on its way in.
      const isInterrupted = /interrupted by another navigation to "(?:chrome-error|about:neterror)/.test(reason);
      if (isInterrupted && attempt < attempts) continue;
      if (isTimeout(error)) throw new ToolError('NAVIGATION_TIMEOUT', { url, timeout }, { cause: error });
      if (isGone(error)) throw error;
      const netError = netErrorOf(error);
      const known = netError === undefined ? { reason } : { netError, reason: netError };
      throw new ToolError('NAVIGATION_FAILED', { url, ...known }, { cause: error });
    }
  }
}
