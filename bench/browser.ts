import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';

const headlessShells = ['/usr/lib/chromium/chromium-headless-shell', '/usr/bin/chromium-headless-shell'];
const browsers = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/** Disables background work of the browser during measurements. */
export const quietArgs: readonly string[] = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** The browser that all contestants use. */
export function findBrowser(configured: string | undefined): string {
  if (configured) {
    if (!existsSync(configured)) throw new Error(`PAGEHELM_BENCH_BROWSER names no file: ${configured}`);
    return configured;
  }
  const found = [...headlessShells, chromium.executablePath(), ...browsers].find((path) => existsSync(path));
  if (!found) {
    throw new Error('No browser found: set PAGEHELM_BENCH_BROWSER, or run: npx playwright-core install chromium');
  }
  return found;
}
