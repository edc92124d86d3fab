import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { ensureBuilt } from '../built.ts';
import { fakeBrowsers } from '../fake-browsers.ts';
import { commandOf, eventually, ownBrowsers } from './processes.ts';
import { ServerProcess, temporaryFolder } from './server-process.ts';

beforeAll(ensureBuilt);

const entrySchema = z.looseObject({ time: z.string(), level: z.string(), message: z.string() });

/** The example of the specification, unchanged. */
const example = {
  name: 'playwright-mcp-server',
  version: '1.0.0',
  transport: 'stdio',
  browser: { type: 'chromium', headless: true, args: ['--no-sandbox', '--disable-dev-shm-usage'] },
  pool: { minBrowsers: 2, maxBrowsers: 10, idleTimeout: 300_000 },
  session: { defaultTimeout: 30_000, maxSessions: 50, persistentSessions: false },
  security: {
    allowedDomains: ['*.example.com'],
    maxScreenshotSize: 10_485_760,
    enableFileUpload: true,
    enableScriptEvaluation: false,
  },
  logging: { level: 'info', format: 'json', destination: 'stdout' },
};

interface Parts {
  readonly server: ServerProcess;
  readonly folder: string;
}

/** A server in a folder with a configuration file. */
async function withConfig(
  config: object,
  run: (parts: Parts) => Promise<void>,
  env: Readonly<Record<string, string>> = {},
): Promise<void> {
  using folder = temporaryFolder();
  writeFileSync(join(folder.path, 'config.json'), JSON.stringify(config));
  await using server = new ServerProcess({ args: ['--config', 'config.json'], cwd: folder.path, env });
  await run({ server, folder: folder.path });
}

async function toolNames(server: ServerProcess): Promise<readonly string[]> {
  const { result } = await server.request('tools/list');
  return z
    .object({ tools: z.array(z.object({ name: z.string() })) })
    .parse(result)
    .tools.map(({ name }) => name);
}

test('[S1-112, S1-113, S1-117, S1-118, S1-120, S1-126, S1-130, S1-132, S1-133, S1-135, R-24] the example configuration takes effect', async () => {
  await withConfig(example, async ({ server }) => {
    await eventually('two browsers run', () => ownBrowsers(server.pid).length === 2, 20_000);
    const { result } = await server.initialize();
    expect(result).toMatchObject({ serverInfo: { name: 'playwright-mcp-server', version: '1.0.0' } });
    for (const { pid } of ownBrowsers(server.pid)) {
      expect(commandOf(pid)).toMatch(/--headless/);
      for (const arg of example.browser.args) expect(commandOf(pid)).toContain(` ${arg} `);
    }
    const names = await toolNames(server);
    expect(names).not.toContain('browser_evaluate');
    expect(names).toContain('browser_file_upload');
    const { isError, text } = await server.call('browser_navigate', { url: 'http://127.0.0.1:9/' });
    expect([isError, text]).toEqual([true, expect.stringContaining('[URL_BLOCKED]')]);
    // Every line on stdout is a message of the protocol; the log is JSON on stderr, with one warning about that.
    expect(server.messages).toHaveLength(3);
    const entries = server.stderr
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => entrySchema.parse(JSON.parse(line)));
    expect(entries.filter(({ message }) => message.includes('stdout'))).toHaveLength(1);
  });
});

test('[S1-119, S1-127, S1-128, S1-129, S1-131, S1-132, S1-134] downloads, limits and the log are as configured', async () => {
  const site = createServer((request, response) => {
    if (request.url === '/report')
      response.setHeader('content-disposition', 'attachment; filename=report.csv').end('a,b');
    else response.setHeader('content-type', 'text/html').end('<title>Site</title><h1>Text</h1>');
  });
  await new Promise<void>((resolve) => void site.listen(0, resolve));
  // A TCP server has an address object.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const { port } = site.address() as AddressInfo;
  const config = {
    browser: { headless: true, downloadPath: 'got' },
    security: { blockedDomains: ['localhost'], maxScreenshotSize: 400, enableFileUpload: false },
    logging: { level: 'debug', format: 'text', destination: 'file', file: 'server.log' },
  };
  await withConfig(config, async ({ server, folder }) => {
    await server.initialize();
    const names = await toolNames(server);
    expect(names).toContain('browser_evaluate');
    expect(names).not.toContain('browser_file_upload');
    expect((await server.call('browser_navigate', { url: `http://127.0.0.1:${port}/` })).text).toContain('Title: Site');
    expect((await server.call('browser_navigate', { url: `http://localhost:${port}/` })).text).toContain(
      '[URL_BLOCKED]',
    );
    expect((await server.call('browser_take_screenshot')).text).toContain('[SCREENSHOT_TOO_LARGE]');
    await server.call('browser_navigate', { url: `http://127.0.0.1:${port}/report` });
    expect(readFileSync(join(folder, 'got/report.csv'), 'utf8')).toBe('a,b');
    expect(existsSync(join(folder, '.playwright-mcp/report.csv'))).toBe(false);
    expect(readFileSync(join(folder, 'server.log'), 'utf8')).toMatch(/^\S+Z pagehelm: debug: /m);
  });
  site.closeAllConnections();
  await new Promise((resolve) => void site.close(resolve));
});

test.each(['debug', 'info', 'error'])('[S1-131] logging.level %s writes no entry below it', async (level) => {
  await withConfig(
    { browser: { headless: true }, logging: { level, format: 'json', destination: 'file', file: 'log' } },
    async ({ server, folder }) => {
      await server.initialize();
      await server.call('browser_navigate', { url: 'http://127.0.0.1:9/' });
      server.child.stdin?.end();
      await server.exit();
      const levels = ['debug', 'info', 'warn', 'error'];
      const written = existsSync(join(folder, 'log'))
        ? readFileSync(join(folder, 'log'), 'utf8').trimEnd().split('\n')
        : [];
      const seen = new Set(
        written.filter((line) => line !== '').map((line) => entrySchema.parse(JSON.parse(line)).level),
      );
      expect([...seen].filter((each) => levels.indexOf(each) < levels.indexOf(level))).toEqual([]);
      expect(seen.has(level)).toBe(level !== 'error');
    },
  );
});

test.runIf(process.platform !== 'win32').each(['firefox', 'webkit'] as const)(
  '[S1-116] browser.type %s starts that browser',
  async (type) => {
    using fakes = fakeBrowsers();
    const env = { PLAYWRIGHT_BROWSERS_PATH: String(fakes.env['PLAYWRIGHT_BROWSERS_PATH']) };
    await withConfig(
      { browser: { type, headless: true } },
      async ({ server }) => {
        await server.initialize();
        expect((await server.call('browser_navigate', { url: 'about:blank' })).isError).toBe(true);
        expect(fakes.startedWith(type)).toMatch(/-pipe\n/);
      },
      env,
    );
  },
);

test('--init-page takes TypeScript, with types and imports, on every version of Node', async () => {
  using folder = temporaryFolder();
  writeFileSync(join(folder.path, 'mark.ts'), `export const mark: string = 'typed';`);
  writeFileSync(
    join(folder.path, 'page.ts'),
    `import type { Page } from 'playwright-core';
import { mark } from './mark.ts';
interface Input { readonly page: Page }
export default async ({ page }: Input): Promise<void> => {
  await page.addInitScript((value: string) => { Object.assign(window, { mark: value }); }, mark);
};`,
  );
  await using server = new ServerProcess({ args: ['--headless', '--init-page', 'page.ts'], cwd: folder.path });
  await server.initialize();
  await server.call('browser_navigate', { url: 'data:text/html,<title>T</title>' });
  const answer = await server.call('browser_evaluate', { function: '() => window.mark' });
  expect(answer.text).toContain('typed');
});

test('the error of a browser that does not start has its own output', async () => {
  using folder = temporaryFolder();
  const fake = join(folder.path, 'fake-browser');
  writeFileSync(fake, '#!/bin/sh\necho "no display today" >&2\nexit 3\n', { mode: 0o755 });
  await using server = new ServerProcess({ args: ['--headless', '--executable-path', fake], cwd: folder.path });
  await server.initialize();
  const answer = await server.call('browser_snapshot');
  expect(answer.text).toContain(`The browser ${fake} did not start: it ended with code 3; no display today\n`);
});
