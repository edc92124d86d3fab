import { execFileSync } from 'node:child_process';
import { closeSync, openSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { ProcessEntry } from '../../src/browser/process/processes.ts';
import { ensureBuilt } from '../built.ts';
import { expectNothingLeft, familyOf } from './processes.ts';
import { ServerProcess, temporaryFolder, type ServerOptions } from './server-process.ts';

beforeAll(ensureBuilt);

const page = 'data:text/html,<h1>Hello</h1>';

interface Running extends AsyncDisposable {
  readonly server: ServerProcess;
  /** The server with its browser and intermediate processes. */
  readonly family: readonly ProcessEntry[];
  /** Its temporary folder. */
  readonly tmp: string;
}

/** A server with a running browser. */
async function running(options: ServerOptions = {}): Promise<Running> {
  const folder = temporaryFolder();
  const server = new ServerProcess({ ...options, env: { TMPDIR: folder.path } });
  await server.initialize();
  expect((await server.call('browser_navigate', { url: page })).isError).toBe(false);
  const family = familyOf(server.pid, join(folder.path, 'pagehelm-'));
  expect(family.length).toBeGreaterThan(4);
  return {
    server,
    family,
    tmp: folder.path,
    [Symbol.asyncDispose]: async () => {
      await server[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}

describe('the browser ends with its server', () => {
  const ends: readonly (readonly [string, (server: ServerProcess) => unknown, number | null])[] = [
    ['[S0-32, S0-33] its stdin ends', ({ child }) => child.stdin?.end(), 0],
    ['[S0-32] SIGTERM', ({ child }) => child.kill('SIGTERM'), 0],
    ['[S0-32] SIGINT', ({ child }) => child.kill('SIGINT'), 130],
    ['[S0-32] SIGHUP', ({ child }) => child.kill('SIGHUP'), 129],
    ['[S0-33, C5-8] it is killed', ({ child }) => child.kill('SIGKILL'), null],
  ];
  test.each(ends)('%s', async (_, end, code) => {
    await using it = await running();
    end(it.server);
    expect(await it.server.exit()).toBe(code);
    await expectNothingLeft(it.family, it.tmp);
  });

  test('[C5-8] its client is killed while a shell keeps stdin open', async () => {
    using folder = temporaryFolder();
    const fifo = join(folder.path, 'stdin');
    execFileSync('mkfifo', [fifo]);
    const stdin = openSync(fifo, 'r+');
    // A client that starts the server by a shell, as package runners do.
    const client = `require('child_process').spawn('sh', ['-c', process.argv[1] + '; true'], { stdio: 'inherit' })`;
    await using it = await running({
      stdin,
      wrap: (words) => [process.execPath, '-e', client, words.map((word) => `'${word}'`).join(' ')],
    });
    it.server.child.kill('SIGKILL');
    await expectNothingLeft(it.family, it.tmp);
    expect(it.server.stderr).toContain('server ends reason=parent ended');
    closeSync(stdin);
  });
});

test('[S0-32] a signal closes the browser cleanly: recently stored data survives', async () => {
  using folder = temporaryFolder();
  const site = createServer((_request, response) => response.setHeader('content-type', 'text/html').end('<p>Text</p>'));
  await new Promise<void>((resolve) => void site.listen(0, '127.0.0.1', resolve));
  // A TCP server has an address object.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const url = `http://127.0.0.1:${(site.address() as AddressInfo).port}/`;
  const visit = async (script: string): Promise<string> => {
    await using server = new ServerProcess({ args: ['--headless', `--user-data-dir=${join(folder.path, 'profile')}`] });
    await server.initialize();
    await server.call('browser_navigate', { url });
    const { text } = await server.call('browser_evaluate', { function: `() => ${script}` });
    server.child.kill('SIGTERM');
    expect(await server.exit()).toBe(0);
    return text;
  };
  await visit('{ localStorage.kept = "in order" }');
  expect(await visit('localStorage.kept')).toMatch(/^### Result\nin order\n/);
  site.closeAllConnections();
  await new Promise((resolve) => void site.close(resolve));
});

test('a server that is killed while it records a trace leaves nothing behind', async () => {
  await using it = await running({ args: ['--headless', '--caps=tracing'] });
  expect((await it.server.call('browser_start_tracing')).isError).toBe(false);
  expect((await it.server.call('browser_navigate', { url: page })).isError).toBe(false);
  it.server.child.kill('SIGKILL');
  await it.server.exit();
  await expectNothingLeft(it.family, it.tmp);
});

test('a server that ends during a call leaves nothing behind', async () => {
  await using it = await running();
  it.server.ask('tools/call', { name: 'browser_wait_for', arguments: { text: 'Never' } });
  await it.server.request('ping');
  it.server.child.stdin?.end();
  expect(await it.server.exit()).toBe(0);
  await expectNothingLeft(it.family, it.tmp);
});

test('a server whose client disconnects before the first call starts leaves nothing behind', async () => {
  using folder = temporaryFolder();
  await using server = new ServerProcess({ env: { TMPDIR: folder.path } });
  await server.initialize();
  server.ask('tools/call', { name: 'browser_navigate', arguments: { url: page } });
  server.child.stdin?.end();
  expect(await server.exit()).toBe(0);
  await expectNothingLeft([], folder.path);
});

test('a server whose event loop is blocked is ended, and leaves nothing behind', async () => {
  using folder = temporaryFolder();
  const module = join(folder.path, 'block.mjs');
  writeFileSync(
    module,
    `export default async ({ page }) => page.on('console', (message) => { while (message.text() === 'block'); });`,
  );
  await using it = await running({ args: ['--headless', `--init-page=${module}`, '--unresponsive-timeout=3000'] });
  it.server.ask('tools/call', { name: 'browser_evaluate', arguments: { function: "() => console.log('block')" } });
  expect(await it.server.exit(15_000)).toBeNull();
  expect(it.server.child.signalCode).toBe('SIGKILL');
  await expectNothingLeft(it.family, it.tmp);
});
