import { cpSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Client, type ClientOptions } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { beforeAll, describe, expect, test } from 'vitest';
import { bin, ensureBuilt } from '../built.ts';
import { eventually } from './processes.ts';
import { ServerProcess, temporaryFolder } from './server-process.ts';

beforeAll(ensureBuilt);

const page = 'data:text/html,<title>Greeting</title><h1>Hello</h1>';

/** The metadata of a stateless request, which replaces the handshake. */
const envelope = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

describe('both eras of the protocol', () => {
  const withHandshake = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'];
  const eras: readonly { readonly version: string; readonly options: ClientOptions }[] = [
    ...withHandshake.map((version) => ({ version, options: { supportedProtocolVersions: [version] } })),
    { version: '2026-07-28', options: { versionNegotiation: { mode: { pin: '2026-07-28' } } } },
  ];

  test.each(eras)(
    '[S0-07, S0-11, S0-12, S3-49, C5-14] a client of $version drives a page',
    async ({ version, options }) => {
      using folder = temporaryFolder();
      const client = new Client({ name: 'test', version: '1' }, options);
      const command = { command: process.execPath, args: [bin, '--headless'], cwd: folder.path };
      await client.connect(new StdioClientTransport({ ...command, stderr: 'ignore' }));
      expect(client.getNegotiatedProtocolVersion()).toBe(version);
      expect(client.getInstructions()).toMatch(/^A real browser\./);
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toContain('browser_navigate');
      const result = await client.callTool({ name: 'browser_navigate', arguments: { url: page } });
      expect(result.content[0]).toMatchObject({ type: 'text', text: expect.stringContaining('heading "Hello"') });
      await client.close();
    },
  );

  test('[S0-02, S0-03] initialize is answered with capabilities and instructions', async () => {
    await using server = new ServerProcess();
    const { result } = await server.initialize('2025-06-18');
    expect(result).toEqual({
      protocolVersion: '2025-06-18',
      capabilities: {
        tools: {},
        resources: { subscribe: true, listChanged: true },
        prompts: {},
        completions: {},
        logging: {},
      },
      serverInfo: { name: 'pagehelm', title: 'pagehelm', version: expect.stringMatching(/^\d+\.\d+\.\d+/) },
      instructions: expect.stringContaining('browser_navigate'),
    });
  });

  test('a client with an unknown version is offered the latest one with a handshake', async () => {
    await using server = new ServerProcess();
    expect((await server.initialize('1999-01-01')).result?.['protocolVersion']).toBe('2025-11-25');
  });

  test('a stateless client needs no handshake', async () => {
    await using server = new ServerProcess();
    const discovered = await server.request('server/discover', { _meta: envelope });
    expect(discovered.result).toMatchObject({ supportedVersions: ['2026-07-28'], capabilities: { tools: {} } });
    const listed = await server.request('tools/list', { _meta: envelope });
    expect(listed.result).toMatchObject({ ttlMs: 3_600_000, cacheScope: 'public' });
    const bare = await server.request('tools/list');
    expect(bare.error).toMatchObject({ code: -32_602, message: expect.stringContaining('_meta') });
    const called = await server.request('tools/call', {
      name: 'browser_tabs',
      arguments: { action: 'list' },
      _meta: envelope,
    });
    expect(called.result).toMatchObject({ content: [{ type: 'text' }] });
  });
});

describe('lines', () => {
  test('[S0-13, C5-6] malformed JSON is answered, and the server continues', async () => {
    await using server = new ServerProcess();
    server.write('{"jsonrpc": "2.0", "id": 1, "method": \n');
    expect(await server.answer(null)).toEqual({
      jsonrpc: '2.0',
      id: null,
      error: { code: -32_700, message: expect.stringMatching(/^Parse error: /) },
    });
    await server.initialize();
    expect((await server.request('ping')).result).toEqual({});
  });

  test('JSON that is not a request is answered with an error, with its id if it has one', async () => {
    const wrong: readonly (readonly [line: string, id: number | null])[] = [
      ['5', null],
      ['null', null],
      ['"ping"', null],
      ['[]', null],
      ['{"id": 7, "method": "ping"}', 7],
      ['{"jsonrpc": "1.0", "id": 8, "method": "ping"}', 8],
      ['{"jsonrpc": "2.0", "id": 9, "method": 8}', 9],
      ['{"jsonrpc": "2.0", "id": 10, "method": "ping", "params": [1]}', 10],
      ['{"jsonrpc": "2.0", "id": 11, "method": "ping", "params": null}', 11],
      ['{"jsonrpc": "2.0", "id": 12, "method": "ping", "params": {"_meta": 5}}', 12],
      ['{"jsonrpc": "2.0", "id": 13.5, "method": "ping"}', 13.5],
      ['{"jsonrpc": "2.0", "id": null, "method": "ping"}', null],
      ['{"jsonrpc": "2.0", "id": {}, "method": "ping"}', null],
      ['{"jsonrpc": "2.0", "id": 14}', 14],
    ];
    await using server = new ServerProcess();
    for (const [line] of wrong) server.write(`${line}\n`);
    await server.initialize();
    const answers = server.messages.filter(({ error }) => error?.code === -32_600);
    expect(answers.map(({ id }) => id)).toEqual(wrong.map(([, id]) => id));
    expect(server.messages).toHaveLength(wrong.length + 1);
  });

  test('each message of a batch is answered, and invalid ones with an error', async () => {
    await using server = new ServerProcess();
    await server.initialize('2025-03-26');
    server.write('[{"jsonrpc":"2.0","id":"a","method":"ping"},5,{"jsonrpc":"2.0","id":"b","method":"ping"}]\n');
    expect((await server.answer('a')).result).toEqual({});
    expect((await server.answer('b')).result).toEqual({});
    expect((await server.answer(null)).error?.code).toBe(-32_600);
  });

  test('byte order marks, CRLF, empty lines and several messages per chunk are handled', async () => {
    await using server = new ServerProcess();
    const ping = (id: string): string => `{"jsonrpc":"2.0","id":"${id}","method":"ping"}`;
    server.write(`\uFEFF${ping('a')}\r\n\r\n\n  ${ping('b')}\r\n${ping('c')}\n`);
    for (const id of ['a', 'b', 'c']) expect((await server.answer(id)).result).toEqual({});
    expect(server.lines).toHaveLength(3);
  });

  test('a message may be split anywhere, even inside a character', async () => {
    await using server = new ServerProcess();
    await server.initialize();
    const call = { name: 'browser_größe€😀', arguments: {} };
    const bytes = Buffer.from(`${JSON.stringify({ jsonrpc: '2.0', id: 'x', method: 'tools/call', params: call })}\n`);
    for (const byte of bytes) {
      server.write(Buffer.of(byte));
      await new Promise(setImmediate);
    }
    expect((await server.answer('x')).error?.message).toMatch(/^Unknown tool: browser_größe€😀/);
  });
});

test('requests received before stdin ended are answered if they need no waiting', async () => {
  await using server = new ServerProcess();
  const clientInfo = { name: 'test', version: '1' };
  server.ask('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
  server.ask('tools/list');
  server.child.stdin?.end();
  expect(await server.exit()).toBe(0);
  expect(server.messages.map(({ id, error }) => [id, error])).toEqual([
    [1, undefined],
    [2, undefined],
  ]);
});

describe('requests that reach no tool', () => {
  test('an unknown method is -32601', async () => {
    await using server = new ServerProcess();
    await server.initialize();
    expect((await server.request('tools/lists')).error?.code).toBe(-32_601);
  });

  test('[S0-08, R-21] an unknown tool is -32601 with the nearest name', async () => {
    await using server = new ServerProcess();
    await server.initialize();
    const near = await server.request('tools/call', { name: 'browser_clik', arguments: {} });
    expect(near.error).toEqual({
      code: -32_601,
      message: expect.stringMatching(/^Unknown tool: browser_clik\b/),
      data: { suggestion: 'browser_click' },
    });
    const far = await server.request('tools/call', { name: 'make_coffee', arguments: {} });
    expect(far.error).toEqual({ code: -32_601, message: 'Unknown tool: make_coffee', data: {} });
  });

  test('a call without a name is -32602', async () => {
    await using server = new ServerProcess();
    await server.initialize();
    expect((await server.request('tools/call', { arguments: {} })).error?.code).toBe(-32_602);
  });
});

describe('a running call', () => {
  test('that is canceled stops, and the next one works', async () => {
    await using server = new ServerProcess();
    await server.initialize();
    await server.call('browser_navigate', { url: page });
    const waiting = server.ask('tools/call', { name: 'browser_wait_for', arguments: { text: 'Never' } });
    // The answer to a later request shows that the call has started.
    await server.request('ping');
    server.send({ method: 'notifications/cancelled', params: { requestId: waiting, reason: 'changed my mind' } });
    const from = performance.now();
    const { text } = await server.call('browser_snapshot');
    expect(text).toContain('heading "Hello"');
    expect(performance.now() - from).toBeLessThan(5000);
    expect(server.messages.filter(({ id }) => id === waiting)).toEqual([]);
  });

  test('reports progress to a client that sent a token', async () => {
    await using server = new ServerProcess();
    await server.initialize();
    const navigate = { name: 'browser_navigate', arguments: { url: page } };
    await server.request('tools/call', { ...navigate, _meta: { progressToken: 'first' } });
    await server.request('tools/call', navigate);
    const reported = server.messages.filter(({ method }) => method === 'notifications/progress');
    expect(reported.map(({ params }) => params)).toEqual([
      { progressToken: 'first', progress: 1, message: 'Starting the browser' },
    ]);
    const position = (isIt: (message: (typeof reported)[number]) => boolean): number => server.messages.findIndex(isIt);
    expect(position(({ method }) => method !== undefined)).toBeLessThan(position(({ id }) => id === 2));
  });
});

describe('the start', () => {
  test('[S1-105] is announced on stderr', async () => {
    await using server = new ServerProcess();
    await eventually('it runs', () => server.stderr.includes('\n'));
    expect(server.stderr).toBe('Playwright MCP Server running on stdio\n');
  });

  test('[C5-16] tools are listed even if Playwright cannot be loaded', async () => {
    using folder = temporaryFolder();
    cpSync(dirname(bin), join(folder.path, 'dist'), { recursive: true });
    writeFileSync(join(folder.path, 'package.json'), '{ "type": "module" }');
    await using server = new ServerProcess({ program: join(folder.path, 'dist/bin.js') });
    await server.initialize();
    const { result } = await server.request('tools/list');
    expect(result?.['tools']).toContainEqual(expect.objectContaining({ name: 'browser_navigate' }));
    const { text, isError } = await server.call('browser_navigate', { url: page });
    expect([isError, text]).toEqual([true, expect.stringContaining('playwright-core')]);
  });

  test('[S0-25, S0-26] an API key without a port is ignored', async () => {
    await using server = new ServerProcess({ args: ['--headless', '--api-key', 'secret'] });
    await server.initialize();
    expect((await server.request('tools/list')).result).toBeDefined();
  });

  test('[C5-12] two servers in one folder both work', async () => {
    using folder = temporaryFolder();
    await using first = new ServerProcess({ cwd: folder.path });
    await using second = new ServerProcess({ cwd: folder.path });
    const drive = async (server: ServerProcess): Promise<string> => {
      await server.initialize();
      return (await server.call('browser_navigate', { url: page })).text;
    };
    for (const text of await Promise.all([drive(first), drive(second)])) expect(text).toContain('heading "Hello"');
  });

  test.each([
    ['--headles', 'Did you mean --headless?'],
    ['--timeout-action=soon', '--timeout-action'],
    ['--browser=chorme', 'did you mean chrome?'],
    ['--config=missing.json', 'missing.json'],
    ['serv', 'Did you mean "serve"?'],
  ])('%s stops it with an error message', async (flag, reason) => {
    await using server = new ServerProcess({ args: [flag] });
    expect(await server.exit()).toBe(2);
    expect(server.stderr).toMatch(/^(?:pagehelm: .+\n)+$/);
    expect(server.stderr).toContain(reason);
    expect(server.lines).toEqual([]);
  });
});

test('[R-24] stdout carries only the protocol, even if other code writes to it', async () => {
  using folder = temporaryFolder();
  const noisy = join(folder.path, 'noisy.mjs');
  // Runs at start-up and then on every tick.
  writeFileSync(
    noisy,
    `const write = process.stderr.write.bind(process.stderr);
    process.stderr.write = (...args) => {
      if (String(args[0]).includes('running on stdio')) setInterval(() => {
        console.log('noise');
        process.stdout.write('noise\\n');
      }, 1).unref();
      return write(...args);
    };`,
  );
  await using server = new ServerProcess({ env: { NODE_OPTIONS: `--import ${pathToFileURL(noisy).href}` } });
  await server.initialize();
  await eventually('there is noise', () => server.stderr.includes('noise\nnoise\n'));
  const { text } = await server.call('browser_navigate', { url: page });
  expect(text).toContain('heading "Hello"');
  expect(server.lines).toHaveLength(2);
  expect(server.messages.map(({ id }) => id)).toEqual([1, 2]);
});

test('a request that is sent twice runs once', async () => {
  await using server = new ServerProcess();
  await server.initialize();
  await server.call('browser_navigate', { url: page });
  const count = '() => { globalThis.count = (globalThis.count ?? 0) + 1; return "count " + globalThis.count }';
  const params = { name: 'browser_evaluate', arguments: { function: count } };
  const request = { jsonrpc: '2.0', id: 'twice', method: 'tools/call', params };
  server.write(`${JSON.stringify(request)}\n${JSON.stringify(request)}\n`);
  await server.answer('twice');
  expect((await server.call('browser_evaluate', { function: count })).text).toContain('count 2');
  // An id may be used again once its request is answered.
  server.send({ ...request });
  await eventually('the second answer', () => server.messages.filter(({ id }) => id === 'twice').length === 2);
});

test('SIGTERM: the call in progress is answered, another one is refused, then the process ends with 0', async () => {
  await using server = new ServerProcess();
  await server.initialize();
  await server.call('browser_navigate', { url: page });
  const waiting = server.ask('tools/call', { name: 'browser_wait_for', arguments: { time: 3 } });
  await expect.poll(async () => (await server.call('list_sessions')).text).toContain('"calls":1');
  server.child.kill('SIGTERM');
  await expect.poll(async () => (await server.call('list_sessions')).text).toContain('SERVER_ENDING');
  const { result } = await server.answer(waiting);
  expect(result?.['isError']).toBeUndefined();
  expect(await server.exit(20_000)).toBe(0);
});
