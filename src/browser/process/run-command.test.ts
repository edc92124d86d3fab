import { existsSync, readFileSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { runCommand } from './run-command.ts';

const node = (script: string) => ({ command: process.execPath, args: ['-e', script], env: {}, timeoutMs: 20_000 });

/** An orphan that ended stays in the table of processes until it is reaped, which not every first process does. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  const status = `/proc/${pid}/status`;
  return !existsSync(status) || !/^State:\s+[ZX]/m.test(readFileSync(status, 'utf8'));
}

test('lines of stdout and stderr are passed on', async () => {
  const lines: string[] = [];
  const result = await runCommand({
    ...node('console.log("one"); console.error("two"); process.exitCode = 3'),
    onLine: (line) => void lines.push(line),
  });
  expect(result.exitCode).toBe(3);
  expect(lines.sort()).toEqual(['one', 'two']);
});

test('a missing program is reported as not started', async () => {
  const result = await runCommand({ command: '/no/such/program', args: [], env: {}, timeoutMs: 1000 });
  expect(result).toMatchObject({ exitCode: undefined, stopped: 'not started' });
});

test('a program is stopped at its time-out', async () => {
  const result = await runCommand({ ...node('setInterval(() => {}, 1000)'), timeoutMs: 200 });
  expect(result).toEqual({ exitCode: undefined, output: '', stopped: 'timeout' });
});

test('an abort stops the program and its children', async () => {
  const controller = new AbortController();
  const child = 'setInterval(() => {}, 1000); console.log(process.pid)';
  const parent = `require('child_process').spawn(process.execPath, ['-e', ${JSON.stringify(child)}], { stdio: 'inherit' }); setInterval(() => {}, 1000)`;
  let grandchild = 0;
  const result = await runCommand({
    ...node(parent),
    signal: controller.signal,
    onLine: (line) => {
      grandchild = Number(line);
      controller.abort();
    },
  });
  expect(result.stopped).toBe('aborted');
  expect(grandchild).toBeGreaterThan(0);
  await vi.waitFor(() => expect(isRunning(grandchild)).toBe(false), { timeout: 20_000 });
});

test('an aborted signal starts nothing', async () => {
  const lines: string[] = [];
  const result = await runCommand({
    ...node('console.log("started")'),
    signal: AbortSignal.abort(),
    onLine: (line) => void lines.push(line),
  });
  expect([result.stopped, lines]).toEqual(['aborted', []]);
});
