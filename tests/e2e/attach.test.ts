import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { vi } from 'vitest';
import { createApp } from '../../src/app.ts';
import { findBrowser } from '../../src/browser/find/discover.ts';
import { listProcesses } from '../../src/browser/process/processes.ts';
import { loadConfig } from '../../src/config/load.ts';
import { createLogger } from '../../src/log.ts';
import { answerOf, expect, startApp, test } from '../fixtures.ts';
import type { Answer } from '../fixtures.ts';

interface Running extends AsyncDisposable {
  readonly endpoint: string;
  readonly pid: number;
  /** The open pages, from the browser's own list. */
  pages(): Promise<readonly string[]>;
}

/** An external browser with an open page. */
async function startBrowser(url: string): Promise<Running> {
  const found = await findBrowser({ type: 'chromium', headless: true });
  if (found === undefined) throw new Error('there is no browser');
  const profile = await mkdtemp(join(tmpdir(), 'helm-attach-'));
  const quiet = ['--no-sandbox', '--disable-background-networking', '--disable-component-update', '--disable-sync'];
  const args = [...(found.args ?? []), ...quiet, '--remote-debugging-port=0', `--user-data-dir=${profile}`, url];
  const child = spawn(found.executablePath, args, {
    detached: true,
    stdio: 'ignore',
    env: { ...process.env, ...found.env },
  });
  const { pid } = child;
  if (pid === undefined) throw new Error('the browser did not start');
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const port = await vi.waitFor(
    async () => {
      const [line = ''] = (await readFile(join(profile, 'DevToolsActivePort'), 'utf8')).split('\n');
      // The file exists before it has content.
      if (line === '') throw new Error('the port is not written yet');
      return line;
    },
    { timeout: 20_000 },
  );
  const endpoint = `http://127.0.0.1:${port}`;
  return {
    endpoint,
    pid,
    pages: async () => {
      // The browser's own list.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      const list = (await (await fetch(`${endpoint}/json/list`)).json()) as readonly { type: string; url: string }[];
      return list.filter(({ type }) => type === 'page').map((page) => page.url);
    },
    [Symbol.asyncDispose]: async () => {
      process.kill(-pid, 'SIGKILL');
      await ended;
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

interface Attached extends AsyncDisposable {
  call(name: string, args?: object): Promise<Answer>;
}

async function attach(flags: readonly string[]): Promise<Attached> {
  const cwd = await mkdtemp(join(tmpdir(), 'helm-attach-cwd-'));
  const { config } = loadConfig({ argv: flags, env: {}, cwd });
  const log = createLogger({ level: 'error', format: 'text', write: () => undefined, now: () => new Date() });
  const app = createApp({ config, log, cwd });
  return {
    call: async (name, args = {}) => answerOf(await app.call({ name, args })),
    [Symbol.asyncDispose]: async () => {
      await app[Symbol.asyncDispose]();
      await rm(cwd, { recursive: true, force: true });
    },
  };
}

function children(): readonly number[] {
  return listProcesses()
    .filter((entry) => entry.ppid === process.pid)
    .map((entry) => entry.pid)
    .toSorted((a, b) => a - b);
}

test('[S0-29, S0-30, S0-33] a running browser is used, none is started, and its own tabs survive', async ({ site }) => {
  site.set('/mine', '<title>Mine</title><p>Of the user</p>');
  site.set('/work', '<title>Work</title><button>Go</button>');
  await using browser = await startBrowser(site.url('/mine'));
  await vi.waitFor(async () => expect(await browser.pages()).toEqual([site.url('/mine')]));
  const before = children();
  {
    await using server = await attach([`--cdp-endpoint=${browser.endpoint}`]);
    const answer = await server.call('browser_navigate', { url: site.url('/work') });
    expect(answer.section('Page')).toBe(`- Page URL: ${site.url('/work')}\n- Page Title: Work`);
    expect((await server.call('browser_click', { selector: 'button' })).isError).toBe(false);
    for (const name of ['browser_launch', 'browser_quit']) {
      expect((await server.call(name)).text, name).toContain('this server uses an external browser');
    }
    expect(children()).toEqual(before);
    expect((await browser.pages()).toSorted()).toEqual([site.url('/mine'), site.url('/work')]);
    expect((await server.call('browser_tabs', { action: 'list' })).text).toContain(`[Mine](${site.url('/mine')})`);
  }
  expect(await browser.pages()).toEqual([site.url('/mine')]);
  expect(() => process.kill(browser.pid, 0)).not.toThrow();
});

test('[S0-34] the page that is open in the running browser is shown, and a navigation does not replace it', async ({
  site,
}) => {
  site.set('/mine', `<title>Mine</title><button onclick="document.title = 'clicked'">Go</button>`);
  site.set('/work', '<title>Work</title><p>Text</p>');
  await using browser = await startBrowser(site.url('/mine'));
  await vi.waitFor(async () => expect(await browser.pages()).toEqual([site.url('/mine')]));
  await using server = await attach([`--cdp-endpoint=${browser.endpoint}`]);
  expect((await server.call('browser_snapshot')).section('Snapshot')).toContain('button "Go"');
  expect(await browser.pages()).toEqual([site.url('/mine')]);
  const clicked = await server.call('browser_click', { selector: 'button' });
  expect(clicked.section('Page')).toBe(`- Page URL: ${site.url('/mine')}\n- Page Title: clicked`);
  await server.call('browser_navigate', { url: site.url('/work') });
  expect((await browser.pages()).toSorted()).toEqual([site.url('/mine'), site.url('/work')]);
  // A tab that was selected is the caller's to use.
  await server.call('browser_tabs', { action: 'select', index: 0 });
  await server.call('browser_navigate', { url: site.url('/work') });
  expect(await browser.pages()).toEqual([site.url('/work'), site.url('/work')]);
});

test('[S0-29] cookies of the running browser are visible, but not with --isolated', async ({ site }) => {
  site.set('/mine', (_request, response) =>
    response
      .setHeader('set-cookie', 'sid=of-the-user; Path=/')
      .setHeader('content-type', 'text/html')
      .end('<title>Mine</title>'),
  );
  await using browser = await startBrowser(site.url('/mine'));
  await vi.waitFor(async () => expect(await browser.pages()).toEqual([site.url('/mine')]));
  site.set('/work', '<title>Work</title><p>Text</p>');
  for (const [flags, cookie] of [
    [[], 'sid=of-the-user'],
    [['--isolated'], ''],
  ] as const) {
    await using server = await attach([`--cdp-endpoint=${browser.endpoint}`, ...flags]);
    await server.call('browser_navigate', { url: site.url('/work') });
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
  await vi.waitFor(async () => expect(await browser.pages()).toEqual([site.url('/mine')]));
  {
    await using server = await attach([`--cdp-endpoint=${browser.endpoint}`]);
    await server.call('browser_navigate', { url: site.url('/work') });
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
    await callRaw('browser_navigate', { url: site.url('/ours') });
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
