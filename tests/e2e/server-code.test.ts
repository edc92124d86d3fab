import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { evaluate, expect, open, startApp, testWith } from '../fixtures.ts';

const test = testWith(['--server-code']);
const testWithout = testWith(['--toolset=all']);
const testCompat = testWith(['--compat=playwright']);

const page = `<title>T</title><button onclick="count.textContent = Number(count.textContent) + 1">Add</button>
<output id="count">0</output><ul><li>One</li><li>Two</li></ul><input aria-label="Name"><input type="file" id="file">`;

testWithout('without --server-code there is no tool that runs code on the server', async ({ driver, callRaw }) => {
  const { tools } = await driver.client.listTools();
  expect(tools.map(({ name }) => name)).not.toContain('browser_run_code_unsafe');
  await expect(callRaw('browser_run_code_unsafe', { code: 'async () => 1' })).rejects.toThrow('Unknown tool');
});

test.for([
  [['--compat=playwright'], true],
  [['--compat=playwright', '--no-server-code'], false],
  [['--compat=playwright', '--read-only'], false],
  [['--compat=playwright', '--security-profile=locked', '--allowed-domains=127.0.0.1', '--no-sandbox'], false],
] as const)('with %j it is offered, with a warning: %s', async ([flags, isOffered]) => {
  await using server = await startApp(flags);
  const { app } = server;
  expect(app.tools.some(({ name }) => name === 'browser_run_code_unsafe')).toBe(isOffered);
  const warning = 'browser_run_code_unsafe lets callers run Playwright code';
  expect(app.warnings.some((text) => text.startsWith(warning))).toBe(isOffered);
});

testCompat('with --compat playwright, code runs in its own process too', async ({ site, call }) => {
  await open(site, call, page);
  const answer = await call('browser_run_code_unsafe', {
    code: 'async (page) => [await page.title(), typeof process]',
  });
  expect(answer.section('Result')).toContain('["T","undefined"]');
  for (const escape of ['page.constructor.constructor', 'page.title.constructor', 'console.log.constructor']) {
    const code = `async (page) => ${escape}("return process")().version`;
    const { isError, text } = await call('browser_run_code_unsafe', { code });
    expect([isError, text.includes(process.version)], text).toEqual([true, false]);
  }
});

test('code drives the page and returns data', async ({ site, call }) => {
  await open(site, call, page);
  const code = `async (page) => {
    await page.getByRole('button', { name: 'Add' }).click();
    await page.getByLabel('Name').fill('Ada');
    await page.keyboard.press('End');
    const items = [];
    for (const item of await page.getByRole('listitem').all()) items.push(await item.innerText());
    const only = await page.getByRole('listitem').filter({ hasText: 'Two' }).count();
    const answer = await page.goto(page.url() + '?again');
    await new Promise((done) => setTimeout(done, 1));
    console.log('status', answer.status());
    return { items, only, name: await page.evaluate((a) => a + document.title, 'x'), again: page.url().endsWith('?again') };
  }`;
  const answer = await call('browser_run_code_unsafe', { code });
  expect(answer.structured?.['data']).toEqual({ result: { items: ['One', 'Two'], only: 1, name: 'xT', again: true } });
  expect(answer.text).toContain('Log: status 200');
});

/** Each either throws in the code, or returns something that shows that nothing was reached. */
const escapes: readonly (readonly [what: string, code: string])[] = [
  ['process', 'async () => process.version'],
  ['require', 'async () => require("fs").readFileSync("/etc/passwd", "utf8")'],
  ['import', 'async () => (await import("node:fs")).readFileSync("/etc/passwd", "utf8")'],
  ['the constructor of a function', 'async (page) => page.constructor.constructor("return process")().version'],
  ['the constructor of this', 'async function () { return this.constructor.constructor("return process")().version }'],
  ['the constructor of a global', 'async () => console.log.constructor("return process")().version'],
  ['the constructor of a timer', 'async () => setTimeout.constructor("return process")().version'],
  [
    'an error of a call',
    'async (page) => page.click("nope", { timeout: 1 }).catch((e) => e.constructor.constructor("return process")().version)',
  ],
  [
    'the frames of a stack',
    'async () => { Error.prepareStackTrace = (_, frames) => frames; const all = new Error().stack; for (const frame of all) { const f = frame.getFunction() ?? frame.getThis(); if (f?.process) return f.process.version; } throw new Error("none"); }',
  ],
  [
    'an overflow of the stack',
    'async (page) => { const deep = () => { try { deep(); } catch (e) { page.title(); return e; } }; return deep().constructor.constructor("return process")().version }',
  ],
  ['eval', 'async () => eval("1")'],
  ['WebAssembly', 'async () => new WebAssembly.Module(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])) && "compiled"'],
  ['the context of the page', 'async (page) => page.context().browser()'],
  ['the browser', 'async (page) => (await page.context()).cookies()'],
  ['a route', 'async (page) => page.route("**", () => undefined)'],
  ['a binding', 'async (page) => page.exposeFunction("x", () => 1)'],
  ['a private field', 'async (page) => page._connection()'],
  ['a prototype', 'async (page) => page.__proto__()'],
  ['a file URL', 'async (page) => page.goto("file:///etc/passwd")'],
  ['a metadata URL', 'async (page) => page.goto("http://169.254.169.254/")'],
  ['an upload of a system file', 'async (page) => page.locator("#file").setInputFiles("/etc/passwd")'],
  ['an upload by the page', 'async (page) => page.setInputFiles("#file", ["/etc/passwd"])'],
  ['a screenshot to a file', 'async (page) => page.screenshot({ path: "/tmp/x.png" })'],
  ['a script from a file', 'async (page) => page.addScriptTag({ path: "/etc/passwd" })'],
  ['a pattern in the server', 'async (page) => page.waitForURL(/(a+)+$/)'],
  ['no function', '42'],
  ['a syntax error', 'async (page) => {'],
  ['another statement', '1); process.exit(1); ('],
];

test('code cannot leave its process', async ({ site, call }) => {
  await open(site, call, page);
  const reached: string[] = [];
  for (const [what, code] of escapes) {
    const answer = await call('browser_run_code_unsafe', { code, timeout: 5000 });
    if (!answer.isError || answer.text.includes('root:') || answer.text.includes(process.version)) {
      reached.push(`${what}: ${answer.text}`);
    }
  }
  expect(reached).toEqual([]);
  expect(await evaluate(call, 'document.title')).toBe('T');
}, 120_000);

test('code that does not end is killed at its deadline, and the page stays usable', async ({ site, call }) => {
  await open(site, call, page);
  for (const code of [
    'async () => { while (true); }',
    'async () => new Promise(() => undefined)',
    'async (page) => { for (;;) await page.title(); }',
  ]) {
    const answer = await call('browser_run_code_unsafe', { code, timeout: 1500 });
    expect(answer.kind).toBe('TIMEOUT');
  }
  expect(await evaluate(call, 'document.title')).toBe('T');
});

test('code that uses too much memory ends, and the server stays usable', async ({ site, call }) => {
  await open(site, call, page);
  for (const code of [
    'async () => { const all = []; for (;;) all.push(new Array(100000).fill(Math.random())); }',
    'async () => { const all = []; for (;;) all.push(new Uint8Array(20000000).fill(1)); }',
  ]) {
    const answer = await call('browser_run_code_unsafe', { code, timeout: 20_000 });
    expect(answer.kind).toBe('EVALUATION_FAILED');
    expect(answer.text).toContain('used too much memory');
  }
  expect(await evaluate(call, 'document.title')).toBe('T');
}, 60_000);

test('code uploads files that the server may upload', async ({ site, call, server }) => {
  await open(site, call, page);
  writeFileSync(join(server.folder, 'mine.txt'), 'Hello');
  const code = 'async (page) => page.locator("#file").setInputFiles("mine.txt")';
  expect((await call('browser_run_code_unsafe', { code })).isError).toBe(false);
  expect(await evaluate(call, 'file.files[0].name')).toBe('mine.txt');
});
