import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { listProcesses } from '../../src/browser/process/processes.ts';
import type { ProcessEntry } from '../../src/browser/process/processes.ts';
import { vi } from 'vitest';
import { expect, open, refOf, test } from '../fixtures.ts';
import type { Answer, Call, Site } from '../fixtures.ts';
import { commandOf, ownBrowsers } from '../transport/processes.ts';

/** The browser started by this test process, with its descendants. */
function browserFamily(): readonly ProcessEntry[] {
  const leaders = ownBrowsers();
  return listProcesses().filter((entry) =>
    leaders.some((leader) => entry.group === leader.group || entry.session === leader.session),
  );
}

function killBrowser(): void {
  const groups = new Set(browserFamily().map((entry) => entry.group));
  for (const group of groups) process.kill(-group, 'SIGKILL');
}

/** Starts a call that does not end by itself; resolves once it is in progress. */
async function startEndless(site: Site, call: Call): Promise<{ readonly answer: Promise<Answer> }> {
  const reached = new Promise<void>((resolve) => {
    site.set('/reached', (_request, response) => {
      response.end();
      resolve();
    });
  });
  const answer = call('browser_evaluate', { function: '() => fetch("/reached").then(() => new Promise(() => {}))' });
  await reached;
  return { answer };
}

/** Kills the browser between two calls; resolves once the server has noticed. */
async function loseBrowser(call: Call): Promise<void> {
  killBrowser();
  await vi.waitUntil(async () => (await call('browser_tabs', { action: 'list' })).text.includes('No open tabs'));
}

function killRenderers(): void {
  for (const entry of browserFamily()) {
    if (commandOf(entry.pid).includes('--type=renderer')) process.kill(entry.pid, 'SIGKILL');
  }
}

test('[S0-28] the next call replaces a killed browser and says what was lost and restored', async ({ site, call }) => {
  await open(site, call, '<title>Home</title><button>Go</button>');
  await loseBrowser(call);
  const answer = await call('browser_snapshot');
  expect(answer.section('Events')).toBe(
    '- The browser was lost (its process ended) and was started again. Cookies, storage and page state are gone. ' +
      `Reopened ${site.url('/')}.`,
  );
  expect(answer.section('Page')).toBe(`- Page URL: ${site.url('/')}\n- Page Title: Home`);
  expect((await call('browser_click', { ref: refOf(answer.text, 'button', 'Go') })).isError).toBe(false);
  expect((await call('browser_snapshot')).section('Events')).toBeUndefined();
});

test('other lost tabs are counted', async ({ site, call }) => {
  await open(site, call, '<title>Home</title><p>Text</p>');
  await call('browser_tabs', { action: 'new', url: site.url('/') });
  await loseBrowser(call);
  expect((await call('browser_snapshot')).section('Events')).toContain('1 other tab was not reopened.');
});

test('a navigation after the browser was killed opens its own URL', async ({ site, call }) => {
  site.set('/', '<title>Home</title><p>Text</p>');
  site.set('/next', '<title>Next</title><p>Text</p>');
  await call('browser_navigate', { url: site.url('/') });
  await loseBrowser(call);
  const answer = await call('browser_navigate', { url: site.url('/next') });
  expect(answer.section('Result')).toBe(`Successfully navigated to ${site.url('/next')}\nTitle: Next`);
  expect(answer.section('Events')).toBe(
    '- The browser was lost (its process ended) and was started again. Cookies, storage and page state are gone.',
  );
});

test('[R-10, S1-88] a browser killed during a call is a retryable error', async ({ site, call }) => {
  await open(site, call, '<title>Home</title><p>Text</p>');
  const endless = await startEndless(site, call);
  killBrowser();
  const answer = await endless.answer;
  expect(answer.kind).toBe('BROWSER_CRASHED');
  expect(answer.section('Error')?.split('\n').at(-1)).toBe(
    'Browser crashed unexpectedly. This may indicate a memory issue or problematic page content.',
  );
  expect(answer.structured).toMatchObject({
    errorCode: 'BROWSER_CRASHED',
    error: { code: 'BROWSER_CRASHED', retryable: true },
  });
  expect((await call('browser_navigate', { url: site.url('/') })).isError).toBe(false);
});

test('[R-10, S1-88] a browser killed during a wait is not reported as a closed tab', async ({ site, call }) => {
  await open(site, call, '<title>Home</title><p>Text</p>');
  const waiting = call('browser_wait_for', { time: 1 });
  await vi.waitUntil(async () => (await call('list_sessions', {})).text.includes('"calls":1'));
  killBrowser();
  expect((await waiting).kind).toBe('BROWSER_CRASHED');
});

test.for([
  ['browser_snapshot', {}],
  ['browser_take_screenshot', {}],
  ['browser_click', { selector: 'button' }],
  ['browser_context_save_storage', { path: 'state.json' }],
] as const)('%s reports a crash if the browser has just died', async ([name, args], { site, call, callRaw }) => {
  await open(site, call, '<title>Home</title><button>Go</button>');
  killBrowser();
  const answer = await callRaw(name, args);
  expect(answer.structured, answer.text).toMatchObject({ errorCode: 'BROWSER_CRASHED', error: { retryable: true } });
});

test('a page that crashes during a call is an error, and the next call reopens it', async ({ site, call }) => {
  await open(site, call, '<title>Home</title><p>Text</p>');
  const endless = await startEndless(site, call);
  killRenderers();
  const answer = await endless.answer;
  expect(answer.section('Error')).toBe(
    `[PAGE_CRASHED] The page "${site.url('/')}" crashed.\nOpen it again with browser_navigate. Other tabs are not affected.`,
  );
  const next = await call('browser_snapshot');
  expect(next.section('Events')).toBe(
    `- The page had crashed. Reopened ${site.url('/')} in a new tab; text typed into it is lost.`,
  );
  expect(next.section('Page')).toBe(`- Page URL: ${site.url('/')}\n- Page Title: Home`);
});

test('[S2-113, S2-114, S2-115] a crashed page is skipped when the storage of its context is saved', async ({
  site,
  call,
  server,
}) => {
  await open(site, call, '<title>Home</title><p>Text</p>');
  const script = '() => { document.cookie = "sid=mine"; localStorage.theme = "dark"; sessionStorage.step = "2" }';
  await call('browser_evaluate', { function: script });
  const endless = await startEndless(site, call);
  killRenderers();
  expect((await endless.answer).kind).toBe('PAGE_CRASHED');
  const saved = await call('browser_context_save_storage', { path: 'crashed.json', sessionStorage: true });
  expect(saved.structured).toMatchObject({ success: true, data: { skipped: [site.url('/')] } });
  const state: unknown = JSON.parse(await readFile(join(server.folder, '.playwright-mcp/crashed.json'), 'utf8'));
  expect(state).toMatchObject({
    cookies: [{ name: 'sid', value: 'mine' }],
    origins: [{ localStorage: [{ name: 'theme', value: 'dark' }] }],
  });
});

test('a ref of a closed tab is not found, and the next navigation works', async ({ site, call }) => {
  const ref = refOf((await open(site, call, '<title>Home</title><button>Go</button>')).text, 'button', 'Go');
  await call('browser_close');
  const answer = await call('browser_click', { ref });
  expect(answer.kind).toBe('REF_NOT_FOUND');
  expect((await call('browser_navigate', { url: site.url('/') })).isError).toBe(false);
});

test('a renderer crash is an error and does not block later calls', async ({ site, call }) => {
  site.set(
    '/deep',
    `<div id="root"></div><script>
      let at = document.getElementById('root');
      for (let i = 0; i < 20000; i++) { const inner = document.createElement('div'); at.append(inner); at = inner; }
    </script>`,
  );
  site.set('/', '<title>Home</title><p>Text</p>');
  expect((await call('browser_navigate', { url: site.url('/deep') })).kind).toBe('PAGE_CRASHED');
  const answer = await call('browser_navigate', { url: site.url('/') });
  expect(answer.section('Result')).toBe(`Successfully navigated to ${site.url('/')}\nTitle: Home`);
  expect(answer.section('Events')).toBe('- The page had crashed; this is a new tab.');
});
