import { once } from 'node:events';
import type { Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { isLongRun } from '../extent.ts';
import { connectClient, initialize, key, message, startListener } from './http-listener.ts';
import type { TestListener } from './http-listener.ts';
import { eventually, ownBrowsers } from './processes.ts';

async function connect(server: TestListener): Promise<string> {
  return String((await server.post(initialize)).headers['mcp-session-id']);
}

async function gauge(server: TestListener, name: string): Promise<number> {
  const { text } = await server.send({ path: '/metrics' });
  const line = text.split('\n').find((each) => each.startsWith(`${name} `));
  return Number(line?.split(' ').at(-1));
}

const httpClients = 'pagehelm_clients{transport="http"}';

/** Opens an event stream of a connection; it stays open. */
async function openStream(server: TestListener, id: string): Promise<Socket> {
  const socket = await server.socket();
  const lines = ['GET /mcp HTTP/1.1', 'Host: localhost', `Authorization: Bearer ${key}`, `Mcp-Session-Id: ${id}`];
  socket.write([...lines, 'Accept: text/event-stream', '', ''].join('\r\n'));
  await once(socket, 'data');
  return socket;
}

describe('47: too much', () => {
  test('connections of a key are limited, those of another are not', async () => {
    const keys = [key, 'other'].map((each) => ({ name: each, key: each, scope: {} }));
    await using server = await startListener({ keys, limits: { maxClients: 3 } });
    for (let count = 0; count < 3; count++) await connect(server);
    const refused = await server.post(initialize);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    const stream = await server.send({ path: '/sse', headers: { accept: 'text/event-stream' } });
    expect(stream.status).toBe(429);
    expect((await server.post(initialize, { key: 'other' })).status).toBe(200);
    expect((await server.post(message('ping'))).status).toBe(200);
  });

  test('requests of a key in a second are limited', async () => {
    await using server = await startListener({ limits: { rate: 5 } });
    const statuses: number[] = [];
    for (let count = 0; count < 30; count++) statuses.push((await server.post(message('ping'))).status);
    expect(statuses.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => 200));
    expect(statuses).toContain(429);
    const refused = await eventuallyRefused(server);
    expect(Number(refused)).toBeGreaterThanOrEqual(1);
  });

  test('a key can have its own rate', async () => {
    const keys = [
      { name: 'slow', key: 'slow', scope: { rate: 1 } },
      { name: 'free', key, scope: {} },
    ];
    await using server = await startListener({ keys });
    for (let count = 0; count < 2; count++)
      expect((await server.post(message('ping'), { key: 'slow' })).status).toBe(200);
    expect((await server.post(message('ping'), { key: 'slow' })).status).toBe(429);
    for (let count = 0; count < 5; count++) expect((await server.post(message('ping'))).status).toBe(200);
  });

  test('requests of a key that are under way are limited', async () => {
    await using server = await startListener({ limits: { maxRequests: 1 } });
    const socket = await openStream(server, await connect(server));
    const refused = await server.post(message('ping'));
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '1']);
    socket.destroy();
    while ((await server.post(message('ping'))).status !== 200) await new Promise(setImmediate);
  });

  test('open sockets are limited', async () => {
    await using server = await startListener({ limits: { maxConnections: 5 } });
    const sockets = await Promise.all(Array.from({ length: 5 }, async () => server.socket()));
    const refused = await server.post(message('ping'));
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '10']);
    for (const socket of sockets) socket.destroy();
    while ((await server.post(message('ping'))).status !== 200) await new Promise(setImmediate);
  });

  test('a client that does not read its stream is dropped, and the others go on', async () => {
    await using server = await startListener({ bufferBytes: 100_000 });
    const id = await connect(server);
    const slow = await server.socket();
    const body = JSON.stringify(Array.from({ length: 100 }, (_, index) => message('tools/list', undefined, index)));
    const lines = ['POST /mcp HTTP/1.1', 'Host: localhost', `Authorization: Bearer ${key}`, `Mcp-Session-Id: ${id}`];
    lines.push('Accept: text/event-stream, application/json', 'Content-Type: application/json');
    slow.pause();
    slow.on('error', () => undefined);
    slow.write([...lines, `Content-Length: ${Buffer.byteLength(body)}`, '', body].join('\r\n'));
    await eventually('a dropped client', () => server.listener.droppedClients === 1);
    expect((await server.post(message('ping'), { headers: { 'mcp-session-id': id } })).status).toBe(200);
  });
});

describe('47: the usual limits, far exceeded', () => {
  /** Runs a task many times, 50 at once. */
  const many = async <T>(count: number, run: () => Promise<T>): Promise<readonly T[]> => {
    const results: T[] = [];
    const worker = async (): Promise<void> => {
      while (results.length + running < count) {
        running++;
        try {
          results.push(await run());
        } finally {
          running--;
        }
      }
    };
    let running = 0;
    await Promise.all(Array.from({ length: 50 }, worker));
    return results;
  };
  const countOf = (statuses: readonly number[]): Readonly<Record<number, number>> => {
    const counts: Record<number, number> = {};
    for (const status of statuses) counts[status] = (counts[status] ?? 0) + 1;
    return counts;
  };

  const requests = isLongRun ? 10_000 : 1000;
  test(`${requests} initialize: 200 connections, then 429 with Retry-After`, async () => {
    await using server = await startListener();
    const headers = {
      authorization: `Bearer ${key}`,
      accept: 'application/json',
      'content-type': 'application/json',
    };
    const statuses = await many(requests, async () => {
      const answer = await fetch(server.url, { method: 'POST', headers, body: JSON.stringify(initialize) });
      await answer.arrayBuffer();
      if (answer.status === 429) expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
      return answer.status;
    });
    expect(countOf(statuses)).toEqual({ 200: 200, 429: requests - 200 });
    expect(await gauge(server, httpClients)).toBe(200);
    expect((await server.post(message('ping'))).status).toBe(200);
  });

  test('1,000 event streams and 1,000 WebSockets: 200 are open, the others get 429', async () => {
    await using server = await startListener();
    const sockets: Socket[] = [];
    const open = async (lines: readonly string[]): Promise<number> => {
      const socket = await server.socket();
      sockets.push(socket);
      socket.write(
        ['Host: localhost', `Authorization: Bearer ${key}`].reduce(
          (text, line) => `${text}${line}\r\n`,
          `${lines.join('\r\n')}\r\n`,
        ) + '\r\n',
      );
      const [data]: unknown[] = await once(socket, 'data');
      const status = Number(/^HTTP\/1\.1 (\d+)/.exec(String(data))?.[1]);
      if (status === 429) expect(String(data)).toMatch(/^retry-after: 60/im);
      if (status === 429) socket.destroy();
      return status;
    };
    const sse = ['GET /sse HTTP/1.1', 'Accept: text/event-stream'];
    expect(countOf(await many(1000, async () => open(sse)))).toEqual({ 200: 200, 429: 800 });
    for (const socket of sockets.splice(0)) socket.destroy();
    while ((await gauge(server, 'pagehelm_clients{transport="sse"}')) > 0) await new Promise(setImmediate);
    const upgrade = ['GET /ws HTTP/1.1', 'Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13'];
    upgrade.push('Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==');
    expect(countOf(await many(1000, async () => open(upgrade)))).toEqual({ 101: 200, 429: 800 });
    for (const socket of sockets) socket.destroy();
    while ((await gauge(server, 'pagehelm_clients{transport="websocket"}')) > 0) await new Promise(setImmediate);
    expect((await server.post(initialize)).status).toBe(200);
  });

  test('1,100 sockets: those above 1,000 get 503 with Retry-After', async () => {
    await using server = await startListener();
    const sockets = await many(1000, async () => server.socket());
    const refused = await many(100, async () => server.post(message('ping')));
    expect(countOf(refused.map(({ status }) => status))).toEqual({ 503: 100 });
    expect(refused[0]?.headers['retry-after']).toBe('10');
    for (const socket of sockets) socket.destroy();
    while ((await server.post(message('ping'))).status !== 200) await new Promise(setImmediate);
  });

  test('a client that leaves 100 MB unread is dropped at 8 MiB', async () => {
    await using server = await startListener();
    const slow = await server.socket();
    slow.on('error', () => undefined);
    slow.write(
      `GET /sse HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\nAccept: text/event-stream\r\n\r\n`,
    );
    const [data]: unknown[] = await once(slow, 'data');
    const path = /data: (\S+)/.exec(String(data))?.[1] ?? '';
    slow.pause();
    const size = (await server.post(message('tools/list'))).text.length;
    const isDropped = (): boolean => server.listener.droppedClients === 1;
    let produced = 0;
    while (!isDropped() && produced < 100_000_000) {
      expect([202, 404]).toContain((await server.post(message('tools/list'), { path })).status);
      produced += size;
    }
    expect(isDropped()).toBe(true);
    // What the kernel buffers is not the server's memory.
    expect(produced).toBeGreaterThan(8 * 1024 * 1024);
    expect((await server.post(message('ping'), { path })).status).toBe(404);
    expect((await server.post(message('ping'))).status).toBe(200);
    slow.destroy();
  });
});

async function eventuallyRefused(server: TestListener): Promise<string | undefined> {
  for (;;) {
    const { status, headers } = await server.post(message('ping'));
    if (status === 429) return headers['retry-after'];
  }
}

describe('connections that end', () => {
  test('[C5-13] an idle connection ends, a stream that is open and silent does not, and no session goes with them', async () => {
    await using server = await startListener({ limits: { idleMs: 60 }, keepAliveMs: 10_000 });
    const kept = await connect(server);
    const stream = await openStream(server, kept);
    const idle = await connect(server);
    const call = message('tools/call', { name: 'browser_context_create', arguments: { name: 'mine' } }, 2);
    await server.post(call, { headers: { 'mcp-session-id': kept } });
    // A request would keep the connection in use, so the count is watched.
    while ((await gauge(server, httpClients)) > 1) await new Promise(setImmediate);
    expect((await server.post(message('ping'), { headers: { 'mcp-session-id': idle } })).status).toBe(404);
    expect((await server.post(message('ping'), { headers: { 'mcp-session-id': kept } })).status).toBe(200);
    const list = await server.post(message('tools/call', { name: 'browser_context_list', arguments: {} }));
    expect(list.text).toContain('mine');
    stream.destroy();
  });

  test('[C5-13] 200 connections that vanish leave nothing behind', async () => {
    await using server = await startListener({ keys: null, limits: { idleMs: 100 } });
    const ids = await Promise.all(Array.from({ length: 200 }, async () => connect(server)));
    expect(new Set(ids).size).toBe(200);
    const streams = await Promise.all(ids.slice(0, 50).map(async (id) => openStream(server, id)));
    for (const stream of streams) stream.destroy();
    while ((await gauge(server, httpClients)) > 0) await new Promise(setImmediate);
    expect(await gauge(server, 'pagehelm_event_store_bytes')).toBe(0);
    for (const state of ['busy', 'idle', 'closed'])
      expect(await gauge(server, `pagehelm_sessions{state="${state}"}`)).toBe(0);
    expect(await gauge(server, 'pagehelm_connections')).toBeLessThan(5);
  });

  test('[C5-13] vanished clients of all transports leave no connection and no session behind', async () => {
    await using server = await startListener({ keys: null, limits: { idleMs: 100 } });
    const create = message('tools/call', { name: 'browser_context_create', arguments: { name: 'own' } }, 2);
    const old = await Promise.all(Array.from({ length: 10 }, async () => connect(server)));
    await Promise.all(old.map(async (id) => server.post(create, { headers: { 'mcp-session-id': id } })));
    const url = new URL(server.url);
    const streams = await Promise.all(
      Array.from({ length: 10 }, async () => {
        const socket = await server.socket();
        socket.write('GET /sse HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n');
        const [data]: unknown[] = await once(socket, 'data');
        const path = /data: (\S+)/.exec(String(data))?.[1] ?? '';
        await server.post(create, { path });
        await once(socket, 'data');
        return socket;
      }),
    );
    const webSockets = await Promise.all(
      Array.from({ length: 10 }, async () => {
        const socket = new WebSocket(`ws://${url.host}/ws`, 'mcp');
        await once(socket, 'open');
        socket.send(JSON.stringify(create));
        await once(socket, 'message');
        return socket;
      }),
    );
    for (const socket of streams) socket.destroy();
    for (const socket of webSockets) socket.terminate();
    const left = async (): Promise<number> => {
      const kinds = ['http', 'sse', 'websocket'].map((kind) => `pagehelm_clients{transport="${kind}"}`);
      const counts = [...kinds, 'pagehelm_sessions{state="idle"}'].map(async (name) => gauge(server, name));
      return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
    };
    while ((await left()) > 0) await new Promise(setImmediate);
    expect(await gauge(server, 'pagehelm_connections')).toBeLessThan(5);
  });

  test('[C5-13] no ping is sent, and a client that only listens loses nothing', async () => {
    await using server = await startListener({ limits: { idleMs: 1000 }, keepAliveMs: 10 });
    const headers = { 'mcp-session-id': await connect(server) };
    const stream = await openStream(server, headers['mcp-session-id']);
    const create = message('tools/call', { name: 'browser_context_create', arguments: { name: 'mine' } }, 2);
    await server.post(create, { headers });
    const socket = new WebSocket(`ws://127.0.0.1:${server.port}/ws`, 'mcp', {
      headers: { authorization: `Bearer ${key}` },
    });
    await once(socket, 'open');
    const received: unknown[] = [];
    socket.on('ping', () => received.push('ping')).on('message', (data) => received.push(data));
    let text = '';
    stream.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    // 300 comments take three times as long as an idle connection may live.
    await eventually('comments', () => text.split('\n: ').length > 300, 40_000);
    expect(text).not.toContain('data: {');
    expect(received).toEqual([]);
    const list = message('tools/call', { name: 'browser_context_list', arguments: {} }, 3);
    expect((await server.post(list, { headers })).text).toContain('mine');
    socket.send(JSON.stringify(message('ping')));
    expect(String((await once(socket, 'message'))[0])).toContain('"result":{}');
    stream.destroy();
    socket.close();
  });

  test('a cancelled call ends its stream, and the next call works', async () => {
    await using server = await startListener();
    const headers = { 'mcp-session-id': await connect(server) };
    const wait = { name: 'browser_wait_for', arguments: { text: 'never there', timeout: 50_000 } };
    const waiting = server.post(message('tools/call', wait, 'w'), { headers });
    while ((await server.post(message('ping', undefined, 'w'), { headers })).status === 200)
      await new Promise(setImmediate);
    await server.post({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'w' } }, { headers });
    expect((await waiting).status).toBe(202);
    const list = message('tools/call', { name: 'browser_context_list', arguments: {} }, 'w');
    expect((await server.post(list, { headers })).status).toBe(200);
  });
});

describe('the end of the server', () => {
  test('a call in flight is answered, a new one is not accepted, and readiness is off', async () => {
    const server = await startListener();
    await using client = await connectClient(server.url);
    const call = client.call('browser_wait_for', { time: 1 });
    while ((await gauge(server, httpClients)) < 1) await new Promise(setImmediate);
    while (!(await isWaiting(server))) await new Promise(setImmediate);
    const ended = server.listener[Symbol.asyncDispose]();
    const ready = await server.send({ path: '/readyz', key: null });
    expect([ready.status, ready.text]).toEqual([503, '{"status":"draining"}']);
    expect((await server.send({ path: '/livez', key: null })).status).toBe(200);
    const refused = await server.post(message('ping'));
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '30']);
    expect((await call).isError).toBe(false);
    await ended;
    await server[Symbol.asyncDispose]();
  });

  test('a call that does not end in time does not hold the end up', async () => {
    const server = await startListener({ drainMs: 50 });
    const headers = { 'mcp-session-id': await connect(server) };
    const wait = { name: 'browser_wait_for', arguments: { text: 'never there', timeout: 50_000 } };
    const waiting = server.post(message('tools/call', wait, 'w'), { headers }).catch(() => undefined);
    while ((await server.post(message('ping', undefined, 'w'), { headers })).status === 200)
      await new Promise(setImmediate);
    await server.listener[Symbol.asyncDispose]();
    await waiting;
    await server[Symbol.asyncDispose]();
  });
});

/** Whether a session is at work: its browser is there. */
async function isWaiting(server: TestListener): Promise<boolean> {
  return (await gauge(server, 'pagehelm_sessions{state="busy"}')) > 0;
}

describe('monitoring', () => {
  test.each(['/health', '/livez', '/readyz'])('%s needs no key and says little', async (path) => {
    await using server = await startListener();
    const answer = await server.send({ path, key: null });
    expect([answer.status, answer.text]).toEqual([200, '{"status":"ok"}']);
    expect((await server.send({ path, key: null, method: 'POST' })).status).toBe(405);
    expect((await server.send({ path, key: null, headers: { host: 'evil.com' } })).status).toBe(403);
  });

  test('/metrics counts requests, refusals and calls', async () => {
    await using server = await startListener();
    await server.post(message('tools/call', { name: 'browser_context_list', arguments: {} }));
    await server.post(message('ping'), { key: 'wrong' });
    const { text, headers } = await server.send({ path: '/metrics' });
    expect(headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(text).toContain('pagehelm_calls_total{tool="browser_context_list",code="ok"} 1\n');
    expect(text).toContain('pagehelm_call_seconds_count{tool="browser_context_list"} 1\n');
    expect(text).toMatch(/^pagehelm_rss_bytes\{process="server"\} \d{8,}$/m);
    expect(text).toContain('pagehelm_http_requests_total{status="200"} 1\n');
    expect(text).toContain('pagehelm_auth_fail_total{status="403"} 1\n');
    const types = [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name);
    expect(new Set(types).size).toBe(types.length);
  });

  test('/metrics counts a browser that was killed, its replacement and the memory of browsers', async () => {
    await using server = await startListener();
    await using client = await server.client();
    await client.call('browser_navigate', { url: 'data:text/html,<title>One' });
    expect(await gauge(server, 'pagehelm_sessions{state="idle"}')).toBe(1);
    expect(await gauge(server, 'pagehelm_rss_bytes{process="browsers"}')).toBeGreaterThan(10_000_000);
    const [browser] = ownBrowsers(process.pid);
    process.kill(browser?.pid ?? 0, 'SIGKILL');
    await expect.poll(async () => gauge(server, 'pagehelm_browser_crash_total{kind="browser"}')).toBe(1);
    expect((await client.call('browser_snapshot')).text).toContain('Page Title: One');
    const { text } = await server.send({ path: '/metrics' });
    expect(text).toContain('pagehelm_recovery_seconds_count{kind="browser"} 1\n');
  });

  test('/metrics counts connections that the rules of domains refused', async () => {
    await using server = await startListener({ flags: ['--blocked-domains', '127.0.0.1'] });
    await using client = await server.client();
    // An open port that the browser itself does not refuse.
    const page = `<script>fetch("${server.url.origin}/health")</script>`;
    await client.call('browser_navigate', { url: `data:text/html,${page}` });
    expect(await gauge(server, 'pagehelm_egress_denied_total{rule="--blocked-domains"}')).toBeGreaterThan(0);
  });

  test('/livez tells that the event loop was blocked', async () => {
    await using server = await startListener();
    expect((await server.send({ path: '/livez', key: null })).status).toBe(200);
    const until = performance.now() + 1400;
    while (performance.now() < until);
    const answer = await server.send({ path: '/livez', key: null });
    expect([answer.status, answer.text]).toEqual([503, '{"status":"lagging"}']);
    expect((await server.send({ path: '/readyz', key: null })).status).toBe(200);
  });

  test('/readyz tells that no browser can be started, and /livez does not mind', async () => {
    await using server = await startListener({ flags: ['--executable-path', '/nowhere/chromium'] });
    const answer = await server.send({ path: '/readyz', key: null });
    expect([answer.status, answer.text]).toEqual([503, '{"status":"no browser"}']);
    expect((await server.send({ path: '/livez', key: null })).status).toBe(200);
  });

  test('/readyz tells that the queues are nearly full', async () => {
    await using server = await startListener({ flags: ['--queue-limit', '5'] });
    await using client = await server.client();
    const calls = Array.from({ length: 5 }, () => client.call('browser_wait_for', { text: 'never', timeout: 50_000 }));
    await expect.poll(async () => gauge(server, 'pagehelm_queue_depth'), { timeout: 20_000 }).toBe(4);
    const answer = await server.send({ path: '/readyz', key: null });
    expect([answer.status, answer.text]).toEqual([503, '{"status":"busy"}']);
    await client.client.close();
    await Promise.allSettled(calls);
  });
});
