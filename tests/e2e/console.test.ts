import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, open, test } from '../fixtures.ts';

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
  expect(opened.section('Page')).toContain('- Console: 3 errors, 2 warnings');
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
  expect(answer.section('Page')).toContain('- Console: 1 errors, 0 warnings');
  expect((await call('browser_snapshot')).section('Events')).toBeUndefined();
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
