import { createRequire } from 'node:module';
import type * as Playwright from 'playwright-core';
import { findBrowser } from '../../src/browser/find/discover.ts';
import { loadConfig } from '../../src/config/load.ts';
import { expect, startApp, test } from '../fixtures.ts';

/** A Playwright server with a browser. */
async function startServer(): Promise<Playwright.BrowserServer> {
  // It is CommonJS; see PlaywrightLoader.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const { chromium } = createRequire(import.meta.url)('playwright-core') as typeof Playwright;
  const found = await findBrowser({ type: 'chromium', headless: true });
  return chromium.launchServer({ executablePath: found?.executablePath ?? '', args: ['--no-sandbox'] });
}

test('--endpoint uses the browser of a Playwright server and leaves it running', async ({ site }) => {
  site.set('/', '<title>Far</title><button onclick="this.textContent = \'Done\'">Go</button>');
  const remote = await startServer();
  try {
    for (const round of [1, 2]) {
      await using server = await startApp([`--endpoint=${remote.wsEndpoint()}`]);
      await using driver = await server.drive();
      const opened = await driver.call('browser_navigate', { url: site.url('/') });
      expect(opened.page, `round ${round}`).toContain('- Page Title: Far');
      expect((await driver.call('browser_click', { selector: 'button' })).section('Snapshot')).toContain('Done');
      expect((await driver.call('browser_install', {})).section('Result')).toMatch(
        /ready: the browser at ws:\/\/[^/]+$/,
      );
    }
    expect(remote.process().exitCode).toBeNull();
  } finally {
    await remote.close();
  }
});

test('--endpoint works with --compat playwright', async ({ site }) => {
  site.set('/', '<title>Far</title><button onclick="this.textContent = \'Done\'">Go</button>');
  const remote = await startServer();
  try {
    await using server = await startApp([`--endpoint=${remote.wsEndpoint()}`, '--compat=playwright']);
    await using driver = await server.drive();
    await driver.call('browser_navigate', { url: site.url('/') });
    await driver.call('browser_click', { target: 'button' });
    expect((await driver.call('browser_snapshot')).section('Snapshot')).toContain('button "Done"');
  } finally {
    await remote.close();
  }
});

test('an unreachable endpoint is an error that does not show its token', async () => {
  await using server = await startApp(['--endpoint=ws://127.0.0.1:9/secret-key', '--cdp-timeout=2000']);
  await using driver = await server.drive();
  const answer = await driver.call('browser_snapshot');
  expect(answer.kind).toBe('BROWSER_NOT_REACHED');
  expect(answer.section('Error')).toContain('The browser at ws://127.0.0.1:9 could not be reached: ');
  expect(answer.text).not.toContain('secret-key');
});

test('domain rules cannot be combined with --endpoint', () => {
  const argv = ['--blocked-domains=a.test', '--endpoint=ws://127.0.0.1:9'];
  expect(() => loadConfig({ argv, env: {}, cwd: '/' })).toThrow('--endpoint: cannot be combined with rules');
});
