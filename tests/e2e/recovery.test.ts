import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { listProcesses } from '../../src/browser/process/processes.ts';
import type { ProcessEntry } from '../../src/browser/process/processes.ts';
import { loadPlaywright } from '../../src/browser/playwright.ts';
import { onTestFinished, vi } from 'vitest';
import { expect, open, refOf, startApp, test } from '../fixtures.ts';
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
  await vi.waitUntil(async () => (await call('browser_tabs', { action: 'list' })).text.includes('No open tabs'), {
    timeout: 20_000,
  });
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
    '- The browser was lost (its process ended) and was started again. ' +
      'Cookies, localStorage and sessionStorage were restored; page state is gone. ' +
      `Reopened ${site.url('/')}.`,
  );
  expect(answer.page).toBe(`- Page URL: ${site.url('/')}\n- Page Title: Home`);
  expect((await call('browser_click', { ref: refOf(answer.text, 'button', 'Go') })).isError).toBe(false);
  expect((await call('browser_snapshot')).section('Events')).toBeUndefined();
});

test('a navigation after the browser was killed opens its own URL', async ({ site, call }) => {
  site.set('/', '<title>Home</title><p>Text</p>');
  site.set('/next', '<title>Next</title><p>Text</p>');
  await call('browser_navigate', { url: site.url('/') });
  await loseBrowser(call);
  const answer = await call('browser_navigate', { url: site.url('/next') });
  expect(answer.section('Result')).toBe(`Successfully navigated to ${site.url('/next')}\nTitle: Next`);
  expect(answer.section('Events')).toBe(
    '- The browser was lost (its process ended) and was started again. ' +
      'Cookies, localStorage and sessionStorage were restored; page state is gone.',
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
  await vi.waitUntil(async () => (await call('list_sessions', {})).text.includes('"calls":1'), { timeout: 20_000 });
  killBrowser();
  expect((await waiting).kind).toBe('BROWSER_CRASHED');
});

test.for([
  ['browser_snapshot', {}],
  ['browser_take_screenshot', {}],
  ['browser_find', { text: 'Go' }],
] as const)('%s is repeated once if the browser has just died', async ([name, args], { site, call, callRaw }) => {
  await open(site, call, '<title>Home</title><button>Go</button>');
  killBrowser();
  const answer = await callRaw(name, args);
  expect(answer.isError, answer.text).toBe(false);
  expect(answer.section('Events')).toContain('The browser was lost (its process ended) and was started again.');
});

test.for([
  ['browser_click', { selector: 'button' }],
  ['browser_evaluate', { function: '() => 1' }],
] as const)('%s is not repeated if the browser has just died', async ([name, args], { site, call, callRaw }) => {
  await open(site, call, '<title>Home</title><button>Go</button>');
  killBrowser();
  const answer = await callRaw(name, args);
  expect(answer.structured, answer.text).toMatchObject({
    errorCode: 'BROWSER_CRASHED',
    effect: 'unknown',
    error: { retryable: true },
  });
});

test('a page that crashes during a call is an error, and the next call reopens it', async ({ site, call }) => {
  await open(site, call, '<title>Home</title><p>Text</p>');
  const endless = await startEndless(site, call);
  killRenderers();
  const answer = await endless.answer;
  expect(answer.section('Error')).toBe(
    `[PAGE_CRASHED] The page "${site.url('/')}" crashed.\n` +
      'The call may have had an effect: look at the page before you repeat it.\n' +
      'Open it again with browser_navigate. Other tabs are not affected.',
  );
  const next = await call('browser_snapshot');
  expect(next.section('Events')).toBe(
    `- The page had crashed. Reopened ${site.url('/')} in a new tab; text typed into it is lost.`,
  );
  expect(next.page).toBe(`- Page URL: ${site.url('/')}\n- Page Title: Home`);
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
  expect(answer.section('Events')).toBe('- The page had crashed; this is a new tab, without its history.');
});

const storing = `<title>Home</title><button>Go</button><script>
  document.querySelector('button').onclick = () => {
    document.cookie = 'cart=3';
    localStorage.theme = 'dark';
    sessionStorage.step = '2';
    localStorage.removeItem('old');
    document.title = 'Stored';
  };
  if (!localStorage.theme) localStorage.old = 'yes';
</script>`;

/** What the page finds in its storage. */
const stored = '() => [document.cookie, localStorage.theme, localStorage.old, sessionStorage.step].join()';

test('cookies and storage of an acknowledged action survive the browser', async ({ site, call }) => {
  site.set('/login', (_request, response) => {
    response.setHeader('set-cookie', 'sid=secret; HttpOnly');
    response.setHeader('content-type', 'text/html').end(storing);
  });
  await call('browser_navigate', { url: site.url('/login') });
  const clicked = await call('browser_click', { selector: 'button' });
  expect(clicked.text).toContain('Stored');
  await loseBrowser(call);
  site.set('/login', '<title>Back</title>');
  const back = await call('browser_snapshot');
  expect(back.section('Events')).toContain('Cookies, localStorage and sessionStorage were restored');
  expect((await call('browser_evaluate', { function: stored })).section('Result')).toBe('cart=3,dark,,2');
  await call('browser_navigate', { url: site.url('/login') });
  expect(site.requests.at(-1)?.headers.cookie).toContain('sid=secret');
});

test('a navigation after the loss of the browser has the storage too', async ({ site, call }) => {
  await open(site, call, storing);
  await call('browser_click', { selector: 'button' });
  await loseBrowser(call);
  site.set('/next', '<title>Next</title>');
  await call('browser_navigate', { url: site.url('/next') });
  expect((await call('browser_evaluate', { function: stored })).section('Result')).toBe('cart=3,dark,,2');
});

test('all tabs of a lost browser come back', async ({ site, call }) => {
  site.set('/two', '<title>Two</title>');
  await open(site, call, '<title>One</title>');
  await call('browser_tabs', { action: 'new' });
  await call('browser_navigate', { url: site.url('/two') });
  await call('browser_tabs', { action: 'select', index: 0 });
  await loseBrowser(call);
  const back = await call('browser_snapshot');
  expect(back.section('Events')).toContain(`Reopened ${site.url('/')} and 1 other tab.`);
  expect(back.page).toContain('- Page Title: One');
  const listed = await vi.waitUntil(
    async () => {
      const { text } = await call('browser_tabs', { action: 'list' });
      return text.includes(site.url('/two')) ? text : undefined;
    },
    { timeout: 20_000 },
  );
  expect(listed).toContain(site.url('/'));
});

test('a page that keeps crashing is left alone after three times', async ({ site, call }) => {
  await open(site, call, '<title>Home</title><p>Text</p>');
  for (let count = 1; count <= 3; count++) {
    const endless = await startEndless(site, call);
    killRenderers();
    expect((await endless.answer).kind).toBe('PAGE_CRASHED');
    const next = await call('browser_snapshot');
    const expected = count < 3 ? `Reopened ${site.url('/')}` : 'failed 3 times within 5 minutes and was not reopened';
    expect(next.section('Events')).toContain(expected);
  }
  expect((await call('browser_navigate', { url: site.url('/') })).page).toContain('- Page Title: Home');
});

test('a wait ends at once when the browser dies', async ({ site, call }) => {
  await open(site, call, '<title>Home</title>');
  const waiting = call('browser_wait_for', { time: 30 });
  await vi.waitUntil(async () => (await call('list_sessions', {})).text.includes('"calls":1'), { timeout: 20_000 });
  const killed = performance.now();
  killBrowser();
  expect((await waiting).kind).toBe('BROWSER_CRASHED');
  expect(performance.now() - killed).toBeLessThan(10_000);
});

test('a wait for a time ends when the page crashes', { timeout: 25_000 }, async ({ site, call }) => {
  await open(site, call, '<title>Home</title>');
  const waiting = call('browser_wait_for', { time: 30 });
  await vi.waitUntil(async () => (await call('list_sessions', {})).text.includes('"calls":1'), { timeout: 20_000 });
  killRenderers();
  expect((await waiting).kind).toBe('PAGE_CRASHED');
});

test('an error after the loss of the browser, or of a page, tells it too, once', async ({ site, call }) => {
  await open(site, call, '<title>Home</title>');
  await loseBrowser(call);
  const lost = await call('browser_click', { ref: 'e99' });
  expect([lost.isError, lost.section('Events')]).toEqual([true, expect.stringContaining('The browser was lost')]);
  await loseBrowser(call);
  const sentence = await call('browser_click', { selector: '#none' });
  expect(sentence.text).toMatch(/^Error clicking element: [^]*\nThe browser was lost .* was started again\./);
  expect((await call('browser_snapshot')).section('Events')).toBeUndefined();
});

test('a browser that dies while the page of another one is reopened is replaced too, with URL and storage', async ({
  site,
  call,
}) => {
  const page = '<title>Home</title><button onclick="localStorage.n = 1">Go</button>';
  await open(site, call, page);
  await call('browser_click', { selector: 'button' });
  await loseBrowser(call);
  const requested = new Promise<void>((resolve) => site.set('/', () => resolve()));
  const interrupted = call('browser_snapshot');
  await requested;
  site.set('/', page);
  killBrowser();
  // A read is repeated once.
  const answer = await interrupted;
  expect(answer.page).toBe(`- Page URL: ${site.url('/')}\n- Page Title: Home`);
  expect((await call('browser_evaluate', { function: '() => localStorage.n' })).section('Result')).toBe('1');
  expect((await call('browser_navigate', { url: site.url('/') })).isError).toBe(false);
});

test('a browser that ends right after its start is replaced in the next call', async ({ site }) => {
  const { chromium } = loadPlaywright();
  const launch = chromium.launch.bind(chromium);
  // The server still registers the processes of the browser at that time.
  vi.spyOn(chromium, 'launch').mockImplementationOnce(async (options) => {
    const browser = await launch(options);
    const ended = new Promise<void>((resolve) => browser.once('disconnected', () => resolve()));
    await browser.close();
    await ended;
    return browser;
  });
  onTestFinished(() => void vi.restoreAllMocks());
  await using server = await startApp();
  await using driver = await server.drive();
  site.set('/', '<title>Home</title>');
  expect((await driver.call('browser_navigate', { url: site.url('/') })).kind).toBe('BROWSER_CRASHED');
  expect((await driver.call('browser_navigate', { url: site.url('/') })).page).toContain('Home');
});

/** Stops the processes for which this holds. A browser that is killed continues first. */
function stop(isMeant: (command: string) => boolean): void {
  for (const { pid } of browserFamily()) if (isMeant(commandOf(pid))) process.kill(pid, 'SIGSTOP');
}

test('a frozen renderer is reported, and the next call replaces the page', async ({ site, call }) => {
  await open(site, call, '<title>Home</title><button>Go</button>');
  stop((command) => command.includes('--type=renderer'));
  const answer = await call('browser_evaluate', { function: '() => 1' });
  expect(answer.kind, answer.text).toBe('PAGE_UNRESPONSIVE');
  const next = await call('browser_snapshot');
  expect(next.section('Events')).toContain('The page did not respond.');
  expect(next.page).toContain('- Page Title: Home');
});

test('a navigation leaves a frozen renderer in one call', async ({ site, call }) => {
  site.set('/next', '<title>Next</title>');
  await open(site, call, '<title>Home</title>');
  stop((command) => command.includes('--type=renderer'));
  const answer = await call('browser_navigate', { url: site.url('/next') });
  expect(answer.page, answer.text).toContain('- Page Title: Next');
  expect(answer.section('Events')).toContain('The page did not respond; this is a new tab, without its history.');
});

test('the tab that replaces a frozen one has its place and its sessionStorage', async ({ site, call, callRaw }) => {
  site.set('/next', '<title>Next</title>');
  await open(site, call, `<title>Home</title><script>sessionStorage.setItem('kept', 'yes')</script>`);
  await call('browser_tabs', { action: 'new' });
  stop((command) => command.includes('--type=renderer'));
  const answer = await callRaw('browser_navigate', { url: site.url('/next'), tab: 0, timeout: 10_000 });
  expect(answer.isError, answer.text).toBe(false);
  const kept = await callRaw('browser_evaluate', { function: `() => sessionStorage.getItem('kept')`, tab: 0 });
  expect(kept.section('Result')).toBe('yes');
  expect((await call('browser_tabs', { action: 'list' })).text).toMatch(/- 0: .*Next[^]*- 1: \(current\)/);
});

test('a frozen browser is killed, and the next call starts another one', async ({ site, call }) => {
  await open(site, call, '<title>Home</title><button>Go</button>');
  stop((command) => !command.includes('--type='));
  const answer = await call('browser_evaluate', { function: '() => 1' });
  expect(answer.kind, answer.text).toBe('BROWSER_CRASHED');
  expect(answer.text).toContain('it stopped responding');
  expect((await call('browser_snapshot')).page).toContain('- Page Title: Home');
});
