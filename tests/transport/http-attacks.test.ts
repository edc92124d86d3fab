import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { envelope, initialize, key, message, startListener } from './http-listener.ts';
import type { TestListener } from './http-listener.ts';
import { eventually } from './processes.ts';

let server: TestListener;
beforeAll(async () => {
  server = await startListener({ keys: [key, 'other-key'].map((each) => ({ name: each, key: each, scope: {} })) });
});
afterAll(async () => server[Symbol.asyncDispose]());

/** Sends bytes as they are; what came back until the server closed the connection. */
async function raw(text: string | Buffer, on: TestListener = server): Promise<string> {
  const socket = await on.socket();
  const answer = readAll(socket);
  socket.write(text);
  return answer;
}

async function readAll(socket: Socket): Promise<string> {
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  socket.on('error', () => undefined);
  await once(socket, 'close');
  return text;
}

/** Runs the garbage collector, which Node hides without a flag. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
}

const ping = JSON.stringify(message('ping'));
const head = (...lines: readonly string[]): string =>
  ['POST /mcp HTTP/1.1', 'Host: localhost', `Authorization: Bearer ${key}`, ...lines, '', ''].join('\r\n');

async function connect(): Promise<string> {
  return String((await server.post(initialize)).headers['mcp-session-id']);
}

describe('33: keys', () => {
  test.each([
    ['no header', {}, 401],
    ['an empty header', { authorization: '' }, 401],
    ['an empty key', { authorization: 'Bearer ' }, 401],
    ['another scheme', { authorization: `Basic ${key}` }, 401],
    ['the key alone', { authorization: key }, 401],
    ['the key in a cookie', { cookie: `key=${key}` }, 401],
    ['a wrong key', { authorization: 'Bearer wrong' }, 403],
    ['the beginning of the key', { authorization: `Bearer ${key.slice(0, -1)}` }, 403],
    ['the key and a character', { authorization: `Bearer ${key}x` }, 403],
    ['the key in capitals', { authorization: `Bearer ${key.toUpperCase()}` }, 403],
    ['the key', { authorization: `Bearer ${key}` }, 200],
    ['the key with a scheme in small letters', { authorization: `bearer ${key}` }, 200],
    ['the key after two spaces', { authorization: `Bearer  ${key}` }, 200],
  ])('[S0-18, S0-19, S0-22, S0-23, S0-24, R-6] %s', async (_what, headers, status) => {
    const answer = await server.post(message('ping'), { key: null, headers });
    expect(answer.status).toBe(status);
    if (status !== 200) expect(answer.headers['www-authenticate']).toMatch(/^Bearer/);
    if (status === 401) expect(answer.text).toContain('Authentication required');
  });

  test('[S0-23] a key in the query counts for nothing', async () => {
    const answer = await server.post(message('ping'), { key: null, path: `/mcp?key=${key}&api_key=${key}` });
    expect(answer.status).toBe(401);
  });

  test.each(['/mcp', '/sse', '/ws', '/metrics'])('[S0-19] %s needs the key', async (path) => {
    expect((await server.send({ path, key: null, headers: { accept: 'text/event-stream' } })).status).toBe(401);
  });

  test('[S0-24] a wrong key makes no connection', async () => {
    const before = await server.send({ path: '/metrics' });
    const answer = await server.post(initialize, { key: 'wrong' });
    expect(answer.status).toBe(403);
    expect(answer.headers['mcp-session-id']).toBeUndefined();
    const count = /pagehelm_clients\{transport="http"\} (\d+)/;
    expect(count.exec((await server.send({ path: '/metrics' })).text)?.[1]).toBe(count.exec(before.text)?.[1]);
  });
});

describe('33: an address that guesses keys', () => {
  const statuses = async (on: TestListener, count: number, withKey: string): Promise<readonly number[]> => {
    const seen: number[] = [];
    for (let index = 0; index < count; index++) seen.push((await on.post(message('ping'), { key: withKey })).status);
    return seen;
  };
  const times = (count: number, status: number): readonly number[] => Array.from({ length: count }, () => status);

  test('[R-6] it waits a minute after 20 wrong keys; other addresses do not', async () => {
    let [address, now] = ['203.0.113.7', 0];
    await using guarded = await startListener({ addressOf: () => address, now: () => now });
    expect(await statuses(guarded, 20, 'wrong')).toEqual(times(20, 403));
    const refused = await guarded.post(message('ping'));
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '60']);
    const upgrade = `GET /ws HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`;
    expect(await raw(upgrade, guarded)).toMatch(/^HTTP\/1\.1 429 /);
    address = '203.0.113.8';
    expect(await statuses(guarded, 1, key)).toEqual([200]);
    address = '203.0.113.7';
    now = 59_000;
    expect((await guarded.post(message('ping'))).headers['retry-after']).toBe('1');
    now = 60_000;
    expect(await statuses(guarded, 1, key)).toEqual([200]);
    expect(await statuses(guarded, 20, 'wrong')).toEqual(times(20, 403));
  });

  test.each(['127.0.0.1', '127.8.8.8', '::1', '::ffff:127.0.0.1'])(
    '[R-6] the loopback address %s never waits, because all local programs share it',
    async (address) => {
      await using guarded = await startListener({ addressOf: () => address });
      expect(await statuses(guarded, 25, 'wrong')).toEqual(times(25, 403));
      expect(await statuses(guarded, 1, key)).toEqual([200]);
    },
  );

  test('[R-6] a missing key is not a guess', async () => {
    await using guarded = await startListener({ addressOf: () => '203.0.113.7' });
    for (let index = 0; index < 25; index++)
      expect((await guarded.post(message('ping'), { key: null })).status).toBe(401);
    expect(await statuses(guarded, 1, key)).toEqual([200]);
  });
});

describe('34 and 35: Host and Origin', () => {
  test.each([
    'localhost',
    'LOCALHOST',
    'localhost.',
    'localhost:1',
    '127.0.0.1',
    '127.0.0.1:8931',
    '127.0.0.2',
    '[::1]',
    '[::1]:8931',
    '[0:0:0:0:0:0:0:1]',
    '2130706433',
  ])('[C5-5] the loopback host %s is accepted', async (host) => {
    expect((await server.post(message('ping'), { headers: { host } })).status).toBe(200);
  });

  test.each([
    ['evil.com', 403],
    ['evil.com:8931', 403],
    ['127.0.0.1.evil.com', 403],
    ['localhost.evil.com', 403],
    ['a.localhost', 403],
    ['10.0.0.1', 403],
    ['[fe80::1]', 403],
    ['user@localhost', 400],
    ['localhost/x', 400],
    ['localhost:x', 400],
    ['local host', 400],
  ])('[C5-5, R-6] the host %j is refused with %i', async (host, status) => {
    const answer = await server.post(message('ping'), { headers: { host } });
    expect(answer.status).toBe(status);
    if (status === 403) expect(answer.text).toContain('--allowed-hosts');
  });

  test('[C5-5] the host is checked before the key', async () => {
    expect((await server.post(message('ping'), { key: null, headers: { host: 'evil.com' } })).status).toBe(403);
  });

  test.each(['http://evil.com', 'null', 'http://localhost.evil.com', 'http://127.0.0.1:1', 'file://', 'https://x/y'])(
    '[C5-5, R-6] the origin %s is refused',
    async (origin) => {
      const answer = await server.post(message('ping'), { headers: { origin } });
      expect(answer.status).toBe(403);
      expect(answer.headers['access-control-allow-origin']).toBeUndefined();
    },
  );

  test('[C5-5] its own origin is accepted', async () => {
    const origin = `http://127.0.0.1:${server.port}`;
    const answer = await server.post(message('ping'), { headers: { origin } });
    expect(answer.status).toBe(200);
    expect(answer.headers['access-control-allow-origin']).toBe(origin);
  });

  test('[R-6] listed hosts and origins are accepted, and no others', async () => {
    const allowedHosts = ['browser.example', 'https://app.example', 'pinned.example:99'];
    await using listed = await startListener({ allowedHosts });
    const statusOf = async (headers: Record<string, string>): Promise<number> =>
      (await listed.post(message('ping'), { headers })).status;
    expect(await statusOf({ host: 'browser.example' })).toBe(200);
    expect(await statusOf({ host: 'Browser.Example:443' })).toBe(200);
    expect(await statusOf({ host: 'pinned.example:99' })).toBe(200);
    expect(await statusOf({ host: 'pinned.example:98' })).toBe(403);
    expect(await statusOf({ host: 'x.browser.example' })).toBe(403);
    expect(await statusOf({ origin: 'https://app.example' })).toBe(200);
    expect(await statusOf({ origin: 'http://app.example' })).toBe(403);
    expect(await statusOf({ origin: 'https://app.example:444' })).toBe(403);
  });

  test('[R-6] * accepts any host, but not any origin', async () => {
    await using listed = await startListener({ allowedHosts: ['*'] });
    expect((await listed.post(message('ping'), { headers: { host: 'any.example' } })).status).toBe(200);
    expect((await listed.post(message('ping'), { headers: { origin: 'http://any.example' } })).status).toBe(403);
  });

  test.each(['Host: localhost', 'Origin: http://localhost', 'Authorization: Bearer x', 'Content-Type: text/plain'])(
    'a second header is refused: %s',
    async (line) => {
      const lines = ['Origin: http://localhost', 'Content-Type: application/json', 'Connection: close', line];
      expect(await raw(head(...lines, 'Content-Length: 0'))).toMatch(/^HTTP\/1\.1 400 /);
    },
  );
});

test('37: a preflight request gets no permission for a foreign origin, and one for its own', async () => {
  const preflight = async (origin: string): Promise<readonly unknown[]> => {
    const headers = { origin, 'access-control-request-method': 'POST' };
    const answer = await server.send({ method: 'OPTIONS', key: null, headers });
    return [answer.status, answer.headers['access-control-allow-origin']];
  };
  expect(await preflight('http://evil.com')).toEqual([403, undefined]);
  const own = `http://127.0.0.1:${server.port}`;
  expect(await preflight(own)).toEqual([204, own]);
});

describe('38: content types', () => {
  test.each([
    { 'content-type': 'text/plain' },
    { 'content-type': 'application/x-www-form-urlencoded' },
    { 'content-type': 'multipart/form-data; boundary=x' },
    { 'content-type': 'application/jsonp' },
    { 'content-type': 'application/json; charset=utf-7' },
    { 'content-type': 'application/json', 'content-encoding': 'gzip' },
    { 'content-type': '' },
  ])('%o is refused', async (headers) => {
    expect((await server.post(message('ping'), { headers })).status).toBe(415);
  });

  test.each(['application/json', 'Application/JSON; charset=UTF-8', 'application/json;charset="utf-8"'])(
    '%s is accepted',
    async (type) => {
      expect((await server.post(message('ping'), { headers: { 'content-type': type } })).status).toBe(200);
    },
  );
});

describe('39: malformed HTTP', () => {
  const json = 'Content-Type: application/json';
  test.each([
    ['Content-Length and Transfer-Encoding', head(json, 'Content-Length: 3', 'Transfer-Encoding: chunked')],
    ['two lengths', head(json, 'Content-Length: 3', 'Content-Length: 4')],
    ['a length that is no number', head(json, 'Content-Length: x')],
    ['an unknown transfer encoding', head(json, 'Transfer-Encoding: gzip')],
    ['an absolute target', `GET http://localhost/mcp HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`],
    ['HTTP/0.9', 'GET /mcp\r\n\r\n'],
    ['an empty Host', 'GET /mcp HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\n'],
    ['no Host', 'GET /mcp HTTP/1.1\r\nConnection: close\r\n\r\n'],
    ['no Host in HTTP/1.0', 'GET /mcp HTTP/1.0\r\n\r\n'],
    ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['a line break in a header', 'GET /mcp HTTP/1.1\r\nHost: localhost\rX: y\r\n\r\n'],
    ['a space before the colon', 'GET /mcp HTTP/1.1\r\nHost : localhost\r\n\r\n'],
  ])('%s', async (_what, text) => {
    expect(await raw(text)).toMatch(/^HTTP\/1\.1 400 /);
  });

  test.each(['//', '///', '/%', '/\\', '//[', '/mcp%00', '/../mcp', '/mcp#x'])(
    'the path %s is answered 404, also with an upgrade',
    async (path) => {
      const lines = `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n`;
      expect(await raw(`${lines}Connection: close\r\n\r\n`)).toMatch(/^HTTP\/1\.1 404 /);
      expect(await raw(`${lines}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`)).toMatch(/^HTTP\/1\.1 404 /);
    },
  );

  test.each([
    ['no version', ''],
    ['another protocol', 'Upgrade: h2c\r\n'],
    ['a broken key', 'Upgrade: websocket\r\nSec-WebSocket-Key: x\r\nSec-WebSocket-Version: 13\r\n'],
    [
      'an old version',
      'Upgrade: websocket\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 1\r\n',
    ],
  ])('an upgrade with %s is refused, and the server goes on', async (_what, extra) => {
    const lines = `GET /ws HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n`;
    const upgrade = extra === '' ? 'Upgrade: websocket\r\n' : extra;
    expect(await raw(`${lines}Connection: Upgrade\r\n${upgrade}\r\n`)).toMatch(/^HTTP\/1\.1 4\d\d /);
    expect((await server.post(message('ping'))).status).toBe(200);
  });

  test('CONNECT is not served', async () => {
    expect(await raw('CONNECT example.com:443 HTTP/1.1\r\nHost: localhost\r\n\r\n')).not.toMatch(/^HTTP\/1\.1 2/);
  });

  test('a chunk extension of a megabyte', async () => {
    const chunk = `1;${'x'.repeat(1024 * 1024)}\r\na\r\n0\r\n\r\n`;
    expect(await raw(head(json, 'Transfer-Encoding: chunked') + chunk)).toMatch(/^HTTP\/1\.1 4(?:00|13) |^$/);
  });
});

describe('40: sizes', () => {
  const limited = { limits: { maxBodyBytes: 10_000 } };

  test('a body up to the limit is read, one byte more is refused', async () => {
    await using small = await startListener(limited);
    const padded = (length: number): string => `${ping}${' '.repeat(length - ping.length)}`;
    expect((await small.post(padded(10_000))).status).toBe(200);
    const answer = await small.post(padded(10_001));
    expect(answer.status).toBe(413);
    expect(answer.text).toContain('at most 10000 bytes');
  });

  test('a body without a length is cut off at the limit', async () => {
    await using small = await startListener(limited);
    const socket = await small.socket();
    const answer = readAll(socket);
    socket.write(head('Content-Type: application/json', 'Transfer-Encoding: chunked'));
    const chunk = Buffer.alloc(4096, ' ');
    for (let index = 0; index < 4; index++) socket.write(`${chunk.length.toString(16)}\r\n${chunk.toString()}\r\n`);
    await eventually('an answer', () => socket.bytesRead > 0);
    socket.end();
    expect(await answer).toMatch(/^HTTP\/1\.1 413 /);
  });

  test.each([
    ['many headers', Array.from({ length: 10_000 }, (_, index) => `X-${index}: y`)],
    ['a long header', [`X: ${'y'.repeat(20_000)}`]],
  ])('%s', async (_what, lines) => {
    expect(await raw(head(...lines))).toMatch(/^HTTP\/1\.1 431 /);
  });
});

describe('40: slow bodies', () => {
  /** Sends the start of a body and nothing more, on 200 connections at once. */
  const round = async (on: TestListener): Promise<readonly string[]> =>
    Promise.all(
      Array.from({ length: 200 }, async () => {
        const socket = await on.socket();
        const answer = readAll(socket);
        socket.write(head('Content-Type: application/json', 'Content-Length: 4000000'));
        socket.write(Buffer.alloc(100_000, ' '));
        return answer;
      }),
    );

  test('are answered 408, their connections close, and memory stays flat', async () => {
    await using slow = await startListener({ bodyTimeoutMs: 300, headerTimeoutMs: 300, limits: { maxRequests: 200 } });
    const sendSlowly = async (): Promise<void> => {
      const answers = await round(slow);
      expect(new Set(answers.map((answer) => answer.split('\r\n', 1)[0]))).toEqual(
        new Set(['HTTP/1.1 408 Request Timeout']),
      );
    };
    const used = (): number => {
      collectGarbage();
      const { heapUsed, arrayBuffers } = process.memoryUsage();
      return heapUsed + arrayBuffers;
    };
    await sendSlowly();
    const before = used();
    await sendSlowly();
    // One round receives 20 MB. Buffers are freed when the sockets are closed on both sides.
    await expect.poll(() => used() - before).toBeLessThan(8_000_000);
    expect((await slow.post(message('ping'))).status).toBe(200);
    const { text } = await slow.send({ path: '/metrics' });
    expect(/^pagehelm_connections (\d+)$/m.exec(text)?.[1]).toBe('1');
  });

  test('a slow header is answered 408', async () => {
    await using slow = await startListener({ bodyTimeoutMs: 300, headerTimeoutMs: 300 });
    expect(await raw('POST /mcp HTTP/1.1\r\nHost: localhost\r\nX: ', slow)).toMatch(/^HTTP\/1\.1 408 /);
  });
});

describe('41: odd JSON', () => {
  test.each([
    ['no JSON', '{', -32_700],
    ['nothing', '', -32_700],
    ['invalid UTF-8', Buffer.from([0x22, 0xff, 0xfe, 0x22]), -32_700],
    ['deep nesting', `${'['.repeat(5000)}${']'.repeat(5000)}`, -32_700],
    ['a number', '5', -32_600],
    ['null', 'null', -32_600],
    ['an empty object', '{}', -32_600],
  ])('%s', async (_what, body, code) => {
    const answer = await server.send({
      method: 'POST',
      body,
      headers: { accept: 'application/json', 'content-type': 'application/json' },
    });
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.text)).toMatchObject({ id: null, error: { code } });
  });

  test.each([
    ['a byte order mark', `\uFEFF${ping}`],
    ['duplicate keys', '{"jsonrpc":"2.0","id":2,"id":1,"method":"ping"}'],
    ['a lone surrogate', '{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"\\ud800"}}'],
    ['large numbers', '{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":[1e308,-0,1e999]}}'],
  ])('%s is read', async (_what, body) => {
    const answer = await server.post(body);
    expect(JSON.parse(answer.text)).toMatchObject({ id: 1, result: {} });
  });

  test('__proto__ and constructor pollute nothing', async () => {
    const args = '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}';
    const params = `{"name":"browser_context_list","arguments":${args},"__proto__":{"polluted":1}}`;
    const answer = await server.post(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`);
    expect(answer.status).toBe(200);
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
    expect(JSON.stringify({})).toBe('{}');
  });
});

describe('42: batches and ids', () => {
  const batch = (length: number): readonly object[] =>
    Array.from({ length }, (_, index) => message('ping', undefined, index));

  test('a batch of 100 is answered, 101 and none are refused', async () => {
    const id = await connect();
    const headers = { 'mcp-session-id': id };
    expect(JSON.parse((await server.post(batch(100), { headers })).text)).toHaveLength(100);
    expect((await server.post(batch(101), { headers })).status).toBe(400);
    expect((await server.post([], { headers })).status).toBe(400);
  });

  test('initialize in a batch is refused', async () => {
    expect((await server.post([initialize, message('ping', undefined, 2)])).status).toBe(400);
  });

  test.each([null, 1.5, {}, [1], true])('the id %j is refused', async (id) => {
    expect((await server.post(message('ping', undefined, id))).status).toBe(400);
  });

  test('a very long id comes back', async () => {
    const id = 'x'.repeat(1024 * 1024);
    expect(JSON.parse((await server.post(message('ping', undefined, id))).text)).toMatchObject({ id });
  });

  test('a second request with the id of one under way is refused, and the first is answered', async () => {
    const headers = { 'mcp-session-id': await connect() };
    const wait = message('tools/call', { name: 'browser_wait_for', arguments: { time: 1 } }, 7);
    const first = server.post(wait, { headers });
    // Until the first has arrived, its id is free.
    let status = 200;
    while (status === 200) ({ status } = await server.post(message('ping', undefined, 7), { headers }));
    expect(status).toBe(400);
    expect(JSON.parse((await first).text)).toMatchObject({ id: 7, result: { content: expect.any(Array) } });
    expect((await server.post(message('ping', undefined, 7), { headers })).status).toBe(200);
  });

  test('an answer to nothing is accepted and dropped', async () => {
    const headers = { 'mcp-session-id': await connect() };
    expect((await server.post({ jsonrpc: '2.0', id: 99, result: {} }, { headers })).status).toBe(202);
    expect((await server.post(message('ping'), { headers })).status).toBe(200);
  });
});

describe('43 and 51: methods, versions and headers', () => {
  test.each([
    ['an unknown method', message('no/such'), -32_601],
    ['an unknown tool', message('tools/call', { name: 'no_such' }), -32_601],
    ['a call without a name', message('tools/call', {}), -32_602],
  ])('%s', async (_what, body, code) => {
    expect(JSON.parse((await server.post(body)).text)).toMatchObject({ error: { code } });
  });

  test('a call before initialize is answered: state needs no handshake', async () => {
    const answer = await server.post(message('tools/call', { name: 'browser_context_list' }));
    expect(JSON.parse(answer.text)).toMatchObject({ result: { content: expect.any(Array) } });
  });

  test('an unknown version in the header is refused', async () => {
    const headers = { 'mcp-session-id': await connect(), 'mcp-protocol-version': '1999-01-01' };
    expect((await server.post(message('ping'), { headers })).status).toBe(400);
  });

  const call = message('tools/call', { name: 'browser_context_list', arguments: {}, _meta: envelope });
  const stateless = {
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/call',
    'mcp-name': 'browser_context_list',
  };
  test.each([
    ['all headers', {}, 200, undefined],
    ['another method', { 'mcp-method': 'tools/list' }, 400, -32_020],
    ['another name', { 'mcp-name': 'browser_click' }, 400, -32_020],
    ['another version', { 'mcp-protocol-version': '2025-11-25' }, 400, -32_020],
    ['an unknown version', { 'mcp-protocol-version': '2099-01-01' }, 400, -32_020],
  ])('2026-07-28 with %s', async (_what, headers, status, code) => {
    const answer = await server.post(call, { headers: { ...stateless, ...headers } });
    expect(answer.status).toBe(status);
    if (code !== undefined) expect(JSON.parse(answer.text)).toMatchObject({ error: { code } });
  });

  test('2026-07-28 has no GET and no DELETE', async () => {
    for (const method of ['GET', 'DELETE']) {
      const headers = { 'mcp-protocol-version': '2026-07-28', accept: 'text/event-stream' };
      expect((await server.send({ method, headers })).status).toBe(405);
    }
  });
});

describe('45 and 46: other keys', () => {
  const others = { key: 'other-key' };

  test('a connection of another key is not found, whatever is done with it', async () => {
    const headers = { 'mcp-session-id': await connect(), accept: 'text/event-stream, application/json' };
    expect((await server.post(message('ping'), { ...others, headers })).status).toBe(404);
    expect((await server.send({ method: 'GET', ...others, headers })).status).toBe(404);
    expect((await server.send({ method: 'DELETE', ...others, headers })).status).toBe(404);
    expect((await server.post(message('ping'), { headers })).status).toBe(200);
  });

  test.each(['x', '-1', '999999999999999999999', '1e9', '%00', '__proto__'])(
    'the event id %s gets no events',
    async (id) => {
      const headers = { 'mcp-session-id': await connect(), accept: 'text/event-stream', 'last-event-id': id };
      expect((await server.send({ headers })).status).toBe(400);
    },
  );
});

describe('50: progress tokens and pings', () => {
  const streamed = { accept: 'application/json, text/event-stream' };
  const call = (id: number, url: string): object =>
    message('tools/call', { name: 'browser_navigate', arguments: { url }, _meta: { progressToken: 'same' } }, id);
  const responsesIn = (text: string): readonly unknown[] =>
    [...text.matchAll(/^data: (\{.*)$/gm)].map(([, data = '']) => JSON.parse(data)).filter((each) => 'id' in each);

  test('calls that share a progress token each get their own answer, once', async () => {
    const headers = { ...streamed, 'mcp-session-id': await connect() };
    const pages = ['One', 'Two', 'Three'].map((title) => `data:text/html,<title>${title}</title><p>x`);
    const answers = await Promise.all(pages.map(async (url, index) => server.post(call(index, url), { headers })));
    const again = await server.post(call(3, pages[0] ?? ''), { headers });
    for (const [index, { text }] of [...answers, again].entries()) {
      const title = ['One', 'Two', 'Three', 'One'][index];
      const content = [{ text: expect.stringContaining(`Title: ${title}`) }];
      expect(responsesIn(text)).toEqual([expect.objectContaining({ id: index })]);
      expect(responsesIn(text)).toMatchObject([{ id: index, result: { content } }]);
    }
  });

  test('a storm of pings does not disturb a call in flight', async () => {
    const headers = { 'mcp-session-id': await connect() };
    const wait = message('tools/call', { name: 'browser_wait_for', arguments: { time: 1 } }, 'w');
    const waiting = server.post(wait, { headers });
    const storm = Array.from({ length: 20 }, async (_, batch) =>
      server.post(
        Array.from({ length: 100 }, (_each, index) => message('ping', undefined, `${batch}-${index}`)),
        { headers },
      ),
    );
    for (const { text } of await Promise.all(storm)) expect(JSON.parse(text)).toHaveLength(100);
    expect(JSON.parse((await waiting).text)).toMatchObject({ id: 'w', result: { content: expect.any(Array) } });
    expect((await server.post(message('ping'), { headers })).status).toBe(200);
  });
});
