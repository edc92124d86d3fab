import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readFile, readdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, vi } from 'vitest';
import * as z from 'zod';
import { unzip } from '../../src/util/zip.ts';
import type { Content } from '../../src/call/answer/report.ts';
import { eras, expect, open, testWith } from '../fixtures.ts';
import type { Answer, Driver } from '../fixtures.ts';
import { ownBrowsers } from '../transport/processes.ts';

const run = promisify(execFile);
const playwrightCli = join(dirname(createRequire(import.meta.url).resolve('playwright-core/package.json')), 'cli.js');

const folder = mkdtempSync(join(tmpdir(), 'helm-tracing-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
writeFileSync(join(folder, 'secrets.env'), 'SHOP_TOKEN=tok-1234567890\n');

const test = testWith(['--caps=tracing', `--secrets=${join(folder, 'secrets.env')}`]);
const testDevtools = testWith(['--caps=devtools']);

const form = `<title>Shop</title><form action="/in" method="post">
  <label>User <input name="user"></label><label>Code <input type="password" name="code"></label>
  <label>Note <input name="note"></label><button>Send</button></form>`;

function linkOf(answer: Answer): Extract<Content, { type: 'resource_link' }> {
  const link = answer.content.find((item) => item.type === 'resource_link');
  if (link?.type !== 'resource_link') throw new Error(`No link in ${answer.text}`);
  return link;
}

/** The files of a trace that was read as a resource. */
async function readTrace({ client }: Driver, uri: string): Promise<ReadonlyMap<string, Buffer>> {
  const { contents } = await client.readResource({ uri });
  const { mimeType, blob } = z.object({ mimeType: z.string(), blob: z.base64() }).parse(contents[0]);
  expect(mimeType).toBe('application/zip');
  return new Map(await unzip(Buffer.from(blob, 'base64')));
}

const eventSchema = z.looseObject({ type: z.string() });

/** The events of a file of a trace: one in JSON on each line. */
function eventsOf(files: ReadonlyMap<string, Buffer>, name: string): readonly z.output<typeof eventSchema>[] {
  const text = files.get(name)?.toString() ?? '';
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => eventSchema.parse(JSON.parse(line)));
}

/** What Playwright records of traces below the temporary folder of this process. */
async function recordedFiles(): Promise<readonly string[]> {
  const parent = join(tmpdir(), `pagehelm-${process.getuid?.() ?? 'user'}`);
  const runs = (await readdir(parent)).filter((name) => name.startsWith(`${process.pid}-`));
  const files = await Promise.all(runs.map(async (name) => readdir(join(parent, name), { recursive: true })));
  return files.flat().filter((name) => /^traces-\d+[/\\]/.test(name));
}

for (const { version, options } of eras) {
  test(`${version}: a trace is a resource that Playwright reads, without secrets`, async ({ server, site }) => {
    await using driver = await server.drive(options);
    const { call } = driver;
    site.set('/in', (request, response) => {
      response.setHeader('content-type', 'text/html').setHeader('set-cookie', 'sid=cookie-of-ann');
      response.end(`<h1>Welcome</h1><p>tok-1234567890 and opensesame</p>`);
    });
    const started = await call('browser_start_tracing', {});
    expect(started.section('Result')).toBe('Trace recording started.');
    await open(site, call, form);
    await call('browser_type', { ref: 'input[name=user]', text: 'ann' });
    await call('browser_type', { ref: 'input[name=code]', text: 'opensesame' });
    await call('browser_type', { ref: 'input[name=note]', text: 'SHOP_TOKEN' });
    await call('browser_click', { ref: 'button' });
    await call('browser_navigate', { url: site.url('/again') });
    const stopped = await call('browser_stop_tracing');
    expect(stopped.isError).toBe(false);
    const link = linkOf(stopped);
    expect(link).toMatchObject({
      mimeType: 'application/zip',
      uri: expect.stringMatching(/^playwright:\/\/\/trace\//),
    });

    const files = await readTrace(driver, link.uri);
    const actions = eventsOf(files, 'trace.trace');
    const titles = actions.filter(({ method }) => method === 'tracingGroup').map(({ title }) => title);
    expect(titles.slice(0, 2)).toEqual([`browser_navigate ${site.url('/')}`, 'browser_type input[name=user]']);
    expect(actions.map(({ method }) => method)).toContain('click');
    const requests = eventsOf(files, 'trace.network').map(({ snapshot }) => Object(snapshot).request.method);
    expect(requests).toEqual(expect.arrayContaining(['GET', 'POST']));
    const all = Buffer.concat([...files.values()]).toString('latin1');
    expect(all).toContain('<secret>SHOP_TOKEN</secret>');
    for (const secret of ['opensesame', 'tok-1234567890', 'cookie-of-ann', process.cwd()])
      expect(all).not.toContain(secret);
    expect(await recordedFiles()).toEqual([]);
  });
}

test('Playwright opens the trace', async ({ call, site, server }) => {
  await call('browser_start_tracing', {});
  await open(site, call, form);
  await call('browser_click', { ref: 'button' });
  const saved = await call('browser_stop_tracing', { filename: 'session.zip' });
  expect(saved.section('Result')).toContain('Saved the trace as .playwright-mcp/session.zip');
  const cwd = mkdtempSync(join(folder, 'cli-'));
  const trace = join(server.folder, '.playwright-mcp', 'session.zip');
  expect((await readFile(trace)).subarray(0, 2).toString()).toBe('PK');
  const { stdout: summary } = await run(process.execPath, [playwrightCli, 'trace', 'open', trace], { cwd });
  expect(summary).toMatch(/Browser: +chromium/);
  expect(summary).toMatch(/Network: +2 requests/);
  const { stdout: actions } = await run(process.execPath, [playwrightCli, 'trace', 'actions'], { cwd });
  expect(actions).toContain(`browser_navigate ${site.url('/')}`);
  expect(actions).toContain('browser_click button');
});

test('a second start and a stop without a start are refused', async ({ call }) => {
  expect((await call('browser_stop_tracing')).kind).toBe('NO_TRACE');
  await call('browser_start_tracing', {});
  expect((await call('browser_start_tracing', {})).kind).toBe('TRACE_IN_PROGRESS');
  await call('browser_stop_tracing');
  expect((await call('browser_stop_tracing')).kind).toBe('NO_TRACE');
});

test('a trace that could not be saved can be saved under another name', async ({ call, site }) => {
  await call('browser_start_tracing', {});
  await open(site, call, form);
  expect((await call('browser_stop_tracing', { filename: '../../outside.zip' })).kind).toBe('PATH_DENIED');
  const again = await call('browser_stop_tracing');
  expect(linkOf(again).size).toBeGreaterThan(1000);
});

test('sessions of one browser record separate traces', async ({ driver, site }) => {
  const { call } = driver;
  site.set('/first', '<h1>First</h1>');
  site.set('/second', '<h1>Second</h1>');
  await call('browser_context_create', { name: 'other' });
  await call('browser_start_tracing', {});
  await call('browser_navigate', { url: site.url('/second') });
  await call('browser_context_switch', { name: 'default' });
  await call('browser_start_tracing', {});
  await call('browser_navigate', { url: site.url('/first') });
  const first = await readTrace(driver, linkOf(await call('browser_stop_tracing')).uri);
  await call('browser_context_switch', { name: 'other' });
  const second = await readTrace(driver, linkOf(await call('browser_stop_tracing')).uri);
  await call('browser_context_close', { name: 'other' });
  const urlsIn = (files: ReadonlyMap<string, Buffer>) =>
    eventsOf(files, 'trace.network').map(({ snapshot }) => new URL(Object(snapshot).request.url).pathname);
  expect(urlsIn(first)).toEqual(['/first']);
  expect(urlsIn(second)).toEqual(['/second']);
  expect([...second.keys()].some((name) => name.startsWith('resources/'))).toBe(true);
});

test('closing a session says that its trace is discarded', async ({ call, site }) => {
  await call('browser_context_create', { name: 'other' });
  await call('browser_start_tracing', {});
  await open(site, call, form);
  const closed = await call('browser_context_close', { name: 'other' });
  expect(closed.text).toContain('The trace that was being recorded is discarded: stop tracing before closing.');
  expect(await recordedFiles()).toEqual([]);
});

test('a trace ends with its browser, and the next answer says so', async ({ call, site }) => {
  await open(site, call, form);
  await call('browser_start_tracing', {});
  for (const { group } of ownBrowsers()) process.kill(-group, 'SIGKILL');
  await vi.waitUntil(async () => (await call('browser_tabs', { action: 'list' })).text.includes('No open tabs'), {
    timeout: 20_000,
  });
  const { text } = await call('browser_stop_tracing');
  expect(text).toContain('No trace of this session is being recorded.');
  expect((await call('browser_start_tracing', {})).isError).toBe(false);
  expect(linkOf(await call('browser_stop_tracing')).mimeType).toBe('application/zip');
});

testDevtools(
  'the capability devtools offers it, and no other session sees the trace',
  async ({ server, call, site }) => {
    await call('browser_start_tracing', {});
    await open(site, call, form);
    const { uri } = linkOf(await call('browser_stop_tracing'));
    await using other = await server.drive();
    await expect(other.client.readResource({ uri })).rejects.toThrow('not found');
  },
);
