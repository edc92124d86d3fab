import { existsSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, vi } from 'vitest';
import { createApp, loadApp } from '../../src/app.ts';
import type { App } from '../../src/app.ts';
import { loadConfig } from '../../src/config/load.ts';
import { createLogger } from '../../src/log.ts';
import { answerOf, expect, test } from '../fixtures.ts';
import type { Answer, Site } from '../fixtures.ts';
import { ownBrowsers } from '../transport/processes.ts';

const folder = mkdtempSync(join(tmpdir(), 'helm-profiles-'));
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

function start(profile: string): App {
  const argv = ['--headless', `--user-data-dir=${profile}`, '--browser-arg=--disable-background-networking'];
  const { config } = loadConfig({ argv, env: {}, cwd: folder });
  const log = createLogger({ level: 'error', write: () => undefined, now: () => new Date() });
  return createApp({ config, log, cwd: folder });
}

async function open(app: App, site: Site): Promise<Answer> {
  site.set('/', '<title>Page</title><p>Text</p>');
  return answerOf(await app.call({ name: 'browser_navigate', args: { url: site.url('/') } }));
}

async function cookies(app: App, script = 'document.cookie'): Promise<string | undefined> {
  const args = { function: `() => ${script}` };
  return answerOf(await app.call({ name: 'browser_evaluate', args })).section('Result');
}

const set = (name: string): string => `{ document.cookie = "${name}=kept; path=/; max-age=3600" }`;
const inUse = (profile: string): string =>
  `- The profile ${profile} is in use by another browser. This one works on a copy; changes to the copy are discarded at the end.`;

test('[C5-12] two servers with one profile both work; the second uses a copy and says so', async ({ site }) => {
  const profile = join(folder, 'shared');
  {
    await using before = start(profile);
    await open(before, site);
    await cookies(before, set('old'));
  }
  {
    await using first = start(profile);
    await using second = start(profile);
    expect((await open(first, site)).section('Events')).toBeUndefined();
    expect((await open(second, site)).section('Events')).toBe(inUse(profile));
    expect([await cookies(first), await cookies(second)]).toEqual(['old=kept', 'old=kept']);
    await cookies(first, set('first'));
    await cookies(second, set('second'));
  }
  await using after = start(profile);
  expect((await open(after, site)).section('Events')).toBeUndefined();
  expect(await cookies(after)).toBe('old=kept; first=kept');
  await after[Symbol.asyncDispose]();
  expect(readdirSync(profile)).not.toContain('pagehelm.lock');
});

test('[C5-12] a profile in use by the user’s browser is copied; a stale lock is ignored', async ({ site }) => {
  const profile = join(folder, 'held');
  {
    await using before = start(profile);
    await open(before, site);
  }
  rmSync(join(profile, 'SingletonLock'), { force: true });
  symlinkSync(`${hostname()}-${process.pid}`, join(profile, 'SingletonLock'));
  {
    await using app = start(profile);
    expect((await open(app, site)).section('Events')).toBe(inUse(profile));
  }
  rmSync(join(profile, 'SingletonLock'));
  writeFileSync(join(profile, 'pagehelm.lock'), '{"pid":4194303,"startTime":1,"boot":"another"}');
  {
    await using app = start(profile);
    expect((await open(app, site)).section('Events')).toBeUndefined();
  }
  expect(existsSync(join(profile, 'pagehelm.lock'))).toBe(false);
});

test('[R-31] the profile belongs to the default session; other sessions are isolated and not saved', async ({
  site,
}) => {
  const profile = join(folder, 'owned');
  const inSession = async (app: App, name: string, args: object): Promise<Answer> =>
    answerOf(await app.call({ name, args: { sessionId: 'other', ...args } }));
  {
    await using app = start(profile);
    await open(app, site);
    await cookies(app, set('mine'));
    await app.call({ name: 'create_session', args: { name: 'other' } });
    await inSession(app, 'browser_navigate', { url: site.url('/') });
    const seen = await inSession(app, 'browser_evaluate', { function: '() => document.cookie' });
    expect(seen.structured).toEqual({ success: true, data: { result: '' } });
    await inSession(app, 'browser_evaluate', { function: `() => ${set('theirs')}` });
  }
  await using again = start(profile);
  await open(again, site);
  expect(await cookies(again)).toBe('mine=kept');
});

test('[S0-39] a crash does not lose the profile’s data, and the answer says so', async ({ site }) => {
  const profile = join(folder, 'killed');
  {
    await using before = start(profile);
    await open(before, site);
    await cookies(before, set('old'));
  }
  await using app = start(profile);
  await open(app, site);
  for (const { group } of ownBrowsers()) process.kill(-group, 'SIGKILL');
  const list = async (): Promise<Answer> =>
    answerOf(await app.call({ name: 'browser_tabs', args: { action: 'list' } }));
  await vi.waitUntil(async () => (await list()).text.includes('No open tabs'), { timeout: 20_000 });
  const answer = answerOf(await app.call({ name: 'browser_snapshot', args: {} }));
  expect(answer.section('Events')).toBe(
    '- The browser was lost (its process ended) and was started again. ' +
      `Cookies and storage are as its profile has them; page state is gone. Reopened ${site.url('/')}.`,
  );
  expect(await cookies(app)).toBe('old=kept');
  expect((await list()).section('Result')).toMatch(/^- 0: \(current\) \[Page\]\(\S+\) t\d+$/);
});

test('a broken state file of a profile is set aside, and the answer says so', async ({ site }) => {
  const profile = mkdtempSync(join(folder, 'broken-'));
  writeFileSync(join(profile, 'Local State'), '\0\0');
  await using app = start(profile);
  expect((await open(app, site)).section('Events')).toBe(
    `- The file "Local State" of the profile ${profile} was broken and is now "Local State.broken".`,
  );
  expect(existsSync(join(profile, 'Local State.broken'))).toBe(true);
});

test('a profile that is not a directory is reported as a configuration error', async ({ site }) => {
  const profile = join(folder, 'plain-file');
  writeFileSync(profile, '');
  await using app = start(profile);
  expect((await open(app, site)).section('Error')).toBe(
    `[BAD_CONFIGURATION] The configuration of this server does not work. The profile directory ${profile} cannot be created or used (EEXIST).\n` +
      'Ask the operator of this server to correct it.',
  );
});

test('[R-31] routes of a closed default session do not affect the next one, and init scripts run once', async ({
  site,
}) => {
  const script = join(folder, 'count.js');
  writeFileSync(script, 'window.count = (window.count ?? 0) + 1;');
  site.set(
    '/',
    '<title>Page</title><script>fetch("/data").then((r) => r.text()).then((t) => { document.title = t; })</script>',
  );
  site.set('/data', 'Fetched');
  const argv = ['--headless', `--user-data-dir=${join(folder, 'twice')}`, `--init-script=${script}`, '--toolset=all'];
  const { config } = loadConfig({ argv, env: {}, cwd: folder });
  const log = createLogger({ level: 'error', write: () => undefined, now: () => new Date() });
  await using app = await loadApp({ config, log, cwd: folder });
  const call = async (name: string, args: object): Promise<Answer> => answerOf(await app.call({ name, args }));
  const visit = async (): Promise<string | undefined> => {
    await call('browser_navigate', { url: site.url('/') });
    return cookies(app, '[window.count, document.title].join()');
  };
  await visit();
  expect((await call('block_resource', { resourceType: 'fetch' })).isError).toBe(false);
  expect(await visit()).toBe('1,Page');
  await call('browser_context_create', { name: 'beside' });
  await call('browser_context_close', { name: 'default' });
  expect((await call('browser_context_create', { name: 'default' })).isError).toBe(false);
  expect(await visit()).toBe('1,Fetched');
});
