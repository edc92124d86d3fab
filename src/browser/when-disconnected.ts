import type { Browser } from 'playwright-core';

/**
 * Calls a function once when the connection to a browser ends; at once if it has ended. Between the start of a browser and
 * its first use, other work is awaited: an event of that time has no listener yet.
 */
export function whenDisconnected(browser: Browser, run: () => void): void {
  if (browser.isConnected()) browser.once('disconnected', run);
  else run();
}
