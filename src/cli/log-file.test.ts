import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { LogFile } from './log-file.ts';

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'log-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

const fallback = (): void => {
  throw new Error('the fallback was used');
};

test('[S1-134] a full file is renamed, the number of files is limited, and no line is lost or split', () => {
  const at = folder();
  const path = join(at, 'server.log');
  const log = new LogFile({ path, maxBytes: 100, maxFiles: 3, fallback });
  for (let line = 0; line < 20; line++) log.write(`${String(line).padStart(29, '0')}\n`);
  expect(readdirSync(at).toSorted()).toEqual(['server.log', 'server.log.1', 'server.log.2']);
  const lines = ['server.log.2', 'server.log.1', 'server.log']
    .flatMap((name) => readFileSync(join(at, name), 'utf8').trimEnd().split('\n'))
    .map(Number);
  expect(lines).toEqual([12, 13, 14, 15, 16, 17, 18, 19]);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test('a file that exists is continued, and its size counts', () => {
  const path = join(folder(), 'server.log');
  new LogFile({ path, maxBytes: 20, maxFiles: 2, fallback }).write('first line\n');
  const log = new LogFile({ path, maxBytes: 20, maxFiles: 2, fallback });
  log.write('second line\n');
  expect(readFileSync(`${path}.1`, 'utf8')).toBe('first line\n');
  expect(readFileSync(path, 'utf8')).toBe('second line\n');
});

test('a file that others can read becomes private', () => {
  const path = join(folder(), 'server.log');
  writeFileSync(path, 'old line\n', { mode: 0o644 });
  chmodSync(path, 0o644);
  new LogFile({ path, maxBytes: 100, maxFiles: 1, fallback }).write('new line\n');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readFileSync(path, 'utf8')).toBe('old line\nnew line\n');
});

test('with one file, the old lines go', () => {
  const path = join(folder(), 'server.log');
  const log = new LogFile({ path, maxBytes: 10, maxFiles: 1, fallback });
  log.write('aaaaaaaa\n');
  log.write('bbbbbbbb\n');
  expect(readFileSync(path, 'utf8')).toBe('bbbbbbbb\n');
  expect(existsSync(`${path}.1`)).toBe(false);
});

test('a folder that does not exist is an error for the operator', () => {
  const path = join(folder(), 'missing', 'server.log');
  expect(() => new LogFile({ path, maxBytes: 10, maxFiles: 1, fallback })).toThrow('its directory does not exist');
});

test('a line that cannot be written goes elsewhere', () => {
  const at = folder();
  const lines: string[] = [];
  const path = join(at, 'server.log');
  const log = new LogFile({ path, maxBytes: 10, maxFiles: 2, fallback: (line) => lines.push(line) });
  log.write('aaaaaaaa\n');
  rmSync(at, { recursive: true });
  log.write('bbbbbbbb\n');
  expect(lines).toEqual(['bbbbbbbb\n']);
});

test.runIf(process.platform !== 'win32')('a pipe, which could block the start, is refused', () => {
  const path = join(folder(), 'pipe');
  execFileSync('mkfifo', [path]);
  expect(() => new LogFile({ path, maxBytes: 100, maxFiles: 1, fallback })).toThrow('cannot be written: it is a pipe.');
});
