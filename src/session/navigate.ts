import type { Frame, Page, Response } from 'playwright-core';
import { isGone, isTimeout, netErrorOf, reasonOf } from '../browser/failure.ts';
import { ToolError } from '../errors.ts';
import { isMainNavigation } from './activity.ts';

export interface OpenOptions {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  readonly waitUntil?: 'load' | 'domcontentloaded' | 'networkidle' | 'commit';
}

/** A tab, as far as it is needed here. */
interface OpenPage {
  readonly page: Page;
  /** The short way to the page, which not every browser has. */
  readonly agents: { lane(): Promise<{ stopLoading(): Promise<boolean> } | undefined> };
}

/** What a URL turned out to be. */
export type Opened = 'page' | 'download' | 'nothing';

const attempts = 3;
/** Answers that leave the document as it is. */
const withoutDocument = new Set([204, 205]);

/** Goes to a URL. A navigation that turns into a download, or is answered without a document, is no failure. */
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
  let status = 0;
  const onResponse = (response: Response): void => {
    if (isMainNavigation(response.request(), page)) status = response.status();
  };
  page.on('framenavigated', onNavigated).on('response', onResponse);
  try {
    return await goTo(page, url, options, hasDownload);
  } catch (error) {
    const isAnswered = error instanceof ToolError && error.code === 'NAVIGATION_FAILED';
    if (isAnswered && withoutDocument.has(status)) return 'nothing';
    const isGivenUp = signal.aborted || (error instanceof ToolError && error.code === 'NAVIGATION_TIMEOUT');
    // What was given up must not come in under a later call. A document that is there already goes on loading.
    if (isGivenUp && !hasCome) await (await agents.lane())?.stopLoading();
    throw error;
  } finally {
    page.off('framenavigated', onNavigated).off('response', onResponse);
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
