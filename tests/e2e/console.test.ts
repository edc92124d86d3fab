import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { worldSource } from 'pagehelm:page-agent';
import { evaluate, expect, open, test } from '../fixtures.ts';
import { launch } from '../page/harness.ts';

const chatty = `<title>Chatty</title><script>
console.log('a log'); console.info('an info'); console.warn('a warning'); console.error('an error'); console.debug('a debug');
</script>`;

test('[S2-59, S2-61] level debug shows the messages of every console method, oldest first', async ({ site, call }) => {
  await open(site, call, chatty);
  const answer = await call('browser_console_messages', { level: 'debug' });
  expect(answer.text.replaceAll(/ @ \S+/g, '')).toBe(
    '### Result\n[LOG] a log\n[INFO] an info\n[WARNING] a warning\n[ERROR] an error\n[DEBUG] a debug',
  );
  expect(answer.text).toContain(`[LOG] a log @ ${site.url('/')}:2`);
});

test.for([
  ['error', ['[ERROR]']],
  ['warning', ['[WARNING]', '[ERROR]']],
  ['info', ['[LOG]', '[INFO]', '[WARNING]', '[ERROR]']],
] as const)('[S2-60] level %s shows that level and the more severe ones', async ([level, kinds], { site, call }) => {
  await open(site, call, chatty);
  const answer = await call('browser_console_messages', { level });
  expect(answer.section('Result')?.match(/^\[[A-Z ]+\]/gm)).toEqual(kinds);
});

test('[S2-59] messages hidden by the default level are counted', async ({ site, call }) => {
  await open(site, call, chatty);
  const answer = await call('browser_console_messages');
  expect(answer.section('Result')?.split('\n').slice(-2)).toEqual([
    expect.stringMatching(/^\[ERROR\] an error/),
    'Not shown: 1 of lower levels. Use level: debug.',
  ]);
  const { text } = await call('browser_console_messages', { level: 'info' });
  expect(text).not.toContain('Not shown');
});

test('[S2-62, R-38] level error shows console.error, then uncaught errors, marked', async ({ site, call }) => {
  const opened = await open(
    site,
    call,
    `<script>setTimeout(() => { throw new TypeError("uncaught") }); Promise.reject(new Error("unhandled"));
     console.warn("no"); console.assert(false, "nor this"); console.log("nor that"); console.error("written")</script>`,
  );
  expect(opened.page).toContain('- Console: 3 errors, 2 warnings');
  const answer = await call('browser_console_messages', { level: 'error' });
  const [written, ...uncaught] =
    answer
      .section('Result')
      ?.replaceAll(/ @ \S+/g, '')
      .split('\n') ?? [];
  expect(written).toBe('[ERROR] written');
  expect(uncaught.toSorted()).toEqual(['[PAGE ERROR] Error: unhandled', '[PAGE ERROR] TypeError: uncaught']);
  const warnings = await call('browser_console_messages', { level: 'warning' });
  expect(warnings.section('Result')).toContain('[ASSERT] nor this');
});

test('[S2-59] messages of the previous page are shown only with all', async ({ site, call }) => {
  site.set('/one', '<script>console.log("from one")</script>');
  site.set('/two', '<script>console.log("from two")</script>');
  await call('browser_navigate', { url: site.url('/one') });
  await call('browser_navigate', { url: site.url('/two') });
  const now = await call('browser_console_messages');
  expect(now.section('Result')).toContain('from two');
  expect(now.section('Result')).not.toContain('from one');
  const all = await call('browser_console_messages', { all: true });
  expect(all.section('Result')).toMatch(/from one.*\n.*from two/);
});

test('[S2-63] the newest 1000 messages are kept', async ({ site, server, call }) => {
  await open(site, call, '<script>for (let i = 1; i <= 1500; i++) console.log("line " + i)</script>');
  const answer = await call('browser_console_messages', { filename: 'console.txt' });
  expect(answer.text).toBe('### Result\n1000 messages written to .playwright-mcp/console.txt');
  const lines = (await readFile(join(server.folder, '.playwright-mcp/console.txt'), 'utf8')).trim().split('\n');
  expect(lines).toHaveLength(1000);
  expect(lines[0]).toContain('[LOG] line 501');
  expect(lines.at(-1)).toContain('[LOG] line 1500');
});

test('a long list shows the newest messages and counts the older ones', async ({ site, call, callRaw }) => {
  await open(site, call, '<script>for (let i = 1; i <= 500; i++) console.log(`line ${i}`); console.debug(1)</script>');
  const lines = (await callRaw('browser_console_messages', { maxTokens: 1000 })).section('Result')?.split('\n') ?? [];
  const [first = '', ...rest] = lines;
  expect(first).toBe(
    `… left out: ${500 - rest.length + 1} older lines. Request less, or save the result to a file with filename.`,
  );
  expect(rest.at(-2)).toMatch(/^\[LOG\] line 500 @ /);
  expect(rest.at(-1)).toBe('Not shown: 1 of lower levels. Use level: debug.');
  expect(rest[0]).toMatch(new RegExp(`^\\[LOG\\] line ${500 - rest.length + 2} @ `));
});

test.for([
  ['warn', 'warning'],
  ['log', 'info'],
] as const)('level %s is understood as %s', async ([written, level], { site, call }) => {
  await open(site, call, chatty);
  const answer = await call('browser_console_messages', { level: written });
  expect(answer.text).toBe((await call('browser_console_messages', { level })).text);
  expect(answer.isError).toBe(false);
});

test('a repeated message is shown once with its count', async ({ site, call }) => {
  await open(site, call, '<script>for (let i = 0; i < 7; i++) console.log("again")</script>');
  expect((await call('browser_console_messages')).section('Result')).toMatch(/^\[LOG\] again @ \S+ \(x7\)$/);
});

test('without messages the answer says so', async ({ call }) => {
  expect((await call('browser_console_messages')).text).toBe('### Result\nNo console messages.');
});

test('console errors caused by an action are reported once, in its answer', async ({ site, call }) => {
  await open(site, call, '<title>T</title><button onclick="console.error(\'went wrong\')">Go</button>');
  const answer = await call('browser_click', { selector: 'button' });
  expect(answer.section('Events')).toBe('- [ERROR] went wrong');
  expect(answer.page).toContain('- Console: 1 errors, 0 warnings');
  expect((await call('browser_snapshot')).section('Events')).toBeUndefined();
});

test('messages that are no errors are counted in the answer to the action that wrote them', async ({ site, call }) => {
  const write = `console.log('one'); console.warn('two'); console.debug('three')`;
  await open(site, call, `<title>T</title><button onclick="${write}">Go</button>`);
  const answer = await call('browser_click', { selector: 'button' });
  expect(answer.section('Events')).toBe('- 2 new console messages');
  expect((await call('browser_snapshot')).section('Events')).toBeUndefined();
});

test('an uncaught error is reported with its script and line', async ({ site, call }) => {
  await open(
    site,
    call,
    `<title>T</title><button>Go</button>\n<script>const fail = () => {\n throw new Error('at (x:1:2)') };
    document.querySelector('button').onclick = () => fail();</script>`,
  );
  const answer = await call('browser_click', { selector: 'button' });
  const line = `[PAGE ERROR] Error: at (x:1:2) @ ${site.url('/')}:3`;
  expect(answer.section('Events')).toBe(`- ${line}`);
  expect((await call('browser_console_messages')).section('Result')).toBe(line);
});

test('many console errors are shown as the first few and a count', async ({ site, call }) => {
  await open(
    site,
    call,
    '<title>T</title><button onclick="for (let i = 1; i < 9; i++) console.error(\'wrong \' + i)">Go</button>',
  );
  expect((await call('browser_click', { selector: 'button' })).section('Events')).toBe(
    '- [ERROR] wrong 1\n- [ERROR] wrong 2\n- [ERROR] wrong 3\n- 5 more console errors',
  );
});

test('a thrown value that is not an Error is shown as is', async ({ site, call }) => {
  const answer = await open(site, call, '<button onclick="Promise.reject(`gone wrong`)">Go</button>');
  expect(answer.isError).toBe(false);
  const clicked = await call('browser_click', { selector: 'button' });
  expect(clicked.section('Events')).toBe('- [PAGE ERROR] gone wrong');
});

test('reading a sandboxed frame writes nothing to the console', async ({ site, call }) => {
  await open(site, call, '<iframe sandbox srcdoc="<button>Inside</button>"></iframe><button>Outside</button>');
  const clicked = await call('browser_click', { selector: 'text=Outside' });
  expect(clicked.isError, clicked.text).toBe(false);
  expect((await call('browser_snapshot')).section('Snapshot')).toContain('- button "Inside"');
  expect((await call('browser_console_messages')).section('Result')).toBe('No console messages.');
});

test('long texts are cut in the page; its own handlers get the whole text', async ({ site, call }) => {
  await open(
    site,
    call,
    `<script>
      onerror = (message) => { globalThis.heard = message.length };
      onunhandledrejection = ({ reason }) => { globalThis.rejected = reason.message.length };
      console.log('start', 'A'.repeat(1e6));
      console.warn('B'.repeat(1e6), 'not shown');
      console.error(new Error('C'.repeat(1e6)));
      setTimeout(() => { throw new TypeError('D'.repeat(1e6)) });
      Promise.reject(new Error('E'.repeat(1e6)));
    </script>`,
  );
  const heard = async (): Promise<string> =>
    (await call('browser_evaluate', { function: '() => [heard, rejected]' })).text;
  await expect.poll(heard).toMatch(/1000020,\s*1000000/);
  const { text } = await call('browser_console_messages', { level: 'debug' });
  expect(text.match(/^\[[A-Z ]+\] .{12}/gm)?.toSorted()).toEqual([
    '[ERROR] CCCCCCCCCCCC',
    '[LOG] start AAAAAA',
    '[PAGE ERROR] EEEEEEEEEEEE',
    '[PAGE ERROR] TypeError: D',
    '[WARNING] BBBBBBBBBBBB',
  ]);
  expect(await evaluate(call, 'String(console.log)')).toContain('[native code]');
});

test('the location of a message is that of the call in the page, for each method', async ({ site, call }) => {
  const methods = ['log', 'info', 'warn', 'error', 'debug', 'dir', 'table', 'trace', 'count', 'group'];
  const lines = methods.map((method) => `console.${method}('${method}');`);
  await open(site, call, `<script>\n${lines.join('\n')}\n[1].forEach(console.log)</script>`);
  const { text } = await call('browser_console_messages', { level: 'debug' });
  const places = text.split('\n').flatMap((line) => / @ (\S+)$/.exec(line)?.[1] ?? []);
  expect(places).toEqual([...methods, 'forEach'].map((_, index) => `${site.url('/')}:${index + 2}`));
});

test('messages beyond a rate are dropped in the page, and reported in one line', async ({ site, call, server }) => {
  await open(site, call, '<script>for (let i = 1; i <= 50000; i++) console.log("line " + i)</script>');
  await call('browser_console_messages', { filename: 'flood.txt' });
  const lines = (await readFile(join(server.folder, '.playwright-mcp/flood.txt'), 'utf8')).trim().split('\n');
  expect(lines).toHaveLength(1000);
  expect(lines.filter((line) => line.includes('The page writes console messages too fast')).length).toBe(1);
  expect(lines.at(-2)).toMatch(/line 20\d\d /);
});

test('a message has at most about 100,000 characters when it leaves the page', async () => {
  const browser = await launch();
  try {
    const page = await browser.newPage();
    await page.addInitScript({ content: `${worldSource}('question', 'answer', true)` });
    await page.goto('data:text/html,<title>Home</title>');
    const lengths: number[] = [];
    page.on('console', (message) => lengths.push(message.text().length));
    page.on('pageerror', (error) => lengths.push(error.message.length));
    const failed = page.waitForEvent('pageerror');
    await page.evaluate(`
      console.log('A'.repeat(1e6), 'not shown');
      console.log(...Array.from({ length: 1000 }, () => 'A'));
      console.log('A'.repeat(99_000));
      setTimeout(() => { throw new Error('A'.repeat(1e6)) });
    `);
    await failed;
    expect(lengths).toEqual([100_015, 207, 99_000, 100_000]);
  } finally {
    await browser.close();
  }
});
