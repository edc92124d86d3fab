import { readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findBrowsers } from '../../src/browser/find/discover.ts';
import { localMachine } from '../../src/browser/find/machine.ts';
import { ensureBuilt } from '../built.ts';
import { zipOf } from '../zip.ts';
import { ServerProcess, temporaryFolder } from './server-process.ts';

beforeAll(ensureBuilt);

const folder = temporaryFolder();
afterAll(() => folder[Symbol.dispose]());
const env = { PLAYWRIGHT_BROWSERS_PATH: join(folder.path, 'browsers') };
const wanted = { type: 'chromium', channel: 'chromium', headless: true } as const;
/** A machine that has this Chromium needs no download. */
const [present] = await findBrowsers(wanted, localMachine({ ...process.env, ...env }));
const [real] = await findBrowsers({ type: 'chromium', headless: true }, localMachine());

/** A download server for Playwright's builds: archives with a script instead of the browser. */
async function startMirror(): Promise<AsyncDisposable & { readonly url: string; readonly asked: readonly string[] }> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const name = basename(request.url ?? '');
    asked.push(name);
    const script = `#!/bin/sh\nexec '${real?.executablePath}' "$@"\n`;
    const kind = name.replace(/\.zip$/, '');
    const archive = zipOf(name.startsWith('chrome-') ? { [`${kind}/chrome`]: script } : { 'ffmpeg-linux': script });
    response.writeHead(200, { 'content-length': archive.length }).end(archive);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the mirror has no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    asked,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => void server.close(resolve));
    },
  };
}

test.runIf(process.platform === 'linux' && present === undefined)(
  '[S2-85] browser_install downloads and installs a missing Chromium, which is then used',
  async () => {
    await using mirror = await startMirror();
    await using server = new ServerProcess({
      args: ['--headless', '--browser=chromium', '--channel=chromium'],
      env: { ...env, PLAYWRIGHT_DOWNLOAD_HOST: mirror.url },
    });
    await server.initialize();
    const page = { url: 'data:text/html,<title>Installed</title>' };
    expect((await server.call('browser_navigate', page)).text).toContain('[BROWSER_NOT_FOUND]');
    const answer = await server.call('browser_install');
    expect(answer.text).toMatch(
      /^### Result\nThe browser is ready: \S+\/chromium-\d+\/chrome-linux\S*\/chrome \(Playwright's build\)$/,
    );
    expect(mirror.asked.filter((name) => name.startsWith('chrome-'))).toHaveLength(1);
    expect(readdirSync(env.PLAYWRIGHT_BROWSERS_PATH).some((name) => /^chromium-\d+$/.test(name))).toBe(true);
    expect((await server.call('browser_navigate', page)).text).toContain('Title: Installed');
  },
);
