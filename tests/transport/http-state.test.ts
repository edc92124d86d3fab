import { createServer } from 'node:http';
import type { Server } from 'node:http';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectClient, envelope, initialize, key, message, startListener } from './http-listener.ts';
import type { HttpAnswer, HttpClient, TestListener } from './http-listener.ts';

const stateless = { versionNegotiation: { mode: { pin: '2026-07-28' } } } as const;

let server: TestListener;
let site: Server;
let origin = '';

beforeAll(async () => {
  // Knows a visitor by a cookie, as a site with a login does.
  site = createServer((request, response) => {
    const visits = Number(/visits=(\d+)/.exec(request.headers.cookie ?? '')?.[1] ?? 0) + 1;
    response.setHeader('set-cookie', `visits=${visits}`).setHeader('content-type', 'text/html');
    response.end(`<h1>Visit ${visits}</h1>`);
  }).listen(0, '127.0.0.1');
  await once(site, 'listening');
  const address = site.address();
  origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/`;
  const keys = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => ({ name, key: name, scope: {} }));
  server = await startListener({ keys });
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  site.close();
});

async function visit(client: HttpClient): Promise<string | undefined> {
  return /Visit \d+/.exec((await client.call('browser_navigate', { url: origin })).text)?.[0];
}

describe('sessions belong to the key', () => {
  test('[C5-13] a client that opens a connection for each of ten calls keeps its login', async () => {
    const seen: unknown[] = [];
    for (let count = 0; count < 10; count++) {
      await using client = await server.client({}, 'a');
      seen.push(await visit(client));
    }
    expect(seen).toEqual(Array.from({ length: 10 }, (_, index) => `Visit ${index + 1}`));
  });

  test('[C5-13, C5-14] a 2025 client and a 2026 client with one key find the same session', async () => {
    await using old = await server.client({}, 'b');
    await using modern = await server.client(stateless, 'b');
    expect(await visit(old)).toBe('Visit 1');
    expect(await visit(modern)).toBe('Visit 2');
    expect(await visit(old)).toBe('Visit 3');
  });

  test('another key has its own sessions, and does not find those of others by name or id', async () => {
    await using one = await server.client({}, 'c');
    await using two = await server.client({}, 'd');
    expect(await visit(one)).toBe('Visit 1');
    expect(await visit(two)).toBe('Visit 1');
    await one.call('browser_context_create', { name: 'private' });
    const created = await one.call('create_session');
    const id = /[\da-f]{8}-[\da-f-]{27}/.exec(created.text)?.[0] ?? '';
    expect(id).not.toBe('');
    expect((await one.call('browser_tabs', { action: 'list', sessionId: id })).isError).toBe(false);
    for (const sessionId of ['private', id]) {
      const answer = await two.call('browser_tabs', { action: 'list', sessionId });
      expect(answer.kind).toBe('SESSION_NOT_FOUND');
      expect((await two.call('close_session', { sessionId })).isError).toBe(true);
      expect((await two.call('browser_context_switch', { name: sessionId })).isError).toBe(true);
    }
    const listed = await two.call('browser_context_list');
    expect(listed.text).not.toContain('private');
    expect(listed.text).not.toContain(id);
  });

  test('two connections of a key can use two sessions at once', async () => {
    await using one = await server.client({}, 'e');
    await using two = await server.client({}, 'e');
    expect(await visit(one)).toBe('Visit 1');
    await two.call('browser_context_create', { name: 'second' });
    expect(await visit(two)).toBe('Visit 1');
    expect(await visit(one)).toBe('Visit 2');
    expect(await visit(two)).toBe('Visit 2');
    await using three = await server.client({}, 'e');
    // A new connection starts where its key was last.
    expect(await visit(three)).toBe('Visit 3');
  });
});

describe('a request that is sent twice', () => {
  const count = `() => new Promise((done) => setTimeout(() => { globalThis.count = (globalThis.count ?? 0) + 1; done('count ' + globalThis.count) }, 300))`;
  const params = { name: 'browser_evaluate', arguments: { function: count } };

  test('runs once in a connection; the second one is refused', async () => {
    await using client = await server.client({}, 'f');
    await client.call('browser_navigate', { url: origin });
    const headers = { 'mcp-session-id': client.transport.sessionId ?? '', 'mcp-protocol-version': '2025-11-25' };
    const call = message('tools/call', params, 'twice');
    const both = await Promise.all([0, 1].map(async () => server.post(call, { key: 'f', headers })));
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400]);
    expect(both.find(({ status }) => status === 400)?.text).toContain('a request with this id is under way');
    expect(both.find(({ status }) => status === 200)?.text).toContain('count 1');
    expect((await server.post(call, { key: 'f', headers })).text).toContain('count 2');
  });

  test('runs once without a connection; the second one is refused', async () => {
    await using client = await server.client({}, 'f');
    await client.call('browser_navigate', { url: origin });
    const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': params.name };
    const send = async (id: unknown): Promise<HttpAnswer> =>
      server.post(message('tools/call', { ...params, _meta: envelope }, id), { key: 'f', headers });
    const both = await Promise.all([send('again'), send('again')]);
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400]);
    expect(both.find(({ status }) => status === 400)?.text).toContain('"code":-32600');
    expect(both.find(({ status }) => status === 200)?.text).toContain('count 1');
    // Requests with other ids, and a later one with the same id, run.
    expect((await Promise.all([send('one'), send('two')])).map(({ status }) => status)).toEqual([200, 200]);
    expect((await send('again')).text).toContain('count 4');
  });
});

describe('without keys', () => {
  test('each connection has its own session, which goes with it', async () => {
    await using open = await startListener({ keys: null });
    const one = await connectClient(open.url);
    const two = await connectClient(open.url);
    expect(await visit(one)).toBe('Visit 1');
    expect(await visit(two)).toBe('Visit 1');
    expect(await visit(one)).toBe('Visit 2');
    const sessions = async (): Promise<string | undefined> =>
      /pagehelm_sessions\{state="idle"\} (\d+)/.exec((await open.send({ path: '/metrics' })).text)?.[1];
    expect(await sessions()).toBe('2');
    await one.transport.terminateSession();
    expect(await sessions()).toBe('1');
    await one.client.close();
    await two.client.close();
  });

  test('stateless requests are one client', async () => {
    await using open = await startListener({ keys: null });
    await using one = await connectClient(open.url, stateless);
    await using two = await connectClient(open.url, stateless);
    expect(await visit(one)).toBe('Visit 1');
    expect(await visit(two)).toBe('Visit 2');
  });

  test('[S0-34] --shared-browser-context gives all clients one session', async () => {
    await using open = await startListener({ keys: null, flags: ['--shared-browser-context'] });
    await using one = await connectClient(open.url);
    await using two = await connectClient(open.url);
    expect(await visit(one)).toBe('Visit 1');
    expect(await visit(two)).toBe('Visit 2');
  });
});

describe('scopes of a key', () => {
  test('[R-6] read-only, toolsets and a session limit hold for the key that has them', async () => {
    const keys = [
      { name: 'full', key, scope: {} },
      { name: 'reader', key: 'reader', scope: { readOnly: true } },
      { name: 'basic', key: 'basic', scope: { toolsets: ['basic' as const] } },
      { name: 'small', key: 'small', scope: { maxSessions: 1 } },
    ];
    await using scoped = await startListener({ keys });
    const namesOf = async (client: HttpClient): Promise<readonly string[]> =>
      (await client.client.listTools()).tools.map(({ name }) => name);
    await using full = await scoped.client();
    await using reader = await scoped.client({}, 'reader');
    await using basic = await scoped.client({}, 'basic');
    await using small = await scoped.client({}, 'small');
    expect(await namesOf(full)).toContain('browser_click');
    expect(await namesOf(reader)).not.toContain('browser_click');
    expect(await namesOf(reader)).toContain('browser_snapshot');
    await expect(reader.call('browser_click', { target: 'e1' })).rejects.toThrow('Unknown tool');
    expect((await namesOf(basic)).length).toBeLessThan((await namesOf(full)).length);
    expect((await small.call('browser_context_create', { name: 'one' })).isError).toBe(false);
    expect((await small.call('list_sessions')).text).toContain('"maxSessions":1}');
    expect((await small.call('browser_context_create', { name: 'two' })).kind).toBe('MAX_SESSIONS_REACHED');
    expect((await full.call('browser_context_create', { name: 'two' })).isError).toBe(false);
  });

  test('[R-6] a removed key ends its connections, and a new key of the same name finds the sessions', async () => {
    const named = (value: string): { name: string; key: string; scope: object } => ({
      name: 'x',
      key: value,
      scope: {},
    });
    await using rotated = await startListener({ keys: [named('old')] });
    const before = await connectClient(rotated.url, {}, 'old');
    expect(await visit(before)).toBe('Visit 1');
    rotated.keys.replace([named('new')]);
    await rotated.listener.keysChanged();
    await expect(before.call('browser_context_list')).rejects.toThrow(/403|not valid/);
    await using after = await connectClient(rotated.url, {}, 'new');
    expect(await visit(after)).toBe('Visit 2');
    rotated.keys.replace([{ name: 'y', key: 'y', scope: {} }]);
    await rotated.listener.keysChanged();
    expect((await rotated.send({ path: '/metrics', key: 'y' })).text).toContain('pagehelm_clients{transport="http"} 0');
    await using other = await connectClient(rotated.url, {}, 'y');
    expect(await visit(other)).toBe('Visit 1');
    await before.client.close().catch(() => undefined);
  });
});

describe('event streams', () => {
  test('a broken stream is taken up again with the id of its last event', async () => {
    const started = await server.post(initialize, {
      key: 'a',
      headers: { accept: 'application/json, text/event-stream' },
    });
    const headers = {
      'mcp-session-id': String(started.headers['mcp-session-id']),
      'mcp-protocol-version': '2025-11-25',
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: 'Bearer a',
    };
    const wait = message('tools/call', { name: 'browser_wait_for', arguments: { time: 0.5 } }, 5);
    const broken = new AbortController();
    const response = await fetch(server.url, {
      method: 'POST',
      headers,
      body: JSON.stringify(wait),
      signal: broken.signal,
    });
    const reader = response.body?.getReader();
    const first = new TextDecoder().decode((await reader?.read())?.value);
    const id = /^id: (.+)$/m.exec(first)?.[1] ?? '';
    expect(id).not.toBe('');
    expect(first, 'the stream opens before the answer').not.toContain('"id":5');
    broken.abort();
    // The SDK answers 409 until it has seen that the first stream is gone.
    let resumed = await fetch(server.url, { headers: { ...headers, 'last-event-id': id } });
    while (resumed.status === 409) resumed = await fetch(server.url, { headers: { ...headers, 'last-event-id': id } });
    expect(resumed.status).toBe(200);
    expect(await resumed.text()).toContain('"id":5');
  });

  test('a second event stream of a connection is refused', async () => {
    const started = await server.post(initialize, { key: 'a' });
    const headers = {
      'mcp-session-id': String(started.headers['mcp-session-id']),
      accept: 'text/event-stream',
      authorization: 'Bearer a',
    };
    const end = new AbortController();
    const stream = await fetch(server.url, { headers, signal: end.signal });
    expect(stream.headers.get('content-type')).toBe('text/event-stream');
    expect((await fetch(server.url, { headers })).status).toBe(409);
    end.abort();
  });
});
