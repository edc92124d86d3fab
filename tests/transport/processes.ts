import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { listProcesses, type ProcessEntry, type ProcessId } from '../../src/browser/process/processes.ts';

/** Waits until a condition holds; fails with the last value on time-out. */
export async function eventually(what: string, condition: () => boolean | string, withinMs = 5000): Promise<void> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const seen = condition();
    if (seen === true) return;
    if (performance.now() > deadline)
      throw new Error(`Not within ${withinMs} ms: ${what}${seen === false ? '' : `: ${seen}`}`);
    await after(20);
  }
}

/** Living processes whose command line or environment mentions a folder. */
export function aliveIn(folder: string): readonly ProcessEntry[] {
  return listProcesses().filter(({ pid }) =>
    [`/proc/${pid}/cmdline`, `/proc/${pid}/environ`].some(
      (file) => pid !== process.pid && readQuietly(file).includes(folder),
    ),
  );
}

/** A process with its descendants, including those in other process sessions. */
export function familyOf(pid: number, folder: string): readonly ProcessEntry[] {
  const table = listProcesses();
  const family = new Set([pid, ...aliveIn(folder).map((entry) => entry.pid)]);
  for (let size = 0; size !== family.size;) {
    size = family.size;
    for (const entry of table) if (family.has(entry.ppid) || family.has(entry.session)) family.add(entry.pid);
  }
  return table.filter((entry) => family.has(entry.pid));
}

export function stillAlive(processes: readonly ProcessId[]): readonly ProcessEntry[] {
  return listProcesses().filter((entry) =>
    processes.some(({ pid, startTime }) => pid === entry.pid && startTime === entry.startTime),
  );
}

export function commandOf(pid: number): string {
  return readQuietly(`/proc/${pid}/cmdline`).replaceAll('\0', ' ');
}

/** The running browsers started by a process, by default this one. */
export function ownBrowsers(parent = process.pid): readonly ProcessEntry[] {
  return listProcesses().filter(
    ({ ppid, pid, group }) => ppid === parent && group === pid && commandOf(pid).includes('--remote-debugging-pipe'),
  );
}

/** Asserts that within five seconds no process of the server is alive and its temporary folder is empty. */
export async function expectNothingLeft(family: readonly ProcessId[], tmpdir: string): Promise<void> {
  await eventually('nothing is left', () => {
    const alive = [...stillAlive(family), ...aliveIn(join(tmpdir, 'pagehelm-'))].map(
      ({ pid }) => `${pid} ${commandOf(pid).slice(0, 160)}`,
    );
    const files = existsSync(tmpdir) ? readdirSync(tmpdir) : [];
    return alive.length + files.length === 0 || [...alive, ...files].join('\n');
  });
}

/** Undefined if the file is gone: processes may end between two reads. */
export function readQuietly(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
