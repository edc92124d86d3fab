import { data, expect, testWith } from '../fixtures.ts';
import type { CallRaw, Site } from '../fixtures.ts';
import { open } from './design.ts';

const test = testWith(['--toolset=design']);

test('[S1-31, S1-32, S1-33, S1-38, S1-101] sessions are created, listed and closed; the default is used without an id', async ({
  site,
  callRaw,
}) => {
  const url = await open(site, callRaw);
  const created = data(
    await callRaw('create_session', { userAgent: 'Robot/1', viewport: { width: 400, height: 300 } }),
  );
  expect(created).toMatchObject({ sessionId: expect.stringMatching(/^[\da-f]{8}-[\da-f]{4}-4/), userAgent: 'Robot/1' });
  const { sessionId } = created;
  await callRaw('navigate', { url, sessionId });
  expect(
    data(await callRaw('evaluate', { script: '[navigator.userAgent, innerWidth, innerHeight]', sessionId })),
  ).toEqual({
    result: ['Robot/1', 400, 300],
  });
  expect(data(await callRaw('evaluate', { script: 'innerWidth' }))).toEqual({ result: 1280 });
  const listed = data(await callRaw('list_sessions', {}));
  expect(Object(listed).sessions.map(({ name }: { readonly name: string }) => name)).toEqual([
    'default',
    created['name'],
  ]);
  expect(data(await callRaw('close_session', { sessionId }))).toMatchObject({ closed: sessionId });
  expect((await callRaw('get_text', { selector: 'h1', sessionId })).structured).toMatchObject({
    errorCode: 'SESSION_NOT_FOUND',
    sessionId,
    error: { code: 'SESSION_NOT_FOUND', suggestion: 'Create a new session with create_session tool.' },
  });
});

const testQuitting = testWith(['--toolset=design', '--enable-tool=browser_quit']);

testQuitting(
  '[S1-51] a handler gets the session of its call, the sessions of the client and the browser',
  async ({ site, callRaw }) => {
    await open(site, callRaw);
    const { sessionId } = data(await callRaw('create_session', {}));
    await callRaw('navigate', { url: site.url('/?own'), sessionId });
    const here = async (where: object): Promise<unknown> =>
      data(await callRaw('evaluate', { script: 'location.search', ...where }))['result'];
    expect([await here({ sessionId }), await here({})]).toEqual(['?own', '']);
    const ids = async (): Promise<readonly unknown[]> =>
      Object(data(await callRaw('list_sessions', {}))).sessions.map((each: { sessionId: string }) => each.sessionId);
    expect(await ids()).toHaveLength(2);
    expect(await ids()).toContain(sessionId);
    expect((await callRaw('browser_quit', {})).text).toContain('Browser closed successfully');
    expect(await ids()).toEqual([]);
  },
);

test('[S3-40] sessions share no cookies, no localStorage and no sessionStorage', async ({ site, callRaw }) => {
  const url = await open(site, callRaw);
  const ids = [data(await callRaw('create_session', {})), data(await callRaw('create_session', {}))].map(
    ({ sessionId }) => sessionId,
  );
  const [first, second] = ids;
  for (const sessionId of ids) await callRaw('navigate', { url, sessionId });
  const write = `() => { document.cookie = 'c=1'; localStorage.setItem('l', '1'); sessionStorage.setItem('s', '1') }`;
  const read = `[document.cookie, localStorage.length, sessionStorage.length]`;
  await callRaw('evaluate', { script: write, sessionId: first });
  expect(data(await callRaw('evaluate', { script: read, sessionId: first }))).toEqual({ result: ['c=1', 1, 1] });
  for (const sessionId of [second, 'default'])
    expect(data(await callRaw('evaluate', { script: read, sessionId }))).toEqual({ result: ['', 0, 0] });
  for (const sessionId of ids) await callRaw('close_session', { sessionId });
});

test('[S1-34, S1-35] cookies are set and read', async ({ site, callRaw }) => {
  await open(site, callRaw);
  const cookies = [
    { name: 'a', value: '1' },
    { name: 'b', value: '2', domain: '127.0.0.1', path: '/', sameSite: 'lax', httpOnly: true },
  ];
  expect(data(await callRaw('set_cookies', { cookies }))).toEqual({ set: 2 });
  expect(data(await callRaw('evaluate', { script: 'document.cookie' }))).toEqual({ result: 'a=1' });
  expect(data(await callRaw('get_cookies', {}))).toMatchObject({
    count: 2,
    cookies: [
      { name: 'a', value: '1' },
      { name: 'b', value: '2', httpOnly: true, sameSite: 'Lax' },
    ],
  });
  const { sessionId } = data(await callRaw('create_session', {}));
  await callRaw('set_cookies', { cookies: [{ name: 'own', value: '3', url: site.url('/') }], sessionId });
  expect(data(await callRaw('get_cookies', { sessionId }))).toMatchObject({ count: 1, cookies: [{ name: 'own' }] });
  expect(data(await callRaw('get_cookies', {}))).toMatchObject({ count: 2 });
  for (const where of [{ sessionId }, {}]) await callRaw('navigate', { url: site.url('/'), ...where });
  expect(site.requests.slice(-2).map(({ headers }) => headers.cookie)).toEqual(['own=3', 'a=1; b=2']);
  await callRaw('close_session', { sessionId });
  expect((await callRaw('set_cookies', { cookies: [{ name: 'x' }] })).structured).toMatchObject({
    errorCode: 'MISSING_PARAMETER',
    message: expect.stringContaining('Missing argument "cookies.0.value" (a string).'),
  });
});

test('[S1-36, S1-37] state is saved from one session and restored in another', async ({ site, callRaw }) => {
  const url = await open(site, callRaw);
  await callRaw('evaluate', { script: '() => { localStorage.setItem("k", "v"); document.cookie = "c=1" }' });
  const saved = Object(data(await callRaw('save_state', { sessionId: 'default' })));
  expect(saved.state).toMatchObject({
    cookies: [{ name: 'c' }],
    origins: [{ localStorage: [{ name: 'k', value: 'v' }] }],
  });
  const { sessionId } = data(await callRaw('create_session', {}));
  expect(data(await callRaw('restore_state', { sessionId, state: saved.state }))).toEqual({
    sessionId,
    restored: true,
    cookies: 1,
    origins: 1,
  });
  await callRaw('navigate', { url, sessionId });
  expect(
    data(await callRaw('evaluate', { script: '[localStorage.getItem("k"), document.cookie]', sessionId })),
  ).toEqual({ result: ['v', 'c=1'] });
  await callRaw('close_session', { sessionId });
});

test('[S1-37] a state that the browser rejects is reported, and the existing state is kept', async ({
  site,
  callRaw,
}) => {
  const url = await open(site, callRaw);
  await callRaw('set_cookies', { cookies: [{ name: 'kept', value: '1', url }] });
  const cookie = { name: 'a', value: '1', domain: '127.0.0.1' };
  for (const [state, problem] of [
    [{ cookies: [{ ...cookie, sameSite: 'Sometimes' }] }, 'storageState.cookies[0].sameSite: expected one of'],
    [{ cookies: [{ ...cookie, expires: 'soon' }] }, 'storageState.cookies[0].expires: expected float, got string'],
    [{ origins: [{ origin: url, indexedDB: 'all' }] }, 'storageState.origins[0].indexedDB: expected array'],
  ] as const) {
    for (const [tool, args] of [
      ['restore_state', { sessionId: 'default', state }],
      ['create_session', { storageState: state }],
    ] as const) {
      const answer = await callRaw(tool, args);
      expect(answer.text, tool).toContain(`[MISSING_PARAMETER] ${problem}`);
    }
  }
  expect(data(await callRaw('get_cookies', {}))).toMatchObject({ cookies: [{ name: 'kept' }] });
});

test('[S1-39] block_resource blocks requests of a type', async ({ site, callRaw }) => {
  const { sessionId } = data(await callRaw('create_session', {}));
  site.set('/p.png', (_request, response) => void response.end());
  site.set('/', '<title>Blocked</title><img src="/p.png">');
  expect(data(await callRaw('block_resource', { resourceType: 'images', sessionId }))).toEqual({ blocked: ['image'] });
  await callRaw('navigate', { url: site.url('/'), sessionId });
  expect(site.requests.map(({ path }) => path)).not.toContain('/p.png');
  await callRaw('navigate', { url: site.url('/') });
  expect(site.requests.map(({ path }) => path)).toContain('/p.png');
  expect((await callRaw('block_resource', { resourceType: 'jokes', sessionId })).structured).toMatchObject({
    errorCode: 'MISSING_PARAMETER',
  });
  await callRaw('close_session', { sessionId });
});

test('[S1-40] mock_response answers in place of the server', async ({ site, callRaw }) => {
  await open(site, callRaw);
  const ask = `async () => { const r = await fetch('/api/users?x=1'); return [r.status, r.headers.get('content-type'), r.headers.get('x-a'), await r.text()] }`;
  const asked = async (): Promise<unknown> => data(await callRaw('evaluate', { script: ask }))['result'];
  await callRaw('mock_response', {
    url: '**/api/users*',
    response: { status: 201, body: { id: 7 }, headers: { 'X-A': 'b' }, delay: 20, times: 1 },
  });
  expect(await asked()).toEqual([201, 'application/json', 'b', '{"id":7}']);
  expect(await asked()).toEqual([404, 'text/html; charset=utf-8', null, 'Not here']);
  expect(data(await callRaw('mock_response', { url: '/api/users', response: { body: 'plain' } }))).toEqual({
    url: '/api/users',
    status: 200,
    mocks: 1,
  });
  expect(await asked()).toEqual([200, 'text/plain; charset=utf-8', null, 'plain']);
});

test('[S1-39, S1-40] the latest matching mock applies, and mocks apply before blocks', async ({ site, callRaw }) => {
  await open(site, callRaw);
  site.set('/api/other', 'server');
  const script = `() => Promise.all(['/api/users', '/api/other'].map((path) => fetch(path).then((r) => r.text(), () => 'blocked')))`;
  const asked = async (): Promise<unknown> => data(await callRaw('evaluate', { script }))['result'];
  await callRaw('mock_response', { url: '/api/users', response: { body: 'first' } });
  await callRaw('mock_response', { url: '/api/users', response: { body: 'second', times: 1 } });
  expect(await asked()).toEqual(['second', 'server']);
  await callRaw('block_resource', { resourceType: 'fetch' });
  expect(await asked()).toEqual(['first', 'blocked']);
  expect(site.requests.map(({ path }) => path).filter((path) => path.startsWith('/api'))).toEqual(['/api/other']);
});

test.for([
  ['the payload itself', { users: [1] }, '{"users":[1]}'],
  ['the key json', { json: { users: [1] } }, '{"users":[1]}'],
  ['a list as the body', { body: [1] }, '[1]'],
] as const)('[S1-40] mock_response takes %s and sends it as JSON', async ([, response, body], { site, callRaw }) => {
  await open(site, callRaw);
  await callRaw('mock_response', { url: '/api/users', response });
  const script = `async () => { const r = await fetch('/api/users'); return [r.status, r.headers.get('content-type'), await r.text()] }`;
  expect(data(await callRaw('evaluate', { script }))['result']).toEqual([200, 'application/json', body]);
});

test('[S1-40] an invalid mock response is rejected, so that no page waits for it', async ({ callRaw }) => {
  for (const headers of [{ 'two words': 'x' }, { 'x-lines': 'a\nb' }]) {
    const answer = await callRaw('mock_response', { url: '/api', response: { headers } });
    expect(answer.text).toBe(
      `### Error\n[MISSING_PARAMETER] The header ${JSON.stringify(Object.keys(headers)[0])} cannot be sent: its name or its value is not allowed.\nCorrect the arguments and call again.`,
    );
  }
  expect((await callRaw('mock_response', { url: '/api', response: { status: 999 } })).kind).toBe('INVALID_ARGUMENT');
});

test('[S1-39] block_resource blocks WebSockets', async ({ site, callRaw }) => {
  const { sessionId } = data(await callRaw('create_session', {}));
  const url = site.url('/');
  site.set('/', '<title>Page</title>');
  const script = `new Promise((end) => { const socket = new WebSocket(location.href.replace('http', 'ws')); socket.onopen = () => end('open'); socket.onclose = ({ code }) => end(code) })`;
  await callRaw('navigate', { url, sessionId });
  await callRaw('block_resource', { resourceType: 'websocket', sessionId });
  expect(data(await callRaw('evaluate', { script, sessionId }))).toEqual({ result: 1006 });
  expect(site.requests.filter(({ headers }) => headers.upgrade !== undefined)).toEqual([]);
  await callRaw('close_session', { sessionId });
});

test('[S1-41] set_offline disconnects the session and reconnects it', async ({ site, callRaw }) => {
  const url = await open(site, callRaw);
  expect(data(await callRaw('set_offline', { offline: true }))).toEqual({ offline: true });
  expect(data(await callRaw('evaluate', { script: 'navigator.onLine' }))).toEqual({ result: false });
  for (const [name, args] of [
    ['navigate', { url }],
    ['reload', {}],
  ] as const) {
    expect((await callRaw(name, args)).structured, name).toMatchObject({ errorCode: 'NAVIGATION_FAILED' });
  }
  await callRaw('set_offline', { offline: false });
  expect((await callRaw('navigate', { url })).isError).toBe(false);
});

test('[S1-42] set_throttling limits latency, download and upload until it is removed', async ({ site, callRaw }) => {
  await open(site, callRaw);
  site.set('/bytes', (request, response) => {
    const size = Number(new URL(request.url ?? '', 'http://site').searchParams.get('size'));
    request.resume().on('end', () => response.setHeader('content-type', 'text/plain').end('x'.repeat(size)));
  });
  /** How long it takes to send and receive so many bytes. */
  const took = async (down: number, up: number): Promise<number> => {
    const script = `async () => { const at = performance.now();
      await (await fetch('/bytes?size=${down}&' + at, { method: 'POST', body: 'x'.repeat(${up}) })).text();
      return performance.now() - at }`;
    return Number(data(await callRaw('evaluate', { script }))['result']);
  };
  expect(data(await callRaw('set_throttling', { downloadSpeed: 100, uploadSpeed: 50, latency: 400 }))).toEqual({
    downloadSpeed: 100,
    uploadSpeed: 50,
    latency: 400,
    unit: 'kB/s',
    throttled: true,
  });
  // The browser delays the data itself, so a fast machine does not shorten these times.
  expect(await took(1, 1)).toBeGreaterThanOrEqual(395);
  expect(await took(100_000, 1)).toBeGreaterThanOrEqual(1300);
  expect(await took(1, 50_000)).toBeGreaterThanOrEqual(1300);
  expect(data(await callRaw('set_throttling', { downloadSpeed: 0, uploadSpeed: 0, latency: 0 }))).toMatchObject({
    throttled: false,
  });
  // At the speeds above, this would take 20 s and 40 s.
  expect(await took(2_000_000, 2_000_000)).toBeLessThan(15_000);
});

test('[S1-43] get_request_log lists and filters the requests of the tab', async ({ site, callRaw }) => {
  await open(site, callRaw);
  await callRaw('evaluate', { script: `async () => { await fetch('/api/a'); await fetch('/other') }` });
  expect(data(await callRaw('get_request_log', { filter: '/api/' }))).toEqual({
    count: 1,
    requests: [
      {
        url: site.url('/api/a'),
        method: 'GET',
        status: 404,
        resourceType: 'fetch',
        timing: { startTime: expect.any(Number), duration: expect.any(Number) },
      },
    ],
  });
  const all = Object(data(await callRaw('get_request_log', {})));
  expect(all.requests.map(({ url }: { readonly url: string }) => new URL(url).pathname)).toEqual([
    '/',
    '/api/a',
    '/other',
  ]);
});

test('[S1-43] a blocked request has its start time', async ({ site, callRaw }) => {
  const { sessionId } = data(await callRaw('create_session', {}));
  site.set('/', '<p>Text</p>');
  await callRaw('navigate', { url: site.url('/'), sessionId });
  await callRaw('block_resource', { resourceType: 'image', sessionId });
  const before = Date.now();
  const script = `() => new Promise((resolve) => Object.assign(new Image(), { onerror: () => resolve(1), src: '/a.png' }))`;
  await callRaw('evaluate', { script, sessionId });
  const { requests } = Object(data(await callRaw('get_request_log', { filter: '/a.png', sessionId })));
  expect(requests).toHaveLength(1);
  expect(requests[0].timing.startTime).toBeGreaterThan(before - 1000);
  expect(requests[0].timing.startTime).toBeLessThan(Date.now() + 1000);
  expect(site.requests.map(({ path }) => path)).not.toContain('/a.png');
  await callRaw('close_session', { sessionId });
});

test('[S1-90] a failed fetch in a script is a retryable network error', async ({ site, callRaw }) => {
  await open(site, callRaw);
  expect((await callRaw('evaluate', { script: `() => fetch('http://127.0.0.1:9/')` })).structured).toMatchObject({
    error: { code: 'NETWORK_ERROR', message: expect.stringContaining('Failed to fetch'), retryable: true },
  });
});

/** Signs in with a cookie and a stored key, and returns the URL of the page. */
async function signIn(site: Site, callRaw: CallRaw): Promise<string> {
  const url = await open(site, callRaw);
  await callRaw('evaluate', { script: 'localStorage.setItem("k", "v"); document.cookie = "c=1"' });
  return url;
}

test('[S1-36, S1-37] every form in which save_state gives a state can be restored', async ({ site, callRaw }) => {
  const url = await signIn(site, callRaw);
  const answer = await callRaw('save_state', { sessionId: 'default' });
  const saved = data(answer);
  const file = data(await callRaw('save_state', { sessionId: 'default', path: 'forms.json' }));
  expect(file).toMatchObject({ saved: expect.stringContaining('forms.json'), cookies: 1, origins: 1 });
  const forms = [saved['state'], saved, answer.structured, file, { path: file['saved'] }, file['saved'], answer.text];
  for (const state of forms) {
    const { sessionId } = data(await callRaw('create_session', {}));
    expect(data(await callRaw('restore_state', { sessionId, state }))).toMatchObject({ cookies: 1, origins: 1 });
    await callRaw('navigate', { url, sessionId });
    const { result } = data(
      await callRaw('evaluate', { script: '[localStorage.getItem("k"), document.cookie]', sessionId }),
    );
    expect(result, JSON.stringify(state)).toEqual(['v', 'c=1']);
    await callRaw('close_session', { sessionId });
  }
});

test('[S1-37] anything else is refused and changes nothing', async ({ site, callRaw }) => {
  await signIn(site, callRaw);
  for (const state of [{}, { state: {} }, { path: 'missing.json' }, { cookies: 'all' }, 'missing.json', '{', 7, [1]]) {
    const answer = await callRaw('restore_state', { sessionId: 'default', state });
    expect(answer.isError, JSON.stringify(state)).toBe(true);
  }
  expect(data(await callRaw('evaluate', { script: '[localStorage.getItem("k"), document.cookie]' }))).toEqual({
    result: ['v', 'c=1'],
  });
});

test('[S1-36] a state that is too large for the answer is written to a file, which can be restored', async ({
  site,
  callRaw,
}) => {
  const url = await signIn(site, callRaw);
  await callRaw('evaluate', { script: 'localStorage.setItem("large", "words and ".repeat(20_000))' });
  const saved = data(await callRaw('save_state', { sessionId: 'default' }));
  expect(saved).toMatchObject({
    saved: expect.stringMatching(/state-.*\.json$/),
    notes: ['The state is too large for the answer and was written to a file.'],
  });
  const { sessionId } = data(await callRaw('create_session', {}));
  await callRaw('restore_state', { sessionId, state: saved });
  await callRaw('navigate', { url, sessionId });
  expect(data(await callRaw('evaluate', { script: 'localStorage.getItem("large").length', sessionId }))).toEqual({
    result: 200_000,
  });
  await callRaw('close_session', { sessionId });
});

test('[S1-36, S1-37] without the required sessionId nothing is saved or restored', async ({ site, callRaw }) => {
  await signIn(site, callRaw);
  for (const [name, args] of [
    ['save_state', {}],
    ['restore_state', { state: { cookies: [], origins: [] } }],
  ] as const) {
    expect((await callRaw(name, args)).structured, name).toMatchObject({
      error: { code: 'MISSING_PARAMETER', message: expect.stringMatching(/^Missing argument "sessionId"/) },
    });
  }
  expect(data(await callRaw('get_cookies', {}))).toMatchObject({ count: 1 });
});

test('[S1-33] createdAt of a session does not change', async ({ callRaw }) => {
  const created = data(await callRaw('create_session', {}));
  const at = async (): Promise<unknown> => {
    const { sessions } = data(await callRaw('list_sessions', {}));
    return (Array.isArray(sessions) ? sessions : []).find((each) => each.sessionId === created['sessionId'])?.createdAt;
  };
  for (let call = 0; call < 20; call++) expect(await at()).toBe(created['createdAt']);
  await callRaw('close_session', { sessionId: created['sessionId'] });
});
