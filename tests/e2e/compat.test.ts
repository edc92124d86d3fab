import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, open, testWith } from '../fixtures.ts';

const testOmit = testWith(['--compat=playwright', '--image-responses=omit']);
const test = testWith(['--compat=playwright', '--snapshot-mode=file', '--codegen=none', '--structured-content=never']);

test('[R-9] --compat playwright omits the sentences of navigate, click and type', async ({ site, call }) => {
  const opened = await open(site, call, '<title>Home</title><button>Go</button><input>');
  expect(opened.section('Result')).toMatch(/^Snapshot written to \S+$/);
  expect(opened.section('Page')).toBe(`- Page URL: ${site.url('/')}\n- Page Title: Home`);
  expect((await call('browser_click', { target: 'button' })).text).not.toContain('Successfully');
  expect((await call('browser_type', { target: 'input', text: 'x' })).text).not.toContain('Successfully');
});

test('[R-14] with --compat playwright, browser_close closes all pages', async ({ site, call }) => {
  await open(site, call, '<title>Home</title><p>Text</p>');
  await call('browser_tabs', { action: 'new' });
  expect((await call('browser_close')).section('Result')).toBe(
    'Closed 2 pages.\nNo open tabs. Navigate to a URL to create one.',
  );
});

test('snapshot mode file writes the page to a file and names it', async ({ site, server, call }) => {
  const answer = await open(site, call, '<button>Add</button>');
  const path = /^Snapshot written to (\.playwright-mcp\/page-[\dTZ-]+\.yml)$/m.exec(answer.text)?.[1] ?? '';
  expect(await readFile(join(server.folder, path), 'utf8')).toMatch(/- button "Add"/);
});

test('[R-9] --structured-content never omits the data and keeps the text', async ({ call }) => {
  const answer = await call('browser_evaluate', { function: '() => 1 + 1' });
  expect(answer.structured).toBeUndefined();
  expect(answer.text).toBe('### Result\n2');
});

test('[R-8] with --compat playwright, images are inline, as PNG', async ({ call }) => {
  const answer = await call('browser_take_screenshot');
  expect(answer.content.map((item) => (item.type === 'image' ? item.mimeType : item.type))).toEqual([
    'text',
    'image/png',
    'resource_link',
  ]);
});

testOmit('[R-8] with --compat playwright, --image-responses=omit still reports the path', async ({ call }) => {
  const answer = await call('browser_take_screenshot', { filename: 'mine.png' });
  expect(answer.isError, answer.text).toBe(false);
  expect(answer.content.map((item) => item.type)).toEqual(['text', 'resource_link']);
  expect(answer.section('Result')).toBe(
    'Took a screenshot of the viewport (1280x720): .viewpoint-mcp-screenshots/mine.png',
  );
});
