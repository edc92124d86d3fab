import { writeFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, testWith } from '../fixtures.ts';
import type { CallRaw, Site } from '../fixtures.ts';
import { startHttpProxy, startSocksProxy } from '../proxies.ts';
import { startSecureSite } from '../secure-site.ts';

const test = testWith(['--max-sessions=100']);

/** Both ways to create a session. */
const makers = [
  ['create_session', 'made'],
  ['browser_context_create', 'made'],
] as const;

async function seen(callRaw: CallRaw, expression: string, sessionId = 'made'): Promise<string> {
  const answer = await callRaw('browser_evaluate', { function: `async () => ${expression}`, sessionId });
  expect(answer.isError, answer.text).toBe(false);
  return answer.section('Result') ?? '';
}

async function make(callRaw: CallRaw, site: Site, args: object, tool = 'create_session'): Promise<void> {
  site.set('/', '<title>Page</title><p>Text</p>');
  const answer = await callRaw(tool, { name: 'made', ...args });
  expect(answer.isError, answer.text).toBe(false);
  await callRaw('browser_navigate', { url: site.url('/'), sessionId: 'made' });
}

test.for(makers)(
  '%s accepts a user agent, a viewport, a locale, a time zone and a color scheme',
  async ([tool], { callRaw, site }) => {
    const options = {
      userAgent: 'Special/1',
      viewport: { width: 501, height: 402 },
      locale: 'de-DE',
      timezoneId: 'Pacific/Auckland',
      colorScheme: 'dark',
    };
    await make(callRaw, site, options, tool);
    expect(await seen(callRaw, '[navigator.userAgent, innerWidth, innerHeight].join(" ")')).toBe('Special/1 501 402');
    expect(await seen(callRaw, 'navigator.language + (1.5).toLocaleString()')).toBe('de-DE1,5');
    expect(await seen(callRaw, 'Intl.DateTimeFormat().resolvedOptions().timeZone')).toBe('Pacific/Auckland');
    expect(await seen(callRaw, 'String(matchMedia("(prefers-color-scheme: dark)").matches)')).toBe('true');
    expect((await callRaw('list_sessions', {})).text).toContain(JSON.stringify(options).slice(1, -1).slice(0, 60));
  },
);

test('a device sets its whole profile, and other arguments override it', async ({ callRaw, site }) => {
  await make(callRaw, site, { device: 'iPhone 15', locale: 'nb-NO', userAgent: 'Mine/1' });
  expect(await seen(callRaw, '[devicePixelRatio, screen.width, "ontouchstart" in window].join(" ")')).toBe(
    '3 393 true',
  );
  expect(await seen(callRaw, 'navigator.userAgent + navigator.language')).toBe('Mine/1nb-NO');
  const unknown = await callRaw('create_session', { device: 'iPhone 15 Por' });
  expect(unknown.section('Error')).toBe(
    '[INVALID_ARGUMENT] Unknown device "iPhone 15 Por". Did you mean "iPhone 15 Pro"?\nCorrect the arguments and call again.',
  );
  expect((await callRaw('list_sessions', {})).text.match(/sessionId/g)).toHaveLength(1);
});

const testGranted = testWith(['--grant-permissions=clipboard-read']);

testGranted('permissions of a session are added to those of --grant-permissions', async ({ callRaw, site }) => {
  await make(callRaw, site, { permissions: ['geolocation'] });
  const states =
    'Promise.all(["clipboard-read", "geolocation"].map(async (name) => (await navigator.permissions.query({ name })).state))';
  expect(await seen(callRaw, states)).toBe('["granted","granted"]');
});

test('geolocation grants its permission besides the requested ones', async ({ callRaw, site }) => {
  await make(callRaw, site, { geolocation: { latitude: 59.9, longitude: 10.7 }, permissions: ['clipboard-read'] });
  const position = 'new Promise((r, e) => navigator.geolocation.getCurrentPosition(p => r(p.coords.latitude), e))';
  expect(await seen(callRaw, position)).toBe('59.9');
  const state = '(await navigator.permissions.query({ name: "clipboard-read" })).state';
  expect(await seen(callRaw, state)).toBe('granted');
});

test('headers are sent with every request, and relative URLs use the base URL', async ({ callRaw, site }) => {
  site.set('/shop/list', '<title>List</title><p>Goods</p>');
  await make(callRaw, site, { extraHTTPHeaders: { 'x-who': 'ada' }, baseURL: site.url('/shop/') });
  const answer = await callRaw('browser_navigate', { url: './list?page=2', sessionId: 'made' });
  expect(answer.page).toBe(`- Page URL: ${site.url('/shop/list?page=2')}\n- Page Title: List`);
  await callRaw('browser_tabs', { action: 'new', url: '/shop/list', sessionId: 'made' });
  expect(site.requests.filter(({ headers }) => headers['x-who'] !== 'ada')).toEqual([]);
  expect((await callRaw('browser_navigate', { url: '/list' })).kind).toBe('INVALID_URL');
  expect((await callRaw('browser_navigate', { url: '//evil.test/', sessionId: 'made' })).kind).toBe('INVALID_URL');
});

test.for([
  [{ locale: 'not a locale' }, 'Argument "locale" must be like de-DE.'],
  [{ timezoneId: 'Mars/Base' }, 'Argument "timezoneId" must be like Europe/Oslo.'],
  [{ baseURL: 'shop' }, 'Argument "baseURL" must be like https://example.com/shop/.'],
  [{ from: 'default', storageState: 'x.json' }, 'Argument "storageState" cannot go with "from".'],
  [{ permissions: ['mind-reading'] }, 'Unknown permission: mind-reading'],
  [{ geolocation: { latitude: 100, longitude: 0 } }, 'Argument "geolocation.latitude"'],
  [{ viewport: { width: 0, height: 5 } }, 'Argument "viewport.width" must be a whole number from 1 to 10000, not 0.'],
  [{ viewport: { width: 5, height: 1e9 } }, 'Argument "viewport.height" must be a whole number from 1 to 10000'],
  [{ ttl: -1 }, 'Argument "ttl"'],
  [{ ttl: 1e12 }, 'Argument "ttl"'],
  [{ proxy: { server: 'ftp://host' } }, 'is not a proxy URL'],
  [{ userAgent: 'one\ntwo' }, 'Argument "userAgent" has characters that cannot be sent.'],
  [{ extraHTTPHeaders: { 'two words': 'x' } }, 'The header "two words" cannot be sent'],
  [{ colorScheme: 'pink' }, 'Argument "colorScheme" must be one of light, dark, no-preference'],
] as const)('%j is rejected and leaves no session', async ([args, sentence], { callRaw }) => {
  const answer = await callRaw('create_session', args);
  expect(answer.kind).toBe('INVALID_ARGUMENT');
  expect(answer.section('Error')).toContain(sentence);
  expect((await callRaw('list_sessions', {})).section('Result')).toContain('"sessions":[]');
});

test('[S0-46, S0-47, S2-101, S2-102] sessions use different proxies at the same time, each with its credentials', async ({
  callRaw,
  site,
}) => {
  site.set('/', '<title>Behind</title><p>Text</p>');
  const logins = ['ada', 'bob', 'eve'].map((username) => ({ username, password: `p@ss ${username}` }));
  const names = { 'pages.test': site.url('/') };
  const [ada, bob, eve] = logins;
  await using http = await startHttpProxy({ names, ...(ada === undefined ? {} : { login: ada }) });
  await using socks = await startSocksProxy({ names, ...(bob === undefined ? {} : { login: bob }) });
  await using open = await startSocksProxy({ names });
  await using secure = await startSecureSite();
  const proxies = {
    http: { server: http.url, ...ada },
    socks: { server: socks.url, ...bob },
    open: { server: open.url },
  };
  // Both ways to create a session.
  const made = await Promise.all(
    Object.entries(proxies).map(async ([name, proxy]) =>
      callRaw(name === 'socks' ? 'browser_context_create' : 'create_session', { name, proxy }),
    ),
  );
  expect(made.map(({ isError }) => isError)).toEqual([false, false, false]);
  const answers = await Promise.all(
    Object.keys(proxies).map(async (sessionId) =>
      callRaw('browser_navigate', { url: `http://pages.test/?${sessionId}`, sessionId }),
    ),
  );
  expect(answers.map((answer) => answer.page)).toEqual(
    Object.keys(proxies).map(
      (name) => `- Session: ${name}\n- Page URL: http://pages.test/?${name}\n- Page Title: Behind`,
    ),
  );
  for (const proxy of [http, socks, open]) expect(new Set(proxy.passed)).toEqual(new Set(['pages.test:80']));
  await callRaw('create_session', { name: 'wrong', proxy: { server: socks.url, ...eve } });
  expect((await callRaw('browser_navigate', { url: 'http://pages.test/', sessionId: 'wrong' })).text).not.toContain(
    'Page Title: Behind',
  );
  expect(socks.refused).toBeGreaterThan(0);
  const tls = await callRaw('browser_navigate', { url: secure.url, sessionId: 'socks' });
  expect(tls.text).toContain('ERR_CERT_AUTHORITY_INVALID');
  expect(socks.passed).toContain(new URL(secure.url).host);
  const list = await callRaw('list_sessions', {});
  expect(list.text).toContain(socks.url);
  expect([...made, list].map(({ text }) => text).join('')).not.toMatch(/p@ss|127\.0\.0\.1:\d+","username/);
});

const fill = `{ document.cookie = 'sid=mine; path=/'; localStorage.theme = 'dark'; sessionStorage.step = '3';
  await new Promise((done) => { const open = indexedDB.open('db', 1);
    open.onupgradeneeded = () => open.result.createObjectStore('kept');
    open.onsuccess = () => { const t = open.result.transaction('kept', 'readwrite');
      t.objectStore('kept').put('value', 'key'); t.oncomplete = () => { open.result.close(); done() } } }) }`;
const read = `[document.cookie, localStorage.theme, sessionStorage.step, await new Promise((done) => {
  const open = indexedDB.open('db'); open.onupgradeneeded = () => done('none');
  open.onsuccess = () => { const names = [...open.result.objectStoreNames]; if (names.length === 0) return done('none');
    const get = open.result.transaction('kept').objectStore('kept').get('key');
    get.onsuccess = () => done(get.result) } })].join('|')`;

test.for(makers)('%s from another session starts with its cookies and storage', async ([tool], { callRaw, site }) => {
  site.set('/', '<title>Page</title><p>Text</p>');
  await callRaw('browser_navigate', { url: site.url('/') });
  await seen(callRaw, fill, 'default');
  await make(callRaw, site, { from: 'default' }, tool);
  expect(await seen(callRaw, read)).toBe('sid=mine|dark|3|value');
  await seen(
    callRaw,
    '{ document.cookie = "sid=other; path=/"; localStorage.theme = "light"; sessionStorage.clear() }',
  );
  await callRaw('browser_navigate', { url: site.url('/?again'), sessionId: 'made' });
  expect(await seen(callRaw, read)).toBe('sid=other|light||value');
  expect(await seen(callRaw, read, 'default')).toBe('sid=mine|dark|3|value');
  expect((await callRaw(tool, { name: 'x', from: 'nobody' })).kind).toBe('SESSION_NOT_FOUND');
});

test('[S2-110, S2-111] IndexedDB and session storage are saved on request, in a file readable by its owner only', async ({
  callRaw,
  site,
  server,
}) => {
  await make(callRaw, site, {});
  await seen(callRaw, fill);
  await callRaw('browser_context_save_storage', { name: 'made', path: 'plain.json' });
  const all = { indexedDB: true, sessionStorage: true };
  await callRaw('browser_context_save_storage', { name: 'made', path: 'all.json', ...all });
  const folder = join(server.folder, '.playwright-mcp');
  expect((await stat(join(folder, 'all.json'))).mode & 0o777).toBe(0o600);
  for (const [file, expected] of [
    ['plain', 'sid=mine|dark||none'],
    ['all', 'sid=mine|dark|3|value'],
  ]) {
    await callRaw('create_session', { name: file, storageState: `.playwright-mcp/${file}.json` });
    await callRaw('browser_navigate', { url: site.url('/'), sessionId: file });
    expect(await seen(callRaw, read, file), file).toBe(expected);
  }
});

test('a storage state may be an object, in the minimal form that other tools write', async ({ callRaw, site }) => {
  const origins = [{ origin: new URL(site.url('/')).origin, localStorage: [{ name: 'theme', value: 'dark' }] }];
  await make(callRaw, site, {
    storageState: { cookies: [{ name: 'sid', value: 'mine', domain: '127.0.0.1' }], origins },
  });
  expect(await seen(callRaw, '[document.cookie, localStorage.theme].join("|")')).toBe('sid=mine|dark');
});

test.for([
  ['{', 'it is not JSON'],
  ['[]', 'it is not an object'],
  ['{"cookies": {}}', '"cookies" and "origins" must be lists'],
  ['{"cookies": [{"name": "a"}]}', 'cookie 0 needs a name, a value, and a domain with a path or a url'],
  ['{"origins": [{"origin": "x"}]}', '{"origin":"x"} is not an origin with its storage'],
])('the storage state %s is rejected', async ([text = '', reason], { callRaw, server }) => {
  await writeFile(join(server.folder, 'bad.json'), text);
  const answer = await callRaw('create_session', { storageState: 'bad.json' });
  expect(answer.section('Error')).toBe(
    `[BAD_STORAGE_STATE] The storage state "bad.json" cannot be used: ${reason}.\n` +
      'Give a file that browser_context_save_storage has written, or an object with the lists cookies and origins.',
  );
});

test('a storage state with too many cookies is rejected before a browser gets it', async ({ callRaw, server }) => {
  const cookies = Array.from({ length: 200_000 }, (_, index) => ({ name: `c${index}`, value: 'x', domain: 'a.test' }));
  await writeFile(join(server.folder, 'many.json'), JSON.stringify({ cookies }));
  const answer = await callRaw('create_session', { storageState: 'many.json' });
  expect(answer.kind).toBe('BAD_STORAGE_STATE');
  expect(answer.text).toContain('it has 200000 cookies; the limit is 10000');
});

test('[S2-113, S2-114] a page with an endless script is interrupted, and the storage of the others is saved', async ({
  callRaw,
  site,
}) => {
  let start = (): void => undefined;
  const spinning = new Promise<void>((resolve) => {
    site.set('/spinning', (_request, response) => {
      response.end();
      resolve();
    });
  });
  site.set('/start', (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': wait\n\n');
    start = () => void response.write('data: now\n\n');
  });
  site.set(
    '/spin',
    `<title>Spin</title><p>Text</p><script>
      new EventSource('/start').onmessage = () => { navigator.sendBeacon('/spinning'); for (;;); };
    </script>`,
  );
  await make(callRaw, site, {});
  await seen(callRaw, fill);
  await callRaw('browser_tabs', { action: 'new', url: site.url('/spin'), sessionId: 'made' });
  start();
  await spinning;
  const answer = await callRaw('browser_context_save_storage', { name: 'made', path: 'spin.json' });
  expect(answer.structured).toMatchObject({ success: true, data: { cookies: 1, origins: 1 } });
});
