import { readFileSync, readdirSync } from 'node:fs';

interface Stat {
  readonly parent: number;
  readonly startTime: string;
  readonly cpuMs: number;
}

/** A process by pid and start time, because pids are reused. */
export interface ProcessId {
  readonly pid: number;
  readonly startTime: string;
}

const clockTickMs = 10;

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

function list(path: string): readonly string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}

function stat(pid: number): Stat | undefined {
  const text = read(`/proc/${pid}/stat`);
  if (text === undefined) return undefined;
  // The name, in parentheses, may contain spaces: count fields after it.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  if (fields[0] === 'Z') return undefined;
  const ticks = [11, 12, 13, 14].reduce((sum, index) => sum + Number(fields[index]), 0);
  return { parent: Number(fields[1]), startTime: fields[19] ?? '', cpuMs: ticks * clockTickMs };
}

/** Nanosecond counters of the live threads; `stat` includes all threads, but counts in ticks. */
function threadsCpuMs(pid: number): number {
  let total = 0;
  for (const thread of list(`/proc/${pid}/task`)) {
    const spent = read(`/proc/${pid}/task/${thread}/schedstat`);
    if (spent !== undefined) total += Number(spent.split(' ')[0]) / 1e6;
  }
  return total;
}

function kilobytes(path: string, field: string): number {
  const match = new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(read(path) ?? '');
  return match ? Number(match[1]) : 0;
}

/** The process and its live descendants; empty without /proc. */
export function processTree(root: number): readonly ProcessId[] {
  const children = new Map<number, ProcessId[]>();
  const start = stat(root);
  if (!start) return [];
  for (const name of list('/proc')) {
    const pid = Number(name);
    const info = Number.isInteger(pid) ? stat(pid) : undefined;
    if (!info) continue;
    const siblings = children.get(info.parent) ?? [];
    siblings.push({ pid, startTime: info.startTime });
    children.set(info.parent, siblings);
  }
  const tree: ProcessId[] = [{ pid: root, startTime: start.startTime }];
  for (const member of tree) tree.push(...(children.get(member.pid) ?? []));
  return tree;
}

export function isAlive(process: ProcessId): boolean {
  return stat(process.pid)?.startTime === process.startTime;
}

/** User and system time of the process; undefined without /proc. */
export function cpuMs(pid: number): number | undefined {
  const info = stat(pid);
  return info && Math.max(info.cpuMs, threadsCpuMs(pid));
}

export function rssMiB(pid: number): number | undefined {
  const size = kilobytes(`/proc/${pid}/status`, 'VmRSS');
  return size === 0 ? undefined : size / 1024;
}

/** Proportional set size (PSS) of the process. */
export function pssMiB(pid: number): number | undefined {
  const size = kilobytes(`/proc/${pid}/smaps_rollup`, 'Pss');
  return size === 0 ? undefined : size / 1024;
}

/** Nanosecond counters of all live threads of these processes, by process and thread. */
export function cpuOfTrees(roots: readonly number[]): ReadonlyMap<string, number> {
  const spent = new Map<string, number>();
  for (const { pid } of roots.flatMap((root) => processTree(root))) {
    for (const thread of list(`/proc/${pid}/task`)) {
      const text = read(`/proc/${pid}/task/${thread}/schedstat`);
      if (text !== undefined) spent.set(`${pid}/${thread}`, Number(text.split(' ')[0]) / 1e6);
    }
  }
  return spent;
}

/** CPU time of these processes since the earlier reading; threads that ended in between are not counted. */
export function cpuSince(before: ReadonlyMap<string, number>, roots: readonly number[]): number {
  let total = 0;
  for (const [thread, ms] of cpuOfTrees(roots)) total += ms - (before.get(thread) ?? 0);
  return total;
}
