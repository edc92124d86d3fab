import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { createApp } from '../../src/app.ts';
import { loadConfig } from '../../src/config/load.ts';
import { ConfigError } from '../../src/errors.ts';
import { createLogger } from '../../src/log.ts';
import { answerOf, evaluate, expect, open, startApp, test as testPlain, testWith } from '../fixtures.ts';
import { startSecureSite } from '../secure-site.ts';

const folder = mkdtempSync(join(tmpdir(), 'helm-launch-'));
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

const script = join(folder, 'init.js');
writeFileSync(script, 'window.prepared = "before the page";');
const state = join(folder, 'state.json');
const cookie = {
  name: 'sid',
  value: 'kept',
  domain: '127.0.0.1',
  path: '/',
  expires: -1,
  httpOnly: false,
  secure: false,
  sameSite: 'Lax',
};
writeFileSync(state, JSON.stringify({ cookies: [cookie], origins: [] }));

const oddState = join(folder, 'odd.json');
writeFileSync(oddState, '{ "cookies": "none" }');

const test = testWith([
  '--viewport-size=640x480',
  '--user-agent=Helm/1.0',
  `--init-script=${script}`,
  `--storage-state=${state}`,
  '--grant-permissions=geolocation',
  '--test-id-attribute=data-qa',
  '--ignore-https-errors',
  '--block-service-workers',
  '--timeout-action=700',
  '--output-dir=results',
  '--screenshot-dir=pictures',
]);
const testDevice = testWith(['--device=iPhone 15']);
const testOutput = testWith(['--output-dir=only']);

test('[S0-37] --viewport-size sets the viewport', async ({ site, call }) => {
  await open(site, call, '<title>Page</title><p>Text</p>');
  expect(await evaluate(call, 'innerWidth + "x" + innerHeight')).toBe('640x480');
});

test('--user-agent is visible to pages and servers', async ({ site, call }) => {
  await open(site, call, '<title>Page</title><p>Text</p>');
  expect(await evaluate(call, 'navigator.userAgent')).toBe('Helm/1.0');
  expect(site.requests.find(({ path }) => path === '/')?.headers['user-agent']).toBe('Helm/1.0');
});

test('--init-script runs before the scripts of the page', async ({ site, call }) => {
  const answer = await open(
    site,
    call,
    '<title>Page</title><p id="seen"></p><script>seen.textContent = "Seen " + window.prepared</script>',
  );
  expect(answer.section('Snapshot')).toContain('Seen before the page');
});

test('--storage-state gives a session its cookies', async ({ site, call }) => {
  await open(site, call, '<title>Page</title><p>Text</p>');
  expect(await evaluate(call, 'document.cookie')).toBe('sid=kept');
});

test('--grant-permissions grants only the given permissions', async ({ site, call }) => {
  await open(site, call, '<title>Page</title><p>Text</p>');
  const stateOf = (name: string): string =>
    `navigator.permissions.query({ name: '${name}' }).then((found) => found.state)`;
  expect(await evaluate(call, stateOf('geolocation'))).toBe('granted');
  expect(await evaluate(call, stateOf('notifications'))).not.toBe('granted');
});

test('[S4-21] --test-id-attribute sets the attribute for test ids', async ({ site, call }) => {
  await open(
    site,
    call,
    '<title>Page</title><button data-qa="send">Send</button><button data-testid="send">Other</button>',
  );
  const answer = await call('browser_find', { selector: 'send', selectorType: 'testId' });
  expect(answer.section('Result')).toContain('Found 1 element(s) matching: testId=send');
});

test('--block-service-workers blocks service workers', async ({ site, call }) => {
  site.set('/', '<title>Page</title><p>Text</p>');
  site.set('/worker.js', (_request, response) => response.setHeader('content-type', 'text/javascript').end(''));
  await call('browser_navigate', { url: site.url('/') });
  await evaluate(call, '{ navigator.serviceWorker.register("/worker.js") }');
  expect(await evaluate(call, 'navigator.serviceWorker.getRegistrations().then((all) => all.length)')).toBe('0');
});

test('--timeout-action limits the wait for an element', async ({ site, call }) => {
  const late = (ms: number): string =>
    `<title>Page</title><script>setTimeout(() => document.body.insertAdjacentHTML('beforeend', '<button>Late</button>'), ${ms})</script><p>Text</p>`;
  site.set('/soon', late(200));
  site.set('/late', late(3000));
  await call('browser_navigate', { url: site.url('/soon') });
  expect((await call('browser_hover', { selector: 'button' })).isError).toBe(false);
  await call('browser_navigate', { url: site.url('/late') });
  expect((await call('browser_hover', { selector: 'button' })).kind).toBe('ELEMENT_NOT_FOUND');
});

test('[S2-126, S2-127] --output-dir and --screenshot-dir are created with a .gitignore', async ({
  site,
  call,
  server,
}) => {
  await open(site, call, '<title>Page</title><p>Text</p>');
  const shot = await call('browser_take_screenshot', { filename: 'shot.png' });
  expect(shot.section('Result')).toContain('pictures/shot.png');
  await call('browser_network_requests', { filename: 'list.txt' });
  for (const path of ['pictures/shot.png', 'results/list.txt'])
    expect(existsSync(join(server.folder, path)), path).toBe(true);
  for (const path of ['pictures/.gitignore', 'results/.gitignore']) {
    expect(readFileSync(join(server.folder, path), 'utf8'), path).toBe('*\n');
  }
});

testOutput('with --output-dir alone screenshots go there too', async ({ site, call, server }) => {
  await open(site, call, '<title>Page</title><p>Text</p>');
  await call('browser_take_screenshot', { filename: 'shot.png' });
  expect(existsSync(join(server.folder, 'only/shot.png'))).toBe(true);
});

test('--ignore-https-errors opens a page with an untrusted certificate', async ({ call }) => {
  await using secure = await startSecureSite();
  const answer = await call('browser_navigate', { url: secure.url });
  expect(answer.page).toBe(`- Page URL: ${secure.url}\n- Page Title: Secure`);
});

testPlain('without --ignore-https-errors it is a failed navigation', async ({ call }) => {
  await using secure = await startSecureSite();
  const answer = await call('browser_navigate', { url: secure.url });
  expect(answer.kind).toBe('NAVIGATION_FAILED');
  expect(answer.section('Error')).toContain('ERR_CERT');
});

testDevice('--device sets viewport, scale, touch and user agent', async ({ site, call }) => {
  await open(site, call, '<title>Page</title><meta name="viewport" content="width=device-width"><p>Text</p>');
  expect(
    await evaluate(
      call,
      '[innerWidth, devicePixelRatio, navigator.maxTouchPoints > 0, /iPhone/.test(navigator.userAgent)].join()',
    ),
  ).toBe('393,3,true,true');
});

testPlain.for([
  ['--storage-state=missing.json', 'Error reading storage state from missing.json: ENOENT'],
  [`--storage-state=${oddState}`, 'storageState.cookies: expected array, got string.'],
  ['--grant-permissions=teleport', 'Unknown permission: teleport.'],
] as const)('the invalid %s is reported as a configuration error', async ([flag, problem]) => {
  await using server = await startApp([flag]);
  await using driver = await server.drive();
  const answer = await driver.call('browser_navigate', { url: 'about:blank' });
  expect(answer.kind).toBe('BAD_CONFIGURATION');
  expect(answer.section('Error')).toContain(`The configuration of this server does not work. ${problem}`);
  expect(answer.section('Error')).toContain('Ask the operator of this server to correct it.');
});

testPlain.for([
  ['--device=iPhone 15 Por', '--device: Unknown device "iPhone 15 Por". Did you mean "iPhone 15 Pro"?'],
  ['--init-script=missing.js', '--init-script: missing.js cannot be read: there is no such file.'],
  ['--init-page=missing.mjs', '--init-page: missing.mjs cannot be read: there is no such file.'],
] as const)('%s stops the start', async ([flag, problem]) => {
  await expect(startApp([flag], { folder })).rejects.toThrow(new ConfigError([problem]));
});

testPlain('an invalid permission is a configuration error with a profile too, not a failed launch', async () => {
  const flags = ['--isolated=false', `--user-data-dir=${join(folder, 'refused')}`, '--grant-permissions=teleport'];
  await using server = await startApp(flags);
  await using driver = await server.drive();
  const answer = await driver.call('browser_navigate', { url: 'about:blank' });
  expect(answer.section('Error')).toBe(
    '[BAD_CONFIGURATION] The configuration of this server does not work. Unknown permission: teleport.\nAsk the operator of this server to correct it.',
  );
});

testPlain('--mobile emulates the same device as @playwright/mcp', async ({ site }) => {
  site.set('/', '<title>Page</title><meta name="viewport" content="width=device-width"><p>Text</p>');
  const seen = '[innerWidth, innerHeight, devicePixelRatio, /Pixel 10\\b/.test(navigator.userAgent)].join()';
  expect(await visit(['--mobile'], site.url('/'), seen)).toBe('360,732,3,true');
});

testPlain('a storage state applies to other sessions, not to the profile', async ({ site }) => {
  site.set('/', '<title>Page</title><p>Text</p>');
  const flags = ['--isolated=false', `--user-data-dir=${join(folder, 'seeded')}`, `--storage-state=${state}`];
  await using server = await startApp(flags);
  await using driver = await server.drive();
  const cookies = async (): Promise<string | undefined> => {
    await driver.call('browser_navigate', { url: site.url('/') });
    return evaluate(driver.call, 'document.cookie');
  };
  expect(await cookies()).toBe('');
  await driver.call('browser_context_create', { name: 'beside' });
  expect(await cookies()).toContain('sid=kept');
});

async function visit(flags: readonly string[], url: string, expression: string): Promise<string | undefined> {
  const { config } = loadConfig({ argv: ['--headless', ...flags], env: {}, cwd: folder });
  const log = createLogger({ level: 'error', write: () => undefined, now: () => new Date() });
  await using app = createApp({ config, log, cwd: folder });
  const opened = answerOf(await app.call({ name: 'browser_navigate', args: { url } }));
  expect(opened.isError, opened.text).toBe(false);
  const args = { function: `() => ${expression}` };
  return answerOf(await app.call({ name: 'browser_evaluate', args })).section('Result');
}

testPlain(
  '[S0-38, S0-39] --user-data-dir keeps cookies and storage for the next run, unless it is isolated',
  async ({ site }) => {
    site.set('/', '<title>Page</title><p>Text</p>');
    const profile = join(folder, 'profile');
    const flags = [`--user-data-dir=${profile}`, '--browser-arg=--disable-background-networking'];
    const write = '{ document.cookie = "sid=kept; path=/; max-age=3600"; localStorage.theme = "dark" }';
    await visit(flags, site.url('/'), write);
    expect(existsSync(join(profile, 'Default'))).toBe(true);
    const read = '[document.cookie, localStorage.theme].join("|")';
    expect(await visit(flags, site.url('/'), read)).toBe('sid=kept|dark');
    expect(await visit(['--isolated', ...flags], site.url('/'), read)).toBe('|');
  },
);
