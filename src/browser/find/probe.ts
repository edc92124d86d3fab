import type { BrowserType, FoundBrowser } from './discover.ts';
import { canSandbox } from './environment.ts';
import type { Machine } from './machine.ts';
import { loadPlaywright } from '../playwright.ts';
import { launchFailureLine } from '../failure.ts';

/** Whether a browser starts and loads a page. */
type ProbeResult =
  | { readonly starts: true; readonly version: string; readonly tookMs: number }
  | { readonly starts: false; readonly reason: string };

export type Probe = (found: FoundBrowser, headless: boolean) => Promise<ProbeResult>;

/** A probe must not cause network traffic. */
const quietArgs = ['--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run'];
const page = 'data:text/html,<title>ready</title>';
const probeTimeoutMs = 30_000;

/** Launches the browser with Playwright, opens a page and closes it. */
export function createProbe(machine: Machine, timeoutMs: number = probeTimeoutMs): Probe {
  return async (found, headless) => {
    const started = performance.now();
    try {
      const version = await launchOnce(found, headless, machine, timeoutMs);
      return { starts: true, version, tookMs: Math.round(performance.now() - started) };
    } catch (error: unknown) {
      return { starts: false, reason: launchFailureLine(error) };
    }
  };
}

async function launchOnce(
  found: FoundBrowser,
  headless: boolean,
  machine: Machine,
  timeoutMs: number,
): Promise<string> {
  const browser = await loadPlaywright()[typeOf(found)].launch({
    executablePath: found.executablePath,
    headless,
    timeout: timeoutMs,
    env: { ...machine.env, ...found.env },
    args: found.kind === 'firefox' || found.kind === 'webkit' ? [] : [...quietArgs, ...(found.args ?? [])],
    chromiumSandbox: canSandbox(machine, found.executablePath),
    // Signals are handled by the server or the command line.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  });
  try {
    const tab = await browser.newPage();
    await tab.goto(page, { timeout: timeoutMs });
    const title = await tab.title();
    if (title !== 'ready') throw new Error(`a test page had the title ${JSON.stringify(title)}`);
    return browser.version();
  } finally {
    await browser.close();
  }
}

function typeOf(found: FoundBrowser): BrowserType {
  return found.kind === 'firefox' || found.kind === 'webkit' ? found.kind : 'chromium';
}
