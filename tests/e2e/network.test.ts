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

/** The index of a request in the list. */
async function numberOf(call: Call, path: string): Promise<number> {
  const list = await call('browser_network_requests', { static: true, filter: path });
  return Number(/^(\d+)\./.exec(list.section('Result') ?? '')?.[1]);
}

test('[S2-64] requests since the page load are listed; static resources are counted', async ({ site, call }) => {
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
      'Not listed: 2 for images, scripts and styles. Give static: true to see them.',
    ].toSorted(),
  );
  expect((await call('browser_network_requests', { filter: 'style.css' })).section('Result')).toBe(
    'No other requests.\nNot listed: 1 for images, scripts and styles. Give static: true to see them.',
  );
});

test('[S2-64] static lists static resources too', async ({ site, call, callRaw }) => {
  await open(site, call);
  const answer = await call('browser_network_requests', { static: true });
  expect((await callRaw('browser_network_requests', { includeStatic: true })).text).toBe(answer.text);
  const all = lines(answer.section('Result'));
  expect(all).toHaveLength(7);
  expect(all).toContain('[GET] /style.css => [200 OK]');
  expect(all).toContain('[GET] /app.js => [200 OK]');
});

test.for([
  ['/api/', ['[POST] /api/users?page=1 => [200 OK]', '[GET] /api/long => [200 OK]']],
  ['api/(users|none)', ['[POST] /api/users?page=1 => [200 OK]']],
  ['users?page=1', ['[POST] /api/users?page=1 => [200 OK]']],
  ['/api\\/[a-z]+\\?/', ['[POST] /api/users?page=1 => [200 OK]']],
  ['/API\\/LONG$/i', ['[GET] /api/long => [200 OK]']],
  ['/api/g', ['[POST] /api/users?page=1 => [200 OK]', '[GET] /api/long => [200 OK]']],
  ['nowhere', ['No requests.']],
] as const)('[S2-64] the filter %s leaves %j', async ([filter, expected], { site, call }) => {
  await open(site, call);
  expect(lines((await call('browser_network_requests', { filter })).section('Result'))).toEqual(expected);
});

test('[R-33] an invalid filter is an error', async ({ site, call }) => {
  await open(site, call);
  for (const filter of ['/(/', '('])
    expect((await call('browser_network_requests', { filter })).section('Error')).toContain(
      `"${filter}" is not a regular expression.`,
    );
});

test('a pending request is shown as pending and not waited for', async ({ site, call }) => {
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

test('an incomplete body is reported as incomplete and not waited for', async ({ site, call, server }) => {
  site.set('/stream', (_request, response) => void response.writeHead(200).write('begun'));
  site.set('/', `<title>Net</title><p>Text</p>`);
  await call('browser_navigate', { url: site.url('/') });
  await call('browser_evaluate', { function: '() => fetch("/stream").then(({ status }) => status)' });
  const body = { index: await numberOf(call, 'stream'), part: 'response-body' } as const;
  expect((await call('browser_network_requests', body)).section('Result')).toBe('(the body is incomplete)');
  await call('browser_network_requests', { ...body, filename: 'stream.txt' });
  const path = join(server.folder, '.playwright-mcp', 'stream.txt');
  expect(await readFile(path, 'utf8')).toBe('(the body is incomplete)');
});

test('a single request is shown with its headers, without secrets', async ({ site, call }) => {
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
] as const)('part %s shows that part of a request, without secrets', async ([part, pattern], { site, call }) => {
  await open(site, call);
  const answer = await call('browser_network_requests', { index: await numberOf(call, 'users'), part });
  expect(answer.section('Result')).toMatch(pattern);
  expect(answer.text).not.toMatch(/tok-secret|key-secret|cookie-secret/);
});

test('[C5-11] a long body is shown in ranges, each naming the start of the next', async ({ site, call }) => {
  await open(site, call);
  const index = await numberOf(call, 'long');
  const size = longBody.length;
  for (let offset = 0, end = 0; end < size; offset = end) {
    const answer = await call('browser_network_requests', { index, part: 'response-body', offset });
    const [head = '', ...body] = answer.section('Result')?.split('\n') ?? [];
    end = Number(/ to (\d+) of/.exec(head)?.[1]);
    const next = end < size ? ` Continue with offset ${end}, or save all of it with filename.` : '';
    expect(head).toBe(`Characters ${offset} to ${end} of ${size}.${next}`);
    expect(end).toBeGreaterThan(offset);
    expect(body.join('\n')).toBe(longBody.slice(offset, end).trimEnd());
  }
  const beyond = await call('browser_network_requests', { index, part: 'response-body', offset: size + 5 });
  expect(beyond.section('Result')).toBe(`Characters ${size} to ${size} of ${size}.`);
});

test('[C5-3] a password is not shown in request bodies or URLs, in any encoding', async ({ site, call }) => {
  site.set('/', (request, response) => {
    request.resume();
    response.setHeader('content-type', 'text/html').end(`<title>Login</title>
      <form method="post" action="/?form"><input name="user"><input name="key" type="password"><input type="submit"></form>
      <button onclick="const key = document.querySelector('[type=password]').value; fetch('/api?k=' + encodeURIComponent(key), { method: 'POST', body: JSON.stringify({ key, access_token: 'tok-4711' }) })">Send</button>`);
  });
  site.set('/api', '{}');
  await call('browser_navigate', { url: site.url('/') });
  await call('browser_type', { selector: '[name=key]', text: 'hun ter"2&' });
  await call('browser_click', { selector: 'button' });
  const list = await call('browser_network_requests', { filter: '/api' });
  expect(list.section('Result')).toContain('/api?k=[REDACTED] => ');
  const index = await numberOf(call, '/api');
  const body = await call('browser_network_requests', { index, part: 'request-body' });
  expect(body.section('Result')).toBe('{"key":"[REDACTED]","access_token":"[REDACTED]"}');
  await call('browser_type', { selector: '[name=key]', text: 'other-pass%word', submit: true });
  const sent = await call('browser_network_requests', { index: await numberOf(call, 'form'), part: 'request-body' });
  expect(sent.section('Result')).toBe('user=&key=[REDACTED]');
});

test('a binary body is reported by its size and saved unchanged', async ({ site, call, server }) => {
  const bytes = Buffer.from([0, 1, 2, 255, 254, 0, 7]);
  site.set('/data', (_request, response) => response.setHeader('content-type', 'application/octet-stream').end(bytes));
  site.set('/', '<title>Net</title><script>fetch("/data")</script><p>Text</p>');
  await call('browser_navigate', { url: site.url('/') });
  const index = await numberOf(call, 'data');
  const shown = await call('browser_network_requests', { index, part: 'response-body' });
  expect(shown.section('Result')).toBe('(7 bytes of application/octet-stream; save them with filename)');
  const saved = await call('browser_network_requests', { index, part: 'response-body', filename: 'data.bin' });
  expect(saved.section('Result')).toBe('7 bytes written to .playwright-mcp/data.bin');
  expect(await readFile(join(server.folder, '.playwright-mcp/data.bin'))).toEqual(bytes);
});

test('a binary request body is reported by its size, a missing one as missing', async ({ site, call, server }) => {
  for (const path of ['/bytes', '/empty']) {
    site.set(path, (request, response) => {
      request.resume();
      response.writeHead(204).end();
    });
  }
  site.set('/moved', (_request, response) => response.writeHead(302, { location: '/empty' }).end());
  site.set(
    '/',
    `<title>Net</title><p>Text</p><script>
      fetch('/bytes', { method: 'POST', body: new Uint8Array([1, 2, 255]) }); fetch('/moved');
      const form = new FormData(); form.append('file', new Blob(['words']), 'a.txt'); fetch('/empty', { method: 'POST', body: form });
    </script>`,
  );
  await call('browser_navigate', { url: site.url('/') });
  const shown = async (path: string, part: 'request-body' | 'response-body'): Promise<string | undefined> =>
    (await call('browser_network_requests', { index: await numberOf(call, path), part })).section('Result');
  expect(await shown('bytes', 'request-body')).toBe('(3 bytes of data; save them with filename)');
  expect(await shown('bytes', 'response-body')).toBe('(no body)');
  expect(await shown('moved', 'request-body')).toBe('(no body)');
  expect(await shown('moved', 'response-body')).toBe('(no body)');
  expect(await shown('empty', 'request-body')).toMatch(/^\(\d+ bytes that the browser does not show, such as files\)$/);
  const index = await numberOf(call, 'bytes');
  await call('browser_network_requests', { index, part: 'request-body', filename: 'sent.bin' });
  expect([...(await readFile(join(server.folder, '.playwright-mcp/sent.bin')))]).toEqual([1, 2, 255]);
});

test('[C5-11] a range never ends in the middle of a character', async ({ site, call }) => {
  site.set('/smile', (_request, response) =>
    response.setHeader('content-type', 'text/plain; charset=utf-8').end(`a${'😀'.repeat(5000)}`),
  );
  site.set('/', '<title>Net</title><script>fetch("/smile")</script><p>Text</p>');
  await call('browser_navigate', { url: site.url('/') });
  const index = await numberOf(call, 'smile');
  const first = await call('browser_network_requests', { index, part: 'response-body' });
  expect(first.section('Result')).toBe(
    `Characters 0 to 7999 of 10001. Continue with offset 7999, or save all of it with filename.\na${'😀'.repeat(3999)}`,
  );
  const rest = await call('browser_network_requests', { index, part: 'response-body', offset: 7999 });
  expect(rest.section('Result')).toBe(`Characters 7999 to 10001 of 10001.\n${'😀'.repeat(1001)}`);
});

test('a part without a request index is an error', async ({ site, call }) => {
  await open(site, call);
  expect((await call('browser_network_requests', { part: 'response-body' })).section('Error')).toBe(
    '[MISSING_PARAMETER] Give index as well: which request the part is of.\nCorrect the arguments and call again.',
  );
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

test('an unknown request index is an error', async ({ site, call }) => {
  await open(site, call);
  expect((await call('browser_network_requests', { index: 999 })).section('Error')).toBe(
    '[NO_SUCH_REQUEST] There is no request 999 in this tab.\nList the requests with browser_network_requests.',
  );
});

testPlaywright('browser_network_request shows a single request', async ({ site, call }) => {
  await open(site, call);
  const index = await numberOf(call, 'users');
  const answer = await call('browser_network_request', { index, part: 'response-body' });
  expect(answer.section('Result')).toBe('{"users":["Ada"]}');
});
