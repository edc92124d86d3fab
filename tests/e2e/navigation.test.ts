import { data, evaluate, expect, never, slowly, test, testWith } from '../fixtures.ts';

const testPatient = testWith(['--timeout-load=20000', '--timeout-settle=20000']);
const testDesign = testWith(['--toolset=design']);

test('[S0-07, S0-28, S2-01, R-9] the first call launches a browser and opens the URL in it', async ({ site, call }) => {
  site.set('/', '<title>Home</title><h1>Welcome</h1>');
  const answer = await call('browser_navigate', { url: site.url('/') });
  expect(answer.isError).toBe(false);
  expect(answer.section('Result')).toBe(`Successfully navigated to ${site.url('/')}\nTitle: Home`);
  expect(answer.section('Ran Playwright code')).toBe(`\`\`\`js\nawait page.goto('${site.url('/')}');\n\`\`\``);
  expect(answer.page).toBe(`- Page URL: ${site.url('/')}\n- Page Title: Home`);
  expect(answer.section('Snapshot')).toContain('- heading "Welcome"');
  expect(answer.structured).toBeUndefined();
});

test('[R-9] the sections of an answer come in their fixed order', async ({ site, call }) => {
  site.set('/', '<title>Home</title><h1>Welcome</h1><script>console.error("broken")</script>');
  const answer = await call('browser_navigate', { url: site.url('/') });
  expect(answer.text.match(/^### .*/gm)).toEqual([
    '### Result',
    '### Ran Playwright code',
    '### Page',
    '### Snapshot',
    '### Events',
  ]);
});

test('[S2-02, R-15] a navigation is answered after the load event', async ({ site, call }) => {
  site.set(
    '/',
    '<title>Early</title><p>Text</p><img src="/slow.png"><script>onload = () => { document.title = "Loaded" }</script>',
  );
  site.set('/slow.png', slowly(300, '', 'image/png'));
  const answer = await call('browser_navigate', { url: site.url('/') });
  expect(answer.section('Result')).toBe(`Successfully navigated to ${site.url('/')}\nTitle: Loaded`);
});

test('[R-15] an explicit waitUntil is strict', async ({ site, call }) => {
  site.set('/', '<title>Half</title><img src="/never.png">');
  site.set('/never.png', never);
  const strict = await call('browser_navigate', { url: site.url('/'), waitUntil: 'load', timeout: 500 });
  expect(strict.section('Error')).toBe(
    '[NAVIGATION_TIMEOUT] Navigation timed out after 500ms\nIncrease timeout or check if the website is responsive.',
  );
  const idle = await call('browser_navigate', { url: site.url('/'), waitUntil: 'networkidle', timeout: 500 });
  expect(idle.kind).toBe('NAVIGATION_TIMEOUT');
});

testPatient.for(['domcontentloaded', 'commit'] as const)(
  '[S1-02, S4-13, R-15] waitUntil %s does not wait for the load event',
  async (waitUntil, { site, call }) => {
    site.set('/', '<title>Half</title><h1>Ready</h1><img src="/never.png"><script>fetch("/never.png")</script>');
    site.set('/never.png', never);
    const started = performance.now();
    const answer = await call('browser_navigate', { url: site.url('/'), waitUntil });
    // The load time-out is 20 s here.
    expect(performance.now() - started, 'the navigation was blocked').toBeLessThan(5000);
    expect(answer.section('Result')).toMatch(
      /^Successfully navigated to .*\n(?:Title: .*\n)?The page is still loading\.$/,
    );
    expect(await evaluate(call, 'document.readyState')).not.toBe('complete');
    if (waitUntil === 'domcontentloaded') expect(answer.section('Snapshot')).toContain('heading "Ready"');
  },
);

test('[R-15] a navigation that waits for networkidle keeps its time-out', async ({ site, call }) => {
  site.set('/', '<title>Busy</title><script>setInterval(() => fetch("/data"), 100)</script>');
  site.set('/data', 'ok');
  const started = performance.now();
  const answer = await call('browser_navigate', { url: site.url('/'), waitUntil: 'networkidle', timeout: 1000 });
  expect(performance.now() - started).toBeLessThan(4000);
  expect(answer.kind).toBe('NAVIGATION_TIMEOUT');
});

test('[R-10, R-15] a navigation that times out has its codes in both vocabularies', async ({ site, call }) => {
  site.set('/', never);
  const answer = await call('browser_navigate', { url: site.url('/'), timeout: 300 });
  expect(answer.structured).toEqual({
    success: false,
    errorCode: 'NAVIGATION_FAILED',
    message: 'Navigation timed out after 300ms',
    sessionId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    details: { url: site.url('/'), timeout: 300 },
    effect: 'unknown',
    error: {
      callId: expect.stringMatching(/^[0-9a-f]{8}$/),
      code: 'TIMEOUT',
      kind: 'NAVIGATION_TIMEOUT',
      message: 'Navigation timed out after 300ms',
      details: { url: site.url('/'), timeout: 300 },
      retryable: true,
      suggestion: 'Increase timeout or check if the website is responsive.',
    },
  });
});

test('a navigation that timed out or was canceled is aborted: the previous page stays and the connection is closed', async ({
  site,
  call,
  driver,
}) => {
  site.set('/', '<title>Home</title><p>Text</p>');
  await call('browser_navigate', { url: site.url('/') });
  for (const isCancelled of [false, true]) {
    let leave = (): void => undefined;
    const left = new Promise<void>((resolve) => {
      leave = resolve;
    });
    const asked = new Promise<void>((resolve) => {
      site.set('/hangs', (request) => {
        request.socket.once('close', leave);
        resolve();
      });
    });
    const cancel = new AbortController();
    const args = { url: site.url('/hangs'), ...(isCancelled ? {} : { timeout: 300 }) };
    const failing = driver.client.callTool(
      { name: 'browser_navigate', arguments: args },
      { signal: cancel.signal, timeout: 20_000 },
    );
    await asked;
    if (isCancelled) cancel.abort();
    await Promise.allSettled([failing]);
    const where = await call('browser_evaluate', { function: '() => location.pathname' });
    expect(where.section('Result')).toBe('/');
    await left;
  }
});

test('[S0-27, S0-31] cookies, storage and the page persist between calls', async ({ site, call }) => {
  site.set('/', '<title>State</title><p>Text</p>');
  await call('browser_navigate', { url: site.url('/') });
  await call('browser_evaluate', { function: '() => { document.cookie = "a=1"; localStorage.b = "2"; window.c = 3 }' });
  const state = await call('browser_evaluate', { function: '() => [document.cookie, localStorage.b, window.c]' });
  expect(state.section('Result')).toBe('["a=1","2",3]');
});

test('[S2-03] going back shows the previous page', async ({ site, call }) => {
  site.set('/one', '<title>One</title><h1>First</h1>');
  site.set('/two', '<title>Two</title><p>Text</p>');
  await call('browser_navigate', { url: site.url('/one') });
  await call('browser_navigate', { url: site.url('/two') });
  const answer = await call('browser_navigate_back');
  expect(answer.section('Result')).toBe(`Navigated to ${site.url('/one')}`);
  expect(answer.page).toBe(`- Page URL: ${site.url('/one')}\n- Page Title: One`);
  expect(answer.section('Ran Playwright code')).toBe('```js\nawait page.goBack();\n```');
  expect(answer.section('Snapshot')).toContain('- heading "First"');
});

test('[S2-03] going back within one document works too', async ({ site, call }) => {
  site.set('/', '<title>Spa</title><h1>Spa</h1>');
  await call('browser_navigate', { url: site.url('/') });
  await call('browser_evaluate', { function: '() => history.pushState({}, "", "/next")' });
  const answer = await call('browser_navigate_back');
  expect(answer.isError).toBe(false);
  expect(answer.page).toBe(`- Page URL: ${site.url('/')}\n- Page Title: Spa`);
});

test('[S2-03] going back without a history is an error that says so', async ({ call }) => {
  const answer = await call('browser_navigate_back');
  expect(answer.text).toBe(
    '### Error\n[NO_HISTORY] There is no page to go back to in this tab.\nUse browser_navigate with a URL.',
  );
});

test('[S2-04, S2-05, S2-06] after all pages were closed, a navigation opens a new one in the active context', async ({
  site,
  call,
}) => {
  site.set('/', '<title>Home</title><p>Text</p>');
  const read = '[document.cookie, sessionStorage.tab ?? "none"].join("|")';
  await call('browser_navigate', { url: site.url('/') });
  await call('browser_context_create', { name: 'busy' });
  for (const action of ['select', 'new'] as const) await call('browser_tabs', { action, index: 0, url: site.url('/') });
  await call('browser_navigate', { url: site.url('/') });
  await evaluate(call, '{ document.cookie = "of=busy"; sessionStorage.tab = "first" }');
  expect(await evaluate(call, read)).toBe('of=busy|first');
  await call('browser_close');
  expect((await call('browser_close')).section('Result')).toContain('No open tabs.');
  const answer = await call('browser_navigate', { url: site.url('/') });
  expect(answer.isError).toBe(false);
  expect(answer.page).toBe(`- Session: busy\n- Page URL: ${site.url('/')}\n- Page Title: Home`);
  // The cookies of the context, and none of the session storage of a tab.
  expect(await evaluate(call, read)).toBe('of=busy|none');
});

test('[C5-7] a failed navigation does not break the following one', async ({ site, call }) => {
  site.set('/', '<title>Good</title><p>Text</p>');
  site.set('/dead', (request) => request.socket.destroy());
  for (let round = 0; round < 3; round++) {
    const failed = await call('browser_navigate', { url: site.url('/dead') });
    expect(failed.section('Error')).toBe(
      `[NAVIGATION_FAILED] Navigation to "${site.url('/dead')}" failed: net::ERR_EMPTY_RESPONSE\n` +
        'Check the URL and that its server is running. The tab is ready for another navigation.',
    );
    const good = await call('browser_navigate', { url: site.url('/') });
    expect(good.section('Result')).toBe(`Successfully navigated to ${site.url('/')}\nTitle: Good`);
  }
});

test('[R-10, C5-7] a navigation to a closed port names the network error in its details', async ({ site, call }) => {
  const url = site.url('/');
  await site[Symbol.asyncDispose]();
  const answer = await call('browser_navigate', { url });
  expect(answer.structured).toMatchObject({
    errorCode: 'NAVIGATION_FAILED',
    details: { url, netError: 'net::ERR_CONNECTION_REFUSED' },
    error: { code: 'NAVIGATION_FAILED', retryable: false },
  });
});

test('[S4-14] after a redirect the answer has the given and the final URL', async ({ site, call }) => {
  site.set('/from', (_request, response) => response.writeHead(302, { location: '/to' }).end());
  site.set('/to', '<title>End</title><p>Text</p>');
  const answer = await call('browser_navigate', { url: site.url('/from') });
  expect(answer.section('Result')).toBe(
    `Successfully navigated to ${site.url('/from')}\nTitle: End\nRedirected to ${site.url('/to')}`,
  );
  expect(answer.page).toBe(`- Page URL: ${site.url('/to')}\n- Page Title: End`);
  expect(await evaluate(call, 'location.href')).toBe(site.url('/to'));
});

test('a redirect loop is an error, and the next navigation works', async ({ site, call }) => {
  site.set('/loop', (_request, response) => response.writeHead(302, { location: '/loop' }).end());
  site.set('/', '<title>Good</title><p>Text</p>');
  const answer = await call('browser_navigate', { url: site.url('/loop') });
  expect(answer.structured).toMatchObject({ details: { netError: 'net::ERR_TOO_MANY_REDIRECTS' } });
  expect((await call('browser_navigate', { url: site.url('/') })).isError).toBe(false);
});

test('an HTTP error status is shown and is not an error', async ({ site, call }) => {
  const answer = await call('browser_navigate', { url: site.url('/missing') });
  expect(answer.isError).toBe(false);
  expect(answer.page).toBe(
    `- Page URL: ${site.url('/missing')}\n- Page Title: \n- HTTP status: 404\n- Console: 1 errors, 0 warnings`,
  );
  // The status belongs to the document; one that no server sent has none.
  for (const url of ['about:blank', 'data:text/html,<title>Own</title>']) {
    await call('browser_navigate', { url: site.url('/missing') });
    expect((await call('browser_navigate', { url })).page).not.toContain('HTTP status');
  }
});

test('a response without a document (204) keeps the page and says so', async ({ site, call }) => {
  site.set('/', '<title>Stays</title><p>Text</p>');
  site.set('/empty', (_request, response) => response.writeHead(204).end());
  await call('browser_navigate', { url: site.url('/') });
  const answer = await call('browser_navigate', { url: site.url('/empty') });
  expect(answer.section('Result')?.split('\n')[0]).toBe(
    `The server answered without a page (HTTP status 204); the tab stays at ${site.url('/')}`,
  );
  expect(answer.isError).toBe(false);
  const page = await call('browser_snapshot');
  expect(page.page).toBe(`- Page URL: ${site.url('/')}\n- Page Title: Stays`);
});

test('a navigation to a download saves the file and keeps the page', async ({ site, call }) => {
  site.set('/', '<title>Stays</title><p>Text</p>');
  site.set('/file', (_request, response) =>
    response.writeHead(200, { 'content-disposition': 'attachment; filename="report.txt"' }).end('data'),
  );
  await call('browser_navigate', { url: site.url('/') });
  const answer = await call('browser_navigate', { url: site.url('/file') });
  expect(answer.isError).toBe(false);
  expect(answer.section('Result')?.split('\n')[0]).toBe(`The URL is a download; the tab stays at ${site.url('/')}`);
  expect(answer.section('Events')).toBe(
    '- Downloaded "report.txt" (4 bytes, text/plain) to .playwright-mcp/report.txt',
  );
  expect(answer.page).toBe(`- Page URL: ${site.url('/')}\n- Page Title: Stays`);
});

testDesign.for([
  ['an answer without a document', '/empty', { status: 204 }],
  ['a download', '/file', {}],
] as const)(
  '[S1-03] %s has no status, timing or load state of the page that stays',
  async ([, path, status], { site, callRaw }) => {
    site.set('/', (_request, response) => void response.writeHead(500, { 'content-type': 'text/html' }).end('<p>Old'));
    site.set('/empty', (_request, response) => void response.writeHead(204).end());
    site.set('/file', (_request, response) =>
      response.writeHead(200, { 'content-disposition': 'attachment; filename="report.txt"' }).end('data'),
    );
    const { sessionId } = data(await callRaw('create_session', {}));
    const first = data(await callRaw('navigate', { sessionId, url: site.url('/') }));
    expect(first).toMatchObject({ status: 500, loadState: 'load', timing: { load: expect.any(Number) } });
    const { notes: _notes, ...facts } = data(await callRaw('navigate', { sessionId, url: site.url(path) }));
    expect(facts).toEqual({ url: site.url('/'), title: '', ...status });
  },
);

test('a URL without a protocol is completed', async ({ site, call }) => {
  site.set('/', '<title>Home</title><p>Text</p>');
  const answer = await call('browser_navigate', { url: site.url('/').replace('http://', '') });
  expect(answer.section('Result')).toBe(`Successfully navigated to ${site.url('/')}\nTitle: Home`);
});

test('a data URL and about:blank can be opened', async ({ call }) => {
  const data = await call('browser_navigate', { url: 'data:text/html,<title>Data</title><p>Text</p>' });
  expect(data.section('Result')).toBe(
    'Successfully navigated to data:text/html,<title>Data</title><p>Text</p>\nTitle: Data',
  );
  const blank = await call('browser_navigate', { url: 'about:blank' });
  expect(blank.section('Result')?.split('\n')[0]).toBe('Successfully navigated to about:blank');
});

test('a fragment change is a navigation too', async ({ site, call }) => {
  site.set('/', '<title>Home</title><h1 id="part">Part</h1>');
  await call('browser_navigate', { url: site.url('/') });
  const answer = await call('browser_navigate', { url: site.url('/#part') });
  expect(answer.section('Result')).toContain(`Successfully navigated to ${site.url('/#part')}\nTitle: Home`);
});
