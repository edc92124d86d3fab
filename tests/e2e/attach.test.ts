import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { vi } from 'vitest';
import { loadApp } from '../../src/app.ts';
import { loadConfig } from '../../src/config/load.ts';
import { createLogger } from '../../src/log.ts';
import { unzip } from '../../src/util/zip.ts';
import { startBrowser } from '../external-browser.ts';
import { answerOf, expect, startApp, test } from '../fixtures.ts';
import type { Answer } from '../fixtures.ts';
import { ownBrowsers } from '../transport/processes.ts';

interface Attached extends AsyncDisposable {
  readonly cwd: string;
  call(name: string, args?: object): Promise<Answer>;
}

async function attach(flags: readonly string[]): Promise<Attached> {
  const cwd = await mkdtemp(join(tmpdir(), 'helm-attach-cwd-'));
  const { config } = loadConfig({ argv: flags, env: {}, cwd });
  const log = createLogger({ level: 'error', write: () => undefined, now: () => new Date() });
  const app = await loadApp({ config, log, cwd });
  return {
    cwd,
    call: async (name, args = {}) => answerOf(await app.call({ name, args })),
    [Symbol.asyncDispose]: async () => {
      await app[Symbol.asyncDispose]();
      await rm(cwd, { recursive: true, force: true });
    },
  };
}

test('[S0-29, S0-30, S0-33] a running browser is used, none is started, and its own tabs survive', async ({ site }) => {
  site.set('/mine', '<title>Mine</title><p>Of the user</p>');
  site.set('/work', '<title>Work</title><button>Go</button>');
  await using browser = await startBrowser(site.url('/mine'));
  await vi.waitFor(async () => expect(await browser.pages()).toEqual([site.url('/mine')]), { timeout: 20_000 });
  const before = ownBrowsers();
  {
    await using server = await attach([`--cdp-endpoint=${browser.endpoint}`]);
    await server.call('browser_tabs', { action: 'new' });
    const answer = await server.call('browser_navigate', { url: site.url('/work') });
    expect(answer.page).toBe(`- Page URL: ${site.url('/work')}\n- Page Title: Work`);
    expect((await server.call('browser_click', { selector: 'button' })).isError).toBe(false);
    for (const name of ['browser_launch', 'browser_quit']) {
      expect((await server.call(name)).text, name).toContain('this server uses an external browser');
    }
    expect(ownBrowsers()).toEqual(before);
    expect((await browser.pages()).toSorted()).toEqual([site.url('/mine'), site.url('/work')]);
    expect((await server.call('browser_tabs', { action: 'list' })).text).toContain(`[Mine](${site.url('/mine')})`);
  }
  expect(await browser.pages()).toEqual([site.url('/mine')]);
  expect(() => process.kill(browser.pid, 0)).not.toThrow();
});

test.for(['none', 'playwright'])(
  '[S0-34] with --compat %s, the open page of the running browser is shown, and a navigation replaces it',
  async (compat, { site }) => {
    site.set('/mine', `<title>Mine</title><button onclick="document.title = 'clicked'">Go</button>`);
    site.set('/work', '<title>Work</title><p>Text</p>');
    await using browser = await startBrowser(site.url('/mine'));
    await vi.waitFor(async () => expect(await browser.pages()).toEqual([site.url('/mine')]), { timeout: 20_000 });
    await using server = await attach([`--cdp-endpoint=${browser.endpoint}`, `--compat=${compat}`]);
    expect((await server.call('browser_snapshot')).section('Snapshot')).toContain('button "Go"');
    const clicked = await server.call('browser_click', { target: 'button' });
    expect(clicked.page).toBe(`- Page URL: ${site.url('/mine')}\n- Page Title: clicked`);
    await server.call('browser_navigate', { url: site.url('/work') });
    expect(await browser.pages()).toEqual([site.url('/work')]);
  },
);

test('a navigation as the first call uses the open page', async ({ site }) => {
  site.set('/work', '<title>Work</title><p>Text</p>');
  await using browser = await startBrowser('about:blank');
  await using server = await attach([`--cdp-endpoint=${browser.endpoint}`]);
  await server.call('browser_navigate', { url: site.url('/work') });
  expect(await browser.pages()).toEqual([site.url('/work')]);
});

test('media emulation that another client has set stays', async ({ site }) => {
  site.set('/mine', '<title>Mine</title>');
  await using browser = await startBrowser(site.url('/mine'));
  const user = await chromium.connectOverCDP(browser.endpoint);
  const page = user.contexts()[0]?.pages()[0];
  await page?.emulateMedia({ colorScheme: 'dark' });
  await using server = await attach([`--cdp-endpoint=${browser.endpoint}`]);
  const isDark = `() => matchMedia('(prefers-color-scheme: dark)').matches`;
  expect((await server.call('browser_evaluate', { function: isDark })).section('Result')).toBe('true');
  await user.close();
});

test('[S0-29] cookies of the running browser are visible, but not with --isolated', async ({ site }) => {
  site.set('/mine', (_request, response) =>
    response
      .setHeader('set-cookie', 'sid=of-the-user; Path=/')
      .setHeader('content-type', 'text/html')
      .end('<title>Mine</title>'),
  );
  await using browser = await startBrowser(site.url('/mine'));
  await vi.waitFor(async () => expect(await browser.pages()).toEqual([site.url('/mine')]), { timeout: 20_000 });
  site.set('/work', '<title>Work</title><p>Text</p>');
  for (const [flags, cookie] of [
    [[], 'sid=of-the-user'],
    [['--isolated'], ''],
  ] as const) {
    await using server = await attach([`--cdp-endpoint=${browser.endpoint}`, ...flags]);
    await server.call('browser_tabs', { action: 'new', url: site.url('/work') });
    expect((await server.call('browser_evaluate', { function: '() => document.cookie' })).section('Result')).toBe(
      cookie,
    );
  }
  expect(await browser.pages()).toEqual([site.url('/mine')]);
});

test('[S0-29] an unreachable CDP endpoint is an error that names it', async ({ site }) => {
  await using server = await attach([`--cdp-endpoint=${site.url('/secret')}`, '--cdp-timeout=2000']);
  const answer = await server.call('browser_navigate', { url: site.url('/') });
  expect(answer.kind).toBe('BROWSER_NOT_REACHED');
  const [first, last] = answer.section('Error')?.split('\n') ?? [];
  expect(first).toContain(`The browser at ${new URL(site.url('/')).origin} could not be reached: `);
  expect(first).not.toContain('secret');
  expect(last).toBe('Check that it is running and listening at the address in the configuration, then call again.');
});

test('[S0-33] popups of our pages are closed with them, the user’s tabs are not', async ({ site }) => {
  site.set('/mine', '<title>Mine</title><a href="/theirs" target="_blank">Theirs</a>');
  site.set('/theirs', '<title>Theirs</title>');
  site.set('/work', '<title>Work</title><a href="/popup" target="_blank">Popup</a>');
  site.set('/popup', '<title>Popup</title><button onclick="window.open(\'/second\')">Second</button>');
  site.set('/second', '<title>Second</title>');
  await using browser = await startBrowser(site.url('/mine'));
  await vi.waitFor(async () => expect(await browser.pages()).toEqual([site.url('/mine')]), { timeout: 20_000 });
  {
    await using server = await attach([`--cdp-endpoint=${browser.endpoint}`]);
    await server.call('browser_tabs', { action: 'new', url: site.url('/work') });
    await server.call('browser_click', { selector: 'a' });
    await server.call('browser_click', { selector: 'button' });
    await server.call('browser_click', { selector: 'a', tab: 0 });
    const opened = ['/mine', '/popup', '/second', '/theirs', '/work'].map((path) => site.url(path));
    expect((await browser.pages()).toSorted()).toEqual(opened);
  }
  expect((await browser.pages()).toSorted()).toEqual([site.url('/mine'), site.url('/theirs')]);
});

test('tabs of an external browser are not saved for a restart, sessions in it are', async ({ site }) => {
  site.set('/', '<title>Theirs</title>');
  site.set('/ours', '<title>Ours</title>');
  await using browser = await startBrowser(site.url('/'));
  const folder = await mkdtemp(join(tmpdir(), 'helm-attach-kept-'));
  const flags = [`--cdp-endpoint=${browser.endpoint}`, '--persistent-sessions', '--isolated=false'];
  try {
    const first = await startApp(flags, { folder });
    const { callRaw } = await first.drive();
    await callRaw('browser_tabs', { action: 'new', url: site.url('/ours') });
    await callRaw('create_session', { name: 'kept' });
    await callRaw('browser_navigate', { url: site.url('/ours'), sessionId: 'kept' });
    await first[Symbol.asyncDispose]();
    const second = await startApp(flags, { folder });
    const list = await (await second.drive()).callRaw('list_sessions', {});
    await second[Symbol.asyncDispose]();
    expect([...list.text.matchAll(/"name":"(\w+)"/g)].map(([, name]) => name)).toEqual(['kept']);
    expect(await browser.pages()).toEqual([site.url('/')]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test('a session in an external browser is traced, and its tab survives', async ({ site }) => {
  site.set('/mine', '<title>Mine</title>');
  site.set('/work', '<title>Work</title><button>Go</button>');
  await using browser = await startBrowser(site.url('/mine'));
  await vi.waitFor(async () => expect(await browser.pages()).toEqual([site.url('/mine')]), { timeout: 20_000 });
  await using server = await attach([`--cdp-endpoint=${browser.endpoint}`, '--caps=tracing']);
  await server.call('browser_start_tracing');
  await server.call('browser_tabs', { action: 'new', url: site.url('/work') });
  const saved = await server.call('browser_stop_tracing');
  const path = /Saved the trace as (.+)/.exec(saved.text)?.[1] ?? '';
  const files = new Map(await unzip(await readFile(join(server.cwd, path))));
  expect(files.get('trace.network')?.toString()).toContain(site.url('/work'));
  expect(await browser.pages()).toContain(site.url('/mine'));
});

test('browser_annotate returns what a user draws and writes on the page', async ({ site }) => {
  site.set('/', '<title>Home</title><h1>Hello</h1>');
  await using browser = await startBrowser(site.url('/'));
  await using app = await startApp(['--no-isolated', `--cdp-endpoint=${browser.endpoint}`, '--caps=devtools']);
  await using driver = await app.drive();
  await driver.call('browser_tabs', { action: 'list' });
  const annotating = driver.call('browser_annotate', {});
  const user = await chromium.connectOverCDP(browser.endpoint);
  const page = user.contexts()[0]?.pages()[0];
  if (page === undefined) throw new Error('the page is not open');
  await page.waitForFunction(() => document.documentElement.lastElementChild?.tagName === 'DIV');
  await page.mouse.move(50, 60);
  await page.mouse.down();
  await page.mouse.move(150, 100);
  await page.mouse.up();
  await page.keyboard.type('too large');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  const answer = await annotating;
  expect(answer.section('Result')).toContain('- x 50, y 60, 100x40: "too large"');
  expect(await page.evaluate(() => document.documentElement.lastElementChild?.tagName)).toBe('BODY');
  await user.close();
});
