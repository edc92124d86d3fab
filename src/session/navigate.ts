import type { Page } from 'playwright-core';
import { isGone, isTimeout, netErrorOf, reasonOf } from '../browser/failure.ts';
import { ToolError } from '../errors.ts';

export interface OpenOptions {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  readonly waitUntil?: 'load' | 'domcontentloaded' | 'networkidle' | 'commit';
}

/** What a URL turned out to be. */
export type Opened = 'page' | 'download';

const attempts = 3;

/** Goes to a URL. A navigation that turns into a download is no failure. */
export async function openUrl(
  page: Page,
  url: string,
  options: OpenOptions,
  hasDownload: () => boolean,
): Promise<Opened> {
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
