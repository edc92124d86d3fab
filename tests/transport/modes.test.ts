import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { findBrowsers } from '../../src/browser/find/discover.ts';
import { localMachine } from '../../src/browser/find/machine.ts';
import { ensureBuilt } from '../built.ts';
import { ServerProcess, temporaryFolder } from './server-process.ts';

beforeAll(ensureBuilt);

/** A browser wrapper that records its arguments and runs headless, because test machines may have no display. */
async function noting(folder: string): Promise<{ readonly path: string; readonly args: () => readonly string[] }> {
  const [found] = await findBrowsers({ type: 'chromium', headless: true }, localMachine());
  const path = join(folder, 'browser');
  const notes = join(folder, 'args');
  writeFileSync(
    path,
    `#!/bin/sh\nprintf '%s\\n' "$@" >> '${notes}'\nexec '${found?.executablePath}' --headless "$@"\n`,
  );
  chmodSync(path, 0o755);
  return { path, args: () => readFileSync(notes, 'utf8').split('\n') };
}

const page = 'data:text/html,<title>Sized</title>';

test.runIf(process.platform === 'linux').each([
  ['[S0-35, S3-31] with --headless', ['--headless'], ':77', true, 'as configured'],
  [
    '[S0-36, S3-30, R-4] without it, where there is a display,',
    [],
    ':77',
    false,
    'the default where there is a display',
  ],
  [
    '[S0-36, S3-31, R-4] with --headless=false, where there is a display,',
    ['--headless=false'],
    ':77',
    false,
    'as configured',
  ],
  ['[R-4] without it, where there is no display,', [], '', true, 'there is no display'],
] as const)(
  '%s the browser is headless or headed, and stderr says which once',
  async (_, flags, display, isHeadless, why) => {
    using folder = temporaryFolder();
    const browser = await noting(folder.path);
    const args = [...flags, '--isolated', `--executable-path=${browser.path}`];
    await using server = new ServerProcess({ args, env: { DISPLAY: display, WAYLAND_DISPLAY: '' } });
    await server.initialize();
    expect((await server.call('browser_navigate', { url: page })).isError).toBe(false);
    expect(browser.args().includes('--headless')).toBe(isHeadless);
    await server.call('browser_close', { all: true });
    await server.call('browser_navigate', { url: page });
    const said = server.stderr
      .split('\n')
      .filter((line) => line.includes(`${isHeadless ? 'headless' : 'headed'} (${why})`));
    expect(said).toHaveLength(1);
  },
);

test.runIf(process.platform === 'linux').each([
  [{}, true],
  [{ headless: true }, true],
  [{ headless: false }, false],
] as const)(
  '[S4-05, S4-09, R-4] browser_launch %j where there is a display starts a browser with headless: %s',
  async (given, isHeadless) => {
    using folder = temporaryFolder();
    const browser = await noting(folder.path);
    const args = ['--toolset=basic', '--isolated', `--executable-path=${browser.path}`];
    await using server = new ServerProcess({ args, env: { DISPLAY: ':77', WAYLAND_DISPLAY: '' } });
    await server.initialize();
    expect((await server.call('browser_launch', given)).text).toBe(
      `Browser launched successfully (chromium, headless: ${isHeadless})`,
    );
    expect(browser.args().includes('--headless')).toBe(isHeadless);
  },
);

test('[C5-15] the first call works without any flag and without a display', async () => {
  await using server = new ServerProcess({ args: [], env: { DISPLAY: '', WAYLAND_DISPLAY: '' } });
  await server.initialize();
  const answer = await server.call('browser_navigate', { url: page });
  expect(answer.text).toContain('Title: Sized');
});

test('[S2-85] browser_install reports the progress of a download, and names the command to run if it fails', async () => {
  const asked: string[] = [];
  const mirror = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => void mirror.listen(0, '127.0.0.1', resolve));
  // A TCP server has an address object.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const { port } = mirror.address() as AddressInfo;
  using folder = temporaryFolder();
  const env = { PLAYWRIGHT_DOWNLOAD_HOST: `http://127.0.0.1:${port}`, PLAYWRIGHT_BROWSERS_PATH: folder.path };
  await using server = new ServerProcess({ args: ['--headless', '--browser=firefox'], env });
  await server.initialize();
  const params = { name: 'browser_install', arguments: {}, _meta: { progressToken: 'install' } };
  const { result } = await server.request('tools/call', params);
  expect(asked.some((path) => /firefox.*\.zip$/.test(path))).toBe(true);
  const reported = server.messages.filter(({ method }) => method === 'notifications/progress');
  expect(reported.map(({ params: progress }) => progress?.['message'])).toContain(
    'downloading firefox with Playwright',
  );
  expect(result).toMatchObject({
    isError: true,
    content: [
      {
        text: expect.stringMatching(
          /^### Error\n\[BROWSER_INSTALL_FAILED\] The firefox browser could not be installed: .*returned code 404.* The operator can run: npx playwright install --with-deps firefox\n/,
        ),
      },
    ],
  });
  mirror.closeAllConnections();
  await new Promise((resolve) => void mirror.close(resolve));
});
