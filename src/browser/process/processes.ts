import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { errorCode } from '../../util/error-code.ts';

/** A process of this boot; the start time rules out pid reuse. */
export interface ProcessId {
  readonly pid: number;
  /** Hundredths of a second since boot on Linux, since the epoch elsewhere. */
  readonly startTime: number;
}

/** A process that is identified across pid reuse and reboots: for lock files and records on disk. */
export interface ProcessIdentity extends ProcessId {
  readonly boot: string;
}

export interface ProcessEntry extends ProcessId {
  readonly ppid: number;
  readonly group: number;
  readonly session: number;
  /** Only on systems without /proc. */
  readonly command?: string;
}

/** Set in the environment of browsers only: a process that carries it descends from a launch of this server. */
export const runVariable = 'PAGEHELM_RUN';

/**
 * All living processes, without zombies. Synchronous because the `exit` event allows nothing else, and because
 * a few hundred reads of /proc take less time than as many round trips to the thread pool.
 */
export function listProcesses(platform: NodeJS.Platform = process.platform): readonly ProcessEntry[] {
  if (platform === 'win32') return [];
  if (platform === 'linux')
    return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? (statOf(name) ?? []) : []));
  const columns = ['pid=', 'ppid=', 'pgid=', 'lstart=', 'command='].flatMap((column) => ['-o', column]);
  const env = { PATH: '/usr/bin:/bin', LC_ALL: 'C' };
  try {
    return parsePs(execFileSync('ps', ['-axww', ...columns], { encoding: 'utf8', env, maxBuffer: 64 << 20 }));
  } catch {
    // Without ps, browsers still exit when the pipe to their server closes.
    return [];
  }
}

/** Use of a group of processes: CPU time in ticks, and whether one of them is stopped. */
export interface ProcessUse {
  readonly ticks: number;
  readonly isStopped: boolean;
}

/**
 * Use of the main process of a browser, or of its renderers; undefined where there is no /proc. The leader of the group
 * may be a wrapper script; processes with a type are renderers and helpers.
 */
export function browserUse(group: number, part: 'main' | 'renderers'): ProcessUse | undefined {
  if (process.platform !== 'linux') return undefined;
  let ticks = 0;
  let isStopped = false;
  for (const { pid } of listProcesses().filter((entry) => entry.group === group)) {
    const type = /--type=([\w-]+)/.exec(readQuietly(`/proc/${pid}/cmdline`) ?? '--type=unknown')?.[1];
    if (part === 'main' ? type !== undefined : type !== 'renderer') continue;
    const stat = readQuietly(`/proc/${pid}/stat`) ?? '';
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    ticks += Number(fields[11] ?? 0) + Number(fields[12] ?? 0);
    isStopped ||= fields[0] === 'T';
  }
  return { ticks, isStopped };
}

/** Memory that the processes of a group do not share with others, in bytes; undefined where there is no /proc. */
export function groupMemory(group: number): number | undefined {
  if (process.platform !== 'linux') return undefined;
  const members = listProcesses().filter((entry) => entry.group === group);
  return members.reduce((sum, { pid }) => {
    const status = readQuietly(`/proc/${pid}/status`) ?? '';
    return sum + Number(/^RssAnon:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024;
  }, 0);
}

/** The identity of a process, for a record that another server may read later. */
export function identityOf(pid: number): ProcessIdentity {
  return { pid, startTime: entryOf(pid)?.startTime ?? 0, boot: bootId() };
}

/** Whether the recorded process still runs. A pid that was reused, or recorded before a reboot, does not count. */
export function isRunning({ pid, startTime, boot }: ProcessIdentity): boolean {
  if (boot !== bootId() || !isAlive(pid)) return false;
  if (process.platform === 'win32') return true;
  // With hidepid=1 or 2 the processes of other users are invisible: they exist, and that is all there is to know.
  if (process.platform === 'linux' && readQuietly(`/proc/${pid}/stat`) === undefined) return true;
  return entryOf(pid)?.startTime === startTime;
}

/** Whether a process with this pid exists, zombies included. */
export function isAlive(pid: number): boolean {
  // 0 and negative numbers would address process groups.
  if (!Number.isSafeInteger(pid) || pid < 1) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}

/** Reads an identity from parsed JSON. */
export function parseIdentity(data: unknown): ProcessIdentity | undefined {
  if (!isProcessId(data) || !('boot' in data) || typeof data.boot !== 'string') return undefined;
  return { pid: data.pid, startTime: data.startTime, boot: data.boot };
}

export function isProcessId(data: unknown): data is ProcessId {
  if (typeof data !== 'object' || data === null || !('pid' in data) || !('startTime' in data)) return false;
  return Number.isSafeInteger(data.pid) && Number(data.pid) > 1 && Number.isSafeInteger(data.startTime);
}

function entryOf(pid: number): ProcessEntry | undefined {
  if (process.platform === 'linux') return statOf(String(pid));
  return listProcesses().find((entry) => entry.pid === pid);
}

/**
 * Whether the process was started for this run folder. Chromium's child processes hide their environment, but share
 * the process group of their parent.
 */
export function carries(entry: ProcessEntry, folder: string): boolean {
  if (entry.command !== undefined) return entry.command.includes(folder);
  const environment = readQuietly(`/proc/${entry.pid}/environ`);
  return environment?.split('\0').includes(`${runVariable}=${folder}`) ?? false;
}

export interface GroupSearch {
  readonly folder: string;
  /** Leaders of process groups, as recorded. */
  readonly owned: readonly ProcessId[];
  /** Maximum age difference between a leader and a member that proves the group is the recorded one. */
  readonly windowTicks: number;
  /** The caller's own group, which is never returned. */
  readonly except?: number | undefined;
}

/**
 * The living process groups that belong to a run folder. A leader may be dead while its group lives on (a shell wrapper,
 * a browser that was killed alone). Playwright starts each browser in a new session, so a member of that session that
 * started together with its leader proves that the pid was not reused.
 */
export function findGroups(table: readonly ProcessEntry[], search: GroupSearch): readonly number[] {
  const groups = new Set<number>();
  for (const entry of table) {
    const isOwned = search.owned.some(({ pid, startTime }) => {
      const age = entry.startTime - startTime;
      return entry.session === pid && age >= 0 && age <= search.windowTicks;
    });
    if (isOwned || carries(entry, search.folder)) groups.add(entry.group);
  }
  // Signalling group 0 or 1 would reach our own group or every process.
  for (const group of [0, 1, search.except]) if (group !== undefined) groups.delete(group);
  return [...groups];
}

export function killGroups(groups: readonly number[]): void {
  for (const group of groups) {
    try {
      process.kill(-group, 'SIGKILL');
    } catch {
      // Already gone.
    }
  }
}

/** Identifies the current boot on Linux, where start times count from it; empty elsewhere. */
export function bootId(): string {
  return readQuietly('/proc/sys/kernel/random/boot_id')?.trim() ?? '';
}

function statOf(pid: string): ProcessEntry | undefined {
  const text = readQuietly(`/proc/${pid}/stat`);
  return text === undefined ? undefined : parseStat(text);
}

/** Parses /proc/<pid>/stat. The name in parentheses may contain anything, so fields are counted from the last one. */
export function parseStat(text: string): ProcessEntry | undefined {
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [ppid, group, session, startTime] = [fields[1], fields[2], fields[3], fields[19]].map(Number);
  const pid = Number.parseInt(text, 10);
  if (ppid === undefined || group === undefined || session === undefined || startTime === undefined) return undefined;
  if (fields[0] === 'Z' || fields[0] === 'X' || Number.isNaN(startTime) || Number.isNaN(pid)) return undefined;
  return { pid, ppid, group, session, startTime };
}

/** Parses `ps -o pid=,ppid=,pgid=,lstart=,command=`. There is no portable session column; the group stands in for it. */
export function parsePs(text: string): readonly ProcessEntry[] {
  return text.split('\n').flatMap((line) => {
    const match = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\w+\s+\w+\s+\d+\s+[\d:]+\s+\d+)\s+(.*)$/.exec(line);
    if (match === null) return [];
    const [, pid, ppid, group, started = '', command = ''] = match;
    if (command === '<defunct>' || command.startsWith('(')) return [];
    const startTime = Date.parse(started) / 10;
    return [{ pid: Number(pid), ppid: Number(ppid), group: Number(group), session: Number(group), startTime, command }];
  });
}

function readQuietly(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // The process ended since it was listed, or belongs to another user.
    return undefined;
  }
}
