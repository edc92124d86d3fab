import { FakeClock } from '../fake-clock.ts';
import { expect, startApp, test } from '../fixtures.ts';
import type { CallRaw, Site, TestApp } from '../fixtures.ts';
import { ownBrowsers } from '../transport/processes.ts';

interface Parts {
  readonly server: TestApp;
  readonly callRaw: CallRaw;
  readonly clock: FakeClock;
}

/** A separate server with a fake clock. */
async function withApp(
  flags: readonly string[],
  run: (parts: Parts) => Promise<void>,
  env: NodeJS.ProcessEnv = {},
): Promise<void> {
  const clock = new FakeClock();
  const server = await startApp(flags, { clock, env });
  try {
    const { callRaw, client } = await server.drive();
    await run({ server, callRaw, clock });
    await client.close();
  } finally {
    await server[Symbol.asyncDispose]();
  }
}

function pages(site: Site): void {
  site.set('/', '<title>Page</title><p>Text</p>');
}

test('[S3-37, S3-38, S3-39, S0-28, R-5] the browser starts on first use, is shared, outlives its sessions, and ends with the server', async () => {
  await withApp([], async ({ callRaw }) => {
    expect(ownBrowsers()).toHaveLength(0);
    const made = await Promise.all(['a', 'b', 'c'].map(async (name) => callRaw('create_session', { name })));
    expect(made.map(({ isError }) => isError)).toEqual([false, false, false]);
    const [shared, ...others] = ownBrowsers().map(({ pid }) => pid);
    expect(others).toEqual([]);
    for (const sessionId of ['a', 'b', 'c']) await callRaw('close_session', { sessionId });
    await callRaw('create_session', { name: 'd' });
    expect(ownBrowsers().map(({ pid }) => pid)).toEqual([shared]);
  });
  expect(ownBrowsers()).toHaveLength(0);
});

test('a browser is replaced after the given number of sessions, once it has none', async () => {
  await withApp(['--browser-max-sessions=2'], async ({ callRaw }) => {
    await Promise.all(['a', 'b'].map(async (name) => callRaw('create_session', { name })));
    const [first] = ownBrowsers().map(({ pid }) => pid);
    await callRaw('close_session', { sessionId: 'a' });
    expect(ownBrowsers().map(({ pid }) => pid)).toEqual([first]);
    await callRaw('close_session', { sessionId: 'b' });
    await expect.poll(ownBrowsers).toHaveLength(0);
    expect((await callRaw('create_session', { name: 'c' })).isError).toBe(false);
    expect(ownBrowsers()).toHaveLength(1);
  });
});

test('[S1-122] the minimum number of browsers is kept when idle', async () => {
  await withApp(['--min-browsers=2'], async ({ server, callRaw, clock }) => {
    server.app.warmUp();
    await expect.poll(ownBrowsers, { timeout: 20_000 }).toHaveLength(2);
    await callRaw('create_session', {});
    clock.pass(1e9);
    expect(ownBrowsers()).toHaveLength(2);
  });
});

test('[S1-120] a killed browser is replaced up to the minimum', async () => {
  await withApp(['--min-browsers=2'], async ({ callRaw, clock }) => {
    const names = ['a', 'b'];
    await Promise.all(names.map(async (name) => callRaw('create_session', { name, ttl: 0 })));
    for (const sessionId of names) await callRaw('close_session', { sessionId });
    expect(ownBrowsers()).toHaveLength(2);
    const [killed] = ownBrowsers();
    if (killed === undefined) throw new Error('there is no browser');
    process.kill(killed.pid, 'SIGKILL');
    await expect.poll(() => ownBrowsers().map(({ pid }) => pid), { timeout: 10_000 }).not.toContain(killed.pid);
    // A browser that dies at once each time is not started without a pause.
    await expect
      .poll(
        () => {
          clock.pass(1000);
          return ownBrowsers();
        },
        { timeout: 20_000 },
      )
      .toHaveLength(2);
  });
});

test('[S1-121] a minimum above the maximum stops the start', async () => {
  await expect(startApp(['--min-browsers=5', '--max-browsers=2'])).rejects.toThrow(
    '--min-browsers: is 5, more than pool.maxBrowsers (2).',
  );
});

test('[S1-121, S1-122, R-35] sessions are distributed over browsers, and idle browsers are closed except the last', async ({
  site,
}) => {
  pages(site);
  await withApp(['--max-browsers=2'], async ({ callRaw, clock }) => {
    const names = ['a', 'b', 'c'];
    await Promise.all(names.map(async (name) => callRaw('create_session', { name, ttl: 0 })));
    expect(ownBrowsers()).toHaveLength(2);
    const urls = names.map(async (sessionId) => callRaw('browser_navigate', { url: site.url('/'), sessionId }));
    expect((await Promise.all(urls)).map(({ isError }) => isError)).toEqual([false, false, false]);
    for (const sessionId of names) await callRaw('close_session', { sessionId });
    clock.pass(299_999);
    expect(ownBrowsers()).toHaveLength(2);
    clock.pass(1);
    await expect.poll(ownBrowsers, { timeout: 10_000 }).toHaveLength(1);
    clock.pass(1e9);
    expect(ownBrowsers()).toHaveLength(1);
  });
});

test('[S3-08] a session closed while opening leaves nothing in its browser', async () => {
  await withApp(['--max-browsers=2'], async ({ callRaw, clock }) => {
    await callRaw('create_session', { name: 'stays', ttl: 0 });
    const making = callRaw('create_session', { name: 'goes', ttl: 0 });
    await expect.poll(ownBrowsers, { timeout: 10_000 }).toHaveLength(2);
    expect((await callRaw('close_session', { sessionId: 'goes' })).isError).toBe(false);
    expect((await making).kind).toBe('SESSION_NOT_FOUND');
    // The browser is idle once the session has released it.
    await expect
      .poll(
        () => {
          clock.pass(300_000);
          return ownBrowsers();
        },
        { timeout: 10_000 },
      )
      .toHaveLength(1);
  });
});

test('[S4-08] two concurrent launches leave one browser, and none after the server ends', async () => {
  await withApp([], async ({ callRaw }) => {
    const launched = await Promise.all([callRaw('browser_launch', {}), callRaw('browser_launch', {})]);
    expect(launched.map(({ isError }) => isError)).toEqual([false, false]);
    expect(ownBrowsers()).toHaveLength(1);
  });
  expect(ownBrowsers()).toHaveLength(0);
});

test.for([
  ['--headless', ['--compat=playwright']],
  ['no display', ['--compat=playwright', '--headless=false']],
] as const)(
  '[R-35] with --compat playwright and %s, the last browser is closed after an hour',
  async ([, flags], { site }) => {
    pages(site);
    const display = { DISPLAY: undefined, WAYLAND_DISPLAY: undefined };
    await withApp(
      flags,
      async ({ callRaw, clock }) => {
        await callRaw('browser_navigate', { url: site.url('/') });
        clock.pass(3_599_999);
        expect(ownBrowsers()).toHaveLength(1);
        clock.pass(1);
        await expect.poll(ownBrowsers, { timeout: 10_000 }).toHaveLength(0);
      },
      display,
    );
  },
);

test('[R-35] --idle-timeout closes the last browser too, and the next call restores everything', async ({ site }) => {
  pages(site);
  await withApp(['--idle-timeout=60000'], async ({ callRaw, clock }) => {
    await callRaw('create_session', { name: 'other', ttl: 0 });
    for (const sessionId of ['default', 'other']) {
      await callRaw('browser_navigate', { url: site.url(`/?${sessionId}`), sessionId });
      const fill = `() => { document.cookie = 'who=${sessionId}' }`;
      await callRaw('browser_evaluate', { function: fill, sessionId });
    }
    clock.pass(59_999);
    await callRaw('browser_snapshot', {});
    clock.pass(59_999);
    expect(ownBrowsers()).toHaveLength(1);
    clock.pass(1);
    await expect.poll(ownBrowsers, { timeout: 10_000 }).toHaveLength(0);
    for (const sessionId of ['other', 'default']) {
      const script = '() => location.search + document.cookie';
      const back = await callRaw('browser_evaluate', { function: script, sessionId });
      expect(back.section('Result')).toBe(`?${sessionId}who=${sessionId}`);
      expect(back.section('Events')).toBe(
        '- The browser had been closed; the session was restored with 1 tab, cookies and storage. Text typed into pages is lost.',
      );
    }
  });
});
