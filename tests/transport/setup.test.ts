import { spawn } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test as base } from 'vitest';

const scripts = join(dirname(fileURLToPath(import.meta.url)), '../../scripts');

/** A build that counts its runs and creates a server that prints its arguments. */
const fakeBuild = `
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
appendFileSync('builds', 'x');
mkdirSync('dist', { recursive: true });
writeFileSync('dist/bin.js', ${JSON.stringify(`
if (process.argv[2] === 'install-browser') {
  console.log(process.cwd() + '/browser');
} else if (process.argv[2] === 'wait') {
  process.on('SIGTERM', () => { console.log('ended'); process.exit(7); });
  setInterval(() => {}, 1000);
  console.log('ready ' + process.pid);
} else {
  let text = '';
  for await (const chunk of process.stdin) text += chunk;
  console.log(JSON.stringify({ args: process.argv.slice(2), text }));
  process.exitCode = 5;
}
`)});
`;

const fakeVitest = (report: unknown, code: number): string => `
import { writeFileSync } from 'node:fs';
const file = process.argv.find((arg) => arg.startsWith('--outputFile.json=')).split('=')[1];
writeFileSync(file, ${JSON.stringify(JSON.stringify(report))});
console.log('ran ' + process.argv.slice(2).filter((arg) => !arg.includes('output')).join(' '));
process.exitCode = ${code};
`;

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

class Checkout {
  readonly folder = mkdtempSync(join(tmpdir(), 'pagehelm-setup-'));

  constructor() {
    cpSync(scripts, join(this.folder, 'scripts'), { recursive: true });
    this.write('package.json', JSON.stringify({ name: 'x', version: '1.0.0', type: 'module' }));
    this.write('package-lock.json', this.lock('1.0.0'));
    this.write('build.mjs', fakeBuild);
    this.write('src/a.ts', 'export const a = 1;');
    this.write('browser', '');
    // The state after npm install: npm is slow, so only one test runs it.
    this.write('node_modules/.package-lock.json', JSON.stringify({ packages: {} }));
  }

  lock(version: string): string {
    return JSON.stringify({
      name: 'x',
      version,
      lockfileVersion: 3,
      requires: true,
      packages: { '': { name: 'x', version } },
    });
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(join(this.folder, path)), { recursive: true });
    writeFileSync(join(this.folder, path), text);
  }

  builds(): number {
    return readFileSync(join(this.folder, 'builds'), 'utf8').length;
  }

  spawn(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
    return spawn(process.execPath, [join(this.folder, 'scripts/setup.mjs'), ...args], {
      stdio: 'pipe',
      env: { ...process.env, ...env },
    });
  }

  run(args: readonly string[], input = '', env: NodeJS.ProcessEnv = {}): Promise<Ended> {
    const child = this.spawn(args, env);
    child.stdin.end(input);
    return ended(child);
  }
}

function ended(child: ReturnType<Checkout['spawn']>): Promise<Ended> {
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk) => (stdout += String(chunk)));
  child.stderr.on('data', (chunk) => (stderr += String(chunk)));
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, stdout, stderr })));
}

const steps = (stderr: string): readonly string[] => stderr.split('\n').filter((line) => line.startsWith('set-up:'));

const test = base.extend<{ checkout: Checkout }>({
  // oxlint-disable-next-line no-empty-pattern
  checkout: async ({}, use) => {
    const checkout = new Checkout();
    await use(checkout);
    rmSync(checkout.folder, { recursive: true, force: true });
  },
});

const install = 'set-up: installing dependencies (npm ci)';
const build = 'set-up: building';
const browser = 'set-up: looking for a browser';

describe('prepare', () => {
  test('runs every step once, logs to stderr, and skips all the second time', async ({ checkout }) => {
    rmSync(join(checkout.folder, 'node_modules'), { recursive: true });
    const first = await checkout.run(['prepare']);
    expect([first.code, first.stdout, steps(first.stderr)]).toEqual([0, '', [install, build, browser]]);
    expect(await checkout.run(['prepare'])).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  test('repeats only the steps affected by a change', async ({ checkout }) => {
    await checkout.run(['prepare']);
    checkout.write('src/a.ts', 'export const a = 2;');
    expect(steps((await checkout.run(['prepare'])).stderr)).toEqual([build]);
    checkout.write('src/a.test.ts', 'a test is not built');
    expect(steps((await checkout.run(['prepare'])).stderr)).toEqual([]);
    const needsMore = { ...JSON.parse(checkout.lock('1.0.0')), packages: { 'node_modules/y': { version: '2.0.0' } } };
    checkout.write('package-lock.json', JSON.stringify(needsMore));
    expect(steps((await checkout.run(['prepare'])).stderr)[0]).toBe(install);
    checkout.write('package-lock.json', checkout.lock('1.0.0'));
    rmSync(join(checkout.folder, 'browser'));
    checkout.write('dist/bin.js', 'made by hand');
    expect(steps((await checkout.run(['prepare'])).stderr)).toEqual([
      build,
      browser,
      'set-up: there is no browser yet; run "node dist/bin.js doctor" to see why',
    ]);
  });

  test('two concurrent runs build once', async ({ checkout }) => {
    const runs = await Promise.all([checkout.run(['prepare']), checkout.run(['prepare'])]);
    expect(runs.map(({ code }) => code)).toEqual([0, 0]);
    expect(checkout.builds()).toBe(1);
  });

  test('a stale lock is ignored', async ({ checkout }) => {
    const gone = spawn(process.execPath, ['-e', '']);
    await new Promise((resolve) => gone.once('close', resolve));
    checkout.write('build/setup.lock/pid', String(gone.pid));
    expect((await checkout.run(['prepare'])).code).toBe(0);
    expect(checkout.builds()).toBe(1);
  });

  test('a failed build is reported and stops the run', async ({ checkout }) => {
    checkout.write('build.mjs', 'process.exitCode = 1;');
    const { code, stderr } = await checkout.run(['prepare']);
    expect([code, steps(stderr).at(-1)]).toEqual([1, 'set-up: the build failed']);
  });
});

describe('start', () => {
  test('passes on arguments, stdin and exit code, and keeps stdout clean', async ({ checkout }) => {
    const { code, stdout } = await checkout.run(['start', '--stdio', '-x'], 'hello');
    expect([code, stdout]).toEqual([5, '{"args":["--stdio","-x"],"text":"hello"}\n']);
  });

  test.for([
    [[], ['--port', '8931']],
    [['--headless'], ['--port', '8931', '--headless']],
    [['--stdio'], ['--stdio']],
    [
      ['--port', '80'],
      ['--port', '80'],
    ],
    [['--port=80'], ['--port=80']],
    [
      ['--config', 'x.json'],
      ['--config', 'x.json'],
    ],
    [['doctor'], ['doctor']],
    [['--version'], ['--version']],
  ] as const)('opens a port unless the arguments choose another mode: %j', async ([given, args], { checkout }) => {
    const { stdout } = await checkout.run(['start', ...given]);
    expect(JSON.parse(stdout)).toEqual({ args, text: '' });
  });

  test('becomes the server process, which receives the signals', async ({ checkout }) => {
    await checkout.run(['prepare']);
    const child = checkout.spawn(['start', 'wait']);
    const end = ended(child);
    child.stdout.once('data', () => child.kill('SIGTERM'));
    expect(await end).toEqual({ code: 7, stdout: `ready ${child.pid}\nended\n`, stderr: '' });
  });
});

describe('test', () => {
  const file = (status: string, ...statuses: readonly string[]) => ({
    status,
    assertionResults: statuses.map((each) => ({ status: each })),
  });

  test.for([
    ['all passed', [file('passed', 'passed', 'passed')], 0, 0, '2 passed, 0 failed'],
    ['one failed', [file('failed', 'passed', 'failed')], 1, 1, '1 passed, 1 failed'],
    ['a file that did not load', [file('passed', 'passed'), file('failed')], 1, 1, '1 passed, 1 failed'],
    ['an error outside of any test', [file('passed', 'passed')], 1, 1, '1 passed, 1 failed'],
    ['some skipped', [file('passed', 'passed', 'pending', 'todo')], 0, 0, '1 passed, 0 failed, 2 skipped'],
    ['nothing ran', [], 0, 1, '0 passed, 1 failed'],
  ] as const)('%s', async ([, testResults, vitestCode, code, line], { checkout }) => {
    checkout.write('node_modules/vitest/vitest.mjs', fakeVitest({ testResults }, vitestCode));
    const run = await checkout.run(['test', '-u']);
    expect(run.code).toBe(code);
    expect(run.stdout).toBe(`ran run --reporter=default --reporter=json -u\n\n${line}\n`);
  });

  test('test-all runs the default and the long tests, and its last line counts both and the checks', async ({
    checkout,
  }) => {
    const testResults = [file('failed', 'passed', 'passed', 'failed')];
    checkout.write('node_modules/vitest/vitest.mjs', fakeVitest({ testResults }, 1));
    const { code, stdout } = await checkout.run(['test-all'], '', { CHECKS_FAILED: 'chaos compat' });
    expect([code, stdout.split('\n')]).toEqual([
      1,
      [
        'ran run --reporter=default --reporter=json',
        'ran run --reporter=default --reporter=json --config vitest.long.config.ts',
        '',
        'Failed before the tests: chaos, compat. See above.',
        '',
        '4 passed, 4 failed',
        '',
      ],
    ]);
  });

  test('test-cluster runs the tests of a cluster, and reports which programs are missing', async ({ checkout }) => {
    const testResults = [file('passed', 'passed')];
    checkout.write('node_modules/vitest/vitest.mjs', fakeVitest({ testResults }, 0));
    checkout.write('bin/redis-server', '#!/bin/sh\n');
    chmodSync(join(checkout.folder, 'bin/redis-server'), 0o755);
    // Neither haproxy nor a package manager is there.
    const { code, stdout, stderr } = await checkout.run(['test-cluster'], '', { PATH: join(checkout.folder, 'bin') });
    expect([code, stdout]).toEqual([
      0,
      'ran run --reporter=default --reporter=json --config vitest.cluster.config.ts\n\n1 passed, 0 failed\n',
    ]);
    expect(steps(stderr).at(-1)).toBe('set-up: there is no haproxy: tests that need it are left out');
  });

  test('tests that do not end are killed with all that they started, and count as a failure', async ({ checkout }) => {
    const hang = 'setInterval(() => {}, 1000)';
    checkout.write(
      'node_modules/vitest/vitest.mjs',
      `import { spawn } from 'node:child_process';
      // It keeps stdout open, so the run below ends only with it.
      spawn(process.execPath, ['-e', '${hang}'], { stdio: 'inherit' });
      ${hang}`,
    );
    const { code, stdout, stderr } = await checkout.run(['test'], '', { PAGEHELM_TEST_MINUTES: '0.01' });
    expect([code, stdout]).toEqual([1, '\n0 passed, 1 failed\n']);
    expect(steps(stderr).at(-1)).toBe(
      'set-up: the tests did not end within 0.01 minutes (PAGEHELM_TEST_MINUTES) and were killed',
    );
  });

  test('a failed setup is a failure too', async ({ checkout }) => {
    checkout.write('build.mjs', 'process.exitCode = 1;');
    const { code, stdout } = await checkout.run(['test']);
    expect([code, stdout]).toEqual([1, '0 passed, 1 failed\n']);
  });
});

test('an unknown command is rejected', async ({ checkout }) => {
  expect(await checkout.run(['strat'])).toEqual({
    code: 2,
    stdout: '',
    stderr:
      'set-up: unknown command strat; use prepare, start, test, test-all, test-cluster, bench, eval, egress, hostile, soak, chaos, compat, cli or cluster\n',
  });
});
