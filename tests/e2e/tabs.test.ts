import { evaluate, expect, slowly, test } from '../fixtures.ts';
import type { Call, Site } from '../fixtures.ts';

async function threeTabs(site: Site, call: Call): Promise<void> {
  for (const name of ['a', 'b', 'c']) site.set(`/${name}`, `<title>${name.toUpperCase()}</title><h1>${name}</h1>`);
  await call('browser_navigate', { url: site.url('/a') });
  await call('browser_tabs', { action: 'new', url: site.url('/b') });
  await call('browser_tabs', { action: 'new', url: site.url('/c') });
}

test('[S2-81, R-9] the list shows all tabs with titles and URLs, as text and as data', async ({ site, call }) => {
  await threeTabs(site, call);
  const answer = await call('browser_tabs', { action: 'list' });
  expect(answer.text).toBe(
    `### Result\n- 0: [A](${site.url('/a')}) t1\n- 1: [B](${site.url('/b')}) t2\n- 2: (current) [C](${site.url('/c')}) t3`,
  );
  expect(answer.structured).toEqual({
    success: true,
    data: {
      tabs: [
        { index: 0, id: 't1', url: site.url('/a'), title: 'A', active: false },
        { index: 1, id: 't2', url: site.url('/b'), title: 'B', active: false },
        { index: 2, id: 't3', url: site.url('/c'), title: 'C', active: true },
      ],
    },
  });
});

test('answers list the open tabs again when another tab changes, opens, closes or becomes the current one', async ({
  site,
  call,
  callRaw,
}) => {
  await threeTabs(site, call);
  const listed = async (answer: ReturnType<Call>): Promise<string | undefined> => (await answer).section('Open tabs');
  expect(await listed(call('browser_navigate', { url: site.url('/a') }))).toBeUndefined();
  expect(await listed(call('browser_snapshot'))).toContain(`- 2: (current) [A](${site.url('/a')}) t3`);
  expect(await listed(call('browser_tabs', { action: 'select', index: 0 }))).toContain('- 0: (current) [A]');
  expect(await listed(call('browser_click', { selector: 'h1' }))).toBeUndefined();
  const full = callRaw('browser_click', { selector: 'h1', detail: 'full' });
  expect(await listed(full)).toContain('- 0: (current) [A]');
  expect(await listed(call('browser_tabs', { action: 'close', index: 1 }))).toContain('- 1: [A]');
  expect(await listed(call('browser_click', { selector: 'h1' }))).toBeUndefined();
});

test('[S2-81] without tabs, the list says how to open one', async ({ call }) => {
  const answer = await call('browser_tabs', { action: 'list' });
  expect(answer.text).toBe('### Result\nNo open tabs. Navigate to a URL to create one.');
  expect(answer.structured).toEqual({ success: true, data: { tabs: [] } });
});

test('[S2-82] a new tab becomes the active one', async ({ site, call }) => {
  site.set('/a', '<title>A</title><p>Text</p>');
  await call('browser_navigate', { url: site.url('/a') });
  const answer = await call('browser_tabs', { action: 'new' });
  expect(answer.section('Result')).toBe('Opened tab 1 (t2).');
  expect(answer.section('Open tabs')).toBe(`- 0: [A](${site.url('/a')}) t1\n- 1: (current) [](about:blank) t2`);
  expect(answer.page).toBe('- Page URL: about:blank\n- Page Title: ');
});

test('[S2-82] a new tab with a URL opens it', async ({ site, call }) => {
  await threeTabs(site, call);
  const answer = await call('browser_tabs', { action: 'new', url: site.url('/a') });
  expect(answer.page).toBe(`- Page URL: ${site.url('/a')}\n- Page Title: A`);
  expect(answer.section('Snapshot')).toContain('- heading "a"');
});

test('[S2-82] a new tab that cannot open its URL is closed again', async ({ site, call }) => {
  await threeTabs(site, call);
  site.set('/dead', (request) => request.socket.destroy());
  for (const url of [site.url('/dead'), 'file:///etc/passwd', 'http://']) {
    expect((await call('browser_tabs', { action: 'new', url })).isError, url).toBe(true);
  }
  const list = await call('browser_tabs', { action: 'list' });
  expect(list.text.match(/^- .*/gm)).toHaveLength(3);
  expect(list.text).toContain(`- 2: (current) [C](${site.url('/c')}) t3`);
});

test('[S2-83] closing by index closes that tab and keeps the active one', async ({ site, call }) => {
  await threeTabs(site, call);
  await call('browser_tabs', { action: 'select', index: 0 });
  await call('browser_tabs', { action: 'close', index: 2 });
  expect((await call('browser_tabs', { action: 'list' })).section('Result')).toBe(
    `- 0: (current) [A](${site.url('/a')}) t1\n- 1: [B](${site.url('/b')}) t2`,
  );
});

test('[S2-83] closing without an index closes the current tab, the last one included', async ({ site, call }) => {
  site.set('/a', '<title>A</title><p>Text</p>');
  await call('browser_navigate', { url: site.url('/a') });
  expect((await call('browser_tabs', { action: 'close' })).text).toBe(
    '### Result\nNo open tabs. Navigate to a URL to create one.',
  );
});

test('[S2-84] selecting by index makes that tab current', async ({ site, call }) => {
  await threeTabs(site, call);
  const answer = await call('browser_tabs', { action: 'select', index: 0 });
  expect(answer.page).toBe(`- Page URL: ${site.url('/a')}\n- Page Title: A`);
  expect(await evaluate(call, 'document.title')).toBe('A');
});

test('a tab can be named by its id, which is stable when others close', async ({ site, call }) => {
  await threeTabs(site, call);
  await call('browser_tabs', { action: 'close', index: 0 });
  const answer = await call('browser_tabs', { action: 'select', tab: 't2' });
  expect(answer.page).toBe(`- Page URL: ${site.url('/b')}\n- Page Title: B`);
});

test.for([
  ['close', 7, '7'],
  ['select', -1, '-1'],
  ['select', 0.5, '0.5'],
] as const)(
  '[S2-83, S2-84] %s of tab %d, which does not exist, says how many there are',
  async ([action, index, shown], { site, call }) => {
    await threeTabs(site, call);
    expect((await call('browser_tabs', { action, index })).text).toBe(
      `### Error\n[TAB_NOT_FOUND] There is no tab ${shown}; 3 tabs are open.\nList the tabs with browser_tabs.`,
    );
  },
);

test('select without an index is an error that requests it', async ({ site, call }) => {
  await threeTabs(site, call);
  expect((await call('browser_tabs', { action: 'select' })).text).toBe(
    '### Error\n[MISSING_PARAMETER] Missing argument "index": which tab.\nCorrect the arguments and call again.',
  );
});

test('[R-37] calls go to the selected tab, and to its neighbor after it is closed', async ({ site, call }) => {
  await threeTabs(site, call);
  await call('browser_tabs', { action: 'select', index: 1 });
  expect((await call('browser_snapshot')).page).toBe(`- Page URL: ${site.url('/b')}\n- Page Title: B`);
  const closed = await call('browser_tabs', { action: 'close' });
  expect(closed.page).toBe(`- Page URL: ${site.url('/c')}\n- Page Title: C`);
});

test.for([{ modifiers: ['Control' as const] }, { button: 'middle' as const }])(
  '[S2-15, S2-17, R-37] a link clicked with %j opens a tab in the background',
  async (how, { site, call }) => {
    site.set('/', '<title>Here</title><a href="/there">Go</a>');
    site.set('/there', '<title>There</title><p>Text</p>');
    await call('browser_navigate', { url: site.url('/') });
    const answer = await call('browser_click', { selector: 'a', ...how });
    expect(answer.section('Result')).toMatch(
      /^Successfully clicked element: a\nOpened tab 1 \(t2\), in the background: /,
    );
    expect(answer.page).toBe(`- Page URL: ${site.url('/')}\n- Page Title: Here`);
    expect(answer.section('Open tabs')).toBe(
      `- 0: (current) [Here](${site.url('/')}) t1\n- 1: [There](${site.url('/there')}) t2`,
    );
  },
);

test('[R-37] a popup opened by a click becomes the current tab, and closing it returns to the opener', async ({
  site,
  call,
}) => {
  site.set('/a', `<title>A</title><button onclick="window.open('/b')">Open</button>`);
  site.set('/b', '<title>B</title><p>Text</p>');
  await call('browser_navigate', { url: site.url('/a') });
  const opened = await call('browser_click', { selector: 'button' });
  expect(opened.section('Result')).toBe(
    `Successfully clicked element: button\nOpened tab 1 (t2), now the current one: ${site.url('/b')}`,
  );
  expect(opened.page).toBe(`- Page URL: ${site.url('/b')}\n- Page Title: B`);
  const closed = await call('browser_tabs', { action: 'close' });
  expect(closed.page).toBe(`- Page URL: ${site.url('/a')}\n- Page Title: A`);
});

test('[R-37] all tabs that a click opens are reported, even one that loads much later', async ({ site, call }) => {
  site.set('/a', '<title>A</title>');
  site.set('/b', (_request, response) => void setTimeout(() => response.end('<title>B</title>'), 700));
  site.set('/', `<button onclick="window.open('/a'); window.open('/b')">Go</button>`);
  await call('browser_navigate', { url: site.url('/') });
  const answer = await call('browser_click', { selector: 'button' });
  expect(answer.section('Result')?.match(/Opened tab \d/g)).toEqual(['Opened tab 1', 'Opened tab 2']);
});

test('[R-37] closing a tab opened by a link returns to its opener, not to the neighbor', async ({ site, call }) => {
  await threeTabs(site, call);
  site.set('/links', '<title>Links</title><a target="_blank" href="/a">Go</a>');
  await call('browser_tabs', { action: 'select', index: 1 });
  await call('browser_navigate', { url: site.url('/links') });
  for (const close of [() => call('browser_close'), () => call('browser_tabs', { action: 'close' })]) {
    const opened = await call('browser_click', { selector: 'a' });
    expect(opened.section('Open tabs')).toContain(`- 3: (current) [A](${site.url('/a')})`);
    await close();
    expect((await call('browser_snapshot')).page).toContain('- Page Title: Links');
  }
});

test('[R-37] a popup that a page opens by itself stays in the background, and the next answer names it', async ({
  site,
  call,
}) => {
  site.set(
    '/',
    `<title>Here</title><p>Text</p><script>
      new EventSource('/wake').onmessage = () => { window.open('/there'); };
    </script>`,
  );
  site.set('/there', '<title>There</title><script>fetch("/opened")</script>');
  const opened = new Promise((resolve) => {
    site.set('/opened', (_request, response) => resolve(response.end()));
  });
  let wake = (): void => undefined;
  site.set('/wake', (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': wait\n\n');
    wake = () => void response.write('data: now\n\n');
  });
  await call('browser_navigate', { url: site.url('/') });
  wake();
  await opened;
  const answer = await call('browser_snapshot');
  expect(answer.page).toBe(`- Page URL: ${site.url('/')}\n- Page Title: Here`);
  expect(answer.section('Open tabs')?.split('\n')).toEqual([
    `- 0: (current) [Here](${site.url('/')}) t1`,
    expect.stringContaining(`](${site.url('/there')}) t2`),
  ]);
});

test('[S2-08, R-37] a link to a new tab makes it current and waits for its load', async ({ site, call }) => {
  site.set('/', '<title>Here</title><a target="_blank" href="/there">Go</a>');
  site.set('/there', slowly(300, '<title>There</title><h1>Arrived</h1>'));
  await call('browser_navigate', { url: site.url('/') });
  const answer = await call('browser_click', { selector: 'a' });
  expect(answer.section('Result')).toBe(
    `Successfully clicked element: a\nOpened tab 1 (t2), now the current one: ${site.url('/there')}`,
  );
  expect(answer.page).toBe(`- Page URL: ${site.url('/there')}\n- Page Title: There`);
  expect(answer.section('Snapshot')).toContain('- heading "Arrived"');
});

test('a page that closes itself is reported, and the next call works', async ({ site, call }) => {
  site.set('/', '<title>Opener</title><p>Text</p>');
  site.set('/popup', '<title>Popup</title><button onclick="window.close()">Close me</button>');
  await call('browser_navigate', { url: site.url('/') });
  await call('browser_evaluate', { function: '() => { open("/popup") }' });
  await call('browser_tabs', { action: 'select', index: 1 });
  const answer = await call('browser_click', { selector: 'button' });
  expect(answer.section('Result')).toBe('Successfully clicked element: button\nThe tab closed itself.');
  expect((await call('browser_snapshot')).page).toBe(`- Page URL: ${site.url('/')}\n- Page Title: Opener`);
});

test('a tab whose page did not load is listed with the requested URL', async ({ site, call }) => {
  site.set('/cut', (_, response) => void response.destroy());
  expect((await call('browser_navigate', { url: site.url('/cut') })).kind).toBe('NAVIGATION_FAILED');
  expect((await call('browser_tabs', { action: 'list' })).section('Result')).toContain(`(${site.url('/cut')})`);
  const { text } = await call('browser_snapshot');
  expect(text).toContain('The page did not load.');
  expect(text).toContain(`- Page URL: ${site.url('/cut')}`);
  site.set('/cut', '<title>Back</title><p>There');
  expect((await call('browser_evaluate', { function: '() => location.reload()' })).isError).toBe(false);
  expect((await call('browser_snapshot')).text).toContain('There');
});
