import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { expect, startApp, testWith } from '../fixtures.ts';

const folder = mkdtempSync(join(tmpdir(), 'helm-init-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function module(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const media = module(
  'media.mjs',
  "export default async ({ page }) => { await page.emulateMedia({ colorScheme: 'dark' }); };",
);
const common = module(
  'common.cjs',
  "module.exports = async ({ page }) => { await page.exposeFunction('prepared', () => 'by the operator'); };",
);
const transpiled = module(
  'transpiled.cjs',
  'exports.__esModule = true; exports.default = async ({ page }) => { await page.addInitScript(() => { window.third = true; }); };',
);

const test = testWith(['--toolset=all', `--init-page=${media}`, `--init-page=${common}`, `--init-page=${transpiled}`]);
const seen = `() => Promise.all([matchMedia('(prefers-color-scheme: dark)').matches, prepared(), window.third])`;

test('--init-page passes every new page to each module, in order, before a call uses it', async ({ site, call }) => {
  site.set('/', '<title>Page</title><a href="/next" target="_blank">Next</a>');
  site.set('/next', '<title>Next</title><p>Text</p>');
  await call('browser_navigate', { url: site.url('/') });
  const wanted = '[true,"by the operator",true]';
  expect((await call('browser_evaluate', { function: seen })).section('Result')).toBe(wanted);
  await call('browser_click', { selector: 'a' });
  // The popup loads before it can be prepared, so the next document in it counts.
  await call('browser_reload', {});
  expect((await call('browser_evaluate', { function: seen })).section('Result')).toBe(wanted);
  await call('browser_tabs', { action: 'new', url: site.url('/next') });
  expect((await call('browser_evaluate', { function: seen })).section('Result')).toBe(wanted);
});

test.for([
  ['that throws', "export default () => { throw new Error('no luck'); };", 'failed: no luck'],
  ['without a function', 'export const other = 1;', 'failed: it does not export a function by default'],
  ['with a syntax error', 'export default (', 'failed: '],
])('the error of an --init-page module %s names it', async ([name = '', text = '', reason = '']) => {
  const path = module(`${name.replaceAll(' ', '-')}.mjs`, text);
  await using server = await startApp([`--init-page=${path}`]);
  await using driver = await server.drive();
  const answer = await driver.call('browser_snapshot');
  expect(answer.kind).toBe('INIT_PAGE_FAILED');
  expect(answer.section('Error')).toContain(`The --init-page module ${JSON.stringify(path)} ${reason}`);
});
