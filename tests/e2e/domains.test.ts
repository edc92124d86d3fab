import { loadConfig } from '../../src/config/load.ts';
import { expect, startApp, test as testPlain, testWith } from '../fixtures.ts';
import type { Call, Site } from '../fixtures.ts';
import { startHttpProxy, startSocksProxy } from '../proxies.ts';

const rules = ['--allowed-domains=*.shop.localhost', '--blocked-domains=ads.shop.localhost'];
const test = testWith(rules);
const notAllowed = 'the operator of this server has not allowed its domain (--allowed-domains)';

/** The site under another name. */
function at(site: Site, host: string, path = '/'): string {
  return site.url(path).replace('127.0.0.1', host);
}

/** Host names of the requests that the site received. */
function hostsAsked(site: Site): readonly string[] {
  return [...new Set(site.requests.map(({ headers }) => headers.host?.split(':')[0] ?? ''))].toSorted();
}

async function open(site: Site, call: Call, html: string) {
  site.set('/', html);
  return call('browser_navigate', { url: at(site, 'shop.localhost') });
}

test('[R-20] allowed domains and their subdomains are reachable', async ({ site, call }) => {
  const answer = await open(
    site,
    call,
    `<title>Shop</title><img src="${at(site, 'cdn.shop.localhost', '/picture.png')}"><p>Text</p>`,
  );
  expect(answer.page).toContain('- Page Title: Shop');
  expect(hostsAsked(site)).toEqual(['cdn.shop.localhost', 'shop.localhost']);
});

test.for([
  ['evil.localhost', notAllowed],
  ['ads.shop.localhost', 'the operator of this server has blocked ads.shop.localhost (--blocked-domains)'],
])('[R-20] a tool does not open %s', async ([host = '', rule], { site, call }) => {
  const url = at(site, host);
  expect((await call('browser_navigate', { url })).section('Error')).toBe(
    `[URL_BLOCKED] ${JSON.stringify(url)} was not opened: ${rule}.\nThis URL is blocked. Use another one.`,
  );
  expect((await call('browser_tabs', { action: 'new', url })).kind).toBe('URL_BLOCKED');
  expect(site.requests).toEqual([]);
});

test('[R-20] redirects to other domains are blocked', async ({ site, call }) => {
  const evil = at(site, 'evil.localhost', '/landed');
  site.set('/away', (_request, response) => response.writeHead(302, { location: evil }).end());
  const answer = await call('browser_navigate', { url: at(site, 'shop.localhost', '/away') });
  expect(answer.section('Error')).toContain(`[URL_BLOCKED] ${JSON.stringify(evil)} was not opened: ${notAllowed}.`);
  expect(hostsAsked(site)).toEqual(['shop.localhost']);
});

/** Ways in which a page can reach another host, with the host name. */
const ways: readonly (readonly [string, (url: (name: string) => string) => string])[] = [
  ['image', (url) => `<img src="${url('image')}">`],
  ['script', (url) => `<script src="${url('script')}"></script>`],
  ['style', (url) => `<link rel="stylesheet" href="${url('style')}">`],
  ['frame', (url) => `<iframe src="${url('frame')}"></iframe>`],
  ['fetch', (url) => `<script>fetch('${url('fetch')}', { mode: 'no-cors' }).catch(() => 0)</script>`],
  ['beacon', (url) => `<script>navigator.sendBeacon('${url('beacon')}', 'x')</script>`],
  ['events', (url) => `<script>new EventSource('${url('events')}')</script>`],
  ['socket', (url) => `<script>new WebSocket('${url('socket').replace('http', 'ws')}')</script>`],
  [
    'worker',
    (url) =>
      `<script>new Worker(URL.createObjectURL(new Blob(["fetch('${url('worker')}', { mode: 'no-cors' })"])))</script>`,
  ],
  ['prefetch', (url) => `<link rel="prefetch" href="${url('prefetch')}">`],
  ['preconnect', (url) => `<link rel="preconnect" href="${url('preconnect')}">`],
  ['media', (url) => `<video src="${url('media')}" autoplay muted></video>`],
  ['redirected', () => '<img src="/redirected">'],
];

test('[R-20] subresources, workers and sockets of other domains are blocked', async ({ site, call }) => {
  const url = (name: string): string => at(site, `${name}.evil.localhost`, `/${name}`);
  site.set('/redirected', (_request, response) => response.writeHead(307, { location: url('redirected') }).end());
  const html = `<title>Shop</title>${ways.map(([, way]) => way(url)).join('')}<p>Text</p>
    <script>fetch('/last').then(() => document.body.append('All asked'))</script>`;
  site.set('/last', 'Here');
  const answer = await open(site, call, html);
  await call('browser_wait_for', { text: 'All asked' });
  expect(hostsAsked(site)).toEqual(['shop.localhost']);
  expect(answer.section('Events')).toContain(`Blocked ${url('image')}: ${notAllowed}.`);
});

test('[R-20] links, forms and popups to other domains are blocked, and the answer says why', async ({ site, call }) => {
  const evil = at(site, 'evil.localhost', '/landed');
  await open(
    site,
    call,
    `<title>Shop</title><a href="${evil}">Link</a><a id="other" target="_blank" href="${evil}">Window</a>
    <form action="${evil}" method="post"><button>Send</button></form>`,
  );
  for (const selector of ['#other', 'button', 'a >> nth=0']) {
    const answer = await call('browser_click', { selector });
    expect(answer.section('Events'), selector).toContain(`Blocked ${evil}: ${notAllowed}.`);
    await call('browser_close', { all: true });
    await call('browser_navigate', { url: at(site, 'shop.localhost') });
  }
  expect(hostsAsked(site)).toEqual(['shop.localhost']);
});

testPlain('[R-20] origins are rules too', async ({ site }) => {
  await using server = await startApp([`--allowed-origins=${new URL(site.url('/')).origin};https://other.test`]);
  await using driver = await server.drive();
  site.set('/', '<title>Here</title><p>Text</p>');
  expect((await driver.call('browser_navigate', { url: site.url('/') })).page).toContain('Here');
  expect((await driver.call('browser_navigate', { url: at(site, 'localhost') })).kind).toBe('URL_BLOCKED');
});

testPlain('[R-20] the rules also apply with a proxy of the server or of a context', async ({ site }) => {
  const names = { 'www.shop.localhost': site.url('/'), 'evil.localhost': site.url('/') };
  const login = { username: 'ada', password: 'word' };
  await using first = await startHttpProxy({ names, login });
  await using second = await startSocksProxy({ names });
  const allowed = `--allowed-domains=*.shop.localhost,${new URL(second.url).host}`;
  await using server = await startApp([allowed, `--proxy-server=${first.url.replace('//', '//ada:word@')}`]);
  await using driver = await server.drive();
  site.set('/', `<title>Shop</title><img src="http://evil.localhost/x.png"><p>Text</p>`);
  const url = 'http://www.shop.localhost/';
  expect((await driver.call('browser_navigate', { url })).page).toContain('- Page Title: Shop');
  await driver.call('browser_context_create', { name: 'other', proxy: { server: second.url } });
  expect((await driver.call('browser_navigate', { url })).page).toContain('- Page Title: Shop');
  expect(new Set([...first.passed, ...second.passed])).toEqual(new Set(['www.shop.localhost:80']));
  expect([first.passed.length > 0, second.passed.length > 0]).toEqual([true, true]);
});

test('[R-20] a proxy that a caller chooses is checked like any other host', async ({ call }) => {
  await using proxy = await startHttpProxy();
  const answer = await call('browser_context_create', { name: 'other', proxy: { server: proxy.url } });
  expect(answer.section('Error')).toContain(`[URL_BLOCKED] "${proxy.url}" was not opened: ${notAllowed}.`);
  expect(proxy.passed).toEqual([]);
});

testPlain('[R-20] with --no-session-proxies callers cannot choose a proxy', async ({ site }) => {
  await using proxy = await startHttpProxy();
  await using server = await startApp(['--no-session-proxies', '--toolset=all']);
  await using driver = await server.drive();
  site.set('/', '<title>Here</title>');
  const chosen = { server: proxy.url };
  for (const [tool, args] of [
    ['browser_context_create', { name: 'other', proxy: chosen }],
    ['create_session', { proxy: chosen }],
  ] as const) {
    const answer = await driver.callRaw(tool, args);
    expect([answer.isError, answer.text], tool).toEqual([true, expect.stringContaining('(--no-session-proxies)')]);
  }
  expect((await driver.call('browser_context_create', { name: 'plain' })).isError).toBe(false);
  expect((await driver.call('browser_navigate', { url: site.url('/') })).page).toContain('Here');
  expect(proxy.passed).toEqual([]);
});

testPlain.for(['http://[::ffff:127.0.0.1]', 'http://localhost', 'http://any.localhost'])(
  '[R-20] %s does not reach a blocked address',
  async (host, { site }) => {
    await using server = await startApp(['--blocked-domains=127.0.0.0/8']);
    await using driver = await server.drive();
    site.set('/', '<title>Here</title>');
    const url = `${host}:${new URL(site.url('/')).port}/`;
    const { isError } = await driver.call('browser_navigate', { url });
    expect([isError, site.requests]).toEqual([true, []]);
  },
);

testPlain('[R-20] rules that cannot be enforced stop the start', () => {
  const argv = ['--allowed-domains=example.com', '--cdp-endpoint=http://127.0.0.1:9222'];
  expect(() => loadConfig({ argv, env: {}, cwd: '/' })).toThrow(
    '--cdp-endpoint: cannot be combined with rules for domains or origins',
  );
});

testPlain('[R-20] a name that leads to a refused address is reported as blocked', async ({ site }) => {
  await using server = await startApp(['--blocked-domains=127.0.0.0/8']);
  await using driver = await server.drive();
  const rule = 'the operator of this server has blocked 127.0.0.0/8 (--blocked-domains)';
  const url = at(site, 'any.localhost');
  const answer = await driver.call('browser_navigate', { url });
  expect(answer.section('Error')).toContain(`[URL_BLOCKED] ${JSON.stringify(url)} was not opened: ${rule}.`);
  const image = at(site, 'image.localhost', '/x.png');
  const page = `data:text/html,<img src="${image}">`;
  const opened = await driver.call('browser_navigate', { url: page });
  expect(opened.section('Events')).toContain(`Blocked ${image}: ${rule}.`);
  const listed = await driver.call('browser_network_requests', { static: true });
  expect(listed.text).toContain(`[GET] ${image} => blocked: ${rule}`);
  expect(site.requests).toEqual([]);
});

testPlain('[R-20] with private networks blocked, only exact rules reach this machine', async ({ site }) => {
  site.set('/', '<title>Here</title>');
  await using server = await startApp(['--security-profile=guarded', '--allowed-domains=*,shop.localhost']);
  await using driver = await server.drive();
  for (const host of ['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]', '2130706433', 'other.localhost']) {
    const { kind, text } = await driver.call('browser_navigate', { url: at(site, host) });
    expect([kind, text], host).toEqual(['URL_BLOCKED', expect.stringContaining('--block-private-networks')]);
  }
  expect((await driver.call('browser_navigate', { url: at(site, 'shop.localhost') })).text).toContain('Here');
  expect(hostsAsked(site)).toEqual(['shop.localhost']);
});

testPlain('[R-20] a session cannot receive more bytes than the limit', async ({ site }) => {
  site.set('/', '<title>Here</title><p>Text</p>');
  let sent = 0;
  site.set('/endless', (_request, response) => {
    const chunk = Buffer.alloc(65_536);
    const more = (): void => {
      while (!response.destroyed && response.write(chunk)) sent += chunk.length;
      sent += chunk.length;
      if (!response.destroyed) response.once('drain', more);
    };
    more();
  });
  await using server = await startApp(['--egress-max-bytes=1000000']);
  await using driver = await server.drive();
  await driver.call('browser_navigate', { url: site.url('/') });
  const ended = `() => fetch('/endless').then((answer) => answer.arrayBuffer()).then(() => 'all', () => 'cut')`;
  expect((await driver.call('browser_evaluate', { function: ended })).section('Result')).toContain('cut');
  expect(sent).toBeLessThan(20_000_000);
  const answer = await driver.call('browser_navigate', { url: site.url('/') });
  expect(answer.section('Error')).toContain('the limit of 1000000 bytes per session is reached (--egress-max-bytes)');
  // Another session has its own count.
  await driver.call('browser_context_create', { name: 'second' });
  expect((await driver.call('browser_navigate', { url: site.url('/') })).text).toContain('Here');
});

testPlain('[R-20] a session cannot open more connections than the limit', async ({ site }) => {
  site.set('/', '<title>Here</title>');
  site.set('/held', () => undefined);
  await using server = await startApp(['--egress-max-connections=3']);
  await using driver = await server.drive();
  await driver.call('browser_navigate', { url: site.url('/') });
  const script = `() => Promise.race(Array.from({ length: 5 }, (_, i) => fetch('/held?' + i).catch(String)))`;
  expect((await driver.call('browser_evaluate', { function: script })).section('Result')).toContain('Failed to fetch');
  expect(site.requests.filter(({ path }) => path.startsWith('/held')).length).toBeLessThanOrEqual(3);
  const listed = await driver.call('browser_network_requests');
  expect(listed.text).toContain('blocked: the limit of 3 connections per session (--egress-max-connections)');
});
