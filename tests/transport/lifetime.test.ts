import { execFileSync, spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdtempSync, openSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { aliveIn, eventually, expectNothingLeft, familyOf, stillAlive } from './processes.ts';
import type { ProcessEntry } from '../../src/browser/process/processes.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const headlessShell = '/usr/lib/chromium/chromium-headless-shell';
const shellWrapper = '/usr/bin/chromium-headless-shell';
const fullChromium = '/usr/bin/chromium';

interface Ready {
  readonly pid: number;
  readonly folder: string;
  readonly janitor: number;
  readonly browsers: readonly number[];
  readonly reaped: number;
}

interface Program extends Ready {
  /** The spawned process: the program or its wrapper. */
  readonly child: ChildProcess;
  readonly family: readonly ProcessEntry[];
  readonly tmp: string;
  readonly stderr: () => string;
  readonly say: (line: string) => void;
}

let built = '';
let program = '';
const temporary: string[] = [];
const started: Program[] = [];

beforeAll(async () => {
  built = mkdtempSync(join(tmpdir(), 'ph-built-'));
  program = join(built, 'program.mjs');
  symlinkSync(join(root, 'node_modules'), join(built, 'node_modules'));
  await build({
    entryPoints: [join(root, 'tests/transport/lifetime-program.ts')],
    outfile: program,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    external: ['playwright-core'],
    logLevel: 'warning',
  });
});

afterAll(() => rmSync(built, { recursive: true, force: true }));

afterEach(() => {
  for (const { child, family } of started.splice(0)) {
    child.kill('SIGKILL');
    for (const { pid } of stillAlive(family)) kill(pid, 'SIGKILL');
  }
  for (const folder of temporary.splice(0)) rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
});

function newTmp(): string {
  const folder = mkdtempSync(join(tmpdir(), 'ph-'));
  temporary.push(folder);
  return folder;
}

interface StartOptions {
  readonly tmp?: string;
  readonly executable?: string;
  readonly browsers?: number;
  /** Wraps the command line of the program. */
  readonly wrap?: (command: readonly string[]) => readonly string[];
  readonly stdio?: SpawnOptions['stdio'];
}

async function start(options: StartOptions = {}): Promise<Program> {
  const { tmp = newTmp(), executable = headlessShell, browsers = 1, wrap = (command) => command } = options;
  const [file = '', ...args] = wrap([process.execPath, program, executable, String(browsers)]);
  // npm, which starts one of them, leaves a folder there.
  const env = { ...process.env, TMPDIR: tmp, NODE_DISABLE_COMPILE_CACHE: '1' };
  const child = spawn(file, args, { stdio: options.stdio ?? 'pipe', env });
  let stderr = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  child.stdin?.on('error', () => undefined);
  const readyLine = (): string | undefined => /^ready (.*)$/m.exec(stderr)?.[1];
  await eventually('the program is ready', () => readyLine() !== undefined || stderr, 30_000);
  // The program's own line, written a moment ago by lifetime-program.ts.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const ready = JSON.parse(readyLine() ?? '{}') as Ready;
  const family = familyOf(ready.pid, ready.folder);
  const say = (line: string): void => void child.stdin?.write(`${line}\n`);
  const result = { ...ready, child, family, tmp, stderr: () => stderr, say };
  started.push(result);
  return result;
}

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // The process has already exited.
  }
}

async function exitOf(child: ChildProcess): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null)
    await once(child, 'exit', { signal: AbortSignal.timeout(6000) });
  return child.exitCode;
}

describe('a server leaves nothing behind', () => {
  const orderly: readonly (readonly [string, (server: Program) => void, number])[] = [
    ['an uncaught exception', ({ say }) => say('throw'), 1],
    ['a plain exit', ({ say }) => say('exit'), 3],
  ];
  test.each(orderly)('after %s', async (_, end, code) => {
    const server = await start();
    expect(server.family.length).toBeGreaterThan(4);
    end(server);
    expect(await exitOf(server.child)).toBe(code);
    await expectNothingLeft(server.family, server.tmp);
  });

  test('after its stderr and stdout were closed', async () => {
    const server = await start();
    server.child.stderr?.destroy();
    server.child.stdout?.destroy();
    server.say('write');
    expect(await exitOf(server.child)).toBe(0);
    await expectNothingLeft(server.family, server.tmp);
  });

  test('after a shutdown that hangs', async () => {
    const server = await start();
    server.say('hang');
    await eventually('the order was taken', () => server.stderr().includes('did hang'));
    kill(server.pid, 'SIGTERM');
    expect(await exitOf(server.child)).toBe(1);
    await expectNothingLeft(server.family, server.tmp);
  });

  test('after a second signal, at once', async () => {
    const server = await start();
    server.say('hang');
    await eventually('the order was taken', () => server.stderr().includes('did hang'));
    const impatience = setInterval(() => kill(server.pid, 'SIGINT'), 200);
    const from = performance.now();
    expect(await exitOf(server.child)).toBe(130);
    clearInterval(impatience);
    expect(performance.now() - from).toBeLessThan(3000);
    await expectNothingLeft(server.family, server.tmp);
  });

  test('after SIGTERM with an unresponsive browser', async () => {
    const server = await start();
    for (const pid of server.browsers) kill(pid, 'SIGSTOP');
    kill(server.pid, 'SIGTERM');
    expect(await exitOf(server.child)).toBe(1);
    await expectNothingLeft(server.family, server.tmp);
  });

  test('after SIGTERM during a launch', async () => {
    const server = await start();
    server.say('launch');
    await eventually('the launch is under way', () => server.stderr().includes('did launch'));
    kill(server.pid, 'SIGTERM');
    expect(await exitOf(server.child)).toBe(0);
    await expectNothingLeft(server.family, server.tmp);
  });

  test('after an unhandled rejection it continues', async () => {
    const server = await start();
    server.say('reject');
    await eventually('it was logged', () => server.stderr().includes('unhandled rejection'));
    server.say('still here');
    await eventually('it answers', () => server.stderr().includes('did still here'));
    server.child.stdin?.end();
    expect(await exitOf(server.child)).toBe(0);
    await expectNothingLeft(server.family, server.tmp);
  });
});

describe('a server that is killed leaves nothing behind', () => {
  const installed = (...paths: readonly string[]): readonly string[] => paths.filter((path) => existsSync(path));

  test.each(installed(headlessShell, fullChromium))('with %s', async (executable) => {
    const server = await start({ executable, browsers: 2 });
    expect(server.browsers).toHaveLength(2);
    kill(server.pid, 'SIGKILL');
    await expectNothingLeft(server.family, server.tmp);
  });

  test.each(installed(headlessShell, shellWrapper))('with an unresponsive %s', async (executable) => {
    const server = await start({ executable });
    const stopped = server.family.filter(({ pid }) => pid !== server.pid && pid !== server.janitor);
    for (const { pid } of stopped) kill(pid, 'SIGSTOP');
    kill(server.pid, 'SIGKILL');
    await expectNothingLeft(server.family, server.tmp);
  });

  test('with a browser whose main process is dead and whose others are unresponsive', async () => {
    const server = await start();
    const [leader = 0] = server.browsers;
    const members = server.family.filter(({ pid, session }) => session === leader && pid !== leader);
    for (const { pid } of members) kill(pid, 'SIGSTOP');
    kill(leader, 'SIGKILL');
    await eventually('the leader is dead', () => stillAlive(server.family).every(({ pid }) => pid !== leader));
    // The remaining processes do not mention the run folder.
    expect(stillAlive(members).length).toBeGreaterThan(1);
    kill(server.pid, 'SIGKILL');
    await expectNothingLeft(server.family, server.tmp);
  });

  test('during a launch', async () => {
    const server = await start();
    server.say('launch');
    await eventually('the second browser is there', () => {
      const known = new Set(server.family.map(({ pid }) => pid));
      return aliveIn(server.folder).some(({ pid, ppid }) => ppid === server.pid && !known.has(pid));
    });
    const family = familyOf(server.pid, server.folder);
    kill(server.pid, 'SIGKILL');
    await expectNothingLeft(family, server.tmp);
  });

  test('even if its janitor was signaled first', async () => {
    const server = await start();
    for (const signal of ['SIGINT', 'SIGHUP', 'SIGTERM'] as const) kill(server.janitor, signal);
    kill(server.pid, 'SIGKILL');
    await expectNothingLeft(server.family, server.tmp);
  });

  test('and the janitor does not keep its client waiting', async () => {
    const server = await start();
    kill(server.janitor, 'SIGSTOP');
    const closed = once(server.child, 'close', { signal: AbortSignal.timeout(3000) });
    kill(server.pid, 'SIGKILL');
    await closed;
    kill(server.janitor, 'SIGCONT');
    await expectNothingLeft(server.family, server.tmp);
  });
});

/** A client process between test and server: starts the server through a shell, with a stdin that stays open. */
function asClient(command: string): (program: readonly string[]) => readonly string[] {
  return (words) => {
    const quoted = words.map((word) => `'${word}'`).join(' ');
    const code = `require('child_process').spawn('/bin/sh', ['-c', process.argv[1]], { stdio: 'inherit' })`;
    return [process.execPath, '-e', `${code}; setInterval(() => {}, 1e6)`, command.replace('PROGRAM', quoted)];
  };
}

describe('a server whose client is killed ends, even if stdin stays open', () => {
  let stdin = 0;
  beforeEach(() => {
    // A named pipe that stays open: Node closes its own pipes together with the child.
    const fifo = join(newTmp(), 'stdin');
    execFileSync('mkfifo', [fifo]);
    stdin = openSync(fifo, 'r+');
  });
  afterEach(() => closeSync(stdin));
  const startBy = (command: string): Promise<Program> =>
    start({ wrap: asClient(command), stdio: [stdin, 'pipe', 'pipe'] });

  const commands = ['exec PROGRAM', 'sh -c "PROGRAM; true"; true'];
  test.each(commands)('started by: %s', async (command) => {
    const server = await startBy(command);
    const chain = familyOf(server.child.pid ?? 0, server.folder).filter(({ pid }) => pid !== server.child.pid);
    kill(server.child.pid ?? 0, 'SIGKILL');
    await expectNothingLeft(chain, server.tmp);
    expect(server.stderr()).toContain('server ends reason=parent ended');
  });

  test('an intermediate parent process is killed', async () => {
    const server = await startBy('PROGRAM; true');
    const parent = server.family.find(({ pid }) => pid === server.pid)?.ppid ?? 0;
    expect(parent).not.toBe(server.child.pid);
    kill(parent, 'SIGKILL');
    await expectNothingLeft(server.family, server.tmp);
    expect(server.stderr()).toContain('server ends reason=parent ended');
    kill(server.child.pid ?? 0, 'SIGKILL');
  });

  test('started by npx', async () => {
    const npx = `npx --no-install --offline -c "PROGRAM"`;
    const server = await startBy(npx);
    kill(server.child.pid ?? 0, 'SIGKILL');
    await expectNothingLeft(server.family, server.tmp);
    expect(server.stderr()).toContain('server ends reason=parent ended');
  });
});

describe('leftovers', () => {
  async function leave(tmp: string): Promise<Program> {
    const server = await start({ tmp });
    // Stopped, the browser outlives the pipe to its server.
    for (const pid of server.browsers) kill(pid, 'SIGSTOP');
    kill(server.janitor, 'SIGKILL');
    kill(server.pid, 'SIGKILL');
    await eventually('the server is dead', () =>
      stillAlive(server.family).every(({ pid }) => pid !== server.pid && pid !== server.janitor),
    );
    return server;
  }

  test('of a server killed with its janitor are reaped by the next one; live servers are left alone', async () => {
    const tmp = newTmp();
    const living = await start({ tmp });
    const dead = await leave(tmp);
    expect(stillAlive(dead.family).length).toBeGreaterThan(0);
    expect(existsSync(dead.folder)).toBe(true);

    const next = await start({ tmp });
    expect(next.reaped).toBe(1);
    await eventually('the leftovers are gone', () => stillAlive(dead.family).length === 0 && !existsSync(dead.folder));
    expect(stillAlive(living.family).length).toBeGreaterThan(4);
    expect(existsSync(living.folder)).toBe(true);

    kill(next.pid, 'SIGTERM');
    expect(await exitOf(next.child)).toBe(0);
    expect(readdirSync(join(living.folder, '..'))).toEqual([living.folder.split('/').at(-1)]);
    expect(stillAlive(living.family).length).toBeGreaterThan(4);
    living.child.stdin?.end();
    expect(await exitOf(living.child)).toBe(0);
    await expectNothingLeft([...living.family, ...next.family, ...dead.family], tmp);
  });

  test('are reaped by two servers at once', async () => {
    const tmp = newTmp();
    const dead = await Promise.all([leave(tmp), leave(tmp)]);
    const next = await Promise.all([start({ tmp }), start({ tmp })]);
    for (const { folder } of dead) expect(existsSync(folder)).toBe(false);
    for (const { child } of next) child.stdin?.end();
    await Promise.all(next.map(({ child }) => exitOf(child)));
    await expectNothingLeft(
      [...dead, ...next].flatMap(({ family }) => family),
      tmp,
    );
  });
});
