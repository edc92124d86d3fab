import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { envelope, initialize, key, message, startListener } from './http-listener.ts';
import type { TestListener } from './http-listener.ts';
import { eventually } from './processes.ts';

const page = 'data:text/html,<title>Greeting</title><h1>Hello</h1>';

let server: TestListener;
beforeAll(async () => {
  server = await startListener({ keys: [key, 'other'].map((each) => ({ name: each, key: each, scope: {} })) });
});
afterAll(async () => server[Symbol.asyncDispose]());

interface Stream extends Disposable {
  /** Where messages are posted. */
  readonly path: string;
  readonly text: () => string;
  readonly ended: Promise<unknown>;
}

/** Opens an event stream as curl would. */
async function open(on: TestListener = server, path = '/sse'): Promise<Stream> {
  const end = new AbortController();
  const response = await fetch(new URL(path, on.url), {
    headers: { accept: 'text/event-stream', authorization: `Bearer ${key}` },
    signal: end.signal,
  });
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  let text = '';
  const read = async (): Promise<void> => {
    for await (const chunk of response.body ?? []) text += new TextDecoder().decode(chunk);
  };
  const ended = read().catch(() => undefined);
  await eventually('the endpoint', () => text.includes('\n\n'));
  const endpoint = /^event: endpoint\ndata: (.+)$/m.exec(text)?.[1] ?? '';
  return { path: endpoint, text: () => text, ended, [Symbol.dispose]: () => end.abort() };
}

async function post(stream: Stream, body: unknown, withKey = key): Promise<number> {
  return (await server.post(body, { path: stream.path, key: withKey })).status;
}

describe('the transport of 2024-11-05', () => {
  test.each(['/sse', '/mcp'])(
    '[S0-14, S0-16, S0-17, R-7] a client of the SDK 1.x drives a page over %s',
    async (path) => {
      const client = new OldClient({ name: 'old', version: '1' });
      const headers = { authorization: `Bearer ${key}` };
      const transport = new SSEClientTransport(new URL(path, server.url), { requestInit: { headers } });
      await client.connect(transport);
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toContain('browser_navigate');
      const result = await client.callTool({ name: 'browser_navigate', arguments: { url: page } });
      expect(JSON.stringify(result)).toContain('heading');
      await client.close();
    },
  );

  test('[S0-17] results are events of the stream, and a post is only accepted', async () => {
    using stream = await open();
    const answer = await server.post(initialize, { path: stream.path });
    expect([answer.status, answer.text]).toEqual([202, 'Accepted']);
    await eventually('the result', () => stream.text().includes('"id":1'));
    expect(stream.text()).toMatch(/^event: message\ndata: \{.*"protocolVersion":"2025-11-25"/m);
  });

  test('[C5-14] a stateless client is served too', async () => {
    using stream = await open();
    expect(await post(stream, message('tools/list', { _meta: envelope }))).toBe(202);
    await eventually('the list', () => stream.text().includes('"cacheScope":"public"'));
  });

  test('a message that is none is answered on the stream', async () => {
    using stream = await open();
    expect(await post(stream, { jsonrpc: '2.0', id: 3 })).toBe(202);
    await eventually('an error', () => stream.text().includes('"code":-32600'));
  });
});

describe('its limits', () => {
  test('a stream of another key, one that is over, and none at all are not found', async () => {
    const stream = await open();
    expect(await post(stream, message('ping'), 'other')).toBe(404);
    stream[Symbol.dispose]();
    await stream.ended;
    // Until the server has seen the end.
    while ((await post(stream, message('ping'))) !== 404) await new Promise(setImmediate);
    expect((await server.post(message('ping'), { path: '/sse?sessionId=x' })).status).toBe(404);
    expect((await server.post(message('ping'), { path: '/sse' })).status).toBe(404);
  });

  test('[R-7] other methods are answered 405', async () => {
    for (const method of ['PUT', 'DELETE', 'PATCH'])
      expect((await server.send({ method, path: '/sse' })).status).toBe(405);
    expect((await server.send({ path: '/sse' })).status).toBe(405);
  });

  test('comments keep a silent stream open', async () => {
    await using quick = await startListener({ keepAliveMs: 20 });
    using stream = await open(quick);
    await eventually('comments', () => stream.text().split(': keepalive').length > 3);
  });

  test('the stream ends with the listener', async () => {
    const ending = await startListener();
    const stream = await open(ending);
    await ending[Symbol.asyncDispose]();
    await stream.ended;
  });
});
