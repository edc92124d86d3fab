import { createServer } from 'node:http';
import { readdirSync } from 'node:fs';
import { once } from 'node:events';
import { beforeAll, expect, test } from 'vitest';
import { ensureBuilt } from '../built.ts';
import { eventually } from './processes.ts';
import { ServerProcess, temporaryFolder } from './server-process.ts';

beforeAll(ensureBuilt);

/** A page that leaves a cookie. */
async function startPage(): Promise<AsyncDisposable & { readonly url: string }> {
  const page = '<title>Visit</title><script>document.cookie ||= "first=here; max-age=3600"</script><p>Text</p>';
  const server = createServer((_request, response) => response.setHeader('content-type', 'text/html').end(page));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = address === null || typeof address === 'string' ? 0 : address.port;
  return {
    url: `http://127.0.0.1:${port}/`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

test('[S1-125] sessions survive a killed server', async () => {
  await using page = await startPage();
  using folder = temporaryFolder();
  const start = (): ServerProcess =>
    new ServerProcess({
      args: ['--headless', '--isolated', '--persistent-sessions'],
      cwd: folder.path,
      env: { XDG_STATE_HOME: folder.path },
    });
  await using first = start();
  await first.initialize();
  await first.call('create_session', { name: 'kept' });
  await first.call('browser_navigate', { url: page.url, sessionId: 'kept' });
  const isSaved = (): boolean =>
    readdirSync(folder.path, { recursive: true }).some((name) => String(name).endsWith('.json'));
  await eventually('the session is saved', isSaved);
  first.child.kill('SIGKILL');
  await first.exit();
  await using second = start();
  await second.initialize();
  const back = await second.call('browser_evaluate', {
    function: '() => [location.href, document.cookie].join(" ")',
    sessionId: 'kept',
  });
  expect(back.text).toContain(`${page.url} first=here`);
  expect(back.text).toContain('The browser had been closed; the session was restored with 1 tab, cookies and storage.');
});
