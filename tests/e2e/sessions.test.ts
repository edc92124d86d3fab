import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FakeClock } from '../fake-clock.ts';
import { expect, open, refOf, startApp, testWith } from '../fixtures.ts';
import type { Answer, CallRaw, Driver } from '../fixtures.ts';

const test = testWith(['--max-sessions=100']);
const testLimited = testWith(['--max-sessions=2']);
const testUsual = testWith([]);

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** The answer of a session tool: an object, as text and as data. */
function dataOf(answer: Answer): Readonly<Record<string, unknown>> {
  expect(answer.isError, answer.text).toBe(false);
  const data: unknown = JSON.parse(answer.section('Result') ?? '');
  expect(answer.structured).toEqual({ success: true, data });
  // The tools in this file answer with objects.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return data as Readonly<Record<string, unknown>>;
}

async function create(callRaw: CallRaw, args: object = {}): Promise<string> {
  return String(dataOf(await callRaw('create_session', args))['sessionId']);
}

async function names(callRaw: CallRaw): Promise<readonly unknown[]> {
  // The structured content of the list.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const list = dataOf(await callRaw('list_sessions', {}))['sessions'] as readonly { readonly name: string }[];
  return list.map(({ name }) => name);
}

test('[S3-01, S3-02, S3-03, S3-04, S1-31] a session has its own UUID, context and page', async ({ callRaw, site }) => {
  site.set('/', '<title>Page</title><button>Go</button>');
  const first = await create(callRaw);
  const second = await create(callRaw);
  expect(first).toMatch(uuid);
  expect(second).toMatch(uuid);
  expect(second).not.toBe(first);
  for (const sessionId of [first, second]) {
    await callRaw('browser_navigate', { url: site.url(`/?${sessionId}`), sessionId });
    await callRaw('browser_evaluate', { function: `() => { document.cookie = 'who=${sessionId}' }`, sessionId });
  }
  for (const sessionId of [first, second]) {
    const seen = await callRaw('browser_evaluate', { function: '() => location.search + document.cookie', sessionId });
    expect(seen.section('Result')).toBe(`?${sessionId}who=${sessionId}`);
  }
});

test('[S1-31, S1-38] create_session does not change the active session, and a call without an id uses default', async ({
  callRaw,
  call,
  site,
}) => {
  site.set('/', '<title>Page</title><p>Text</p>');
  await create(callRaw, { userAgent: 'Special/1', viewport: { width: 500, height: 400 }, name: 'special' });
  const ask = { function: '() => [navigator.userAgent, innerWidth, innerHeight].join(" ")' };
  await callRaw('browser_navigate', { url: site.url('/'), sessionId: 'special' });
  expect((await callRaw('browser_evaluate', { ...ask, sessionId: 'special' })).section('Result')).toBe(
    'Special/1 500 400',
  );
  await call('browser_navigate', { url: site.url('/') });
  expect((await call('browser_evaluate', ask)).section('Result')).toMatch(/ 1280 720$/);
  expect(site.requests.map(({ headers }) => headers['user-agent'] === 'Special/1')).toContain(true);
});

test('[S1-32, S3-08, S3-10, S3-11] a closed session is not listed, and unknown afterwards', async ({ callRaw }) => {
  const sessionId = await create(callRaw, { name: 'brief' });
  expect(dataOf(await callRaw('close_session', { sessionId }))).toEqual({ closed: sessionId, name: 'brief' });
  expect(await names(callRaw)).not.toContain('brief');
  for (const [tool, args] of [
    ['close_session', {}],
    ['browser_snapshot', {}],
  ] as const) {
    const answer = await callRaw(tool, { ...args, sessionId });
    expect(answer.text).toBe(
      `### Error\n[SESSION_NOT_FOUND] There is no session "${sessionId}".\nCreate a new session with create_session tool.`,
    );
    expect(answer.structured).toMatchObject({ errorCode: 'SESSION_NOT_FOUND', sessionId });
  }
  expect((await callRaw('close_session', { sessionId: 'default' })).isError).toBe(true);
});

test('a name is unique, works as sessionId, and prefixes refs', async ({ callRaw, site }) => {
  site.set('/', '<title>Page</title><button>Go</button>');
  await create(callRaw, { name: 'mine' });
  expect((await callRaw('create_session', { name: 'mine' })).kind).toBe('CONTEXT_EXISTS');
  for (const name of ['', 'with space', 'a:b', 'x'.repeat(65)]) {
    expect((await callRaw('create_session', { name })).kind, name).toBe('BAD_NAME');
  }
  const shown = await callRaw('browser_navigate', { url: site.url('/'), sessionId: 'mine' });
  const ref = refOf(shown.text, 'button', 'Go');
  expect(ref).toMatch(/^mine:e\d+$/);
  expect((await callRaw('browser_click', { ref, sessionId: 'mine' })).isError).toBe(false);
});

test('a session without a name gets a short one', async ({ callRaw, site }) => {
  site.set('/', '<title>Page</title><button>Go</button>');
  await create(callRaw, { name: 's2' });
  const made = [await callRaw('create_session', {}), await callRaw('create_session', {})].map(dataOf);
  expect(made.map(({ name }) => name)).toEqual(['s1', 's3']);
  await callRaw('close_session', { sessionId: 's3' });
  expect(dataOf(await callRaw('create_session', {}))['name']).toBe('s4');
  const shown = await callRaw('browser_navigate', { url: site.url('/'), sessionId: 's1' });
  expect(refOf(shown.text, 'button', 'Go')).toMatch(/^s1:e\d+$/);
});

test('[S1-33] the list describes each session', async ({ call, callRaw, site }) => {
  await open(site, call, '<title>Shop</title><p>Text</p>');
  const proxy = { server: 'http://127.0.0.1:9', username: 'ada', password: 'secret-word' };
  const sessionId = await create(callRaw, { locale: 'de-DE', proxy, ttl: 60_000 });
  const answer = await callRaw('list_sessions', {});
  const date = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  const [usual, made] = [
    {
      sessionId: expect.stringMatching(uuid),
      name: 'default',
      isActive: true,
      createdAt: date,
      lastUsedAt: date,
      pageCount: 1,
      currentUrl: site.url('/'),
      title: 'Shop',
    },
    {
      sessionId,
      name: 's1',
      isActive: false,
      createdAt: date,
      lastUsedAt: date,
      expiresAt: date,
      pageCount: 1,
      currentUrl: 'about:blank',
      title: '',
      locale: 'de-DE',
      proxy: proxy.server,
    },
  ];
  expect(dataOf(answer)).toEqual({ sessions: [usual, made], maxSessions: 100 });
  expect(answer.text).not.toContain('secret-word');
});

test('a busy session is listed and closed without waiting', async ({ callRaw, site }) => {
  site.set('/', '<title>Page</title><p>Text</p>');
  const sessionId = await create(callRaw);
  await callRaw('browser_navigate', { url: site.url('/'), sessionId });
  const waiting = callRaw('browser_wait_for', { text: 'never', sessionId });
  const behind = callRaw('browser_snapshot', { sessionId });
  const list = await callRaw('list_sessions', {});
  expect(list.text).toContain('"calls":2');
  expect((await callRaw('close_session', { sessionId })).isError).toBe(false);
  expect((await waiting).kind).toBe('SESSION_NOT_FOUND');
  expect((await behind).kind).toBe('SESSION_NOT_FOUND');
});

testLimited(
  '[S3-07, S3-35, R-11] more sessions than allowed are rejected; default does not count',
  async ({ call, callRaw }) => {
    await call('browser_tabs', { action: 'new' });
    const first = await create(callRaw);
    await call('browser_context_create', { name: 'named' });
    const refused = await callRaw('create_session', {});
    expect(refused.text).toBe(
      '### Error\n[MAX_SESSIONS_REACHED] The limit of 2 sessions is reached.\nClose a session that is no longer needed, then call again.',
    );
    expect(refused.structured).toMatchObject({
      errorCode: 'MAX_SESSIONS_REACHED',
      error: { code: 'RESOURCE_EXHAUSTED', retryable: true },
    });
    expect((await callRaw('browser_context_create', { name: 'more' })).kind).toBe('MAX_SESSIONS_REACHED');
    await callRaw('close_session', { sessionId: first });
    await callRaw('close_session', { sessionId: await create(callRaw) });
    await callRaw('close_session', { sessionId: 'named' });
  },
);

testUsual('[S3-34, R-11] ten sessions are allowed by default', async ({ callRaw }) => {
  const made = await Promise.all(Array.from({ length: 10 }, async () => create(callRaw)));
  expect(new Set(made).size).toBe(10);
  expect((await callRaw('create_session', {})).kind).toBe('MAX_SESSIONS_REACHED');
  await Promise.all(made.map(async (sessionId) => callRaw('close_session', { sessionId })));
});

test('[S1-123, S1-124, R-11] limits from the configuration file apply', async ({ site }) => {
  site.set('/', '<title>Page</title><p>Text</p>');
  const folder = await mkdtemp(join(tmpdir(), 'helm-limits-'));
  try {
    const session = { defaultTimeout: 120, maxSessions: 1, persistentSessions: false };
    await writeFile(join(folder, 'config.json'), JSON.stringify({ session }));
    await using server = await startApp([`--config=${join(folder, 'config.json')}`]);
    await using driver = await server.drive();
    await create(driver.callRaw);
    expect((await driver.callRaw('create_session', {})).kind).toBe('MAX_SESSIONS_REACHED');
    await driver.call('browser_navigate', { url: site.url('/') });
    const late = await driver.call('browser_evaluate', { function: '() => new Promise(() => undefined)' });
    expect(late.section('Error')).toContain('[TIMEOUT] The script did not finish within 120ms.');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test('[S3-02] calls that name a session while it is created wait for it and use its only page', async ({
  callRaw,
  site,
}) => {
  site.set('/', '<title>Page</title><button>Go</button>');
  const [made, shown] = await Promise.all([
    callRaw('create_session', { name: 'eager' }),
    callRaw('browser_navigate', { url: site.url('/'), sessionId: 'eager' }),
  ]);
  expect(dataOf(made)).toMatchObject({ name: 'eager', pageCount: 1 });
  expect(shown.section('Open tabs')).toBeUndefined();
  expect(shown.page).toContain(`- Page URL: ${site.url('/')}`);
});

/** A server with a fake clock. */
async function withClock(
  flags: readonly string[],
  run: (driver: Driver, clock: FakeClock) => Promise<void>,
): Promise<void> {
  const clock = new FakeClock();
  await using server = await startApp(flags, { clock });
  await using driver = await server.drive();
  await run(driver, clock);
}

test('[S3-05, S3-06, S3-09, S3-12, S3-15, S3-21, S3-26, S3-32, S3-43, S3-45, R-11, R-12] a session expires five minutes after its last call, and its page is closed', async ({
  site,
}) => {
  // The page keeps a connection open while it exists.
  const ended = new Promise((resolve) => {
    site.set('/live', (_request, response) => {
      response.once('close', resolve).writeHead(200, { 'content-type': 'text/event-stream' }).write(': open\n\n');
    });
  });
  site.set('/', '<title>Alive</title><script>new EventSource("/live")</script>');
  await withClock([], async ({ callRaw }, clock) => {
    const sessionId = await create(callRaw);
    await create(callRaw, { name: 'spare' });
    expect(clock.pending).toBe(2);
    await callRaw('close_session', { sessionId: 'spare' });
    expect(clock.pending).toBe(1);
    await callRaw('browser_navigate', { url: site.url('/'), sessionId });
    clock.pass(299_999);
    expect((await callRaw('browser_snapshot', { sessionId })).isError).toBe(false);
    clock.pass(299_999);
    expect(await names(callRaw)).toContain('s1');
    clock.pass(1);
    expect(await names(callRaw)).not.toContain('s1');
    await ended;
    for (const tool of ['browser_snapshot', 'close_session']) {
      const late = await callRaw(tool, { sessionId });
      expect(late.text).toBe(
        `### Error\n[SESSION_EXPIRED] The session "${sessionId}" has expired.\nCreate a new session with create_session tool.`,
      );
      expect(late.structured).toMatchObject({
        errorCode: 'SESSION_EXPIRED',
        sessionId,
        error: { code: 'SESSION_NOT_FOUND', retryable: false },
      });
    }
    expect((await callRaw('browser_snapshot', { sessionId: 'never' })).kind).toBe('SESSION_NOT_FOUND');
  });
});

test('[S3-33, R-11, R-25] the expiry is set by the option or the call; contexts and default do not expire', async () => {
  await withClock(['--sessionTimeout=1000'], async ({ call, callRaw }, clock) => {
    await create(callRaw, { name: 'usual' });
    await create(callRaw, { name: 'longer', ttl: 5000 });
    await create(callRaw, { name: 'endless', ttl: 0 });
    await call('browser_context_create', { name: 'context' });
    await call('browser_context_create', { name: 'dated', ttl: 2000 });
    clock.pass(1000);
    expect(await names(callRaw)).toEqual(['longer', 'endless', 'default', 'context', 'dated']);
    clock.pass(1000);
    expect(await names(callRaw)).toEqual(['longer', 'endless', 'default', 'context']);
    clock.pass(1e9);
    expect(await names(callRaw)).toEqual(['endless', 'default', 'context']);
  });
});

test('[R-11] with fixed expiry, calls do not extend the lifetime', async () => {
  await withClock(['--session-expiry=fixed'], async ({ callRaw }, clock) => {
    const sessionId = await create(callRaw);
    clock.pass(299_999);
    expect((await callRaw('browser_snapshot', { sessionId })).isError).toBe(false);
    const waiting = callRaw('browser_wait_for', { text: 'never', sessionId });
    expect((await callRaw('list_sessions', {})).text).toContain('"calls":1');
    clock.pass(1);
    expect((await waiting).kind).toBe('SESSION_EXPIRED');
    expect((await callRaw('browser_snapshot', { sessionId })).kind).toBe('SESSION_EXPIRED');
  });
});

test('[R-11] a session does not expire during a call', async ({ site }) => {
  let isLater = false;
  site.set('/later', (_request, response) => response.end(isLater ? 'Later' : 'not yet'));
  site.set(
    '/',
    `<title>Page</title><p>Text</p><script>
      setInterval(async () => { document.querySelector('p').textContent = await (await fetch('/later')).text() }, 20);
    </script>`,
  );
  await withClock([], async ({ callRaw }, clock) => {
    const sessionId = await create(callRaw);
    await callRaw('browser_navigate', { url: site.url('/'), sessionId });
    const waiting = callRaw('browser_wait_for', { text: 'Later', sessionId });
    expect((await callRaw('list_sessions', {})).text).toContain('"calls":1');
    clock.pass(400_000);
    expect(await names(callRaw)).toContain('s1');
    isLater = true;
    expect((await waiting).isError).toBe(false);
    clock.pass(299_999);
    expect(await names(callRaw)).toContain('s1');
    clock.pass(1);
    expect(await names(callRaw)).not.toContain('s1');
  });
});

test('a driver sees and closes its own sessions only', async ({ server, callRaw }) => {
  const sessionId = await create(callRaw, { name: 'mine' });
  await using other = await server.drive();
  expect(await names(other.callRaw)).toEqual([]);
  for (const key of [sessionId, 'mine']) {
    expect((await other.callRaw('close_session', { sessionId: key })).kind).toBe('SESSION_NOT_FOUND');
    expect((await other.callRaw('browser_snapshot', { sessionId: key })).kind).toBe('SESSION_NOT_FOUND');
  }
  await create(other.callRaw, { name: 'mine' });
  expect(await names(callRaw)).toContain('mine');
});

test('a session that expires while opening is reported as expired', async () => {
  await withClock(['--session-expiry=fixed'], async ({ callRaw }, clock) => {
    await create(callRaw);
    const making = callRaw('create_session', { name: 'brief', ttl: 10 });
    expect(await names(callRaw)).toContain('brief');
    clock.pass(10);
    expect((await making).kind).toBe('SESSION_EXPIRED');
  });
});
