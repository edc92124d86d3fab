// A minimal server: launches a browser, then obeys lines on stdin. Bundled and run by lifetime.test.ts.
import { tmpdir } from 'node:os';
import { reapLeftovers } from '../../src/browser/process/reap.ts';
import { Supervisor } from '../../src/browser/process/supervisor.ts';
import { superviseLifetime } from '../../src/cli/lifetime.ts';
import { createLogger } from '../../src/log.ts';

const log = createLogger({
  level: 'debug',
  write: (line) => process.stderr.write(line),
  now: () => new Date(),
});
const where = { log, tmpdir: tmpdir(), uid: process.getuid?.() ?? -1 };
const supervisor = new Supervisor({ ...where, pid: process.pid, env: process.env });
const closers: (() => Promise<void>)[] = [];
let hangs = false;

superviseLifetime({
  dispose: async () => {
    if (hangs) await new Promise(() => undefined);
    await Promise.all(closers.map((close) => close()));
    await supervisor[Symbol.asyncDispose]();
  },
  endSync: () => supervisor.endSync(),
  exit: (code) => process.exit(code),
  log,
  events: process,
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  parentPollMs: 250,
});

const [executablePath = '', count = '1'] = process.argv.slice(2);
const reaped = await reapLeftovers({ ...where, now: Date.now });
const { chromium } = await import('playwright-core');

async function launch(): Promise<void> {
  const args = ['--no-sandbox', '--disable-background-networking', '--disable-component-update', '--disable-sync'];
  const browser = await supervisor.launch((env) =>
    chromium.launch({
      executablePath,
      args: [...args, '--no-first-run'],
      env: { ...process.env, ...env },
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
    }),
  );
  closers.push(() => browser.close());
  const page = await browser.newPage();
  await page.goto('data:text/html,<h1>Hello</h1>');
}

await Promise.all(Array.from({ length: Number(count) }, launch));

process.stdin.setEncoding('utf8').on('data', (line: string) => {
  const command = line.trim();
  if (command === 'throw') setImmediate(() => JSON.parse('{'));
  if (command === 'reject') void Promise.reject(new Error('nobody waits for this'));
  if (command === 'exit') process.exit(3);
  if (command === 'hang') hangs = true;
  if (command === 'write') process.stdout.write('x\n');
  if (command === 'launch') void launch();
  process.stderr.write(`did ${command}\n`);
});

const { folder } = supervisor;
const browsers = await folder?.adopt();
const ready = { pid: process.pid, folder: folder?.path, janitor: folder?.janitorPid, browsers, reaped };
process.stderr.write(`ready ${JSON.stringify(ready)}\n`);
