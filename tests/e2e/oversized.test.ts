import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, open as openFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { vi } from 'vitest';
import { findBrowser } from '../../src/browser/find/discover.ts';
import { expect, open, refOf, startApp, test } from '../fixtures.ts';
import type { Call, Site } from '../fixtures.ts';

const megabyte = 1024 * 1024;
const patient = { timeout: 30_000 };
const counter =
  '<title>Home</title><button id="go">Go</button><p id="out">0</p><script>go.onclick = () => { out.textContent++ }</script>';

interface PollutedBrowser extends AsyncDisposable {
  readonly program: string;
  /** Writes to the pipe on which the browser answers Playwright; once. */
  write(...chunks: readonly (Buffer | string)[]): Promise<void>;
  /** Resolves once the server's end of the pipe has taken all of it. */
  relayed(): Promise<void>;
}

const inWorker = (script: string): string => `new Worker(URL.createObjectURL(new Blob([${JSON.stringify(script)}])))`;

/** Relays the messages of a browser and, between two of them, what arrives on a FIFO; once. */
const relay = (browser: string | undefined, folder: string): string => `#!${process.execPath}
const { spawn } = require('node:child_process');
const { Socket } = require('node:net');
const fs = require('node:fs');
const browser = spawn(${JSON.stringify(browser)}, process.argv.slice(2), { stdio: ['inherit', 'inherit', 'inherit', 3, 'pipe'] });
browser.on('exit', (code) => process.exit(code ?? 1));
const out = new Socket({ fd: 4 });
let rest = Buffer.alloc(0);
browser.stdio[4].on('data', (chunk) => {
  const all = Buffer.concat([rest, chunk]);
  const end = all.lastIndexOf(0) + 1;
  rest = all.subarray(end);
  out.write(all.subarray(0, end));
});
let isFirst = true;
try { fs.mkdirSync('${folder}/used') } catch { isFirst = false }
if (isFirst) {
  const polluting = fs.createReadStream('${folder}/fifo');
  polluting.once('data', () => browser.stdio[4].pause());
  polluting.on('end', () => {
    browser.stdio[4].resume();
    out.write('', () => fs.mkdirSync('${folder}/written'));
  });
  polluting.pipe(out, { end: false });
}
`;

/** A browser that shares its pipe with a FIFO of the test. Started again, it has the pipe to itself. */
async function pollutedBrowser(): Promise<PollutedBrowser> {
  const folder = await mkdtemp(join(tmpdir(), 'helm-pipe-'));
  const program = join(folder, 'browser.cjs');
  const found = await findBrowser({ type: 'chromium', headless: true });
  execFileSync('mkfifo', [join(folder, 'fifo')]);
  await writeFile(program, relay(found?.executablePath, folder), { mode: 0o755 });
  return {
    program,
    write: async (...chunks) => {
      const handle = await openFile(join(folder, 'fifo'), 'w');
      for (const chunk of chunks) await handle.writeFile(chunk);
      await handle.close();
    },
    relayed: async () => void (await vi.waitUntil(() => existsSync(join(folder, 'written')), patient)),
    [Symbol.asyncDispose]: async () => rm(folder, { recursive: true, force: true }),
  };
}

/** Opens the page with the counter and clicks its button. */
async function openCounter(site: Site, call: Call): Promise<void> {
  const shown = await open(site, call, counter);
  await call('browser_click', { ref: refOf(shown.text, 'button', 'Go') });
}

/** The page is still the clicked one and counts on. */
async function expectCounts(call: Call): Promise<void> {
  const clicked = await call('browser_click', { selector: '#go' });
  expect(clicked.isError, clicked.text).toBe(false);
  expect((await call('browser_evaluate', { function: '() => out.textContent' })).section('Result')).toContain('2');
}

test('an event that is longer than a string can be does not reach the sessions of the browser', async ({ site }) => {
  await using browser = await pollutedBrowser();
  await using server = await startApp([`--executable-path=${browser.program}`]);
  await using one = await server.drive();
  await using two = await server.drive();
  for (const { call } of [one, two]) await openCounter(site, call);
  const before = process.memoryUsage.rss();
  const filler = Array.from<Buffer>({ length: 520 }).fill(Buffer.alloc(megabyte, 'A'));
  const event = '{"method":"Runtime.exceptionThrown","params":{"text":"';
  await browser.write(event, ...filler, '"},"sessionId":"0"}\0');
  await browser.relayed();
  for (const { call } of [one, two]) await expectCounts(call);
  expect(process.memoryUsage.rss() - before).toBeLessThan(300 * megabyte);
});

test.for([
  ['text', 'garbage\0'],
  ['a console event that is not JSON', `{"method":"Runtime.consoleAPICalled",${'A'.repeat(megabyte / 2)}}\0`],
] as const)('a browser that sends %s is replaced', async ([, garbage], { site, call: otherBrowser }) => {
  await using browser = await pollutedBrowser();
  await using server = await startApp([`--executable-path=${browser.program}`]);
  await using driver = await server.drive();
  await openCounter(site, otherBrowser);
  await openCounter(site, driver.call);
  await browser.write(garbage);
  const isLost = async (): Promise<boolean> =>
    (await driver.call('browser_tabs', { action: 'list' })).text.includes('No open tabs');
  await vi.waitUntil(isLost, patient);
  const next = await driver.call('browser_snapshot');
  expect(next.section('Events')).toContain('The browser was lost (it sent an invalid message) and was started again.');
  expect(next.page).toContain('- Page Title: Home');
  await expectCounts(otherBrowser);
});

const oversized = [
  { what: 'a console line of 300 MB', script: "console.log('A'.repeat(3e8))" },
  { what: '20 console lines of 30 MB', script: "for (let i = 0; i < 20; i++) console.log(i + 'A'.repeat(3e7))" },
  { what: 'a logged error of 100 MB', script: "console.error(new Error('A'.repeat(1e8)))" },
  { what: 'an error of 100 MB', script: "setTimeout(() => { throw new Error('A'.repeat(1e8)) })" },
  { what: 'a rejection of 100 MB', script: "void Promise.reject('A'.repeat(1e8))" },
  { what: 'a console line of 6 MB in a worker', script: inWorker("console.log('A'.repeat(6e6))") },
  { what: 'a title of 6 MB', script: "document.title = 'A'.repeat(6e6)" },
];

test.for(oversized)('$what leaves all sessions alive', async ({ script }, { site, server }) => {
  await using one = await server.drive();
  await using two = await server.drive();
  for (const { call } of [one, two]) await openCounter(site, call);
  const before = process.memoryUsage.rss();
  await one.call('browser_evaluate', { function: `() => { ${script} }` });
  await expectCounts(two.call);
  await expectCounts(one.call);
  expect(process.memoryUsage.rss() - before).toBeLessThan(300 * megabyte);
});
