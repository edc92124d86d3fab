import { execFile, execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { request as tlsRequest } from 'node:https';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { ensureBuilt } from '../built.ts';
import { freePort } from '../free-port.ts';
import { connectClient, message, sendTo } from './http-listener.ts';
import { HttpServerProcess } from './http-server.ts';
import { eventually } from './processes.ts';
import { ServerProcess, temporaryFolder } from './server-process.ts';

beforeAll(ensureBuilt);

async function statusWith(server: HttpServerProcess, key: string | null): Promise<number> {
  const headers = { 'content-type': 'application/json' };
  return (await sendTo(server.port, { method: 'POST', body: message('ping'), headers, key })).status;
}

const configSchema = z.object({
  mcpServers: z.object({
    pagehelm: z.object({ type: z.string(), url: z.string(), headers: z.record(z.string(), z.string()).optional() }),
  }),
});

/** The configuration that the server prints for a client. */
function printedConfig({ greeting }: HttpServerProcess): z.output<typeof configSchema>['mcpServers']['pagehelm'] {
  return configSchema.parse(JSON.parse(greeting.slice(greeting.indexOf('{')))).mcpServers.pagehelm;
}

/** A client with exactly the printed address and header. */
async function pastedClient(url: string, authorization: string): Promise<Client & AsyncDisposable> {
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: { authorization } } }),
  );
  return Object.assign(client, { [Symbol.asyncDispose]: async () => client.close() });
}

describe('what the server prints', () => {
  test('[S0-15, S0-20, S0-21, S1-106, S1-109, R-6, R-24] its addresses and a generated key, on stderr', async () => {
    await using server = await HttpServerProcess.start();
    expect(server.greeting).toContain(`Playwright MCP Server listening on http://localhost:${server.port}\n`);
    expect(server.greeting).toContain(`WebSocket server listening on ws://localhost:${server.port}\n`);
    expect(server.generatedKey).toMatch(/^[\w-]{43}$/);
    const { type, url, headers } = printedConfig(server);
    expect([type, url]).toEqual(['http', `http://localhost:${server.port}/mcp`]);
    expect(headers).toEqual({ Authorization: `Bearer ${server.generatedKey}` });
    expect(server.greeting).not.toContain('<key>');
    await using client = await pastedClient(url, headers?.['Authorization'] ?? '');
    expect((await client.listTools()).tools.length).toBeGreaterThan(0);
    expect(server.process.lines).toEqual([]);
    expect(await statusWith(server, server.generatedKey)).toBe(200);
    expect(await statusWith(server, null)).toBe(401);
    await using second = await HttpServerProcess.start();
    expect(second.generatedKey).not.toBe(server.generatedKey);
    expect(await statusWith(second, server.generatedKey)).toBe(403);
  });

  test('[S0-19, S0-22, S0-24] a given key is required and not printed', async () => {
    await using server = await HttpServerProcess.start(['--api-key', 'mysecretkey']);
    expect(server.greeting).not.toContain('mysecretkey');
    expect(server.greeting).toContain('"Authorization": "Bearer <key>"');
    expect(server.greeting).toContain('Replace <key> with your API key.\n');
    const { url, headers } = printedConfig(server);
    const authorization = headers?.['Authorization']?.replace('<key>', 'mysecretkey') ?? '';
    await using client = await pastedClient(url, authorization);
    expect((await client.listTools()).tools.length).toBeGreaterThan(0);
    expect(await statusWith(server, 'mysecretkey')).toBe(200);
    expect(await statusWith(server, 'other')).toBe(403);
  });

  test('[R-6] the key can come from the environment', async () => {
    await using server = await HttpServerProcess.start([], { env: { PAGEHELM_API_KEY: 'from-environment' } });
    expect(await statusWith(server, 'from-environment')).toBe(200);
  });

  test('[R-6] with several keys, the names are printed and the keys are not', async () => {
    using folder = temporaryFolder();
    const file = join(folder.path, 'keys.json');
    writeFileSync(file, JSON.stringify({ ann: 'key-of-a', ci: 'key-of-b' }), { mode: 0o600 });
    await using server = await HttpServerProcess.start(['--api-key-file', file]);
    expect(server.greeting).toContain('Replace <key> with the key of the client: ann, ci.\n');
    expect(server.greeting).not.toContain('key-of');
  });

  test('[R-6] --no-auth needs no key, and is refused where others can connect', async () => {
    await using server = await HttpServerProcess.start(['--no-auth']);
    expect(printedConfig(server).headers).toBeUndefined();
    expect(await statusWith(server, null)).toBe(200);
    await using open = new ServerProcess({ args: ['--port', '0', '--no-auth', '--host', '0.0.0.0'] });
    expect(await open.exit()).toBe(2);
    expect(open.stderr).toContain('cannot be turned off on 0.0.0.0');
  });

  test('a port that is in use is named', async () => {
    await using server = await HttpServerProcess.start();
    await using second = new ServerProcess({ args: ['--port', String(server.port)] });
    expect(await second.exit()).toBe(2);
    expect(second.stderr).toContain(`Port ${server.port} on 127.0.0.1 is in use. Choose another one with --port.`);
  });

  test('[S0-34] both loopback addresses are served', async () => {
    await using server = await HttpServerProcess.start(['--no-auth']);
    const hosts = ['127.0.0.1', '[::1]', 'localhost'];
    const statuses = hosts.map(async (host) => (await fetch(`http://${host}:${server.port}/health`)).status);
    expect(await Promise.all(statuses)).toEqual([200, 200, 200]);
  });

  test('[S0-34] --host binds another address, whose name is accepted', async () => {
    await using server = await HttpServerProcess.start(['--host', '127.0.0.3']);
    const { status } = await fetch(`http://127.0.0.3:${server.port}/health`);
    expect(status).toBe(200);
    await expect(fetch(`http://127.0.0.1:${server.port}/health`)).rejects.toThrow('fetch failed');
  });
});

describe('a configuration file', () => {
  test('[S1-112, S1-113, S1-114, S1-115, S1-116, S1-117, S1-118, S1-119] sets up server and browser', async () => {
    using folder = temporaryFolder();
    const port = await freePort();
    const config = {
      name: 'playwright-mcp-server',
      version: '1.0.0',
      transport: 'http',
      port,
      apiKey: 'k',
      browser: {
        type: 'chromium',
        headless: true,
        isolated: true,
        args: ['--no-sandbox', '--disable-dev-shm-usage', '--user-agent=configured', '--disable-background-networking'],
        downloadPath: 'downloads',
      },
    };
    writeFileSync(join(folder.path, 'config.json'), JSON.stringify(config));
    await using server = new ServerProcess({ args: ['--config', 'config.json'], cwd: folder.path });
    await eventually('the greeting', () => server.stderr.endsWith('}\n\n'), 20_000);
    expect(server.stderr).toContain(`Playwright MCP Server listening on http://localhost:${port}\n`);
    expect(server.stderr).not.toContain('WebSocket server');
    await using client = await connectClient(new URL(`http://localhost:${port}/mcp`), {}, 'k');
    expect(client.client.getServerVersion()).toMatchObject({ name: 'playwright-mcp-server', version: '1.0.0' });
    await client.call('browser_navigate', {
      url: 'data:text/html,<a download="x.txt" href="data:text/plain,hi">x</a>',
    });
    expect((await client.call('browser_evaluate', { function: '() => navigator.userAgent' })).text).toContain(
      'configured',
    );
    await client.call('browser_evaluate', { function: "() => document.querySelector('a').click()" });
    await eventually('the download', () => {
      try {
        // A remote client's session has a folder of its own there.
        const files = readdirSync(join(folder.path, 'downloads'), { recursive: true, encoding: 'utf8' });
        return files.some((file) => basename(file) === 'x.txt');
      } catch {
        return false;
      }
    });
    server.child.kill('SIGTERM');
    expect(await server.exit(20_000)).toBe(0);
  });

  test('[R-24] a log for stdout goes there when no client is on it', async () => {
    await using server = await HttpServerProcess.start([
      '--log-destination',
      'stdout',
      '--log-level',
      'debug',
      '--no-auth',
    ]);
    const { url } = server;
    await using client = await connectClient(url);
    await client.call('browser_context_list');
    await eventually('a line', () => server.process.lines.some((line) => line.includes('tool=browser_context_list')));
  });

  test('[S1-114] a network transport without a port is refused', async () => {
    await using server = new ServerProcess({ args: ['--transport', 'websocket'] });
    expect(await server.exit()).toBe(2);
    expect(server.stderr).toContain('needs a port (--port)');
  });

  test('several keys cannot share a profile', async () => {
    using folder = temporaryFolder();
    writeFileSync(join(folder.path, 'config.json'), JSON.stringify({ apiKeys: { a: '1', b: '2' } }));
    const args = ['--config', 'config.json', '--port', '0', '--user-data-dir', 'profile'];
    await using server = new ServerProcess({ args, cwd: folder.path });
    expect(await server.exit()).toBe(2);
    expect(server.stderr).toContain('Several keys would share one browser profile');
  });
});

describe('a key file', () => {
  test('[R-6] keys in it change without a restart, when it is written, replaced or on SIGHUP', async () => {
    using folder = temporaryFolder();
    const file = join(folder.path, 'keys.json');
    const write = (keys: object): void => writeFileSync(file, JSON.stringify(keys), { mode: 0o600 });
    write({ ann: 'first', bob: { key: ['b1', 'b2'], readOnly: true } });
    await using server = await HttpServerProcess.start(['--api-key-file', file]);
    expect(await Promise.all(['first', 'b1', 'b2', 'x'].map(async (key) => statusWith(server, key)))).toEqual([
      200, 200, 200, 403,
    ]);
    await using ann = await connectClient(server.url, {}, 'first');
    await ann.call('browser_context_create', { name: 'of-ann' });

    write({ ann: 'second' });
    while ((await statusWith(server, 'first')) !== 403) await new Promise(setImmediate);
    expect(await statusWith(server, 'b1')).toBe(403);
    await using again = await connectClient(server.url, {}, 'second');
    expect((await again.call('browser_context_list')).text).toContain('of-ann');

    writeFileSync(`${file}.new`, JSON.stringify({ ann: 'third' }), { mode: 0o600 });
    renameSync(`${file}.new`, file);
    while ((await statusWith(server, 'third')) !== 200) await new Promise(setImmediate);

    write({ ann: 5 });
    await eventually('a complaint', () => server.process.stderr.includes('the old ones stay'));
    expect(await statusWith(server, 'third')).toBe(200);
    server.signal('SIGHUP');
    await eventually('another', () => server.process.stderr.split('the old ones stay').length > 2);
    expect(await statusWith(server, 'third')).toBe(200);
    expect(server.process.stderr).not.toContain('third');
  });

  test.each([
    ['two lines\nof text', 'the file must hold one key'],
    ['{', 'the file is not valid JSON'],
    ['{"a b": "x"}', 'keys.json'],
    ['', 'the file must hold one key'],
  ])('%j is refused', async (text, problem) => {
    using folder = temporaryFolder();
    writeFileSync(join(folder.path, 'keys.json'), text, { mode: 0o600 });
    await using server = new ServerProcess({ args: ['--port', '0', '--api-key-file', 'keys.json'], cwd: folder.path });
    expect(await server.exit()).toBe(2);
    expect(server.stderr).toContain(problem);
  });

  test('[R-6] a file with one key; one that others can read earns a warning', async () => {
    using folder = temporaryFolder();
    const file = join(folder.path, 'key');
    writeFileSync(file, 'only-key\n', { mode: 0o644 });
    await using server = await HttpServerProcess.start(['--api-key-file', file]);
    expect(await statusWith(server, 'only-key')).toBe(200);
    expect(server.process.stderr).toContain('other users can read the key file');
  });
});

describe('TLS', () => {
  test('clients connect with https, and SIGHUP takes a new certificate', async () => {
    using folder = temporaryFolder();
    const [cert, key] = [join(folder.path, 'cert.pem'), join(folder.path, 'key.pem')];
    const make = (name: string): void => {
      const kind = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', '-subj', `/CN=${name}`];
      execFileSync('openssl', [...kind, '-keyout', key, '-out', cert], { stdio: 'ignore' });
    };
    make('first');
    await using server = await HttpServerProcess.start(['--tls-cert', cert, '--tls-key', key, '--no-auth']);
    expect(server.greeting).toContain(`Playwright MCP Server listening on https://localhost:${server.port}\n`);
    expect(server.greeting).toContain(`WebSocket server listening on wss://localhost:${server.port}\n`);
    const nameOf = async (): Promise<unknown> =>
      new Promise((resolve, reject) => {
        const request = tlsRequest({ port: server.port, path: '/health', rejectUnauthorized: false, agent: false });
        request.on('response', (response) => {
          const socket = response.socket;
          resolve('getPeerCertificate' in socket ? Object(socket).getPeerCertificate().subject.CN : undefined);
          response.resume();
        });
        request.on('error', reject).end();
      });
    expect(await nameOf()).toBe('first');
    make('second');
    server.signal('SIGHUP');
    while ((await nameOf()) !== 'second') await new Promise(setImmediate);
  });

  test('one file of the pair is not enough', async () => {
    await using server = new ServerProcess({ args: ['--port', '0', '--tls-cert', 'x'] });
    expect(await server.exit()).toBe(2);
    expect(server.stderr).toContain('tls-key');
  });
});

describe('the life of the process', () => {
  test('SIGTERM: the call in flight is answered, then the process ends with 0 and leaves no browser', async () => {
    const server = await HttpServerProcess.start(['--no-auth']);
    await using client = await connectClient(server.url);
    await client.call('browser_navigate', { url: 'data:text/html,<p>x' });
    const call = client.call('browser_wait_for', { time: 1 });
    await eventually('the browser', () => server.process.stderr.includes('browser:'));
    const waiting = await sendTo(server.port, { path: '/health' });
    expect(waiting.status).toBe(200);
    server.signal('SIGTERM');
    expect((await call).isError).toBe(false);
    expect(await server.process.exit(29_000)).toBe(0);
    await server[Symbol.asyncDispose]();
  });

  test('stdin that ends does not end it', async () => {
    await using server = await HttpServerProcess.start(['--no-auth']);
    server.process.child.stdin?.end();
    expect(await statusWith(server, null)).toBe(200);
  });

  test('[S0-25] --stdio serves stdin and stdout, even when a port is given', async () => {
    await using server = new ServerProcess({ args: ['--headless', '--port', '0', '--stdio'] });
    expect((await server.initialize()).result).toMatchObject({ protocolVersion: '2025-11-25' });
    expect(server.stderr).not.toContain('listening');
  });
});

test('[S0-22, S1-107] curl', async () => {
  await using server = await HttpServerProcess.start(['--api-key', 'k']);
  const call = message('tools/call', { name: 'browser_navigate', arguments: { url: 'data:text/html,<h1>Hi</h1>' } });
  const args = ['-sS', '-H', 'Authorization: Bearer k', '--json', JSON.stringify(call), server.url.href];
  const { stdout } = await promisify(execFile)('curl', args);
  expect(JSON.parse(stdout)).toMatchObject({
    id: 1,
    result: { content: [{ text: expect.stringContaining('heading') }] },
  });
  expect(readFileSync(`/proc/${server.process.pid}/cmdline`, 'utf8')).toContain('--port');
});
