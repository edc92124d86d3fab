import { expect, test } from 'vitest';
import { overload } from './machine-load.ts';

const off = { minFreeMemory: 0, maxCpuPressure: 0 };
const filesOf =
  (files: Readonly<Record<string, string>>) =>
  (path: string): string | undefined =>
    files[path];

test('a machine with little memory takes no session', () => {
  const read = filesOf({ '/proc/meminfo': 'MemTotal: 9000000 kB\nMemAvailable:  102400 kB\n' });
  expect(overload({ ...off, minFreeMemory: 128 }, read)).toBe(
    '100 MB of memory are available, and 128 must be (--min-free-memory)',
  );
  expect(overload({ ...off, minFreeMemory: 64 }, read)).toBeUndefined();
  expect(overload(off, read)).toBeUndefined();
});

test('the limit of a container counts, without its cache', () => {
  const megabyte = 2 ** 20;
  const read = filesOf({
    '/proc/meminfo': 'MemAvailable:  8192000 kB\n',
    '/sys/fs/cgroup/memory.max': String(1000 * megabyte),
    '/sys/fs/cgroup/memory.current': String(950 * megabyte),
    '/sys/fs/cgroup/memory.stat': `anon 1\ninactive_file ${20 * megabyte}\n`,
  });
  expect(overload({ ...off, minFreeMemory: 128 }, read)).toContain('70 MB of memory are available');
});

test('a container without a limit is measured as the machine', () => {
  const read = filesOf({
    '/proc/meminfo': 'MemAvailable:  8192000 kB\n',
    '/sys/fs/cgroup/memory.max': 'max\n',
    '/sys/fs/cgroup/memory.current': '1\n',
  });
  expect(overload({ ...off, minFreeMemory: 128 }, read)).toBeUndefined();
});

test('a machine whose CPUs are busy takes no session', () => {
  const read = filesOf({ '/proc/pressure/cpu': 'some avg10=81.50 avg60=1.00 avg300=0.00 total=1\n' });
  expect(overload({ ...off, maxCpuPressure: 80 }, read)).toBe(
    'work waits for a CPU in 82 % of the time (--max-cpu-pressure)',
  );
  expect(overload({ ...off, maxCpuPressure: 90 }, read)).toBeUndefined();
});

test('nothing is refused where nothing is known', () => {
  expect(overload({ minFreeMemory: 1e9, maxCpuPressure: 1 }, filesOf({}))).toBeUndefined();
});
