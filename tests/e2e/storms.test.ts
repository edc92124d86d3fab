import { evaluate, expect, open, test, testWith } from '../fixtures.ts';
import type { Call } from '../fixtures.ts';

const testFourTabs = testWith(['--max-tabs=4']);

/** Dismisses dialogs until none is open; returns how many it took. */
async function dismissAll(call: Call): Promise<number> {
  for (let count = 1; count <= 30; count++) {
    const answer = await call('browser_handle_dialog', { accept: false });
    if (answer.section('Modal state') === undefined) return count;
  }
  return Number.POSITIVE_INFINITY;
}

for (const [what, script] of [
  ['alert', 'for (;;) alert(1)'],
  ['confirm', "while (!confirm('Sure?'));"],
  ['prompt', "while (prompt('Name?') === null);"],
] as const) {
  test(`an endless ${what} loop is stopped after a few dialogs, and the page works again`, async ({ site, call }) => {
    site.set('/next', '<title>Next</title>');
    await open(site, call, `<title>Loop</title><button onclick="${script}">Go</button>`);
    expect((await call('browser_click', { selector: 'button' })).section('Modal state')).toContain(`${what} dialog`);
    expect(await dismissAll(call)).toBeLessThanOrEqual(5);
    expect(await evaluate(call, 'document.title')).toContain('Loop');
    const next = await call('browser_navigate', { url: site.url('/next') });
    expect(next.page, next.text).toContain('- Page Title: Next');
  });
}

test('dialogs that are dismissed in a storm are reported in one line', async ({ site, call }) => {
  await open(site, call, '<button onclick="for (;;) alert(1)">Go</button>');
  await call('browser_click', { selector: 'button' });
  for (let count = 1; count < 5; count++) await call('browser_handle_dialog', { accept: false });
  const last = await call('browser_handle_dialog', { accept: false });
  // On a busy machine the loop is also reported as a script that blocked the page.
  const about = last
    .section('Events')
    ?.split('\n')
    .filter((line) => line.includes('dialogs'));
  expect(about).toEqual([
    expect.stringMatching(
      /^- The page kept opening dialogs; \d+ dialogs were dismissed, the last one an alert dialog with the message "1"\. Further ones are dismissed until the page navigates\.$/,
    ),
  ]);
});

test('after a storm a new document may open dialogs again', async ({ site, call }) => {
  site.set('/asks', `<button onclick="document.title = String(confirm('Sure?'))">Ask</button>`);
  await open(site, call, '<button onclick="for (;;) alert(1)">Go</button>');
  await call('browser_click', { selector: 'button' });
  await dismissAll(call);
  await call('browser_navigate', { url: site.url('/asks') });
  await call('browser_click', { selector: 'button' });
  await call('browser_handle_dialog', { accept: true });
  expect(await evaluate(call, 'document.title')).toContain('true');
});

test('dialogs that actions open one after another are no storm', async ({ site, call }) => {
  await open(site, call, `<button onclick="document.title += confirm('Sure?') ? 'y' : 'n'">Ask</button>`);
  for (let count = 0; count < 7; count++) {
    await call('browser_click', { selector: 'button' });
    await call('browser_handle_dialog', { accept: true });
  }
  expect(await evaluate(call, 'document.title')).toContain('yyyyyyy');
});

test.for([
  ['in 50 intervals', '<script>for (let i = 0; i < 50; i++) setInterval(() => alert(i), 1)</script>'],
  ['in frames', '<iframe srcdoc="<script>setInterval(() => alert(1), 5)</script>"></iframe>'.repeat(5)],
  ['in pagehide', '<script>onpagehide = () => { alert(1); for (;;) confirm(1) }</script>'],
])('a page that opens dialogs %s can be left', async ([, html = ''], { site, call }) => {
  site.set('/next', '<title>Next</title>');
  await open(site, call, `<title>Dialogs</title>${html}`);
  const next = await call('browser_navigate', { url: site.url('/next') });
  expect(next.page, next.text).toContain('- Page Title: Next');
  expect((await call('browser_snapshot')).isError).toBe(false);
});

test('a document opens few windows without a user action, and its windows open none', async ({ site, call }) => {
  const again = 'for (let i = 0; i < 20; i++) open("/popup")';
  site.set('/popup', `<title>Popup</title><script>${again}</script>`);
  const opened = await open(
    site,
    call,
    `<title>Opener</title><script>addEventListener('load', () => { ${again} })</script>`,
  );
  expect(opened.isError, opened.text).toBe(false);
  const isLoaded = async (): Promise<number> =>
    (await call('browser_tabs', { action: 'list' })).text.match(/Popup/g)?.length ?? 0;
  await expect.poll(isLoaded).toBe(3);
});

testFourTabs(
  'popups beyond the tab limit are closed and reported in one line; navigation works',
  async ({ site, call }) => {
    const again = 'for (let i = 0; i < 6; i++) window.open(`/popup?${Math.random()}`)';
    site.set('/popup', '<title>Popup</title>');
    site.set('/next', '<title>Next</title>');
    await open(site, call, `<title>Opener</title><button onclick="${again}">Go</button>`);
    const clicked = await call('browser_click', { selector: 'button' });
    const next = await call('browser_navigate', { url: site.url('/next') });
    expect(next.page ?? next.text).toContain('- Page Title: Next');
    const { text } = await call('browser_tabs', { action: 'list' });
    expect(text.match(/^- \d:/gm), text).toHaveLength(4);
    const events = `${clicked.section('Events') ?? ''}\n${next.section('Events') ?? ''}`;
    expect(events).toMatch(/- \d+ popups? w(?:as|ere) closed: the limit of 4 tabs per session is reached\./);
  },
);

testFourTabs('a tab beyond the limit is an error; a closed tab makes room', async ({ site, call }) => {
  await open(site, call, '<title>First</title>');
  for (let count = 1; count < 4; count++) await call('browser_tabs', { action: 'new' });
  const refused = await call('browser_tabs', { action: 'new' });
  expect(refused.kind).toBe('MAX_TABS_REACHED');
  expect(refused.structured).toMatchObject({ error: { code: 'RESOURCE_EXHAUSTED' } });
  expect(refused.text).toContain('Close a tab with browser_tabs');
  await call('browser_tabs', { action: 'close', index: 3 });
  expect((await call('browser_tabs', { action: 'new' })).isError).toBe(false);
});
