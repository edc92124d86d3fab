import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { evaluate, expect, open, startApp, testWith } from '../fixtures.ts';
import type { Answer } from '../fixtures.ts';

const folder = mkdtempSync(join(tmpdir(), 'helm-secrets-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const word = 'corr&ct h0rse/"battery"';
const file = join(folder, 'secrets.env');
writeFileSync(file, `# for the tests\nSHOP_PASSWORD='${word}'\nSHOP_USER=ada@shop.test\n`);
const config = join(folder, 'config.json');
writeFileSync(config, JSON.stringify({ secrets: { TOKEN: 'tok-1234567890' } }));

const test = testWith([`--secrets=${file}`, `--config=${config}`, '--enable-tool=save_state']);
const testPython = testWith([`--secrets=${file}`, '--codegen=python']);

const form = `<title>Sign in</title><form onsubmit="event.preventDefault(); seen.textContent = 'Length ' + user.value.length + ' ' + word.value.length">
<label>User <input id="user"></label><label>Word <input id="word"></label><button>Sign in</button></form><p id="seen"></p>`;

/** Asserts that the answer contains no secret in any common encoding, as text or as data. */
function expectHidden(answer: Answer): void {
  const all = answer.text + JSON.stringify(answer.structured ?? {});
  const forms = [word, 'ada@shop.test', 'tok-1234567890'].flatMap((value) => [
    value,
    encodeURIComponent(value),
    JSON.stringify(value).slice(1, -1),
    Buffer.from(value).toString('base64').slice(0, -4),
  ]);
  expect(forms.filter((form) => all.includes(form))).toEqual([]);
}

test('[R-23] a secret is typed by name, and the answer shows neither its value nor its length', async ({
  site,
  call,
}) => {
  await open(site, call, form);
  const answer = await call('browser_type', { selector: '#word', text: 'SHOP_PASSWORD', element: 'Word' });
  expect(answer.section('Result')?.split('\n').slice(0, 2)).toEqual([
    'Successfully typed into element: #word',
    'Text: [REDACTED]',
  ]);
  expect(answer.section('Ran Playwright code')).toBe(
    "```js\nawait page.locator('#word').fill(process.env['SHOP_PASSWORD']);\n```",
  );
  expect(answer.section('Snapshot')).toContain('<secret>SHOP_PASSWORD</secret>');
  expectHidden(answer);
  expect(await evaluate(call, 'word.value.length')).toBe(String(word.length));
});

test('[R-23] a secret typed by value is not repeated', async ({ site, call }) => {
  await open(site, call, form);
  const answer = await call('browser_type', { selector: '#word', text: word, slowly: true });
  expect(answer.section('Result')).toContain('Text: [REDACTED]');
  expectHidden(answer);
});

test('[R-23] form fields are filled with secrets by name', async ({ site, call }) => {
  await open(site, call, form);
  const answer = await call('browser_fill_form', {
    fields: [
      { name: 'User', value: 'SHOP_USER' },
      { name: 'Word', value: 'SHOP_PASSWORD' },
    ],
  });
  expect(answer.section('Result')?.split('\n').slice(0, 2)).toEqual(['User: "[REDACTED]"', 'Word: "[REDACTED]"']);
  expect(answer.section('Ran Playwright code')).toContain("fill(process.env['SHOP_USER'])");
  expectHidden(answer);
  const sent = await call('browser_click', { selector: 'button' });
  expect(sent.section('Snapshot')).toContain(`Length ${'ada@shop.test'.length} ${word.length}`);
});

testPython('[R-23] Python code reads the secret from the environment too', async ({ site, call }) => {
  await open(site, call, form);
  const answer = await call('browser_type', { selector: '#word', text: 'SHOP_PASSWORD' });
  expect(answer.section('Ran Playwright code')).toBe(
    '```python\npage.locator("#word").fill(os.environ["SHOP_PASSWORD"])\n```',
  );
});

const echo = (value: string): string => `<title>About ${html(value)}</title><p>It is ${html(value)}!</p>
<a href="/next?word=${encodeURIComponent(value)}">Next</a><input aria-label="Field" value="${html(value)}">
<button onclick="alert(${html(JSON.stringify(value))})">Alert</button>
<script>
const word = ${JSON.stringify(value)};
console.error('Logged ' + word, JSON.stringify({ word }), btoa(word));
fetch('/api?word=' + encodeURIComponent(word), { method: 'POST', body: JSON.stringify({ word }) });
setTimeout(() => { throw new Error('Thrown ' + word); });
</script>`;

function html(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}

test('a secret shown by a page is redacted in snapshots, titles, links, console messages, events and dialogs', async ({
  site,
  call,
}) => {
  site.set('/api', (_request, response) => response.end(JSON.stringify({ word })));
  const opened = await open(site, call, echo(word));
  expect(opened.page).toContain('- Page Title: About <secret>SHOP_PASSWORD</secret>');
  expect(opened.section('Snapshot')).toContain('It is <secret>SHOP_PASSWORD</secret>!');
  expect(opened.section('Events')).toContain('Logged <secret>SHOP_PASSWORD</secret>');
  const answers = [
    opened,
    await call('browser_snapshot'),
    await call('browser_console_messages', { level: 'debug' }),
    await call('browser_network_requests', { static: true }),
    await call('browser_tabs', { action: 'list' }),
    await call('browser_find', { text: 'It is' }),
    await call('browser_evaluate', { function: '() => ({ [word]: [word, document.title, btoa(word)] })' }),
    await call('browser_evaluate', { function: '() => { throw new Error(word) }' }),
    await call('browser_click', { selector: `[title='${word.replaceAll("'", '')}']`, timeout: 50 }),
    await call('browser_navigate', { url: `${site.url('/next')}?word=${encodeURIComponent(word)}` }),
  ];
  for (const answer of answers) expectHidden(answer);
  await open(site, call, echo(word));
  const alert = await call('browser_click', { selector: 'button' });
  expect(alert.section('Modal state')).toContain('<secret>SHOP_PASSWORD</secret>');
  expectHidden(alert);
});

test('a request body shows no secret, at any offset', async ({ site, call }) => {
  const body = `{"word":${JSON.stringify(word)}}`;
  site.set('/api', (_request, response) => response.setHeader('content-type', 'application/json').end(body));
  await open(site, call, echo(word));
  const list = (await call('browser_network_requests', { filter: '/api' })).section('Result') ?? '';
  const index = Number(/^(\d+)\./m.exec(list)?.[1]);
  for (const part of ['request-headers', 'request-body', 'response-headers', 'response-body'] as const) {
    expectHidden(await call('browser_network_requests', { index, part }));
  }
  const late = await call('browser_network_requests', { index, part: 'response-body', offset: 12 });
  expect(late.text).not.toContain('h0rse');
});

test('files contain no secrets, except saved storage state', async ({ site, call, server }) => {
  site.set('/api', (_request, response) => response.end(JSON.stringify({ word })));
  await open(site, call, `${echo(word)}<script>localStorage.word = word</script>`);
  await call('browser_snapshot', { filename: 'page.yml' });
  await call('browser_console_messages', { filename: 'console.txt' });
  await call('browser_network_requests', { filename: 'network.txt', static: true });
  await call('browser_evaluate', { function: '() => word', filename: 'value.txt' });
  await call('browser_context_save_storage', { path: 'state.json' });
  const output = join(server.folder, '.playwright-mcp');
  const holding = readdirSync(output).filter((name) => {
    const text = readFileSync(join(output, name), 'utf8');
    return [word, encodeURIComponent(word), JSON.stringify(word).slice(1, -1)].some((form) => text.includes(form));
  });
  expect(readFileSync(join(output, 'value.txt'), 'utf8')).toBe('<secret>SHOP_PASSWORD</secret>');
  expect(holding).toEqual(['state.json']);
});

test('secrets from the configuration file are redacted too', async ({ site, call }) => {
  const opened = await open(site, call, '<title>T</title><p>tok-1234567890</p>');
  expect(opened.section('Snapshot')).toContain('<secret>TOKEN</secret>');
});

test('errors and logs contain no secrets', async () => {
  const program = join(folder, 'tok-1234567890');
  writeFileSync(program, '#!/bin/sh\nexit 1\n', { mode: 0o700 });
  await using server = await startApp([`--config=${config}`, `--executable-path=${program}`]);
  await using driver = await server.drive();
  const answer = await driver.call('browser_snapshot');
  expect(answer.section('Error')).toMatch(/^\[BROWSER_LAUNCH_FAILED\] .*<secret>TOKEN<\/secret>/);
  expectHidden(answer);
  expect(server.log.join('')).toContain('<secret>TOKEN</secret>');
  expect(server.log.join('')).not.toContain('tok-1234567890');
});

test('[R-23] saved state keeps the secret, and the answer does not show it', async ({
  site,
  call,
  callRaw,
  server,
}) => {
  await open(site, call, form);
  await evaluate(call, "document.cookie = 'session=tok-1234567890'");
  const saved = await callRaw('save_state', { sessionId: 'default', path: 'state.json' });
  expect(saved.isError).toBe(false);
  expectHidden(saved);
  expect(readFileSync(join(server.folder, '.playwright-mcp', 'state.json'), 'utf8')).toContain('"tok-1234567890"');
  expectHidden(await callRaw('save_state', { sessionId: 'default' }));
});

test('resources show no secret: pages, logs, snapshots, elements and downloads', async ({ site, driver, call }) => {
  const token = 'tok-1234567890';
  site.set('/file', (_request, response) =>
    response
      .writeHead(200, { 'content-disposition': 'attachment; filename="t.txt"', 'content-type': 'text/plain' })
      .end(`The token is ${token}.`),
  );
  await open(
    site,
    call,
    `<title>${token}</title><a href="/file?q=${token}" title="${token}">${token}</a><script>console.log("${token}")</script>`,
  );
  const { content } = await call('browser_click', { selector: 'a' });
  const link = content.find((item) => item.type === 'resource_link');
  const { client } = driver;
  const page = 'default/t1';
  const uris = [
    ...['page', 'snapshot', 'network-log', 'console-log'].map((kind) => `playwright:///${kind}/${page}`),
    `playwright:///element/${page}?selector=a`,
    link?.type === 'resource_link' ? link.uri : '',
  ];
  for (const uri of uris) {
    const text = JSON.stringify(await client.readResource({ uri }));
    expect(text, uri).not.toContain(token);
    expect(text, uri).toContain('<secret>TOKEN</secret>');
  }
  expect(JSON.stringify(await client.listResources())).not.toContain(token);
});

const otp = 'otpauth://totp/Shop?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
const bound = join(folder, 'bound.env');
writeFileSync(bound, `BOUND=open-sesame-1\nFREE=free-value-22\nOTP='${otp}'\n`);
const testBound = testWith([
  `--secrets=${bound}`,
  '--secret-origins=BOUND@http://127.0.0.1:*;OTP@127.0.0.0/8',
  '--toolset=all',
]);
const fields = '<title>T</title><label>User <input id="user"></label><label>Word <input id="word"></label>';

testBound('a reference to a secret is replaced in any text argument, also in nested ones', async ({ site, call }) => {
  await open(site, call, fields);
  const typed = await call('browser_type', { selector: '#user', text: 'Bearer {{secret:FREE}}!' });
  expect(typed.text).not.toContain('free-value-22');
  expect(typed.section('Result')).toContain('Text: Bearer <secret>FREE</secret>!');
  expect(await evaluate(call, 'user.value === "Bearer free-" + "value-22!"')).toBe('true');
  await call('browser_fill_form', { fields: [{ name: 'Word', value: '{{ secret:BOUND }}' }] });
  expect(await evaluate(call, 'word.value.length')).toBe('13');
  const sum = await call('browser_evaluate', { function: '() => "{{secret:FREE}}".length' });
  expect(sum.section('Result')).toContain('13');
  await call('browser_navigate', { url: `${site.url('/')}?q={{secret:FREE}}` });
  expect(site.requests.some(({ path }) => path === '/?q=free-value-22')).toBe(true);
});

testBound('a secret that does not exist is an error, and nothing is typed', async ({ site, call }) => {
  await open(site, call, fields);
  const answer = await call('browser_type', { selector: '#user', text: '{{secret:NOPE}}' });
  expect(answer.kind).toBe('SECRET_UNKNOWN');
  expect(answer.text).toContain('There is no secret "NOPE". Secrets: BOUND, FREE, OTP.');
  expect(await evaluate(call, 'user.value')).toBe('');
});

testBound('a bound secret is used on its origin only', async ({ site, call, callRaw }) => {
  await open(site, call, fields);
  const elsewhere = site.url('/').replace('127.0.0.1', 'localhost');
  expect((await call('browser_type', { selector: '#user', text: 'BOUND' })).isError).toBe(false);
  await call('browser_navigate', { url: elsewhere });
  const uses: readonly (readonly [string, object])[] = [
    ['browser_type', { selector: '#user', text: 'BOUND' }],
    ['browser_type', { selector: '#user', text: 'x{{secret:BOUND}}' }],
    ['browser_fill_form', { fields: [{ name: 'User', value: 'BOUND' }] }],
    ['browser_evaluate', { function: '() => "{{secret:BOUND}}"' }],
    ['browser_navigate', { url: `${elsewhere}?q={{secret:BOUND}}` }],
    ['browser_tabs', { action: 'new', url: `${elsewhere}?q={{secret:BOUND}}` }],
    ['create_session', { extraHTTPHeaders: { authorization: '{{secret:BOUND}}' } }],
    ['set_cookies', { cookies: [{ name: 'a', value: '{{secret:BOUND}}', url: elsewhere }] }],
  ];
  for (const [tool, args] of uses) {
    const answer = await callRaw(tool, args);
    expect(answer.kind, tool).toBe('SECRET_ORIGIN_MISMATCH');
    expect(answer.text).not.toContain('open-sesame');
  }
  expect(site.requests.filter(({ path }) => path.includes('sesame'))).toEqual([]);
  expect(await evaluate(call, 'user.value')).toBe('');
});

testBound('steps of a batch use secrets, and a bound one on its origin only', async ({ site, call }) => {
  await open(site, call, fields);
  const steps = [
    { tool: 'browser_type', args: { selector: '#user', text: 'Bearer {{secret:FREE}}' } },
    { tool: 'browser_type', args: { selector: '#word', text: 'BOUND' } },
  ];
  const filled = await call('browser_batch', { steps });
  expect(filled.isError, filled.text).toBe(false);
  expect(await evaluate(call, '[user.value.length, word.value.length].join()')).toBe('20,13');
  const elsewhere = site.url('/').replace('127.0.0.1', 'localhost');
  for (const text of ['BOUND', 'x{{secret:BOUND}}']) {
    const moved = [
      { tool: 'browser_navigate', args: { url: elsewhere } },
      { tool: 'browser_type', args: { selector: '#word', text } },
    ];
    await call('browser_navigate', { url: site.url('/') });
    const refused = await call('browser_batch', { steps: moved });
    expect(refused.text, text).toContain('SECRET_ORIGIN_MISMATCH');
    for (const answer of [filled, refused]) expect(answer.text).not.toMatch(/open-sesame|free-value/);
    expect(await evaluate(call, 'location.hostname + word.value')).toBe('localhost');
  }
});

testBound('in a frame of another origin a bound secret is not typed', async ({ site, call }) => {
  site.set('/frame', fields);
  const frame = site.url('/frame').replace('127.0.0.1', 'localhost');
  const opened = await open(site, call, `<title>T</title><input aria-label="Mine"><iframe src="${frame}"></iframe>`);
  const ref = /textbox "Word"[^\n]*\[ref=(\w+)\]/.exec(opened.text)?.[1] ?? '';
  expect(ref).toMatch(/^f/);
  const answer = await call('browser_type', { ref, text: 'BOUND' });
  expect(answer.kind).toBe('SECRET_ORIGIN_MISMATCH');
  expect(answer.text).toContain('was not used on http://localhost:');
});

testBound('one-time codes are made from a seed, and neither is shown', async ({ site, call }) => {
  await open(site, call, fields);
  const answer = await call('browser_type', { selector: '#user', text: 'OTP' });
  expect(answer.section('Ran Playwright code')).toContain("fill(process.env['OTP'])");
  expect(await evaluate(call, '/^[0-9]{6}$/.test(user.value)')).toBe('true');
  const shown = await call('browser_evaluate', { function: '() => user.value' });
  expect(shown.section('Result')).toContain('<secret>OTP</secret>');
  const seed = await call('browser_evaluate', { function: '() => "GEZDGNBVGY3TQOJQ" + "GEZDGNBVGY3TQOJQ"' });
  expect(seed.section('Result')).toContain('<secret>OTP</secret>');
});

test('user names and passwords in URLs are not shown', async ({ site, call, server }) => {
  const url = site.url('/private').replace('http://', 'http://ada:hunter22@');
  site.set('/private', '<title>P</title><a href="http://bob:swordfish1@127.0.0.1:9/">link</a><p>Hello</p>');
  const answers = [
    await call('browser_navigate', { url }),
    await call('browser_tabs', { action: 'list' }),
    await call('browser_network_requests', { static: true }),
    await call('browser_snapshot'),
    await call('browser_evaluate', { function: '() => [document.links[0].href, location.href]' }),
    await call('browser_navigate', { url: 'http://ada:hunter22@127.0.0.1:1/' }),
  ];
  for (const answer of answers) {
    const all = answer.text + JSON.stringify(answer.structured ?? {});
    expect(all).not.toContain('hunter22');
    expect(all).not.toContain('swordfish1');
  }
  expect(answers[0]?.text).toContain('Hello');
  expect(server.log.join('')).not.toContain('hunter22');
  expect(site.requests.some(({ headers }) => headers.authorization?.startsWith('Basic ') === true)).toBe(false);
});
