import type { BrowserContext, Page } from 'playwright-core';
import type { BrowserLease } from '../browser/host.ts';
import { settlesWithin } from '../util/signals.ts';
import { closeLimitMs } from './timing.ts';

/** Ends a context and gives its browser back; of one that outlives the session only these pages are closed. */
export async function letGo(
  lease: BrowserLease | undefined,
  context: BrowserContext | undefined,
  own: readonly Page[],
): Promise<void> {
  if (context !== undefined) {
    const isTheirs = lease?.owned === false;
    await settlesWithin(isTheirs ? Promise.all(own.map((page) => page.close())) : context.close(), closeLimitMs);
  }
  await lease?.[Symbol.asyncDispose]();
}
