import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { ConsoleLog } from './console-log.ts';

const megabyte = 1024 * 1024;

/** The heap after a garbage collection. */
function heapBytes(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  return process.memoryUsage().heapUsed;
}

function pageError(message: string): Error {
  return Object.assign(new Error(message), { stack: '' });
}

test('keeps the start of a long line, not the memory of all of it', () => {
  const log = new ConsoleLog();
  const before = heapBytes();
  for (let line = 0; line < 100; line++) {
    // Decoded, as from the pipe: a repeated string has no memory of its own.
    log.addPageError(pageError(Buffer.alloc(megabyte, 'A').toString('latin1')));
  }
  expect(heapBytes() - before).toBeLessThan(20 * megabyte);
  const [first] = log.entries('error', true);
  expect(first?.text).toMatch(/^Error: A{9000,}$/);
});

test('keeps the newest lines up to a total size', () => {
  const log = new ConsoleLog();
  for (let line = 0; line < 900; line++) log.addPageError(pageError(`${line} ${'A'.repeat(9000)}`));
  const kept = log.entries('error', true);
  expect(kept.at(-1)?.text).toMatch(/^Error: 899 /);
  expect(kept.length).toBeGreaterThan(100);
  expect(kept.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThan(4 * megabyte);
});
