import { createServer } from 'node:net';
import { loadConfig } from '../../src/config/load.ts';
import { expect, startApp, test } from '../fixtures.ts';
import type { Answer, Site } from '../fixtures.ts';
import { startHttpProxy, startSocksProxy } from '../proxies.ts';
import { startSecureSite } from '../secure-site.ts';

const login = { username: 'ada', password: 'p@ss word' };

function pages(site: Site): void {
  site.set('/', '<title>Behind</title><img src="/picture.png"><script>fetch("/data")</script><p>Text</p>');
  for (const path of ['/data', '/picture.png', '/favicon.ico']) site.set(path, 'Here');
}

/** Opens a page with a separate server. */
async function open(flags: readonly string[], url: string): Promise<Answer & { readonly log: string }> {
  await using server = await startApp(flags);
  await using driver = await server.drive();
  const answer = await driver.call('browser_navigate', { url });
  return { ...answer, log: server.log.join('') };
}

test('--proxy-server sends pages and subresources through an HTTP proxy, which resolves names', async ({ site }) => {
  pages(site);
  await using proxy = await startHttpProxy({ names: { 'pages.test': site.url('/') } });
  const answer = await open([`--proxy-server=${proxy.url}`], 'http://pages.test/');
  expect(answer.page).toBe('- Page URL: http://pages.test/\n- Page Title: Behind');
  expect(site.requests.map(({ path }) => path)).toEqual(expect.arrayContaining(['/', '/data', '/picture.png']));
  expect(proxy.passed.length).toBe(site.requests.length);
  expect(new Set(proxy.passed)).toEqual(new Set(['pages.test:80']));
});

test('loopback addresses use the proxy too', async ({ site }) => {
  pages(site);
  await using proxy = await startHttpProxy();
  await open([`--proxy-server=${proxy.url}`], site.url('/'));
  expect(proxy.passed.length).toBe(site.requests.length);
});

test('TLS is tunneled through an HTTP proxy', async () => {
  await using secure = await startSecureSite();
  await using proxy = await startHttpProxy();
  const answer = await open([`--proxy-server=${proxy.url}`, '--ignore-https-errors'], secure.url);
  expect(answer.page).toBe(`- Page URL: ${secure.url}\n- Page Title: Secure`);
  expect(proxy.passed).toContain(new URL(secure.url).host);
});

test('--proxy-server sends pages and subresources through a SOCKS proxy, which resolves names', async ({ site }) => {
  pages(site);
  await using proxy = await startSocksProxy({ names: { 'pages.test': site.url('/') } });
  const answer = await open([`--proxy-server=${proxy.url}`], 'http://pages.test/');
  expect(answer.page).toBe('- Page URL: http://pages.test/\n- Page Title: Behind');
  expect(site.requests.map(({ path }) => path)).toEqual(expect.arrayContaining(['/', '/data', '/picture.png']));
  expect(new Set(proxy.passed)).toEqual(new Set(['pages.test:80']));
});

test('--proxy-bypass hosts are reached directly', async ({ site }) => {
  pages(site);
  await using proxy = await startHttpProxy({ names: { 'pages.test': site.url('/') } });
  const flags = [`--proxy-server=${proxy.url}`, '--proxy-bypass=127.0.0.1, other.test'];
  await open(flags, site.url('/'));
  expect(site.requests.length).toBeGreaterThan(0);
  expect(proxy.passed).toEqual([]);
  await open(flags, 'http://pages.test/');
  expect(proxy.passed).toContain('pages.test:80');
});

test('credentials in the proxy URL are used, and are in no answer and no log', async ({ site }) => {
  pages(site);
  await using proxy = await startHttpProxy({ login });
  const address = proxy.url.replace('//', `//${login.username}:${encodeURIComponent(login.password)}@`);
  const answer = await open([`--proxy-server=${address}`], site.url('/'));
  expect(answer.page).toContain('- Page Title: Behind');
  expect(proxy.passed.length).toBe(site.requests.length);
  for (const word of [login.password, encodeURIComponent(login.password)]) {
    expect(answer.text + answer.log).not.toContain(word);
  }
});

test('SOCKS proxies with username and password work, which browsers do not support', async ({ site }) => {
  pages(site);
  await using proxy = await startSocksProxy({ login, names: { 'pages.test': site.url('/') } });
  const address = proxy.url.replace('//', `//${login.username}:${encodeURIComponent(login.password)}@`);
  const answer = await open([`--proxy-server=${address}`], 'http://pages.test/');
  expect(answer.page).toBe('- Page URL: http://pages.test/\n- Page Title: Behind');
  expect(proxy.refused).toBe(0);
  expect(new Set(proxy.passed)).toEqual(new Set(['pages.test:80']));
});

test('a proxy that rejects the credentials lets nothing through', async ({ site }) => {
  pages(site);
  await using proxy = await startHttpProxy({ login });
  const address = proxy.url.replace('//', '//ada:wrong@');
  const answer = await open([`--proxy-server=${address}`], site.url('/'));
  expect(answer.page ?? '').not.toContain('Behind');
  expect(proxy.refused).toBeGreaterThan(0);
  expect([...proxy.passed, ...site.requests]).toEqual([]);
});

test('an unreachable proxy is an error and is not bypassed', async ({ site }) => {
  pages(site);
  const listener = createServer();
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  const address = listener.address();
  await new Promise((resolve) => listener.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('no port');
  const answer = await open([`--proxy-server=127.0.0.1:${address.port}`], site.url('/'));
  expect(answer.section('Error')).toMatch(/^\[NAVIGATION_FAILED\] .*ERR_PROXY_CONNECTION_FAILED/);
  expect(site.requests).toEqual([]);
});

test.for([
  ['ftp://host:21', 'is not a proxy URL, such as http://host:3128 or socks5://host:1080.'],
  ['socks4://ada:word@host:1080', 'is a SOCKS 4 proxy, which does not support passwords; use SOCKS 5 or HTTP.'],
])('the server does not start with the proxy %s', ([address = '', problem]) => {
  expect(() => loadConfig({ argv: [`--proxy-server=${address}`], env: {}, cwd: '/' })).toThrow(
    `--proxy-server: ${problem}`,
  );
});
