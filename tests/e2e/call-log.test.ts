import { createServer } from 'node:http';
import { expect, onTestFinished } from 'vitest';
import { loadApp } from '../../src/app.ts';
import { defineTool } from '../../src/call/tool.ts';
import type { Tool } from '../../src/call/tool.ts';
import { loadConfig } from '../../src/config/load.ts';
import { createJsonLogger } from '../../src/json-log.ts';
import { eras, startApp, test } from '../fixtures.ts';

const levelKey = 'io.modelcontextprotocol/logLevel';

/** An app whose log is kept as entries. */
async function loggedApp(flags: readonly string[], tools: readonly Tool[] = []) {
  const lines: string[] = [];
  const { config } = loadConfig({ argv: ['--headless', '--isolated', ...flags], env: {}, cwd: '/' });
  const write = (line: string): void => void lines.push(line);
  const app = await loadApp({ config, log: createJsonLogger({ level: 'debug', write, now: () => new Date() }), tools });
  onTestFinished(async () => app[Symbol.asyncDispose]());
  const entries = (): readonly Record<string, unknown>[] => lines.map((line) => Object(JSON.parse(line)));
  return { app, entries, calls: () => entries().filter(({ message }) => message === 'call') };
}

test('each call is one line with tool, session, time, size, tokens and outcome, and the answer has its id', async () => {
  const { app, calls } = await loggedApp([]);
  const listed = await app.call({ name: 'browser_tabs', args: { action: 'list' } });
  const failed = await app.call({ name: 'browser_tabs', args: { action: 'none' } });
  expect(calls()).toMatchObject([
    {
      level: 'info',
      call: listed._meta?.['pagehelm/call'],
      tool: 'browser_tabs',
      session: expect.stringMatching(/^[\da-f-]{36}$/),
      ms: expect.any(Number),
      bytes: expect.any(Number),
      tokens: listed._meta?.['pagehelm/tokens'],
      outcome: 'ok',
    },
    { call: failed._meta?.['pagehelm/call'], outcome: 'INVALID_ARGUMENT' },
  ]);
  expect(failed.structuredContent).toMatchObject({ error: { callId: failed._meta?.['pagehelm/call'] } });
});

test('an internal error names its call, under which the log has the stack', async () => {
  const broken = defineTool({
    name: 'broken',
    title: 'Broken',
    description: 'Fails.',
    effect: 'read',
    scope: 'driver',
    input: {},
    run: async () => {
      throw new TypeError('broken tool');
    },
  });
  const { app, entries } = await loggedApp(['--enable-tool', 'broken'], [broken]);
  const result = await app.call({ name: 'broken', args: {} });
  const id = String(result._meta?.['pagehelm/call']);
  expect(result.content[0]).toMatchObject({ text: expect.stringContaining(`Call ${id} in the log of the server.`) });
  expect(entries()).toContainEqual(
    expect.objectContaining({ level: 'error', call: id, error: expect.stringContaining('broken tool\n') }),
  );
});

test('secrets and typed passwords are not in the log, at any level', async () => {
  const { app, entries } = await loggedApp([]);
  const html = '<input type=password aria-label=Code>';
  await app.call({ name: 'browser_navigate', args: { url: `data:text/html,${html}` } });
  await app.call({ name: 'browser_type', args: { selector: 'input', text: 'hunter2-typed' } });
  await app.call({ name: 'browser_type', args: { selector: '#missing', text: 'hunter2-typed', timeout: 1 } });
  expect(entries().length).toBeGreaterThan(2);
  expect(JSON.stringify(entries())).not.toContain('hunter2');
});

for (const { version, options } of eras) {
  test(`a client of ${version} gets log messages of the level that it requests, and none without a request`, async () => {
    await using server = await startApp();
    await using driver = await server.drive(options);
    const { client } = driver;
    const messages: unknown[] = [];
    client.setNotificationHandler('notifications/message', ({ params }) => void messages.push(params));
    await driver.call('browser_tabs', { action: 'list' });
    expect(messages).toEqual([]);
    const isModern = version > '2026';
    if (!isModern) await client.setLoggingLevel('warning');
    const meta = isModern ? { _meta: { [levelKey]: 'warning' } } : {};
    await client.callTool({ name: 'browser_tabs', arguments: { action: 'list' }, ...meta });
    expect(messages).toEqual([]);
    const failed = await client.callTool({ name: 'browser_tabs', arguments: { action: 'none' }, ...meta });
    expect(messages).toEqual([
      {
        level: 'warning',
        logger: 'calls',
        data: {
          call: failed._meta?.['pagehelm/call'],
          tool: 'browser_tabs',
          tokens: failed._meta?.['pagehelm/tokens'],
          outcome: 'INVALID_ARGUMENT',
        },
      },
    ]);
  });
}

/** A collector on a loopback address; it keeps the spans it gets. */
async function startCollector() {
  const spans: Record<string, unknown>[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.on('end', () => {
      const { resourceSpans = [] } = Object(JSON.parse(body));
      for (const { scopeSpans } of resourceSpans) for (const each of scopeSpans) spans.push(...each.spans);
      response.setHeader('content-type', 'application/json').end(request.url === '/v1/traces' ? '{}' : undefined);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const address = server.address();
  return { spans, url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}` };
}

test('each call is a span at the configured collector, a child of the span of the client', async () => {
  const { spans, url } = await startCollector();
  const server = await startApp(['--otlp-endpoint', url]);
  const driver = await server.drive();
  const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
  const ok = await driver.client.callTool({
    name: 'browser_tabs',
    arguments: { action: 'list' },
    _meta: { traceparent },
  });
  await driver.client.callTool({ name: 'browser_tabs', arguments: { action: 'none' }, _meta: { traceparent: 'x' } });
  await driver[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
  const attributes = (span: unknown): Record<string, unknown> =>
    Object.fromEntries(
      Object(span).attributes.map(({ key, value }: { key: string; value: object }) => [key, Object.values(value)[0]]),
    );
  const [first, second] = spans;
  expect(first).toMatchObject({
    name: 'tools/call browser_tabs',
    traceId: 'a'.repeat(32),
    parentSpanId: 'b'.repeat(16),
    kind: 2,
  });
  expect(attributes(first)).toMatchObject({
    'gen_ai.tool.name': 'browser_tabs',
    'pagehelm.call.id': ok._meta?.['pagehelm/call'],
  });
  expect(Object(second).parentSpanId ?? '').toBe('');
  expect(Object(second).status).toMatchObject({ code: 2 });
  expect(attributes(second)).toMatchObject({ 'error.type': 'INVALID_ARGUMENT' });
});

test('a collector that is not there holds up neither calls nor the end', async () => {
  await using server = await startApp(['--otlp-endpoint', 'http://127.0.0.1:9']);
  await using driver = await server.drive();
  expect((await driver.call('browser_tabs', { action: 'list' })).isError).toBe(false);
});
