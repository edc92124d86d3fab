import { readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { once } from 'node:events';
import { beforeAll } from 'vitest';
import { WebSocket } from 'ws';
import { expect, test } from '../fixtures.ts';
import type { Site } from '../fixtures.ts';
import { ensureBuilt } from '../built.ts';
import { startHttpProxy } from '../proxies.ts';
import { connectClient, key, startListener } from './http-listener.ts';
import type { TestListener } from './http-listener.ts';
import { HttpServerProcess } from './http-server.ts';
import { commandOf, eventually, ownBrowsers } from './processes.ts';
import { ServerProcess, temporaryFolder } from './server-process.ts';

beforeAll(ensureBuilt);

const notAllowed = 'the rules of the API key "shop" do not allow its domain (allowedDomains of the key)';
const keys = [
  { name: 'shop', key: 'shop', scope: { allowedDomains: ['*.shop.localhost', '127.0.0.2'] } },
  { name: 'careful', key: 'careful', scope: { blockedDomains: ['ads.localhost', '127.0.0.0/8'] } },
  { name: 'free', key, scope: {} },
];

/** The site under another name. */
function at(site: Site, host: string, path = '/'): string {
  return site.url(path).replace('127.0.0.1', host);
}

function hostsAsked(site: Site): readonly string[] {
  return [...new Set(site.requests.map(({ headers }) => headers.host?.split(':')[0] ?? ''))].toSorted();
}

/** Inodes of the sockets that this process listens on. */
function listeningSockets(): readonly string[] {
  const listening = readFileSync('/proc/self/net/tcp', 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter((fields) => fields[3] === '0A')
    .map((fields) => `socket:[${fields[9]}]`);
  const own = new Set(
    readdirSync('/proc/self/fd').map((fd) => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`);
      } catch {
        return undefined;
      }
    }),
  );
  return listening.filter((socket) => own.has(socket));
}

test('[R-20] a session reaches only the domains of its key, and other keys reach all', async ({ site }) => {
  site.set('/', `<title>Here</title><img src="${at(site, 'evil.localhost', '/image')}"><p>Text</p>`);
  await using server = await startListener({ keys });
  await using shop = await server.client({}, 'shop');
  const opened = await shop.call('browser_navigate', { url: at(site, 'www.shop.localhost') });
  expect(opened.page).toContain('- Page Title: Here');
  expect(opened.section('Events')).toContain(`Blocked ${at(site, 'evil.localhost', '/image')}: ${notAllowed}.`);
  const evil = at(site, 'evil.localhost');
  const refused = await shop.call('browser_navigate', { url: evil });
  expect(refused.section('Error')).toContain(`[URL_BLOCKED] ${JSON.stringify(evil)} was not opened: ${notAllowed}.`);
  expect((await shop.call('browser_navigate', { url: site.url('/') })).kind).toBe('URL_BLOCKED');
  expect(hostsAsked(site)).toEqual(['www.shop.localhost']);

  await using free = await server.client();
  expect((await free.call('browser_navigate', { url: site.url('/') })).page).toContain('Here');
  expect(hostsAsked(site)).toEqual(['127.0.0.1', 'evil.localhost', 'www.shop.localhost']);
});

test('[R-20] scripts and redirects of a page do not pass the rules of the key', async ({ site }) => {
  const evil = (name: string): string => at(site, `${name}.evil.localhost`, `/${name}`);
  site.set('/away', (_request, response) => response.writeHead(302, { location: evil('redirect') }).end());
  site.set('/last', 'Here');
  site.set(
    '/',
    `<p>Text</p><iframe src="${evil('frame')}"></iframe><img src="/away">
    <script>new WebSocket('${evil('socket').replace('http', 'ws')}');
    navigator.sendBeacon('${evil('beacon')}', 'x');
    fetch('${evil('fetch')}', { mode: 'no-cors' }).catch(() => fetch('/last')).then(() => document.body.append('Done'))</script>`,
  );
  await using server = await startListener({ keys });
  await using shop = await server.client({}, 'shop');
  await shop.call('browser_context_create', { name: 'second' });
  await shop.call('browser_navigate', { url: at(site, 'shop.localhost') });
  await shop.call('browser_wait_for', { text: 'Done' });
  const redirected = await shop.call('browser_navigate', { url: at(site, 'shop.localhost', '/away') });
  expect(redirected.kind).toBe('URL_BLOCKED');
  expect(hostsAsked(site)).toEqual(['shop.localhost']);
});

test('[R-20] names that resolve to a blocked address of the key are not reached', async ({ site }) => {
  site.set('/', '<title>Here</title>');
  await using server = await startListener({ keys });
  await using careful = await server.client({}, 'careful');
  expect((await careful.call('browser_navigate', { url: at(site, 'ads.localhost') })).section('Error')).toContain(
    'the rules of the API key "careful" block ads.localhost',
  );
  expect((await careful.call('browser_navigate', { url: at(site, 'any.localhost') })).isError).toBe(true);
  expect(site.requests).toEqual([]);
});

test('[R-20] the rules of the operator hold as well, and a key cannot widen them', async ({ site }) => {
  site.set('/', '<title>Here</title>');
  const flags = ['--allowed-domains=*.shop.localhost,other.localhost', '--blocked-domains=ads.shop.localhost'];
  await using server = await startListener({ keys, flags });
  await using shop = await server.client({}, 'shop');
  const errorAt = async (host: string): Promise<string | undefined> =>
    (await shop.call('browser_navigate', { url: at(site, host) })).section('Error');
  expect(await errorAt('www.shop.localhost')).toBeUndefined();
  expect(await errorAt('other.localhost')).toContain(notAllowed);
  expect(await errorAt('ads.shop.localhost')).toContain(
    'the operator of this server has blocked ads.shop.localhost (--blocked-domains)',
  );
  expect(await errorAt('127.0.0.2')).toContain(
    'the operator of this server has not allowed its domain (--allowed-domains)',
  );
  expect(hostsAsked(site)).toEqual(['www.shop.localhost']);
});

test('[R-20] a proxy of the session is checked by the rules of the key', async ({ site }) => {
  site.set('/', '<title>Here</title>');
  await using proxy = await startHttpProxy({ names: { 'www.shop.localhost': site.url('/') } });
  const scope = { allowedDomains: ['*.shop.localhost', new URL(proxy.url).host] };
  await using server = await startListener({ keys: [...keys, { name: 'both', key: 'both', scope }] });
  await using shop = await server.client({}, 'shop');
  const refused = await shop.call('browser_context_create', { name: 'x', proxy: { server: proxy.url } });
  expect(refused.section('Error')).toContain(notAllowed);
  await using both = await server.client({}, 'both');
  await both.call('browser_context_create', { name: 'x', proxy: { server: proxy.url } });
  expect((await both.call('browser_navigate', { url: 'http://www.shop.localhost/' })).page).toContain('Here');
  expect((await both.call('browser_navigate', { url: 'http://evil.localhost/' })).kind).toBe('URL_BLOCKED');
  expect(proxy.passed.length).toBeGreaterThan(0);
  expect(new Set(proxy.passed)).toEqual(new Set(['www.shop.localhost:80']));
});

test('[R-20] the egress proxies of a key close with its sessions; WebRTC and QUIC cannot bypass them', async ({
  site,
}) => {
  site.set('/', '<title>Here</title>');
  await using server = await startListener({ keys });
  await using shop = await server.client({}, 'shop');
  const before = listeningSockets();
  const opened = (): readonly string[] => listeningSockets().filter((socket) => !before.includes(socket));
  await shop.call('browser_navigate', { url: at(site, 'shop.localhost') });
  const first = opened();
  expect(first.length).toBeGreaterThan(0);
  await shop.call('browser_context_create', { name: 'second' });
  await shop.call('browser_navigate', { url: at(site, 'shop.localhost') });
  const browsers = ownBrowsers().map(({ pid }) => commandOf(pid));
  const flags = ['--force-webrtc-ip-handling-policy=disable_non_proxied_udp', '--disable-quic'];
  for (const flag of flags) expect(browsers.some((command) => command.includes(flag))).toBe(true);
  for (const name of ['second', 'default']) await shop.call('close_session', { sessionId: name });
  expect(opened()).toEqual([]);
});

async function statusOf(server: TestListener, id: string, withKey: string): Promise<number> {
  const headers = { 'mcp-session-id': id };
  return (await server.post({ jsonrpc: '2.0', id: 1, method: 'ping' }, { key: withKey, headers })).status;
}

test('[R-20] changed rules of a key apply at once', async ({ site }) => {
  site.set('/', '<title>Here</title>');
  using folder = temporaryFolder();
  const file = join(folder.path, 'keys.json');
  const write = (allowedDomains: readonly string[]): void =>
    writeFileSync(file, JSON.stringify({ shop: { key: 'shop', allowedDomains }, free: key }), { mode: 0o600 });
  write(['a.localhost']);
  await using server = await HttpServerProcess.start(['--api-key-file', file]);
  await using before = await connectClient(server.url, {}, 'shop');
  await before.call('browser_navigate', { url: at(site, 'a.localhost') });
  await using free = await connectClient(server.url);
  await free.call('browser_navigate', { url: at(site, 'free.localhost') });
  write(['b.localhost']);
  await eventually('the new keys', () => server.process.stderr.includes('were read again'));
  // The connection was opened with other rights.
  await expect(before.call('browser_tabs', { action: 'list' })).rejects.toThrow('Session not found');
  await using after = await connectClient(server.url, {}, 'shop');
  expect((await after.call('browser_navigate', { url: at(site, 'a.localhost') })).kind).toBe('URL_BLOCKED');
  expect((await after.call('browser_navigate', { url: at(site, 'b.localhost') })).isError).toBe(false);
  expect((await free.call('browser_snapshot')).page).toContain('free.localhost');
});

test('[R-6] connections of a removed key end, even if its name has another key', async () => {
  await using server = await startListener({ keys: [{ name: 'x', key: 'old', scope: {} }] });
  await using client = await connectClient(server.url, {}, 'old');
  const id = client.transport.sessionId ?? '';
  expect(await statusOf(server, id, 'old')).toBe(200);
  const socket = new WebSocket(`ws://127.0.0.1:${server.port}/ws`, 'mcp', { headers: { authorization: 'Bearer old' } });
  await once(socket, 'open');
  const closed = once(socket, 'close');
  server.keys.replace([{ name: 'x', key: 'new', scope: {} }]);
  await server.listener.keysChanged();
  await closed;
  expect(await statusOf(server, id, 'new')).toBe(404);
});

test.for([
  [{ shop: { key: 'k', allowedDomains: ['127.0.*'] } }, [], 'write 127.0.0.0/16'],
  [{ shop: { key: 'k', allowedDomains: ['a.test'] } }, ['--user-data-dir', 'profile'], 'cannot be enforced'],
  [{ shop: { key: 'k', blockedDomains: ['a.test'] } }, ['--shared-browser-context'], 'cannot be enforced'],
  [
    { shop: { key: 'k', blockedDomains: ['a.test'] } },
    ['--isolated', '--cdp-endpoint', 'http://127.0.0.1:1'],
    'cannot be enforced',
  ],
] as const)('[R-20] rules of a key that cannot be enforced stop the start: %j %j', async ([given, args, problem]) => {
  using folder = temporaryFolder();
  writeFileSync(join(folder.path, 'keys.json'), JSON.stringify(given), { mode: 0o600 });
  const flags = ['--port', '0', '--api-key-file', 'keys.json', ...args];
  await using server = new ServerProcess({ args: flags, cwd: folder.path });
  expect(await server.exit()).toBe(2);
  expect(server.stderr).toContain(problem);
});
