import { createServer } from 'node:net';
import { evaluate, expect, open, test as plain, testWith } from '../fixtures.ts';

/** Attacks on the URLs that tools open. Each is made with browser_navigate and browser_tabs; the page must stay. */

/** A host that counts who connects to it. */
async function startSink(): Promise<AsyncDisposable & { readonly url: string; readonly count: number }> {
  let count = 0;
  const server = createServer((socket) => {
    count++;
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.2', resolve));
  const address = server.address();
  return {
    url: `http://127.0.0.2:${typeof address === 'object' ? address?.port : ''}/`,
    get count() {
      return count;
    },
    [Symbol.asyncDispose]: async () => new Promise((resolve) => server.close(() => resolve())),
  };
}

const page = '<title>Here</title><p>Here</p>';

const refused: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  '1: files': [
    'file:///etc/passwd',
    'FILE:///etc/passwd',
    ' file:///etc/passwd',
    'fi\tle:///etc/passwd',
    'file:/etc/passwd',
    'file:x',
    'file://localhost/etc/passwd',
    'file://host/share',
  ].map((url) => [url, 'SCHEME_BLOCKED'] as const),
  '2 and 3: sources': [
    'view-source:file:///etc/passwd',
    'view-source:view-source:file:///etc/passwd',
    'VIEW-SOURCE:file:///etc/passwd',
    'view-source:http://127.0.0.1/',
  ].map((url) => [url, 'SCHEME_BLOCKED'] as const),
  '4: pages of the browser': [
    'chrome://settings',
    'chrome://crash',
    'chrome://kill',
    'chrome://inducebrowsercrashforrealz',
    'edge://version',
    'about:config',
    'devtools://devtools/bundled/inspector.html',
  ].map((url) => [url, 'SCHEME_BLOCKED'] as const),
  '5: scripts': ['javascript:alert(1)', 'JaVaScRiPt:alert(1)', 'java\nscript:alert(1)'].map(
    (url) => [url, 'SCHEME_BLOCKED'] as const,
  ),
  '7 and 8: other schemes': [
    'blob:https://denied.test/1',
    'blob:null/x',
    'filesystem:http://denied.test/temporary/x',
    'ftp://127.0.0.1/',
    'ws://127.0.0.1/',
    'mailto:a@b.test',
    'tel:+1555',
    'intent://x#Intent;end',
    'chrome-extension://abc/x.html',
    'jar:http://a.test/x.jar!/',
    'about:srcdoc',
  ].map((url) => [url, 'SCHEME_BLOCKED'] as const),
  '9: malformed': [
    '',
    '   ',
    'http://',
    'http://a b/',
    '//evil',
    '\\\\evil\\x',
    `http://a.test/${'x'.repeat(3_000_000)}`,
  ].map((url) => [url, 'INVALID_URL'] as const),
  '11: metadata services': [
    'http://169.254.169.254/latest/meta-data/',
    'http://2852039166/',
    'http://0xa9fea9fe/',
    'http://0251.0376.0251.0376/',
    'http://169.254.43518/',
    'http://[::ffff:169.254.169.254]/',
    'http://[::ffff:a9fe:a9fe]/',
    'http://[64:ff9b::a9fe:a9fe]/',
    'http://[fd00:ec2::254]/',
    'http://[fe80::1]/',
    'http://100.100.100.200/',
    'http://metadata.google.internal/',
    'http://METADATA.google.internal./',
  ].map((url) => [url, 'URL_BLOCKED'] as const),
};

for (const [row, urls] of Object.entries(refused)) {
  plain(row, async ({ site, call }) => {
    await open(site, call, page);
    for (const [url, kind] of urls) {
      const shown = url.slice(0, 60);
      expect((await call('browser_navigate', { url })).kind, shown).toBe(kind);
      expect((await call('browser_tabs', { action: 'new', url })).kind, shown).toBe(kind);
    }
    const after = await call('browser_snapshot');
    expect(after.page).toBe(`- Page URL: ${site.url('/')}\n- Page Title: Here`);
    expect(after.section('Open tabs')).toBeUndefined();
  });
}

plain('9: a lone surrogate and a NUL are data of the path, not of the host', async ({ site, call }) => {
  site.set('/', page);
  for (const url of [`${site.url('/')}?\ud800`, `${site.url('/')}?\0`])
    expect((await call('browser_navigate', { url })).isError).toBe(false);
});

const spellings = [
  '2130706433',
  '0x7f000001',
  '0177.0.0.1',
  '127.1',
  '127.0.0.1.',
  '0.0.0.0',
  '0',
  '[::]',
  '[::ffff:0.0.0.0]',
  '[::1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  'localhost',
  'localhost.',
  'a.localhost',
  '１２７.0.0.1',
];

testWith(['--blocked-domains=127.0.0.0/8,::1'])(
  '10: no spelling of the loopback address reaches it if it is blocked',
  async ({ site, call }) => {
    site.set('/', page);
    const { port } = new URL(site.url('/'));
    const before = site.requests.length;
    for (const host of spellings) {
      const answer = await call('browser_navigate', { url: `http://${host}:${port}/` });
      expect([answer.isError, answer.kind], host).toEqual([true, 'URL_BLOCKED']);
    }
    expect(site.requests.length).toBe(before);
  },
);

plain('14: a login in a URL is used and not shown', async ({ site, call }) => {
  site.set('/', (request, response) => {
    const isKnown = request.headers.authorization === `Basic ${btoa('ada:pass-9931')}`;
    response.writeHead(isKnown ? 200 : 401, { 'content-type': 'text/html', 'www-authenticate': 'Basic' });
    response.end(page);
  });
  const answer = await call('browser_navigate', { url: site.url('/').replace('//', '//ada:pass-9931@') });
  expect(answer.section('Snapshot')).toContain('Here');
  const answers = [answer, await call('browser_tabs', { action: 'list' }), await call('browser_network_requests', {})];
  for (const each of answers) expect(each.text + JSON.stringify(each.structured ?? {})).not.toContain('pass-9931');
});

const hastily = testWith(['--timeout-navigation=4000']);

hastily.for([
  ['a redirect loop', '/loop'],
  ['a chain of 100 redirects', '/chain?0'],
  ['a Location of a megabyte', '/long'],
] as const)('20: %s is an error, and the next navigation works', async ([, path], { site, call }) => {
  site.set('/', page);
  site.set('/loop', (_, response) => void response.writeHead(302, { location: '/loop' }).end());
  site.set('/chain', (request, response) => {
    const count = Number(request.url?.split('?')[1]);
    if (count < 100) response.writeHead(302, { location: `/chain?${count + 1}` });
    response.end(page);
  });
  site.set('/long', (_, response) => void response.writeHead(302, { location: `/?${'x'.repeat(1_000_000)}` }).end());
  expect((await call('browser_navigate', { url: site.url(path) })).isError).toBe(true);
  expect((await call('browser_navigate', { url: site.url('/') })).section('Snapshot')).toContain('Here');
});

testWith(['--allowed-domains=127.0.0.1'])(
  '15 and 16: nothing that leads from an allowed page to a denied host sends a byte',
  async ({ site, call }) => {
    await using sink = await startSink();
    for (const status of [301, 302, 303, 307, 308])
      site.set(`/${status}`, (_, response) => void response.writeHead(status, { location: sink.url }).end());
    site.set('/refresh', (_, response) => void response.writeHead(200, { refresh: `0;url=${sink.url}` }).end(page));
    site.set('/meta', `<title>Here</title><meta http-equiv="refresh" content="0;url=${sink.url}">`);
    for (const status of [301, 302, 303, 307, 308])
      expect((await call('browser_navigate', { url: site.url(`/${status}`) })).kind, String(status)).toBe(
        'URL_BLOCKED',
      );
    await call('browser_navigate', { url: site.url('/refresh') });
    await call('browser_navigate', { url: site.url('/meta') });
    await open(site, call, `${page}<form method="post" action="/307" target="_blank"><button>Send</button></form>`);
    for (const use of [
      'fetch("/307", { method: "POST", body: "x" }).catch(() => 0)',
      'document.body.append(Object.assign(new Image(), { src: "/302" }))',
      'document.body.append(Object.assign(document.createElement("iframe"), { src: "/302" }))',
      'document.head.append(Object.assign(document.createElement("script"), { src: "/302" }))',
      `window.open(${JSON.stringify(sink.url)}, "_blank", "noopener")`,
      `document.body.append(Object.assign(document.createElement("a"), { href: "/302", download: "x", id: "get" }))`,
    ])
      await evaluate(call, `(${use}, 1)`);
    await call('browser_tabs', { action: 'select', index: 0 });
    await call('browser_click', { selector: 'button' });
    await call('browser_tabs', { action: 'select', index: 0 });
    await call('browser_click', { selector: '#get' });
    expect(sink.count).toBe(0);
  },
);
