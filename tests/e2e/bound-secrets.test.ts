import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { evaluate, expect, open, startApp, testWith } from '../fixtures.ts';

/** Rows 30 and 66 of the attacks, for all tools that take texts besides the fields of a page. */

const folder = mkdtempSync(join(tmpdir(), 'helm-bound-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const file = join(folder, 'secrets.env');
writeFileSync(file, 'BOUND=open-sesame-1\nFREE=free-value-22\n');
const flags = ['--toolset=all', '--caps=storage,network,devtools,testing', `--secrets=${file}`];
const test = testWith([...flags, '--secret-origins=BOUND@http://127.0.0.1:*']);

const page = '<title>T</title><p id="p"></p><input id="user">';
const use = '{{secret:BOUND}}';
const cookie = { name: 'a', value: use };

/** `here` is a URL of the origin that the secret is bound to. Each call is made on a page of another one. */
const attacks: readonly (readonly [string, (here: string) => object])[] = [
  ['browser_cookie_set', () => cookie],
  ['browser_cookie_set', () => ({ ...cookie, domain: '127.0.0.1' })],
  ['set_cookies', (here) => ({ cookies: [{ ...cookie, url: here }] })],
  ['browser_localstorage_set', () => ({ key: 'k', value: use })],
  ['browser_sessionstorage_set', () => ({ key: use, value: 'v' })],
  ['browser_route', () => ({ pattern: '**', body: use })],
  ['browser_route', () => ({ pattern: '**', headers: [`X-Key: ${use}`] })],
  ['mock_response', (here) => ({ url: here, response: { body: use } })],
  ['mock_response', () => ({ url: '127.0.0.1', response: { headers: { 'x-key': use } } })],
  ['browser_wait_for', (here) => ({ url: here, text: use })],
  ['browser_verify_text_visible', () => ({ text: use })],
  ['browser_find', () => ({ text: use })],
  ['browser_evaluate', () => ({ function: `() => ${JSON.stringify(use)}` })],
  ['create_session', () => ({ proxy: { server: 'http://127.0.0.1:9', password: use } })],
  ['create_session', () => ({ extraHTTPHeaders: { authorization: use } })],
  ['browser_context_create', () => ({ name: 'other', userAgent: use })],
  [
    'restore_state',
    () => ({ sessionId: 'default', state: { cookies: [{ ...cookie, domain: 'localhost', path: '/' }] } }),
  ],
  ['browser_tabs', (here) => ({ action: 'new', url: here.replace('127.0.0.1', 'localhost') + use })],
];

test.for(attacks)(
  '66: %s does not use a bound secret on another origin',
  async ([tool, args], { site, call, callRaw }) => {
    await open(site, call, page);
    await call('browser_navigate', { url: site.url('/').replace('127.0.0.1', 'localhost') });
    const refused = await callRaw(tool, args(site.url('/')));
    expect(refused.kind, refused.text).toBe('SECRET_ORIGIN_MISMATCH');
    const inBatch = await callRaw('browser_batch', { steps: [{ tool, args: args(site.url('/')) }] });
    expect(inBatch.isError).toBe(true);
    for (const { text } of [refused, inBatch]) expect(text).not.toContain('sesame');
    const held =
      'async () => document.cookie + JSON.stringify({ ...localStorage, ...sessionStorage }) + await (await fetch("/")).text()';
    expect(await evaluate(call, `(${held})().then((text) => text.includes("sesame"))`)).toBe('false');
    expect(site.requests.some(({ path, headers }) => JSON.stringify([path, headers]).includes('sesame'))).toBe(false);
  },
);

test('an argument that a tool does not have cannot vouch for the origin of a bound secret', async ({
  site,
  call,
  callRaw,
}) => {
  await open(site, call, page);
  await call('browser_navigate', { url: site.url('/').replace('127.0.0.1', 'localhost') });
  const answer = await callRaw('browser_type', { selector: '#user', text: use, url: site.url('/') });
  expect(answer.isError).toBe(true);
  expect(await evaluate(call, 'user.value')).toBe('');
});

test('a bound secret can be written to the storage of its own origin, and no answer shows it', async ({
  site,
  call,
  callRaw,
}) => {
  await open(site, call, page);
  const set = await callRaw('browser_localstorage_set', { key: 'token', value: use });
  expect(set.isError, set.text).toBe(false);
  expect(await evaluate(call, "localStorage.getItem('token') === 'open-' + 'sesame-1'")).toBe('true');
  await callRaw('browser_cookie_set', { name: 'free', value: '{{secret:FREE}}' });
  expect(await evaluate(call, "document.cookie === 'free=free-' + 'value-22'")).toBe('true');
  const reads = [
    'browser_localstorage_list',
    'browser_cookie_list',
    'browser_storage_state',
    'save_state',
    'get_cookies',
  ] as const;
  for (const tool of reads) {
    const answer = await callRaw(tool, tool === 'save_state' ? { sessionId: 'default' } : {});
    expect(answer.isError, answer.text).toBe(false);
    expect(answer.text + JSON.stringify(answer.structured ?? {}), tool).not.toMatch(/sesame|free-value/);
  }
});

const embedding = (frame: string): string => `<title>T</title><input aria-label="Own"><iframe src="${frame}"></iframe>`;

test.for(['default', '--snapshot-format=playwright', '--compat=playwright'])(
  '66: with %s, no element of a frame of another origin gets a bound secret, however it is named',
  async (flag, { site }) => {
    const mode = flag === 'default' ? [] : [flag];
    await using server = await startApp([...mode, `--secrets=${file}`, '--secret-origins=BOUND@http://127.0.0.1:*']);
    await using driver = await server.drive();
    site.set('/frame', '<label>Code <input oninput="fetch(\'/typed?\' + this.value)"></label>');
    site.set('/typed', 'ok');
    site.set('/', embedding(site.url('/frame').replace('127.0.0.1', 'localhost')));
    await driver.call('browser_navigate', { url: site.url('/') });
    const { text } = await driver.call('browser_snapshot', {});
    const ref = /textbox "Code".*\[ref=(\w+)\]/.exec(text)?.[1];
    for (const target of [ref, 'textbox "Code"', 'iframe >> internal:control=enter-frame >> input']) {
      for (const written of ['BOUND', use]) {
        const typed = await driver.callRaw('browser_type', { element: 'Code', target, text: written });
        expect(typed.isError, typed.text).toBe(true);
        const field = { name: 'Code', element: 'Code', type: 'textbox', target, value: written };
        expect((await driver.callRaw('browser_fill_form', { fields: [field] })).isError).toBe(true);
      }
    }
    const own = await driver.callRaw('browser_type', { element: 'Own', target: 'input', text: 'BOUND' });
    expect(own.isError, own.text).toBe(false);
    const other = site.url('/frame').replace('127.0.0.1', 'localhost');
    await driver.call('browser_navigate', { url: other });
    for (const written of ['BOUND', use]) {
      const typed = await driver.callRaw('browser_type', { element: 'Code', target: 'input', text: written });
      expect(typed.isError, typed.text).toBe(true);
    }
    expect(site.requests.filter(({ path }) => path.startsWith('/typed'))).toEqual([]);
  },
);

test('with --compat=playwright a one-time code is typed, and not its seed', async ({ site }) => {
  const codes = join(folder, 'codes.env');
  writeFileSync(codes, 'CODE=otpauth://totp/x?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ\n');
  await using server = await startApp(['--compat=playwright', `--secrets=${codes}`]);
  await using driver = await server.drive();
  site.set('/', '<input oninput="fetch(\'/typed?\' + this.value)">');
  site.set('/typed', 'ok');
  await driver.call('browser_navigate', { url: site.url('/') });
  const typed = await driver.callRaw('browser_type', { element: 'Code', target: 'input', text: 'CODE' });
  expect(typed.isError, typed.text).toBe(false);
  const sent = site.requests.map(({ path }) => path).filter((path) => path.startsWith('/typed'));
  expect(sent).toEqual([expect.stringMatching(/^\/typed\?\d{6}$/)]);
  expect(typed.text).not.toContain(sent[0]?.slice(-6));
});

const testRules = testWith([...flags, '--allowed-domains=127.0.0.1,app.shop.test', '--blocked-domains=evil.test']);
const foreign = { name: 'a', value: 'b', domain: 'evil.test', path: '/' };
const settings: readonly (readonly [string, object])[] = [
  ['browser_cookie_set', { name: 'a', value: 'b', domain: 'evil.test' }],
  ['browser_cookie_set', { name: 'a', value: 'b', domain: '.other.test' }],
  ['browser_cookie_set', { name: 'a', value: 'b', domain: '169.254.169.254' }],
  ['set_cookies', { cookies: [{ name: 'a', value: 'b', url: 'http://evil.test/' }] }],
  ['set_cookies', { cookies: [foreign] }],
  ['restore_state', { sessionId: 'default', state: { cookies: [foreign] } }],
  ['restore_state', { sessionId: 'default', state: { origins: [{ origin: 'http://evil.test', localStorage: [] }] } }],
  ['browser_set_storage_state', { filename: 'state.json' }],
];

testRules.for(settings)(
  '30: %s refuses %j for a denied domain',
  async ([tool, args], { site, call, callRaw, server }) => {
    await open(site, call, page);
    writeFileSync(join(server.folder, 'state.json'), JSON.stringify({ cookies: [foreign], origins: [] }));
    const answer = await callRaw(tool, args);
    expect(answer.kind, answer.text).toBe('STORAGE_BLOCKED');
    expect((await callRaw('browser_cookie_list', {})).text).toContain('There are no such cookies.');
  },
);

testRules('30: a session does not start with a state for a denied domain', async ({ callRaw }) => {
  const answer = await callRaw('browser_context_create', {
    name: 'other',
    storageState: { cookies: [foreign], origins: [] },
  });
  const used = answer.isError ? answer : await callRaw('browser_cookie_list', { sessionId: 'other' });
  expect(used.kind, used.text).toBe('STORAGE_BLOCKED');
});

testRules('cookies of an allowed host and of its parent domain can be set', async ({ site, call, callRaw }) => {
  await open(site, call, page);
  for (const domain of ['127.0.0.1', 'app.shop.test', '.shop.test'])
    expect((await callRaw('browser_cookie_set', { name: 'a', value: 'b', domain })).isError, domain).toBe(false);
});

testRules.for(['/etc/passwd', '../../../../../../etc/passwd', '/proc/self/environ', 'missing.json'])(
  '30: the storage state %s is not read',
  async (filename, { callRaw }) => {
    const answer = await callRaw('browser_set_storage_state', { filename });
    expect(answer.isError).toBe(true);
    expect(answer.text).not.toMatch(/root:|PATH=/);
  },
);
