import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, vi } from 'vitest';
import { listProcesses } from '../../src/browser/process/processes.ts';
import { expect, open, refOf, startApp, testWith } from '../fixtures.ts';
import { commandOf, ownBrowsers } from '../transport/processes.ts';

const caps = '--caps=config,devtools,network,pdf,storage,testing,vision';
const test = testWith(['--compat=playwright', caps]);
const testOmit = testWith(['--compat=playwright', '--image-responses=omit']);
const testPython = testWith(['--compat=playwright', '--codegen=python', '--caps=testing']);

describe('[R-9] --compat playwright answers as @playwright/mcp', () => {
  test('an action links to a snapshot, without sentences, data and metadata', async ({
    site,
    server,
    driver,
    call,
  }) => {
    const opened = await open(site, call, '<title>Home</title><button>Go</button>');
    const link =
      /^### Ran Playwright code\n```js\nawait page\.goto\('[^']+'\);\n```\n### Page\n- Page URL: \S+\n- Page Title: Home\n### Snapshot\n- \[Snapshot\]\((\.playwright-mcp\/page-[\dTZ-]+\.yml)\)$/;
    const path = link.exec(opened.text)?.[1] ?? '';
    const snapshot = await readFile(join(server.folder, path), 'utf8');
    expect(snapshot).toBe('- button "Go" [ref=e2]');
    const clicked = await driver.client.callTool({
      name: 'browser_click',
      arguments: { target: refOf(snapshot, 'button', 'Go'), element: 'Go' },
    });
    expect(Object.keys(clicked).sort()).toEqual(['content']);
    expect(clicked.content).toMatchObject([
      { type: 'text', text: expect.stringContaining("getByRole('button', { name: 'Go' }).click();") },
    ]);
  });

  test('errors are those of Playwright', async ({ site, call }) => {
    await open(site, call, '<button>Go</button>');
    expect((await call('browser_click', { target: '#none' })).text).toBe(
      '### Error\nError: "#none" does not match any elements.',
    );
    expect((await call('browser_click', { target: 'e99' })).text).toBe(
      '### Error\nError: Ref e99 not found in the current page snapshot. Try capturing new snapshot.',
    );
    const file = await call('browser_navigate', { url: 'file:///etc/hostname' });
    expect(file.text).toBe(
      '### Error\nError: Access to "file:" protocol is blocked. Attempted URL: "file:///etc/hostname"',
    );
    expect(file.isError).toBe(true);
  });

  test('an unknown tool is a tool result', async ({ callRaw }) => {
    expect((await callRaw('browser_fly', {})).text).toBe('### Error\nTool "browser_fly" not found');
  });

  test('a dialog is a modal state', async ({ site, call }) => {
    await open(site, call, '<button onclick="alert(1)">Go</button>');
    const clicked = await call('browser_click', { target: 'button' });
    expect(clicked.section('Modal state')).toBe(
      '- ["alert" dialog with message "1"]: can be handled by browser_handle_dialog',
    );
    expect((await call('browser_evaluate', { function: '() => 1' })).section('Error')).toBe(
      'Error: Tool "browser_evaluate" does not handle the modal state.',
    );
    expect((await call('browser_handle_dialog', { accept: true })).isError).toBe(false);
    expect((await call('browser_evaluate', { function: '() => 1' })).section('Result')).toBe('1');
  });

  test('the answer to an action shows effects that a timer has', async ({ site, server, call }) => {
    await open(site, call, '<button onclick="setTimeout(() => this.textContent = \'Done\', 300)">Go</button>');
    const clicked = await call('browser_click', { target: 'button' });
    const path = /\((\.playwright-mcp[^)]+)\)/.exec(clicked.text)?.[1] ?? '';
    expect(await readFile(join(server.folder, path), 'utf8')).toContain('button "Done"');
  });

  testPython('code is in the language that is configured', async ({ site, call }) => {
    await open(site, call, '<p>Hello</p>');
    const answer = await call('browser_verify_text_visible', { text: 'Hello' });
    expect(answer.section('Ran Playwright code')).toBe(
      '```python\nexpect(page.get_by_text("Hello")).to_be_visible()\n```',
    );
  });
});

test('[R-14] with --compat playwright, browser_close closes the browser, and the next call opens another', async ({
  site,
  call,
}) => {
  await open(site, call, '<title>Home</title><p>Text</p>');
  const closed = await call('browser_close');
  expect(closed.section('Result')).toBe('No open tabs. Navigate to a URL to create one.');
  expect((await call('browser_tabs', { action: 'list' })).section('Result')).toBe('- 0: (current) [](about:blank)');
});

test('[R-8] with --compat playwright, images are inline, as PNG', async ({ call }) => {
  const answer = await call('browser_take_screenshot');
  expect(answer.content.map((item) => (item.type === 'image' ? item.mimeType : item.type))).toEqual([
    'text',
    'image/png',
  ]);
});

testOmit('[R-8] with --compat playwright, --image-responses=omit still reports the path', async ({ call }) => {
  const answer = await call('browser_take_screenshot', { filename: 'mine.png' });
  expect(answer.content.map((item) => item.type)).toEqual(['text']);
  expect(answer.section('Result')).toBe('- [Screenshot of viewport](./mine.png)');
});

test('addresses that are never opened stay closed', async ({ call }) => {
  const answer = await call('browser_navigate', { url: 'view-source:file:///etc/hostname' });
  expect(answer.isError).toBe(true);
  expect(answer.text).toContain('Access to "view-source:" protocol is blocked.');
});

testWith(['--compat=playwright', '--timeout-action=400'])(
  'browser_wait_for ends with the configured action timeout, which limits nothing else',
  async ({ site, call }) => {
    site.set('/', (_request, response) => setTimeout(() => response.end('<p>Here</p>'), 600));
    expect((await call('browser_navigate', { url: site.url('/') })).isError).toBe(false);
    const waited = await call('browser_wait_for', { text: 'Never' });
    expect(waited.text).toMatch(/^### Error\nTimeoutError: Timeout 400ms exceeded\.\nCall log:\n/);
  },
);

test('a context has no more permissions than it was given', async ({ site, call }) => {
  await open(site, call, '<p>Text</p>');
  const state = `() => navigator.permissions.query({ name: 'clipboard-write' }).then(({ state }) => state)`;
  expect((await call('browser_evaluate', { function: state })).section('Result')).toBe('"prompt"');
});

test('a crashed page is reset, and the console log says so', async ({ site, server, call }) => {
  await open(site, call, '<title>Home</title><p>Text</p>');
  const leaders = ownBrowsers();
  const renderers = listProcesses().filter(
    ({ pid, group }) => leaders.some((leader) => leader.group === group) && commandOf(pid).includes('--type=renderer'),
  );
  for (const { pid } of renderers) process.kill(pid, 'SIGKILL');
  const lists = async (): Promise<string> => (await call('browser_tabs', { action: 'list' })).text;
  await vi.waitUntil(async () => (await lists()).includes('[crashed]'), { timeout: 30_000 });
  const answer = await call('browser_snapshot');
  expect(answer.page).toMatch(/^- Page URL: about:blank$/m);
  const log = /New console entries: (\S+\.log)/.exec(answer.text)?.[1] ?? '';
  expect(await readFile(join(server.folder, log), 'utf8')).toContain('Page crashed and was reset to about:blank.');
  expect((await call('browser_navigate', { url: site.url('/') })).page).toContain('Page Title: Home');
});

test('a killed browser is started again by the next call', async ({ site, call }) => {
  await open(site, call, '<title>Home</title><p>Text</p>');
  for (const { group } of ownBrowsers()) process.kill(-group, 'SIGKILL');
  await vi.waitUntil(() => ownBrowsers().length === 0, { timeout: 10_000 });
  const lists = async (): Promise<string> => (await call('browser_tabs', { action: 'list' })).text;
  // The call that finds the browser gone may fail.
  await vi.waitUntil(async () => (await lists()).includes('(about:blank)'), { timeout: 30_000 });
  expect((await call('browser_navigate', { url: site.url('/') })).page).toContain('Page Title: Home');
});

test('old output files are deleted to keep --output-max-size', async ({ site }) => {
  await using limited = await startApp(['--compat=playwright', '--output-max-size=1500']);
  await using driver = await limited.drive();
  await open(site, driver.call, '<p>Text</p>');
  const write = async (filename: string): Promise<unknown> =>
    driver.call('browser_evaluate', { function: "() => 'x'.repeat(1000)", filename: `.playwright-mcp/${filename}` });
  await write('first.json');
  await write('second.json');
  const stored = async (name: string): Promise<string> =>
    readFile(join(limited.folder, '.playwright-mcp', name), 'utf8');
  await expect(stored('first.json')).rejects.toThrow('ENOENT');
  expect(await stored('second.json')).toHaveLength(1002);
});
