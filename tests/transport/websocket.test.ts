import { once } from 'node:events';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { WebSocketClientTransport } from '@modelcontextprotocol/sdk/client/websocket.js';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import type { ClientOptions } from 'ws';
import { envelope, initialize, key, message, startListener } from './http-listener.ts';
import type { TestListener } from './http-listener.ts';
import { eventually } from './processes.ts';

const page = 'data:text/html,<title>Greeting</title><h1>Hello</h1>';
const headers = { authorization: `Bearer ${key}` };

let server: TestListener;
beforeAll(async () => {
  server = await startListener({ limits: { maxBodyBytes: 100_000 } });
});
afterAll(async () => server[Symbol.asyncDispose]());

function socketTo(path = '/ws', options: ClientOptions = { headers }, on: TestListener = server): WebSocket {
  const socket = new WebSocket(`ws://127.0.0.1:${on.port}${path}`, 'mcp', options);
  socket.on('error', () => undefined);
  return socket;
}

async function open(path = '/ws', on: TestListener = server): Promise<WebSocket> {
  const socket = socketTo(path, { headers }, on);
  await once(socket, 'open');
  return socket;
}

/** Sends a request; the text of the answer. */
async function ask(socket: WebSocket, body: unknown): Promise<string> {
  const answer = once(socket, 'message');
  socket.send(typeof body === 'string' ? body : JSON.stringify(body));
  const [data] = await answer;
  return String(data);
}

async function closeCode(socket: WebSocket): Promise<unknown> {
  const [code] = await once(socket, 'close');
  return code;
}

/** The status of an upgrade that is refused. */
async function refusedWith(socket: WebSocket): Promise<number | undefined> {
  return new Promise((resolve) => {
    socket.on('unexpected-response', (_request, response) => resolve(response.statusCode));
  });
}

describe('messages', () => {
  test.each(['/ws', '/mcp'])('[S1-110, R-7] a request at %s is answered on the same socket', async (path) => {
    const socket = await open(path);
    expect(socket.protocol).toBe('mcp');
    expect(JSON.parse(await ask(socket, initialize))).toMatchObject({
      id: 1,
      result: { protocolVersion: '2025-11-25' },
    });
    expect(JSON.parse(await ask(socket, message('ping', undefined, 2)))).toEqual({ jsonrpc: '2.0', id: 2, result: {} });
    socket.close();
  });

  test('[S1-110, C5-14] a client of the SDK 1.x drives a page', async () => {
    vi.stubGlobal(
      'WebSocket',
      class extends WebSocket {
        constructor(url: URL, protocol: string) {
          super(url, protocol, { headers });
        }
      },
    );
    const client = new OldClient({ name: 'old', version: '1' });
    await client.connect(new WebSocketClientTransport(new URL(`ws://127.0.0.1:${server.port}/ws`)));
    const result = await client.callTool({ name: 'browser_navigate', arguments: { url: page } });
    expect(JSON.stringify(result)).toContain('heading');
    await client.close();
    vi.unstubAllGlobals();
  });

  test('[C5-14] a stateless client needs no handshake', async () => {
    const socket = await open();
    const answer = JSON.parse(await ask(socket, message('tools/list', { _meta: envelope })));
    expect(answer).toMatchObject({ result: { cacheScope: 'public' } });
    socket.close();
  });

  test('malformed messages are answered, and the socket stays open', async () => {
    const socket = await open();
    expect(await ask(socket, '{')).toContain('"code":-32700');
    expect(await ask(socket, '[]')).toContain('"code":-32600');
    expect(await ask(socket, '5')).toContain('"code":-32600');
    expect(await ask(socket, message('ping'))).toContain('"result":{}');
    socket.close();
  });

  test('[S1-111] clients that come and go are logged', async () => {
    await using own = await startListener();
    const socket = await open('/ws', own);
    await eventually('a line', () => own.log.some((line) => line.includes('Client connected')));
    socket.close();
    await eventually('a line', () => own.log.some((line) => line.includes('Client disconnected')));
  });

  test('[C5-13] a new socket finds the session of the key', async () => {
    const first = await open();
    const navigate = message('tools/call', { name: 'browser_navigate', arguments: { url: page } });
    expect(await ask(first, navigate)).toContain('Hello');
    first.close();
    const second = await open();
    const evaluate = { name: 'browser_evaluate', arguments: { function: '() => document.title' } };
    expect(await ask(second, message('tools/call', evaluate))).toContain('Greeting');
    second.close();
  });
});

describe('48: attacks', () => {
  test.each([
    ['no key', {}, 401],
    ['a wrong key', { headers: { authorization: 'Bearer wrong' } }, 403],
    ['a foreign origin', { headers, origin: 'http://evil.com' }, 403],
    ['a foreign host', { headers: { ...headers, host: 'evil.com' } }, 403],
  ])('[S0-18, S0-23, S0-24, R-6, C5-5] %s is refused before the upgrade', async (_what, options, status) => {
    expect(await refusedWith(socketTo('/ws', options))).toBe(status);
  });

  test.each(['/', '/sse', '/health'])('there is no WebSocket at %s', async (path) => {
    expect(await refusedWith(socketTo(path))).toBe(404);
  });

  test('a message over the limit closes with 1009', async () => {
    const socket = await open();
    socket.send('x'.repeat(100_001));
    expect(await closeCode(socket)).toBe(1009);
  });

  test('many fragments close with 1008 or 1009', async () => {
    const socket = await open();
    const closed = closeCode(socket);
    for (let count = 0; count < 200_000 && socket.readyState === WebSocket.OPEN; count++) {
      socket.send('x', { fin: false });
      if (count % 1000 === 0) await new Promise(setImmediate);
    }
    expect([1006, 1008, 1009]).toContain(await closed);
  });

  test('binary data closes with 1008', async () => {
    const socket = await open();
    socket.send(Buffer.from([0, 1, 2]));
    expect(await closeCode(socket)).toBe(1008);
  });

  test('compression is not offered', async () => {
    const socket = await open();
    expect(socket.extensions).toBe('');
    socket.close();
  });

  test('a flood of pings leaves the socket usable', async () => {
    const socket = await open();
    for (let count = 0; count < 5000; count++) socket.ping();
    expect(await ask(socket, message('ping'))).toContain('"result":{}');
    socket.close();
  });

  test('a client that does not read is dropped', async () => {
    await using small = await startListener({ bufferBytes: 100_000 });
    const socket = await open('/ws', small);
    socket.pause();
    const closed = closeCode(socket);
    const list = JSON.stringify(message('tools/list'));
    await eventually(
      'a dropped client',
      () => {
        for (let count = 0; count < 50; count++) socket.send(list);
        return small.listener.droppedClients > 0;
      },
      20_000,
    );
    socket.resume();
    expect(await closed).toBe(1006);
  });
});

describe('restriction', () => {
  test('[S1-114, R-7] a listener for http has no WebSocket, one for websocket no HTTP', async () => {
    await using http = await startListener({ only: 'http' });
    expect(await refusedWith(socketTo('/ws', { headers }, http))).toBe(404);
    expect((await http.post(message('ping'))).status).toBe(200);
    await using webSocket = await startListener({ only: 'websocket' });
    expect((await webSocket.post(message('ping'))).status).toBe(405);
    expect((await webSocket.send({ path: '/health', key: null })).status).toBe(200);
    const socket = await open('/ws', webSocket);
    expect(await ask(socket, message('ping'))).toContain('"result":{}');
    socket.close();
  });

  test('sockets close with 1001 when the listener ends', async () => {
    const ending = await startListener();
    const socket = await open('/ws', ending);
    const closed = closeCode(socket);
    await ending[Symbol.asyncDispose]();
    expect(await closed).toBe(1001);
  });
});
