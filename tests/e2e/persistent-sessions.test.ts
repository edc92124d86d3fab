import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FakeClock } from '../fake-clock.ts';
import { expect, startApp, test } from '../fixtures.ts';
import type { Driver, Site, TestApp } from '../fixtures.ts';

const persistent = ['--persistent-sessions'];

/** Runs one server after another in the same folder. */
async function restarting(
  run: (start: (flags?: readonly string[], clock?: FakeClock) => Promise<[Driver, TestApp]>) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'helm-restart-'));
  const started: AsyncDisposable[] = [];
  try {
    await run(async (flags = persistent, clock = new FakeClock()) => {
      await started.pop()?.[Symbol.asyncDispose]();
      const server = await startApp(flags, { folder, clock });
      started.push(server);
      return [await server.drive(), server];
    });
  } finally {
    await started.pop()?.[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  }
}

function pages(site: Site): void {
  for (const name of ['a', 'b']) site.set(`/${name}`, `<title>${name.toUpperCase()}</title><p>Text</p>`);
}

const fill = `() => { document.cookie = 'sid=mine'; localStorage.theme = 'dark'; sessionStorage.step = '3' }`;
const read = `() => [document.title, document.cookie, localStorage.theme, sessionStorage.step].join('|')`;

async function files({ folder }: TestApp): Promise<readonly string[]> {
  const root = join(folder, 'state', 'pagehelm', 'sessions');
  const [project = ''] = await readdir(root);
  return (await readdir(join(root, project))).map((name) => join(root, project, name));
}

test('a tab whose page did not load is restored with its URL and loads once its server is up', async ({ site }) => {
  site.set('/later', (_, response) => void response.destroy());
  await restarting(async (start) => {
    const [first] = await start();
    await first.callRaw('create_session', { name: 'kept' });
    const failed = await first.callRaw('browser_navigate', { url: site.url('/later'), sessionId: 'kept' });
    expect(failed.kind).toBe('NAVIGATION_FAILED');
    site.set('/later', '<title>There now</title><p>Text</p>');
    const [second] = await start();
    const back = await second.callRaw('browser_snapshot', { sessionId: 'kept' });
    expect(back.page).toBe(`- Page URL: ${site.url('/later')}\n- Page Title: There now`);
  });
});

test('[S1-125] sessions are restored after a restart, with their ids, tabs, cookies and storage', async ({ site }) => {
  pages(site);
  await restarting(async (start) => {
    const [first] = await start();
    const made = await first.callRaw('create_session', { name: 'kept', userAgent: 'Special/1' });
    await first.callRaw('browser_navigate', { url: site.url('/a'), sessionId: 'kept' });
    await first.callRaw('browser_evaluate', { function: fill, sessionId: 'kept' });
    await first.callRaw('browser_tabs', { action: 'new', url: site.url('/b'), sessionId: 'kept' });
    await first.callRaw('browser_tabs', { action: 'select', index: 0, sessionId: 'kept' });
    await first.callRaw('browser_context_create', { name: 'active' });
    const [second, server] = await start();
    const list = await second.callRaw('list_sessions', {});
    expect(list.text).toContain('"isDormant":true');
    expect(list.text).toContain(`"currentUrl":${JSON.stringify(site.url('/a'))}`);
    const id = /"sessionId":"([^"]+)"/.exec(made.text)?.[1];
    const back = await second.callRaw('browser_evaluate', { function: read, sessionId: id });
    expect(back.section('Result')).toBe('A|sid=mine|dark|3');
    expect(back.section('Events')).toBe(
      '- The browser had been closed; the session was restored with 2 tabs, cookies and storage. Text typed into pages is lost.',
    );
    const tabs = await second.callRaw('browser_tabs', { action: 'list', sessionId: 'kept' });
    expect(tabs.section('Result')).toBe(`- 0: (current) [A](${site.url('/a')}) t1\n- 1: [B](${site.url('/b')}) t2`);
    expect((await second.callRaw('browser_evaluate', { function: read })).page).toContain('Session: active');
    expect(site.requests.at(-1)?.headers['user-agent']).toBe('Special/1');
    for (const file of await files(server)) expect((await stat(file)).mode & 0o777).toBe(0o600);
  });
});

test('[S1-125] a session not used since the last restart is restored again', async ({ site }) => {
  pages(site);
  await restarting(async (start) => {
    const [first] = await start();
    await first.callRaw('browser_navigate', { url: site.url('/a') });
    await start();
    const [third] = await start();
    expect((await third.callRaw('browser_snapshot', {})).page).toContain(site.url('/a'));
  });
});

test('[S1-125] closed and expired sessions are not restored, and nothing is kept without the option', async ({
  site,
}) => {
  pages(site);
  await restarting(async (start) => {
    const [first] = await start();
    await first.callRaw('create_session', { name: 'closed' });
    await first.callRaw('create_session', { name: 'short', ttl: 1 });
    await first.callRaw('browser_navigate', { url: site.url('/a'), sessionId: 'short' });
    await first.callRaw('close_session', { sessionId: 'closed' });
    const [second, server] = await start();
    expect((await second.callRaw('list_sessions', {})).text).toContain('"sessions":[]');
    expect((await second.callRaw('browser_snapshot', { sessionId: 'short' })).kind).toBe('SESSION_EXPIRED');
    expect(await files(server)).toEqual([]);
    await second.callRaw('browser_navigate', { url: site.url('/a') });
    const [third] = await start([]);
    expect((await third.callRaw('list_sessions', {})).text).toContain('"sessions":[]');
  });
});

test('[S1-125] if two servers used one name, each session is restored in a different server', async ({ site }) => {
  pages(site);
  await restarting(async (start) => {
    const [first, { folder }] = await start();
    await first.call('browser_navigate', { url: site.url('/a') });
    const beside = await startApp(persistent, { folder });
    await (await beside.drive()).call('browser_navigate', { url: site.url('/b') });
    await beside[Symbol.asyncDispose]();
    const [one] = await start();
    await using other = await startApp(persistent, { folder });
    const titles: (string | undefined)[] = [];
    for (const { call, callRaw } of [one, await other.drive()]) {
      const listed = (await callRaw('list_sessions', {})).text.match(/"sessionId"/g);
      expect(listed).toHaveLength(1);
      titles.push((await call('browser_evaluate', { function: '() => document.title' })).section('Result'));
    }
    expect(new Set(titles)).toEqual(new Set(['A', 'B']));
  });
});

test('[S1-125, S4-45] a quit without a browser is rejected and keeps dormant sessions', async ({ site }) => {
  pages(site);
  await restarting(async (start) => {
    const [first] = await start();
    await first.call('browser_navigate', { url: site.url('/a') });
    const [second] = await start();
    expect((await second.callRaw('browser_quit', {})).text).toBe('No browser instance. Call browser_launch first.');
    const back = await second.call('browser_evaluate', { function: '() => document.title' });
    expect(back.section('Result')).toBe('A');
  });
});

test('[S1-125] state is saved while the server runs', async ({ site }) => {
  pages(site);
  await restarting(async (start) => {
    const clock = new FakeClock();
    const [driver, server] = await start(persistent, clock);
    await driver.callRaw('browser_navigate', { url: site.url('/a') });
    clock.pass(1000);
    await expect.poll(async () => files(server)).toHaveLength(1);
    const other = await startApp(persistent, { folder: server.folder });
    // The server that owns it is alive.
    expect(other.app.tools.length).toBeGreaterThan(0);
    const { callRaw, client } = await other.drive();
    expect((await callRaw('list_sessions', {})).text).toContain('"sessions":[]');
    await client.close();
    await other[Symbol.asyncDispose]();
  });
});
