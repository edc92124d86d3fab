import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { findBrowser } from '../../src/browser/find/discover.ts';
import { localMachine } from '../../src/browser/find/machine.ts';
import { createProbe } from '../../src/browser/find/probe.ts';
import { runDoctor } from '../../src/cli/commands/doctor.ts';
import { runInstall } from '../../src/cli/commands/install.ts';

const machine = localMachine();

function context(executablePath?: string) {
  const stdout: string[] = [];
  const stderr: string[] = [];
  return {
    stdout,
    stderr,
    given: {
      config: { browser: { type: 'chromium' as const, headless: true, executablePath } },
      env: machine.env,
      cwd: tmpdir(),
      stdout: (line: string) => void stdout.push(line),
      stderr: (line: string) => void stderr.push(line),
      version: '0.0.0',
    },
  };
}

test('the doctor starts the installed browser', async () => {
  const { given, stdout } = context();
  expect(await runDoctor(given)).toBe(0);
  expect(stdout.join('\n')).toMatch(/^ok {4}Browser {4}\S+ \(.+\) starts: version \d+\.\d+\S*, \d+ ms$/m);
  expect(stdout.at(-1)).toBe('pagehelm works on this machine.');
});

test('install-browser prints only the path of the installed browser on stdout', async () => {
  const { given, stdout } = context();
  expect(await runInstall(given)).toBe(0);
  const found = await findBrowser({ type: 'chromium', headless: true }, machine);
  expect(stdout).toEqual([found?.executablePath]);
});

test('a program that is not a browser is reported as failing to start', async () => {
  const { given, stdout, stderr } = context(process.execPath);
  expect(await runInstall(given)).toBe(1);
  expect(stdout).toEqual([]);
  expect(stderr.at(-1)).toMatch(/^pagehelm: The browser \S+ did not start: /);
});

test('a probe of an unresponsive program ends at its time limit', async () => {
  const probe = createProbe(machine, 1000);
  const result = await probe({ executablePath: '/usr/bin/yes', kind: 'chromium', source: 'test' }, true);
  expect(result).toMatchObject({ starts: false });
});
