import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, testWith } from '../fixtures.ts';
import type { Call, Site } from '../fixtures.ts';

const testPlaywright = testWith(['--toolset=playwright']);
const longBody = Array.from({ length: 3000 }, (_, i) => `line ${i}`).join('\n');

async function open(site: Site, call: Call): Promise<void> {
  site.set(
    '/',
    `<title>Net</title><link rel="stylesheet" href="/style.css"><script src="/app.js"></script><script src="/gone.js"></script>
    <img src="/dead.png"><p>Text</p>`,
  );
  site.set('/style.css', (_request, response) =>
    response.setHeader('content-type', 'text/css').end('p { color: red }'),
  );
  site.set('/app.js', (_request, response) => {
    response.setHeader('content-type', 'text/javascript');
    response.end(`fetch('/api/users?page=1', { method: 'POST', headers: { authorization: 'Bearer tok-secret', 'x-api-key': 'key-secret' },
      body: JSON.stringify({ name: 'Ada' }) }).then(() => fetch('/api/long'));`);
  });
  site.set('/api/users', (_request, response) => {
    response.setHeader('set-cookie', 'sid=cookie-secret; HttpOnly').setHeader('content-type', 'application/json');
    response.setHeader('x-kind', 'users').end('{"users":["Ada"]}');
  });
  site.set('/api/long', (_request, response) => response.setHeader('content-type', 'text/plain').end(longBody));
  site.set('/dead.png', (request) => request.socket.destroy());
  await call('browser_navigate', { url: site.url('/') });
}

function lines(text: string | undefined): readonly string[] {
  return (text ?? '').split('\n').map((line) => line.replace(/http:\/\/127\.0\.0\.1:\d+/, '').replace(/^\d+\. /, ''));
}

/** The number that the list gives to a request. */
async function numberOf(call: Call, path: string): Promise<number> {
  const list = await call('browser_network_requests', { static: true, filter: path });
  return Number(/^(\d+)\./.exec(list.section('Result') ?? '')?.[1]);
}

test('[S2-64] the requests since the page was loaded are listed, without those a page is made of', async ({
  site,
  call,
}) => {
  site.set('/before', '<title>Before</title><p>Text</p>');
  await call('browser_navigate', { url: site.url('/before') });
  await open(site, call);
  const answer = await call('browser_network_requests');
  expect(lines(answer.section('Result')).toSorted()).toEqual(
    [
      '[GET] / => [200 OK]',
      '[POST] /api/users?page=1 => [200 OK]',
      '[GET] /api/long => [200 OK]',
      '[GET] /gone.js => [404 Not Found], failed: net::ERR_ABORTED',
      '[GET] /dead.png => failed: net::ERR_EMPTY_RESPONSE',
    ].toSorted(),
  );
});

test('[S2-64] static shows all of them', async ({ site, call }) => {
  await open(site, call);
  const all = lines((await call('browser_network_requests', { static: true })).section('Result'));
  expect(all).toHaveLength(7);
  expect(all).toContain('[GET] /style.css => [200 OK]');
  expect(all).toContain('[GET] /app.js => [200 OK]');
});

test.for([
  ['/api/', ['[POST] /api/users?page=1 => [200 OK]', '[GET] /api/long => [200 OK]']],
  ['/api\\/[a-z]+\\?/', ['[POST] /api/users?page=1 => [200 OK]']],
  ['/API\\/LONG$/i', ['[GET] /api/long => [200 OK]']],
  ['nowhere', ['No requests.']],
] as const)('[S2-64] the filter %s leaves %j', async ([filter, expected], { site, call }) => {
  await open(site, call);
  expect(lines((await call('browser_network_requests', { filter })).section('Result'))).toEqual(expected);
});

test('[R-33] a filter that is no pattern is an error', async ({ site, call }) => {
  await open(site, call);
  expect((await call('browser_network_requests', { filter: '/(/' })).section('Error')).toContain(
    '"/(/" is not a regular expression.',
  );
});

test('a request that is still under way is shown as such, and nothing waits for it', async ({ site, call }) => {
  site.set('/slow', () => undefined);
  site.set('/', `<title>Net</title><p>Text</p>`);
  await call('browser_navigate', { url: site.url('/') });
  await call('browser_evaluate', { function: '() => { fetch("/slow") }' });
  expect(lines((await call('browser_network_requests', { filter: 'slow' })).section('Result'))).toEqual([
    '[GET] /slow => [pending]',
  ]);
  const shown = await call('browser_network_requests', { index: await numberOf(call, 'slow'), part: 'response-body' });
  expect(shown.section('Result')).toContain('(no response)');
});

test('one request is shown with its headers, and secrets are not', async ({ site, call }) => {
  await open(site, call);
  const answer = await call('browser_network_requests', { index: await numberOf(call, 'users') });
  const result = answer.section('Result') ?? '';
  expect(result).toContain('[POST] ');
  expect(result).toContain('authorization: [REDACTED]');
  expect(result).toContain('x-api-key: [REDACTED]');
  expect(result).toContain('set-cookie: [REDACTED]');
  expect(result).toContain('x-kind: users');
  expect(answer.text).not.toMatch(/tok-secret|key-secret|cookie-secret/);
});

test.for([
  ['request-headers', /authorization: \[REDACTED\]/],
  ['request-body', /\{"name":"Ada"\}/],
  ['response-headers', /x-kind: users/],
  ['response-body', /\{"users":\["Ada"\]\}/],
] as const)('its %s are shown alone', async ([part, pattern], { site, call }) => {
  await open(site, call);
  const answer = await call('browser_network_requests', { index: await numberOf(call, 'users'), part });
  expect(answer.section('Result')).toMatch(pattern);
  expect(answer.text).not.toMatch(/tok-secret|key-secret|cookie-secret/);
});

test('[C5-11] a long body is shown in ranges', async ({ site, call }) => {
  await open(site, call);
  const index = await numberOf(call, 'long');
  const first = await call('browser_network_requests', { index, part: 'response-body' });
  expect(first.section('Result')).toContain('line 0\n');
  expect(first.section('Result')).not.toContain('line 2999');
  const last = await call('browser_network_requests', { index, part: 'response-body', offset: longBody.length - 9 });
  expect(last.section('Result')).toBe(`From character ${longBody.length - 9} of ${longBody.length}:\nline 2999`);
});

test('list and body can be written to files', async ({ site, call, server }) => {
  await open(site, call);
  const list = await call('browser_network_requests', { filter: '/api/', filename: 'list.txt' });
  expect(list.section('Result')).toBe('2 requests written to .playwright-mcp/list.txt');
  const saved = await readFile(join(server.folder, '.playwright-mcp/list.txt'), 'utf8');
  expect(lines(saved.trim())).toEqual(['[POST] /api/users?page=1 => [200 OK]', '[GET] /api/long => [200 OK]']);
  const index = await numberOf(call, 'long');
  await call('browser_network_requests', { index, part: 'response-body', filename: 'body.txt' });
  expect(await readFile(join(server.folder, '.playwright-mcp/body.txt'), 'utf8')).toBe(longBody);
});

test('a number that no request has is an error', async ({ site, call }) => {
  await open(site, call);
  expect((await call('browser_network_requests', { index: 999 })).section('Error')).toBe(
    '[MISSING_PARAMETER] There is no request 999 in this tab; list them with browser_network_requests.\n' +
      'Correct the arguments and call again.',
  );
});

testPlaywright('one request can be asked for under a name of its own', async ({ site, call }) => {
  await open(site, call);
  const index = await numberOf(call, 'users');
  const answer = await call('browser_network_request', { index, part: 'response-body' });
  expect(answer.section('Result')).toBe('{"users":["Ada"]}');
});
