import { mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { ensureBuilt } from '../built.ts';
import { readQuietly } from './processes.ts';
import { ServerProcess, temporaryFolder } from './server-process.ts';

beforeAll(ensureBuilt);

/** The environments of all processes that were started for a server. */
function environmentsBelow(server: number): readonly string[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    const parent = /^PPid:\s*(\d+)$/m.exec(readQuietly(`/proc/${name}/status`))?.[1];
    if (parent !== undefined) parents.set(Number(name), Number(parent));
  }
  const isBelow = (pid: number | undefined): boolean =>
    pid !== undefined && pid > 1 && (pid === server || isBelow(parents.get(pid)));
  return [...parents.keys()]
    .filter((pid) => pid !== server && isBelow(pid))
    .map((pid) => readQuietly(`/proc/${pid}/environ`));
}

test.runIf(process.platform === 'linux')(
  'the browser does not inherit keys and tokens from the environment of the server',
  async () => {
    using folder = temporaryFolder();
    const config = join(folder.path, 'config.json');
    writeFileSync(config, JSON.stringify({ browser: { launchOptions: { env: { HELM_WANTED: 'given' } } } }));
    await using server = new ServerProcess({
      args: ['--headless', `--config=${config}`],
      env: { HELM_TEST_TOKEN: 'top-secret', PAGEHELM_API_KEY: 'also-secret' },
    });
    await server.initialize();
    const answer = await server.call('browser_navigate', { url: 'data:text/html,<title>Here</title>' });
    expect(answer.isError).toBe(false);
    const environments = environmentsBelow(server.pid).filter((text) => text.includes('PAGEHELM_RUN='));
    expect(environments.length).toBeGreaterThan(0);
    for (const text of environments) {
      expect(text).toContain('HELM_WANTED=given');
      expect(text).not.toMatch(/top-secret|also-secret/);
    }
  },
);

test.runIf(process.platform === 'linux')(
  'downloads work in a temporary directory with non-ASCII characters, even in a locale without UTF-8',
  async () => {
    using folder = temporaryFolder();
    const temporary = join(folder.path, 'tmpé');
    mkdirSync(temporary);
    const site = createServer((request, response) => {
      const isFile = request.url === '/file';
      response.setHeader('content-type', isFile ? 'application/zip' : 'text/html');
      response.end(isFile ? 'hello' : '<a href="/file" download="a.zip">Get</a>');
    }).listen(0, '127.0.0.1');
    await once(site, 'listening');
    try {
      const address = site.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      const env = { TMPDIR: temporary, LANG: 'C', LC_ALL: 'C' };
      await using server = new ServerProcess({ cwd: folder.path, env });
      await server.initialize();
      await server.call('browser_navigate', { url: `http://127.0.0.1:${port}/` });
      await server.call('browser_click', { selector: 'a' });
      expect(readFileSync(join(folder.path, '.playwright-mcp/a.zip'), 'utf8')).toBe('hello');
    } finally {
      site.close();
    }
  },
);

test.runIf(process.platform === 'linux')('SIGUSR1 does not open a debugger port', async () => {
  await using server = new ServerProcess();
  await server.initialize();
  process.kill(server.pid, 'SIGUSR1');
  // Starting a browser takes much longer than opening a port.
  await server.call('browser_navigate', { url: 'data:text/html,<title>Here</title>' });
  expect(server.stderr).not.toContain('Debugger');
});

test('a log file in a missing directory is one line, not a stack trace', async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'missing/server.log');
  await using server = new ServerProcess({ args: ['--headless', `--log-file=${file}`] });
  expect(await server.exit()).toBe(2);
  expect(server.stderr).toBe(`pagehelm: logging.file: ${file} cannot be written: its directory does not exist.\n`);
});

test('the log file is readable by its owner only', async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'server.log');
  await using server = new ServerProcess({ args: ['--headless', `--log-file=${file}`] });
  await server.initialize();
  expect(statSync(file).mode & 0o777).toBe(0o600);
});
