import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, request as forward } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { evaluate, expect, refOf, startApp, testWith } from '../fixtures.ts';
import type { Call, Site, TestApp } from '../fixtures.ts';

const test = testWith(['--max-sessions=100']);
const testAlone = testWith([]);

interface Entry {
  readonly name: string;
  readonly isActive: boolean;
  readonly pageCount: number;
  readonly currentUrl?: string;
  readonly proxy?: string;
}

async function contexts(call: Call): Promise<readonly Entry[]> {
  const answer = await call('browser_context_list', {});
  // The tool's structured content.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const { contexts: list } = JSON.parse(answer.section('Result') ?? '') as { readonly contexts: readonly Entry[] };
  return list;
}

function pages(site: Site): void {
  for (const name of ['a', 'b']) site.set(`/${name}`, `<title>${name.toUpperCase()}</title><button>Go</button>`);
}

interface Proxy extends AsyncDisposable {
  readonly url: string;
  /** Forwarded requests and their users. */
  readonly passed: string[];
}

/** A proxy that records requests; requires credentials if a login is given. */
async function startProxy(login?: string): Promise<Proxy> {
  const passed: string[] = [];
  const wanted = login === undefined ? undefined : `Basic ${Buffer.from(login).toString('base64')}`;
  const server = createServer((asked, response) => {
    if (wanted !== undefined && asked.headers['proxy-authorization'] !== wanted) {
      response.writeHead(407, { 'proxy-authenticate': 'Basic realm="proxy"' }).end();
      return;
    }
    passed.push(asked.url ?? '');
    const onward = forward(asked.url ?? '', { method: asked.method, headers: asked.headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    asked.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    passed,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

test('[S0-43, S0-45, S2-98, S2-99, S2-100] a new context becomes the active one, and the answer describes it', async ({
  call,
}) => {
  const answer = await call('browser_context_create', { name: 'clean' });
  const context = { name: 'clean', isActive: true, pageCount: 1, currentUrl: 'about:blank' };
  expect(answer.text).toBe(`### Result\n${JSON.stringify({ context })}`);
  expect(answer.structured).toEqual({ success: true, data: { context } });
  expect((await contexts(call)).map(({ name, isActive }) => [name, isActive])).toEqual([
    ['default', false],
    ['clean', true],
  ]);
});

test('an existing name is rejected', async ({ call }) => {
  await call('browser_context_create', { name: 'clean' });
  for (const name of ['clean', 'default']) {
    expect((await call('browser_context_create', { name })).section('Error')).toBe(
      `[CONTEXT_EXISTS] The context "${name}" already exists.\nUse browser_context_switch, or another name.`,
    );
  }
});

test('[S0-42, S0-44, S0-56, S0-57, S2-98] cookies and storage of one context are not visible in another', async ({
  site,
  call,
}) => {
  pages(site);
  await call('browser_navigate', { url: site.url('/a') });
  await evaluate(call, '{ document.cookie = "who=first; path=/"; localStorage.who = "first" }');
  await call('browser_context_create', { name: 'clean' });
  await call('browser_navigate', { url: site.url('/a') });
  expect(await evaluate(call, '[document.cookie, localStorage.who ?? "nobody"].join("|")')).toBe('|nobody');
  await evaluate(call, '{ document.cookie = "who=second; path=/"; localStorage.who = "second" }');
  await call('browser_context_switch', { name: 'default' });
  expect(await evaluate(call, '[document.cookie, localStorage.who].join("|")')).toBe('who=first|first');
});

test('[S0-44, S0-58] each context has its own cache', async ({ site, call }) => {
  site.set('/a', '<title>A</title><script src="/kept.js"></script><p>Text</p>');
  site.set('/kept.js', (_request, response) =>
    response.setHeader('content-type', 'text/javascript').setHeader('cache-control', 'max-age=3600').end('1'),
  );
  const fetched = (): number => site.requests.filter(({ path }) => path === '/kept.js').length;
  await call('browser_navigate', { url: site.url('/a') });
  await call('browser_navigate', { url: site.url('/a') });
  expect(fetched()).toBe(1);
  await call('browser_context_create', { name: 'clean' });
  await call('browser_navigate', { url: site.url('/a') });
  expect(fetched()).toBe(2);
});

test('[S0-49, S0-50, S0-61, S2-104, S2-105] calls go to the pages of the active context', async ({ site, call }) => {
  pages(site);
  await call('browser_navigate', { url: site.url('/a') });
  await call('browser_context_create', { name: 'other' });
  await call('browser_navigate', { url: site.url('/b') });
  const switched = await call('browser_context_switch', { name: 'default' });
  expect(switched.structured).toMatchObject({
    data: { context: { name: 'default', isActive: true, pageCount: 1, currentUrl: site.url('/a') } },
  });
  expect(await evaluate(call, 'document.title')).toBe('A');
  await call('browser_context_switch', { name: 'other' });
  expect(await evaluate(call, 'document.title')).toBe('B');
  await evaluate(call, 'console.log("in other")');
  expect((await call('browser_snapshot')).page).toContain(`- Page URL: ${site.url('/b')}\n`);
  expect((await call('browser_tabs', { action: 'list' })).section('Result')).toBe(
    `- 0: (current) [B](${site.url('/b')}) t1`,
  );
  expect((await call('browser_console_messages')).section('Result')).toContain('in other');
  const requests = (await call('browser_network_requests')).section('Result');
  expect(requests).toContain(site.url('/b'));
  expect(requests).not.toContain(site.url('/a'));
  expect((await call('browser_context_switch', { name: 'nowhere' })).kind).toBe('SESSION_NOT_FOUND');
});

test('[S0-61] a context can be named for one call without switching', async ({ site, call, callRaw }) => {
  pages(site);
  await call('browser_navigate', { url: site.url('/a') });
  await call('browser_context_create', { name: 'other' });
  await call('browser_context_switch', { name: 'default' });
  await callRaw('browser_navigate', { url: site.url('/b'), sessionId: 'other' });
  const asked = await callRaw('browser_evaluate', { function: '() => document.title', sessionId: 'other' });
  expect(asked.section('Result')).toBe('B');
  expect(await evaluate(call, 'document.title')).toBe('A');
  expect((await callRaw('browser_snapshot', { sessionId: 'nowhere' })).kind).toBe('SESSION_NOT_FOUND');
});

test('[S0-51, S0-52, S0-53, S2-106] the list has every context with its pages and its proxy, the active one marked', async ({
  site,
  call,
}) => {
  pages(site);
  await using proxy = await startProxy();
  await call('browser_navigate', { url: site.url('/a') });
  await call('browser_tabs', { action: 'new', url: site.url('/b') });
  await call('browser_context_create', { name: 'routed', proxy: { server: proxy.url, username: 'u', password: 'pw' } });
  const answer = await call('browser_context_list', {});
  const list = [
    { name: 'default', isActive: false, pageCount: 2, currentUrl: site.url('/b') },
    { name: 'routed', isActive: true, pageCount: 1, currentUrl: 'about:blank', proxy: proxy.url },
  ];
  expect(answer.text).toBe(`### Result\n${JSON.stringify({ contexts: list })}`);
  expect(answer.structured).toEqual({ success: true, data: { contexts: list } });
  await call('browser_close', { all: true });
  expect((await contexts(call))[1]).toEqual({ name: 'routed', isActive: true, pageCount: 0, proxy: proxy.url });
});

test('[S0-46, S0-47, S2-101, S2-102] each context goes through its own proxy, with its login', async ({
  site,
  call,
}) => {
  pages(site);
  await using first = await startProxy();
  await using second = await startProxy('ada:secret-word');
  await call('browser_context_create', { name: 'first', proxy: { server: first.url } });
  await call('browser_navigate', { url: site.url('/a') });
  const proxy = { server: second.url, username: 'ada', password: 'secret-word' };
  const created = await call('browser_context_create', { name: 'second', proxy });
  const answer = await call('browser_navigate', { url: site.url('/b') });
  expect(answer.page).toBe(`- Session: second\n- Page URL: ${site.url('/b')}\n- Page Title: B`);
  expect(first.passed).toEqual([site.url('/a')]);
  expect(second.passed).toEqual([site.url('/b')]);
  expect(created.text).not.toContain('secret-word');
  await call('browser_context_switch', { name: 'default' });
  await call('browser_navigate', { url: site.url('/a') });
  expect(first.passed).toHaveLength(1);
});

async function saveState(server: Pick<TestApp, 'folder'>, site: Site, name: string): Promise<string> {
  const state = {
    cookies: [
      {
        name: 'sid',
        value: 'kept',
        domain: '127.0.0.1',
        path: '/',
        expires: -1,
        httpOnly: false,
        secure: false,
        sameSite: 'Lax',
      },
    ],
    origins: [{ origin: new URL(site.url('/')).origin, localStorage: [{ name: 'theme', value: 'dark' }] }],
  };
  const path = join(server.folder, name);
  await writeFile(path, JSON.stringify(state));
  return path;
}

test('[S0-48, S2-103] a context starts with the cookies and the storage of a file', async ({ site, call, server }) => {
  pages(site);
  const path = await saveState(server, site, 'state.json');
  for (const storageState of [path, 'state.json']) {
    await call('browser_context_create', { name: `logged_in_${storageState.length}`, storageState });
    await call('browser_navigate', { url: site.url('/a') });
    expect(await evaluate(call, '[document.cookie, localStorage.theme].join("|")')).toBe('sid=kept|dark');
  }
});

test('[S2-103] a missing, invalid or out-of-bounds storage file is rejected without creating a context', async ({
  call,
  server,
}) => {
  await writeFile(join(server.folder, 'broken.json'), '{');
  await mkdir(join(server.folder, 'folder'), { recursive: true });
  for (const storageState of ['missing.json', 'folder', '/etc/passwd', 'broken.json']) {
    const answer = await call('browser_context_create', { name: 'broken', storageState });
    expect(answer.isError, storageState).toBe(true);
    if (storageState !== 'broken.json') expect(answer.kind, storageState).toBe('PATH_DENIED');
  }
  expect((await contexts(call)).map(({ name }) => name)).toEqual(['default']);
});

test('[S0-54, S0-55, S2-107, S2-108, R-30] closing the active context closes its pages and activates default', async ({
  site,
  call,
}) => {
  pages(site);
  const closed: Promise<unknown>[] = [];
  site.set('/live', (_request, response) => {
    closed.push(new Promise((resolve) => response.once('close', resolve)));
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': open\n\n');
  });
  site.set('/b', '<title>B</title><p>Text</p><script>new EventSource("/live")</script>');
  await call('browser_navigate', { url: site.url('/a') });
  await call('browser_context_create', { name: 'kept' });
  await call('browser_context_create', { name: 'temp' });
  await call('browser_navigate', { url: site.url('/b') });
  await call('browser_tabs', { action: 'new', url: site.url('/b') });
  const answer = await call('browser_context_close', { name: 'temp' });
  expect(answer.structured).toEqual({ success: true, data: { closed: 'temp', active: 'default' } });
  // Each page kept a connection open while it existed.
  expect(closed).toHaveLength(2);
  await Promise.all(closed);
  expect((await contexts(call)).map(({ name, isActive }) => [name, isActive])).toEqual([
    ['default', true],
    ['kept', false],
  ]);
  expect(await evaluate(call, 'document.title')).toBe('A');
  expect((await call('browser_context_switch', { name: 'temp' })).kind).toBe('SESSION_NOT_FOUND');
});

test('[S0-54, S2-107] closing another context keeps the active one', async ({ call }) => {
  await call('browser_context_create', { name: 'temp' });
  await call('browser_context_create', { name: 'here' });
  expect((await call('browser_context_close', { name: 'temp' })).structured).toMatchObject({
    data: { closed: 'temp', active: 'here' },
  });
});

test('[R-30] if default is closed, the context used last becomes active', async ({ call }) => {
  for (const name of ['one', 'two', 'three']) await call('browser_context_create', { name });
  await call('browser_context_close', { name: 'default' });
  await call('browser_context_switch', { name: 'one' });
  await call('browser_context_switch', { name: 'three' });
  expect((await call('browser_context_close', { name: 'three' })).structured).toMatchObject({
    data: { closed: 'three', active: 'one' },
  });
  expect((await contexts(call)).map(({ name }) => name)).toEqual(['one', 'two']);
  expect((await call('browser_context_close', { name: 'default' })).kind).toBe('SESSION_NOT_FOUND');
});

test('[S2-109, R-30] the only remaining context cannot be closed', async ({ call }) => {
  const answer = await call('browser_context_close', { name: 'default' });
  expect(answer.section('Error')).toBe(
    '[LAST_CONTEXT] Cannot close the only remaining context\n' +
      'Create another context first, or close its pages with browser_close.',
  );
  expect(answer.structured).toMatchObject({ error: { message: 'Cannot close the only remaining context' } });
  expect((await contexts(call)).map(({ name, isActive }) => [name, isActive])).toEqual([['default', true]]);
});

test('[S2-110, S2-111, S2-112] cookies and storage are saved to a file that another context can start from', async ({
  site,
  call,
  server,
}) => {
  pages(site);
  await call('browser_context_create', { name: 'logged_in' });
  await call('browser_navigate', { url: site.url('/a') });
  await evaluate(call, '{ document.cookie = "sid=mine; path=/"; localStorage.theme = "dark" }');
  await call('browser_context_switch', { name: 'default' });
  const answer = await call('browser_context_save_storage', { name: 'logged_in', path: 'save.json' });
  expect(answer.structured).toEqual({
    success: true,
    data: { saved: '.playwright-mcp/save.json', cookies: 1, origins: 1 },
  });
  expect(answer.text).not.toContain('sid');
  const saved: unknown = JSON.parse(await readFile(join(server.folder, '.playwright-mcp/save.json'), 'utf8'));
  expect(saved).toMatchObject({
    cookies: [{ name: 'sid', value: 'mine' }],
    origins: [{ origin: new URL(site.url('/')).origin, localStorage: [{ name: 'theme', value: 'dark' }] }],
  });
  for (const [name, storageState] of [
    ['again', '.playwright-mcp/save.json'],
    ['by_name', 'save.json'],
    ['absolute', join(server.folder, '.playwright-mcp/save.json')],
  ] as const) {
    await call('browser_context_create', { name, storageState });
    await call('browser_navigate', { url: site.url('/b') });
    expect(await evaluate(call, '[document.cookie, localStorage.theme].join("|")'), name).toBe('sid=mine|dark');
  }
});

test('[S2-103, S2-111] ./ names a file in the working directory, for writing and for reading', async ({
  site,
  call,
  server,
}) => {
  pages(site);
  await call('browser_navigate', { url: site.url('/a') });
  await evaluate(call, '{ document.cookie = "sid=here; path=/" }');
  expect((await call('browser_context_save_storage', { path: './here.json' })).structured).toMatchObject({
    data: { saved: 'here.json' },
  });
  expect(JSON.parse(await readFile(join(server.folder, 'here.json'), 'utf8'))).toMatchObject({
    cookies: [{ value: 'here' }],
  });
  await call('browser_context_create', { name: 'here', storageState: './here.json' });
  await call('browser_navigate', { url: site.url('/b') });
  expect(await evaluate(call, 'document.cookie')).toBe('sid=here');
});

test('[S0-48, S2-103] a storage file elsewhere needs the flag that the error names', async ({ site }) => {
  pages(site);
  const elsewhere = await mkdtemp(join(tmpdir(), 'helm-state-'));
  try {
    const path = await saveState({ folder: elsewhere }, site, 'state.json');
    const start = async (flags: readonly string[]) => {
      await using app = await startApp(flags);
      await using driver = await app.drive();
      const created = await driver.call('browser_context_create', { name: 'logged_in', storageState: path });
      if (created.isError) return created.section('Error') ?? '';
      await driver.call('browser_navigate', { url: site.url('/a') });
      return evaluate(driver.call, 'document.cookie');
    };
    expect(await start([])).toContain('which needs --allow-unrestricted-file-access');
    expect(await start(['--allow-unrestricted-file-access'])).toBe('sid=kept');
  } finally {
    await rm(elsewhere, { recursive: true });
  }
});

test('[S2-111] storage cannot be saved outside the permitted folders', async ({ site, call }) => {
  pages(site);
  await call('browser_navigate', { url: site.url('/a') });
  for (const path of ['/etc/state.json', '../../state.json', '../.hidden/state.json', '']) {
    expect((await call('browser_context_save_storage', { path })).kind, path).toBe('PATH_DENIED');
  }
});

test('[S2-113, S2-114, S2-115] an unresponsive page is skipped and the storage of the others is saved', async ({
  site,
  call,
  server,
}) => {
  pages(site);
  site.set('/stuck', '<title>Stuck</title><script>setTimeout(() => alert("wait"), 0)</script><p>Text</p>');
  await call('browser_navigate', { url: site.url('/a') });
  await evaluate(call, '{ document.cookie = "sid=mine; path=/"; localStorage.theme = "dark" }');
  await evaluate(call, '{ sessionStorage.step = "2" }');
  await call('browser_tabs', { action: 'new', url: site.url('/stuck') });
  const answer = await call('browser_context_save_storage', { path: 'partial.json', sessionStorage: true });
  const data = { saved: '.playwright-mcp/partial.json', cookies: 1, origins: 1, skipped: [site.url('/stuck')] };
  expect(answer.structured).toEqual({ success: true, data });
  const saved: unknown = JSON.parse(await readFile(join(server.folder, data.saved), 'utf8'));
  expect(saved).toMatchObject({
    cookies: [{ name: 'sid', value: 'mine' }],
    origins: [{ localStorage: [{ name: 'theme', value: 'dark' }], sessionStorage: [{ name: 'step', value: '2' }] }],
  });
  await call('browser_handle_dialog', { accept: true });
});

test('[S2-115] if no page responds, cookies and localStorage are still saved', async ({ site, call, server }) => {
  site.set('/stuck', (_request, response) =>
    response
      .setHeader('set-cookie', 'sid=mine')
      .setHeader('content-type', 'text/html')
      .end('<title>Stuck</title><script>localStorage.theme = "dark"; setTimeout(() => alert("wait"), 0)</script>'),
  );
  await call('browser_navigate', { url: site.url('/stuck') });
  const answer = await call('browser_context_save_storage', { path: 'stuck.json', sessionStorage: true });
  expect(answer.structured).toMatchObject({
    success: true,
    data: { cookies: 1, origins: 1, skipped: [site.url('/stuck')] },
  });
  const saved: unknown = JSON.parse(await readFile(join(server.folder, '.playwright-mcp/stuck.json'), 'utf8'));
  expect(saved).toMatchObject({
    cookies: [{ name: 'sid', value: 'mine' }],
    origins: [{ localStorage: [{ name: 'theme', value: 'dark' }] }],
  });
  await call('browser_handle_dialog', { accept: true });
});

test('[S2-115] saving a context without pages is an error, and no file is written', async ({ call, server }) => {
  expect((await call('browser_context_save_storage', { path: 'nothing.json' })).section('Error')).toBe(
    '[NOTHING_TO_SAVE] The context "default" has not opened a page yet: nothing to save.\n' +
      'Open a page in it with browser_navigate first.',
  );
  await expect(readFile(join(server.folder, '.playwright-mcp/nothing.json'))).rejects.toThrow('ENOENT');
});

test('[S0-62, R-27] refs carry the name of their context and are valid only there', async ({ site, call }) => {
  pages(site);
  const plain = refOf((await call('browser_navigate', { url: site.url('/a') })).text, 'button', 'Go');
  expect(plain).toMatch(/^e\d+$/);
  await call('browser_context_create', { name: 'clean' });
  const prefixed = refOf((await call('browser_navigate', { url: site.url('/b') })).text, 'button', 'Go');
  expect(prefixed).toMatch(/^clean:e\d+$/);
  expect((await call('browser_click', { ref: prefixed })).isError).toBe(false);
  expect((await call('browser_click', { ref: prefixed.replace('clean:', '') })).isError).toBe(false);
  expect((await call('browser_click', { ref: `default:${plain}` })).kind).toBe('REF_OF_OTHER_SESSION');
  await call('browser_context_switch', { name: 'default' });
  expect((await call('browser_click', { ref: prefixed })).section('Error')).toBe(
    `[REF_OF_OTHER_SESSION] The ref "${prefixed}" belongs to the session "clean", but this call is for "default".\n` +
      'Give sessionId with the name of that session, or use a ref from browser_snapshot.',
  );
  expect((await call('browser_click', { ref: `default:${plain}` })).isError).toBe(false);
});

testAlone('[S0-59, S0-60] without a created context, calls use one named default', async ({ site, call }) => {
  pages(site);
  await call('browser_navigate', { url: site.url('/a') });
  expect(await contexts(call)).toEqual([{ name: 'default', isActive: true, pageCount: 1, currentUrl: site.url('/a') }]);
});

test('[R-30] after the active context has expired, the next call says so once, and then uses default', async ({
  site,
  call,
  callRaw,
}) => {
  site.set('/', '<title>Default</title>');
  await call('browser_navigate', { url: site.url('/') });
  await callRaw('browser_context_create', { name: 'short', ttl: 50 });
  const list = async (): Promise<string> => (await callRaw('browser_context_list', {})).text;
  await expect.poll(list).not.toContain('"short"');
  const before = site.requests.length;
  const refused = await call('browser_navigate', { url: site.url('/') });
  expect(refused.section('Error')?.split('\n')[0]).toBe('[SESSION_EXPIRED] The session "short" has expired.');
  expect(site.requests).toHaveLength(before);
  expect((await call('browser_snapshot')).page).toContain('Page Title: Default');
});
