import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { listProcesses, type ProcessEntry, type ProcessId } from '../../src/browser/process/processes.ts';

/** Waits until a condition holds; fails with what was seen last when it does not in time. */
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

/** A process with everything below it, also what has moved to a session of its own and everything in those sessions. */
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

/** The running browsers that a process has started: this one, unless another is given. */
export function ownBrowsers(parent = process.pid): readonly ProcessEntry[] {
  return listProcesses().filter(
    ({ ppid, pid, group }) => ppid === parent && group === pid && commandOf(pid).includes('--remote-debugging-pipe'),
  );
}

/** Within five seconds of the end of a server: no process of its family lives, and its temporary folder is empty. */
export async function expectNothingLeft(family: readonly ProcessId[], tmpdir: string): Promise<void> {
  await eventually('nothing is left', () => {
    const alive = [...stillAlive(family), ...aliveIn(join(tmpdir, 'pagehelm-'))].map(
      ({ pid }) => `${pid} ${commandOf(pid).slice(0, 160)}`,
    );
    const files = existsSync(tmpdir) ? readdirSync(tmpdir) : [];
    return alive.length + files.length === 0 || [...alive, ...files].join('\n');
  });
}

/** Nothing where the file is gone: processes end between two looks. */
export function readQuietly(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
