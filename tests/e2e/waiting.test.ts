import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { imageSize } from '../../src/util/images.ts';
import { evaluate, expect, never, refOf, slowly, testWith } from '../fixtures.ts';

const testHasty = testWith(['--timeout-navigation=1000', '--timeout-action=500']);
const testPatientLoad = testWith(['--timeout-load=20000', '--timeout-settle=200']);
const test = testWith(['--timeout-load=300', '--timeout-settle=200', '--snapshot-mode=full']);

test('[R-15] a page whose load event does not fire in time is reported as still loading', async ({ site, call }) => {
  site.set('/', '<title>Half</title><h1>Ready</h1><img src="/never.png">');
  site.set('/never.png', never);
  const answer = await call('browser_navigate', { url: site.url('/') });
  expect(answer.isError).toBe(false);
  expect(answer.section('Result')).toBe(
    `Successfully navigated to ${site.url('/')}\nTitle: Half\nloadState: domcontentloaded\nThe page is still loading.`,
  );
  expect(answer.section('Snapshot')).toContain('- heading "Ready"');
});

test('[S2-12, R-15] a click that navigates to a page that does not finish loading says so', async ({ site, call }) => {
  site.set('/', '<a href="/next">Next</a>');
  site.set('/next', '<title>Half</title><p>Text</p><img src="/never.png">');
  site.set('/never.png', never);
  await call('browser_navigate', { url: site.url('/') });
  const answer = await call('browser_click', { selector: 'a' });
  expect(answer.section('Result')).toBe(`Successfully clicked element: a\nThe page is still loading.`);
});

test('[S2-11] a navigation started by a click may take longer than the load time-out', async ({ site, call }) => {
  site.set('/', '<title>Before</title><a href="/next">Next</a>');
  site.set('/next', slowly(1500, '<title>Next</title><h1>Arrived</h1>'));
  await call('browser_navigate', { url: site.url('/') });
  const answer = await call('browser_click', { selector: 'a' });
  expect(answer.section('Result')).toBe('Successfully clicked element: a');
  expect(answer.section('Snapshot')).toContain('- heading "Arrived"');
});

testHasty(
  '[S2-11] a navigation that is not answered within the navigation time-out is canceled, and the page stays usable',
  async ({ site, call }) => {
    site.set('/', '<title>Before</title><a href="/never">Next</a><button onclick="this.textContent = 1">Go</button>');
    site.set('/never', never);
    await call('browser_navigate', { url: site.url('/') });
    const answer = await call('browser_click', { selector: 'a' });
    expect(answer.section('Events')).toBe(
      `- The navigation to ${site.url('/never')} got no response in time and was canceled; the page did not change.`,
    );
    expect(answer.page).toBe(`- Page URL: ${site.url('/')}\n- Page Title: Before`);
    expect(answer.text).not.toContain('could not be looked at');
    expect((await call('browser_snapshot')).section('Snapshot')).toContain('- link "Next"');
    expect((await call('browser_click', { selector: 'button' })).section('Snapshot')).toContain('- button "1"');
  },
);

testHasty(
  'a click on a button whose handler never returns times out, and the page stays usable',
  async ({ site, call }) => {
    site.set('/', '<button onclick="this.textContent = 1; for (;;);">Go</button>');
    await call('browser_navigate', { url: site.url('/') });
    // Longer than the click takes to arrive on a busy machine.
    expect((await call('browser_click', { selector: 'button', timeout: 3000 })).kind).toBe('TIMEOUT');
    expect((await call('browser_snapshot')).section('Snapshot')).toContain('- button "1"');
  },
);

testHasty(
  '[S2-03] going back to a server that does not answer is a time-out, and the page stays',
  async ({ site, call }) => {
    let isUp = true;
    site.set('/', (request, response) => {
      response.setHeader('cache-control', 'no-store');
      if (isUp) response.end('<h1>One</h1>');
      else never(request, response);
    });
    site.set('/two', '<h1>Two</h1>');
    await call('browser_navigate', { url: site.url('/') });
    await call('browser_navigate', { url: site.url('/two') });
    isUp = false;
    expect((await call('browser_navigate_back')).structured).toMatchObject({
      errorCode: 'NAVIGATION_FAILED',
      error: { code: 'TIMEOUT' },
    });
    expect((await call('browser_snapshot')).section('Snapshot')).toContain('- heading "Two"');
  },
);

testHasty('a snapshot of a missing part is ELEMENT_NOT_FOUND after the action time-out', async ({ site, call }) => {
  site.set('/', '<h1>One</h1>');
  await call('browser_navigate', { url: site.url('/') });
  expect((await call('browser_snapshot', { target: '#nowhere' })).kind).toBe('ELEMENT_NOT_FOUND');
});

testHasty(
  '[S2-11] a page with a navigation that is never answered is usable after one call',
  async ({ site, call }) => {
    site.set(
      '/',
      '<title>Before</title><p>Text</p><script>onload = () => setTimeout(() => { location = "/never" }, 2500)</script>',
    );
    const reached = new Promise<void>((resolve) => site.set('/never', () => resolve()));
    await call('browser_navigate', { url: site.url('/') });
    await reached;
    await call('browser_snapshot');
    expect((await call('browser_snapshot')).section('Snapshot')).toContain('paragraph: Text');
  },
);

test('[S2-08, S2-40] a request that is never answered does not block the click and is named', async ({
  site,
  call,
}) => {
  site.set('/', '<button onclick="fetch(\'/never?id=1\')">Go</button>');
  site.set('/never', never);
  await call('browser_navigate', { url: site.url('/') });
  const answer = await call('browser_click', { selector: 'button' });
  expect(answer.section('Result')).toBe(
    `Successfully clicked element: button\nStill waiting for 1 request: ${site.url('/never?id=1')}`,
  );
});

testPatientLoad('[S2-40] a document that never stops changing does not block the click', async ({ site, call }) => {
  site.set(
    '/',
    `<button onclick="document.title = 'clicked'">Go</button><i></i><script>let changes = 0;
      setInterval(() => { document.querySelector("i").textContent = ++changes }, 5)</script>`,
  );
  await call('browser_navigate', { url: site.url('/') });
  const started = performance.now();
  const answer = await call('browser_click', { selector: 'button' });
  // The settle limit is 200 ms, the others are 20 s.
  expect(performance.now() - started, 'the click was blocked').toBeLessThan(5000);
  expect(answer.page).toContain('Page Title: clicked');
  const before = Number(await evaluate(call, 'changes'));
  await expect.poll(async () => Number(await evaluate(call, 'changes'))).toBeGreaterThan(before);
});

test('a new tab that does not load does not block the click', async ({ site, call }) => {
  site.set('/', '<a href="/never" target="_blank">Open</a>');
  site.set('/never', never);
  await call('browser_navigate', { url: site.url('/') });
  const started = performance.now();
  const answer = await call('browser_click', { selector: 'a' });
  expect(performance.now() - started, 'the click was blocked').toBeLessThan(5000);
  expect(answer.isError, answer.text).toBe(false);
  expect(site.requests.map(({ path }) => path)).toContain('/never');
  expect((await call('browser_snapshot')).section('Snapshot')).toContain('link "Open"');
});

test('snapshot mode full shows the whole page after an action', async ({ site, call }) => {
  site.set('/', '<h1>Top</h1><button onclick="this.after(\'more\')">Add</button>');
  await call('browser_navigate', { url: site.url('/') });
  const snapshot = (await call('browser_click', { selector: 'button' })).section('Snapshot') ?? '';
  expect(snapshot).toMatch(/^```yaml\n/);
  expect(snapshot).toContain('- heading "Top"');
  expect(refOf(snapshot, 'button', 'Add')).toMatch(/^e\d+$/);
});

test('[S2-44] a page whose fonts never load is captured without them', async ({ site, server, call }) => {
  site.set(
    '/',
    `<style>@font-face { font-family: late; src: url(/never.woff2) } body { font-family: late; margin: 0 }</style>
     <p>Words</p><div style="height: 2000px"></div><b id="end" style="display: block; width: 40px; height: 20px">End</b>`,
  );
  site.set('/never.woff2', never);
  await call('browser_navigate', { url: site.url('/') });
  for (const [args, size] of [
    [{ filename: 'window.png' }, { width: 1280, height: 720 }],
    [
      { filename: 'element.webp', ref: '#end' },
      { width: 40, height: 20 },
    ],
  ] as const) {
    const answer = await call('browser_take_screenshot', { ...args, timeout: 2000 });
    expect(answer.text.split('\n')[2]).toBe('Taken before all fonts of the page had loaded.');
    const file = await readFile(join(server.folder, '.viewpoint-mcp-screenshots', args.filename));
    expect(imageSize(file)).toEqual(size);
  }
});
