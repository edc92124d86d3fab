import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';

/** A process that cannot be mistaken for a later one with the same pid. */
export interface ProcessId {
  readonly pid: number;
  /** Hundredths of a second since boot on Linux, since the epoch elsewhere. */
  readonly startTime: number;
}

export interface ProcessEntry extends ProcessId {
  readonly ppid: number;
  readonly group: number;
  readonly session: number;
  /** Only where there is no /proc to ask later. */
  readonly command?: string;
}

/** The variable that is given to browsers and to nobody else: who carries it descends from a launch of ours. */
export const runVariable = 'PAGEHELM_RUN';

/**
 * All living processes; zombies are dead. Synchronous because the `exit` event allows nothing else, and because
 * a few hundred reads of /proc take less time than as many trips to the thread pool.
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
    // Without ps the browsers still end with the pipe to their server.
    return [];
  }
}

/** Whether the process was started for this run folder. Chromium's own children hide their environment; their group does not. */
export function carries(entry: ProcessEntry, folder: string): boolean {
  if (entry.command !== undefined) return entry.command.includes(folder);
  const environment = readQuietly(`/proc/${entry.pid}/environ`);
  return environment?.split('\0').includes(`${runVariable}=${folder}`) ?? false;
}

export interface GroupSearch {
  readonly folder: string;
  /** Leaders of process groups, as recorded. */
  readonly owned: readonly ProcessId[];
  /** How much younger than its leader a member may be and still prove that the group is the recorded one. */
  readonly windowTicks: number;
  /** A group that is never named: the caller's own. */
  readonly except?: number | undefined;
}

/**
 * The living process groups that belong to a run folder. A leader may be dead while its group lives on (a shell wrapper,
 * a browser that was killed alone): Playwright gives each browser a session of its own, so a member of that session
 * that started with its leader shows that the number was not given to somebody else.
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
  // Signalling group 0 or 1 would mean our own group or every process there is.
  for (const group of [0, 1, search.except]) if (group !== undefined) groups.delete(group);
  return [...groups];
}

export function killGroups(groups: readonly number[]): void {
  for (const group of groups) {
    try {
      process.kill(-group, 'SIGKILL');
    } catch {
      // Gone already, which is what was wanted.
    }
  }
}

/** Changes with every boot where start times count from it; empty elsewhere. */
export function bootId(): string {
  return readQuietly('/proc/sys/kernel/random/boot_id')?.trim() ?? '';
}

function statOf(pid: string): ProcessEntry | undefined {
  const text = readQuietly(`/proc/${pid}/stat`);
  return text === undefined ? undefined : parseStat(text);
}

/** A line of /proc/<pid>/stat. The name in parentheses may hold anything, so fields are counted from the last one. */
export function parseStat(text: string): ProcessEntry | undefined {
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [ppid, group, session, startTime] = [fields[1], fields[2], fields[3], fields[19]].map(Number);
  const pid = Number.parseInt(text, 10);
  if (ppid === undefined || group === undefined || session === undefined || startTime === undefined) return undefined;
  if (fields[0] === 'Z' || fields[0] === 'X' || Number.isNaN(startTime) || Number.isNaN(pid)) return undefined;
  return { pid, ppid, group, session, startTime };
}

/** Lines of `ps -o pid=,ppid=,pgid=,lstart=,command=`. Sessions have no portable column; a group leader's is its group. */
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
    // The process ended between the listing and the reading, or it is somebody else's.
    return undefined;
  }
}
