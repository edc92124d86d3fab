import { expect, testWith } from '../fixtures.ts';
import type { CallRaw, Site } from '../fixtures.ts';

const test = testWith(['--max-sessions=100']);

async function open(callRaw: CallRaw, site: Site, sessionId: string, path = '/'): Promise<void> {
  const made = await callRaw('create_session', { name: sessionId });
  expect(made.isError, made.text).toBe(false);
  await callRaw('browser_navigate', { url: site.url(path), sessionId });
}

async function run(callRaw: CallRaw, sessionId: string, script: string): Promise<string> {
  const answer = await callRaw('browser_evaluate', { function: `async () => ${script}`, sessionId });
  expect(answer.isError, answer.text).toBe(false);
  return answer.section('Result') ?? '';
}

/** Ways to store something, and to read it back. */
const stores = {
  cookies: ["{ document.cookie = 'who=first' }", 'document.cookie || "nothing"'],
  localStorage: ["{ localStorage.who = 'first' }", 'localStorage.who ?? "nothing"'],
  sessionStorage: ["{ sessionStorage.who = 'first' }", 'sessionStorage.who ?? "nothing"'],
  IndexedDB: [
    `new Promise((done) => { const open = indexedDB.open('first'); open.onsuccess = () => done('made') })`,
    '(await indexedDB.databases()).map(({ name }) => name).join() || "nothing"',
  ],
  'the cache': [
    `(await caches.open('first')).put('/kept', new Response('first'))`,
    '(await caches.keys()).join() || "nothing"',
  ],
  'the file system': [
    `(await navigator.storage.getDirectory()).getFileHandle('first', { create: true }).then(() => 'made')`,
    '(await Array.fromAsync((await navigator.storage.getDirectory()).keys())).join() || "nothing"',
  ],
  'service workers': [
    `navigator.serviceWorker.register('/worker.js').then(() => navigator.serviceWorker.ready).then(() => 'ready')`,
    '(await navigator.serviceWorker.getRegistrations()).map(({ scope }) => scope).join() || "nothing"',
  ],
} as const;

test.for(Object.entries(stores))(
  '[S3-40, S0-56, S0-57, S0-58] the content of %s is not visible in another session',
  async ([, [write, read]], { callRaw, site }) => {
    site.set('/', '<title>Page</title><p>Text</p>');
    site.set('/worker.js', (_request, response) => response.setHeader('content-type', 'text/javascript').end('1'));
    await open(callRaw, site, 'first');
    await open(callRaw, site, 'second');
    await run(callRaw, 'first', write);
    expect(await run(callRaw, 'second', read)).toBe('nothing');
    expect(await run(callRaw, 'first', read)).not.toBe('nothing');
  },
);

test('[S3-40] a message on a BroadcastChannel stays in its session', async ({ callRaw, site }) => {
  site.set(
    '/',
    '<title>Page</title><script>heard = []; new BroadcastChannel("x").onmessage = (m) => heard.push(m.data)</script>',
  );
  await open(callRaw, site, 'first');
  await callRaw('browser_tabs', { action: 'new', url: site.url('/'), sessionId: 'first' });
  await open(callRaw, site, 'second');
  await callRaw('browser_evaluate', {
    function: '() => { new BroadcastChannel("x").postMessage("first") }',
    sessionId: 'first',
    tab: 't1',
  });
  await expect.poll(async () => run(callRaw, 'first', 'heard.join()')).toBe('first');
  expect(await run(callRaw, 'second', 'heard.join() || "nothing"')).toBe('nothing');
});

test('[S3-40] permissions are not shared between sessions', async ({ callRaw, site }) => {
  site.set('/', '<title>Page</title><p>Text</p>');
  await callRaw('create_session', { name: 'granted', permissions: ['geolocation'] });
  await callRaw('browser_navigate', { url: site.url('/'), sessionId: 'granted' });
  await open(callRaw, site, 'other');
  const state = '(await navigator.permissions.query({ name: "geolocation" })).state';
  expect(await run(callRaw, 'granted', state)).toBe('granted');
  expect(await run(callRaw, 'other', state)).not.toBe('granted');
});

test('[S3-40] HTTP authentication is not shared between sessions', async ({ callRaw, site }) => {
  const right = `Basic ${Buffer.from('ada:word').toString('base64')}`;
  site.set('/', '<title>Page</title><p>Text</p>');
  site.set('/private', (request, response) => {
    if (request.headers.authorization === right) response.end('secret');
    else response.writeHead(401, { 'www-authenticate': 'Basic realm="x"' }).end('who are you?');
  });
  await open(callRaw, site, 'first');
  await open(callRaw, site, 'second');
  const address = site.url('/private').replace('//', '//ada:word@');
  await callRaw('browser_navigate', { url: address, sessionId: 'first' });
  await callRaw('browser_navigate', { url: site.url('/'), sessionId: 'first' });
  const ask = '(await fetch("/private")).status';
  expect(await run(callRaw, 'first', ask)).toBe('200');
  expect(await run(callRaw, 'second', ask)).toBe('401');
});

test('[S3-40] a download is reported only in the session that started it', async ({ callRaw, site }) => {
  site.set('/', '<title>Page</title><a href="/file.txt" download>Get</a>');
  site.set('/file.txt', (_request, response) => response.setHeader('content-disposition', 'attachment').end('content'));
  await open(callRaw, site, 'first');
  await open(callRaw, site, 'second');
  const got = await callRaw('browser_click', { selector: 'a', sessionId: 'first' });
  expect(got.section('Events')).toContain('file.txt');
  expect((await callRaw('browser_snapshot', { sessionId: 'second' })).section('Events')).toBeUndefined();
});

test('[S3-40] viewport, tabs and logs are separate for each session', async ({ callRaw, site }) => {
  site.set('/', '<title>Page</title><script>console.log("said in " + location.search)</script><p>Text</p>');
  await open(callRaw, site, 'first', '/?first');
  await open(callRaw, site, 'second', '/?second');
  await callRaw('browser_resize', { width: 500, height: 400, sessionId: 'first' });
  await callRaw('browser_tabs', { action: 'new', sessionId: 'first' });
  expect(await run(callRaw, 'second', 'innerWidth')).toBe('1280');
  expect((await callRaw('browser_tabs', { action: 'list', sessionId: 'second' })).section('Result')).toMatch(
    /^- 0: [^\n]*$/,
  );
  const said = await callRaw('browser_console_messages', { sessionId: 'second' });
  expect(said.text).toContain('said in ?second');
  expect(said.text).not.toContain('said in ?first');
  const network = await callRaw('browser_network_requests', { sessionId: 'second' });
  expect(network.text).not.toContain('?first');
});
