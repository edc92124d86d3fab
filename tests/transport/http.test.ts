import { once } from 'node:events';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldHttpTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { envelope, initialize, key, message, startListener } from './http-listener.ts';
import type { TestListener } from './http-listener.ts';

const page = 'data:text/html,<title>Greeting</title><h1>Hello</h1>';
const authorized = { requestInit: { headers: { authorization: `Bearer ${key}` } } };

let server: TestListener;
beforeAll(async () => {
  const keys = [key, 'second', 'third'].map((each) => ({ name: each, key: each, scope: {} }));
  server = await startListener({ keys });
});
afterAll(async () => server[Symbol.asyncDispose]());

/** Opens a 2025 connection; its id. */
async function connect(on: TestListener = server): Promise<string> {
  const answer = await on.post(initialize);
  expect(answer.status, answer.text).toBe(200);
  return String(answer.headers['mcp-session-id']);
}

describe('both eras of the protocol', () => {
  const withHandshake = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'];
  const eras = [
    ...withHandshake.map((version) => ({ version, options: { supportedProtocolVersions: [version] } })),
    { version: '2026-07-28', options: { versionNegotiation: { mode: { pin: '2026-07-28' } } } },
  ];

  test.each(eras)('[S0-15, S0-16, S0-22, C5-14] a client of $version drives a page', async ({ version, options }) => {
    await using driver = await server.client(options);
    expect(driver.client.getNegotiatedProtocolVersion()).toBe(version);
    expect(driver.client.getInstructions()).toMatch(/^A real browser\./);
    const { tools } = await driver.client.listTools();
    expect(tools.map(({ name }) => name)).toContain('browser_navigate');
    expect((await driver.call('browser_navigate', { url: page })).text).toContain('heading "Hello"');
  });

  test('a client that negotiates the version gets the stateless one', async () => {
    await using driver = await server.client({ versionNegotiation: { mode: 'auto' } });
    expect(driver.client.getNegotiatedProtocolVersion()).toBe('2026-07-28');
    expect((await driver.call('browser_evaluate', { function: '() => document.title' })).text).toContain('Greeting');
  });

  test('a client of the SDK 1.x drives a page and ends its connection', async () => {
    const client = new OldClient({ name: 'old', version: '1' });
    const transport = new OldHttpTransport(server.url, authorized);
    await client.connect(transport);
    const result = await client.callTool({ name: 'browser_navigate', arguments: { url: page } });
    expect(JSON.stringify(result)).toContain('heading');
    const id = transport.sessionId ?? '';
    await transport.terminateSession();
    await client.close();
    const after = await server.post(message('ping'), { headers: { 'mcp-session-id': id } });
    expect(after.status).toBe(404);
  });
});

describe('the form of an answer', () => {
  test('[S1-107, R-7] a POST is answered with JSON to a client that reads JSON, without a handshake', async () => {
    const answer = await server.post(message('tools/list'));
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toBe('application/json');
    expect(JSON.parse(answer.text)).toMatchObject({ id: 1, result: { tools: expect.any(Array) } });
  });

  test.each([
    ['application/json, text/event-stream', 'text/event-stream'],
    ['text/event-stream', 'text/event-stream'],
    ['*/*', 'application/json'],
    ['application/*', 'application/json'],
  ])('[R-7] Accept %s gets %s', async (accept, type) => {
    const id = await connect();
    const answer = await server.post(message('tools/list', {}, 2), { headers: { accept, 'mcp-session-id': id } });
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toBe(type);
    expect(answer.text).toContain('browser_navigate');
  });

  test('a client that reads neither form is refused', async () => {
    expect((await server.post(message('ping'), { headers: { accept: 'text/html' } })).status).toBe(406);
  });

  test('progress comes as events before the answer, in both eras', async () => {
    const eras = [
      ['second', {}],
      ['third', { versionNegotiation: { mode: { pin: '2026-07-28' } } }],
    ] as const;
    for (const [withKey, options] of eras) {
      await using driver = await server.client(options, withKey);
      const reported: unknown[] = [];
      await driver.client.callTool(
        { name: 'browser_navigate', arguments: { url: page } },
        { onprogress: (progress) => void reported.push(progress.message) },
      );
      expect(reported).toContain('Starting the browser');
    }
  });

  test('headers, events and the end of a short answer leave in one write', async () => {
    const body = JSON.stringify(message('tools/call', { name: 'list_sessions', arguments: {} }, 'short'));
    const head = [
      'POST /mcp HTTP/1.1',
      'Host: localhost',
      `Authorization: Bearer ${key}`,
      `Mcp-Session-Id: ${await connect()}`,
      'Mcp-Protocol-Version: 2025-11-25',
      'Accept: application/json, text/event-stream',
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(body)}`,
    ];
    const socket = await server.socket();
    socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
    const [first] = await once(socket, 'data');
    socket.destroy();
    expect(String(first)).toMatch(/^HTTP\/1\.1 200 .*text\/event-stream.*^data: .*"id":"short".*\r\n0\r\n\r\n$/ms);
  });

  test('a stateless request that reads only JSON gets JSON', async () => {
    const answer = await server.post(message('tools/list', { _meta: envelope }), {
      headers: { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' },
    });
    expect(answer.headers['content-type']).toBe('application/json');
    expect(JSON.parse(answer.text)).toMatchObject({ result: { cacheScope: 'public', tools: expect.any(Array) } });
  });
});

describe('other methods and paths', () => {
  test.each(['PUT', 'PATCH', 'HEAD', 'OPTIONS', 'TRACE', 'SEARCH'])(
    '[S1-108, R-7] %s /mcp is answered 405',
    async (method) => {
      const answer = await server.send({ method });
      expect(answer.status).toBe(405);
      expect(answer.headers['allow']).toBe('GET, POST, DELETE');
    },
  );

  test('[S1-108, R-7] a GET that wants no events is answered 405', async () => {
    expect((await server.send({})).status).toBe(405);
    expect((await server.send({ headers: { accept: 'text/html' } })).status).toBe(405);
  });

  test.each(['/', '/mcp/', '/MCP', '/admin', '//mcp'])('%s is answered 404', async (path) => {
    expect((await server.send({ path, method: 'POST' })).status).toBe(404);
  });

  test('a WebSocket path tells an HTTP client to upgrade', async () => {
    expect((await server.send({ path: '/ws' })).status).toBe(426);
  });
});
