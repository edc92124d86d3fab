import { vi } from 'vitest';
import { startBrowserless, startSteel } from '../browser-service.ts';
import { startBrowser } from '../external-browser.ts';
import type { ExternalBrowser } from '../external-browser.ts';
import { FakeClock } from '../fake-clock.ts';
import { expect, startApp, test } from '../fixtures.ts';
import type { Driver } from '../fixtures.ts';

/** Opens a page in a new session. */
async function openSession({ callRaw }: Driver, name: string, url: string): Promise<void> {
  await callRaw('create_session', { name });
  const opened = await callRaw('browser_navigate', { url, sessionId: name });
  expect(opened.isError, opened.text).toBe(false);
}

/** Resolves once the server has noticed that the browser of a session is gone. */
async function noticed({ callRaw }: Driver, sessionId: string): Promise<void> {
  const isGone = async (): Promise<boolean> =>
    (await callRaw('browser_tabs', { action: 'list', sessionId })).text.includes('No open tabs');
  await vi.waitUntil(isGone, { timeout: 20_000 });
}

/** The paths that are open in a browser, without the page that it started with. */
async function pathsIn(browser: ExternalBrowser): Promise<readonly string[]> {
  return (await browser.pages()).filter((url) => url.startsWith('http')).map((url) => new URL(url).pathname);
}

test('sessions are spread over the endpoints, stay with theirs, and move if it ends', async ({ site }) => {
  for (const path of ['/a', '/b', '/c', '/d', '/e']) {
    site.set(path, `<title>${path}</title><button>Go</button>`);
  }
  const clock = new FakeClock();
  await using second = await startBrowser('about:blank');
  let first = await startBrowser('about:blank');
  const port = Number(new URL(first.endpoint).port);
  try {
    await using app = await startApp([`--cdp-endpoint=${first.endpoint}`, `--cdp-endpoint=${second.endpoint}`], {
      clock,
    });
    await using driver = await app.drive();
    for (const name of ['a', 'b', 'c']) await openSession(driver, name, site.url(`/${name}`));
    expect((await pathsIn(first)).toSorted()).toEqual(['/a', '/c']);
    expect(await pathsIn(second)).toEqual(['/b']);
    await driver.callRaw('close_session', { sessionId: 'c' });
    await driver.callRaw('browser_click', { selector: 'button', sessionId: 'a' });
    expect(await pathsIn(first)).toEqual(['/a']);

    await first[Symbol.asyncDispose]();
    await noticed(driver, 'a');
    const moved = await driver.callRaw('browser_snapshot', { sessionId: 'a' });
    expect(moved.page).toContain(site.url('/a'));
    const [one, two] = [first.endpoint, second.endpoint];
    expect(moved.text).toContain(
      `The browser at ${one} could not be reached. This session now uses the browser at ${two}.`,
    );
    expect((await pathsIn(second)).toSorted()).toEqual(['/a', '/b']);

    // It is left out although it answers again, until its pause is over.
    first = await startBrowser('about:blank', port);
    await openSession(driver, 'd', site.url('/d'));
    expect(await pathsIn(first)).toEqual([]);
    clock.pass(1000);
    await openSession(driver, 'e', site.url('/e'));
    expect(await pathsIn(first)).toEqual(['/e']);
    expect((await pathsIn(second)).toSorted()).toEqual(['/a', '/b', '/d']);
    expect(app.log.filter((line) => line.includes('could not be reached'))).toHaveLength(1);
  } finally {
    await first[Symbol.asyncDispose]();
  }
});

test('a session whose connection ended goes back to its own browser', async ({ site }) => {
  site.set('/', '<title>Home</title>');
  await using first = await startBrowser('about:blank');
  await using second = await startBrowser('about:blank');
  const service = await startSteel(first.endpoint);
  const port = Number(service.host.split(':')[1]);
  await using app = await startApp([`--cdp-endpoint=ws://${service.host},${second.endpoint}`]);
  await using driver = await app.drive();
  await openSession(driver, 'a', site.url('/'));
  await openSession(driver, 'b', site.url('/'));
  await openSession(driver, 'c', site.url('/'));
  await service[Symbol.asyncDispose]();
  await noticed(driver, 'a');
  await using again = await startSteel(first.endpoint, port);
  const answer = await driver.callRaw('browser_snapshot', { sessionId: 'a' });
  expect(answer.text).toContain('The browser was lost (the connection ended) and was connected to again.');
  expect(answer.text).not.toContain('could not be reached');
  expect(again.connections).toHaveLength(1);
});

test('if no endpoint answers, the error names all of them without their tokens', async () => {
  const flags = ['--cdp-endpoint=http://127.0.0.1:9/path-of-key?token=tok-123456,ws://me:pass-1234@127.0.0.1:10/x'];
  await using app = await startApp(flags);
  await using driver = await app.drive();
  for (const round of [1, 2]) {
    const answer = await driver.call('browser_snapshot');
    expect(answer.kind, `round ${round}`).toBe('BROWSER_NOT_REACHED');
    expect(answer.section('Error')).toMatch(
      /The browser at http:\/\/127\.0\.0\.1:9 or ws:\/\/127\.0\.0\.1:10 could not be reached: http:\/\/127\.0\.0\.1:9: .*; ws:\/\/127\.0\.0\.1:10: /,
    );
    expect(`${answer.text} ${app.log.join(' ')}`).not.toMatch(/tok-123456|pass-1234|path-of-key/);
  }
});

test.for([
  ['a WebSocket address with the token', (host: string) => [`--cdp-endpoint=ws://${host}/chromium?token=tok-123456`]],
  [
    'an HTTP address with the token as a header',
    (host: string) => [`--cdp-endpoint=http://${host}`, '--cdp-header=Authorization: Bearer tok-123456'],
  ],
] as const)('browserless is reached at %s', async ([, flags], { site }) => {
  site.set('/', '<title>Home</title><button onclick="this.textContent = \'Done\'">Go</button>');
  await using browser = await startBrowser('about:blank');
  await using service = await startBrowserless(browser.endpoint, 'tok-123456');
  await using app = await startApp(flags(service.host));
  await using driver = await app.drive();
  expect((await driver.call('browser_navigate', { url: site.url('/') })).page).toContain('- Page Title: Home');
  expect((await driver.call('browser_click', { selector: 'button' })).section('Snapshot')).toContain('Done');
  expect(service.connections).toHaveLength(1);
});

test('a token that browserless refuses is an error that does not show it', async () => {
  await using browser = await startBrowser('about:blank');
  await using service = await startBrowserless(browser.endpoint, 'tok-123456');
  for (const endpoint of [
    `ws://${service.host}/chromium?token=bad-123456`,
    `http://${service.host}/?token=bad-123456`,
  ]) {
    await using app = await startApp([`--cdp-endpoint=${endpoint}`]);
    await using driver = await app.drive();
    const answer = await driver.call('browser_snapshot');
    expect(answer.section('Error'), endpoint).toContain(
      `The browser at ${new URL(endpoint).protocol}//${service.host} could not be reached: `,
    );
    expect(answer.text).toContain('401');
    expect(`${answer.text} ${app.log.join(' ')}`).not.toContain('bad-123456');
  }
});

test('Steel is reached at its root over WebSocket, not over HTTP', async ({ site }) => {
  site.set('/', '<title>Home</title>');
  await using browser = await startBrowser('about:blank');
  await using service = await startSteel(browser.endpoint);
  await using app = await startApp([`--cdp-endpoint=ws://${service.host}`]);
  await using driver = await app.drive();
  expect((await driver.call('browser_navigate', { url: site.url('/') })).page).toContain('- Page Title: Home');
  expect(service.connections).toEqual(['/']);
  await using other = await startApp([`--cdp-endpoint=http://${service.host}`]);
  const refused = await (await other.drive()).call('browser_snapshot');
  expect(refused.section('Error')).toContain('404');
});
