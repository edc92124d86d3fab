import { lstat, readFile, readdir, rm } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import type { Logger } from '../../log.ts';
import { bootId, findGroups, killGroups, listProcesses, type ProcessEntry, type ProcessId } from './processes.ts';
import { aliveSocket, parentName, recordFile, removeIfEmpty, runName, type RunRecord } from './run-folder.ts';

export interface ReapOptions {
  readonly log: Logger;
  readonly tmpdir: string;
  readonly uid: number;
  readonly now: () => number;
}

/** A folder without a record is one being made, until it is this old. */
const infancyMs = 60_000;
const pollMs = 25;
const pollRounds = 80;

/**
 * Ends the browsers and removes the folders of servers that were killed together with their janitor (a power cut, an
 * out-of-memory kill of everything). Says how many folders it removed. Several may run at a time.
 */
export async function reapLeftovers(options: ReapOptions): Promise<number> {
  const { log, tmpdir, uid } = options;
  const usual = parentName(uid);
  let reaped = 0;
  for (const name of await namesIn(tmpdir)) {
    if (name !== usual && !name.startsWith(`${usual}-`)) continue;
    const parent = join(tmpdir, name);
    if (!(await isOwnFolder(parent, uid))) continue;
    for (const run of await namesIn(parent)) {
      try {
        if (await reapRun(join(parent, run), run, options)) reaped++;
      } catch (error) {
        log.debug('leftover not removed', { folder: join(parent, run), error });
      }
    }
    await removeIfEmpty(parent);
  }
  return reaped;
}

async function reapRun(folder: string, name: string, { log, uid, now }: ReapOptions): Promise<boolean> {
  const pid = Number(runName.exec(name)?.[1]);
  if (Number.isNaN(pid) || !(await isOwnFolder(folder, uid))) return false;
  const record = parseRecord(await readFile(join(folder, recordFile), 'utf8').catch(() => ''));
  const table = listProcesses();
  if (record === undefined && (await lstat(folder)).mtimeMs > now() - infancyMs) return false;
  if (isServerAlive(record, pid, table) || (await answers(join(folder, aliveSocket)))) return false;

  // Start times of another boot say nothing about the processes of this one.
  const owned = record !== undefined && record.boot === bootId() ? record.browsers : [];
  // No window here, unlike at the server's own end: pids may have been given anew since, in a new container soon after.
  const groups = (): readonly number[] => findGroups(listProcesses(), { folder, owned, windowTicks: 0 });
  const found = groups();
  for (let round = 0; round < pollRounds; round++) {
    const left = groups();
    if (left.length === 0) break;
    killGroups(left);
    await after(pollMs);
  }
  await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 20 });
  log.info('leftover of a killed server removed', { folder, browsers: found.length });
  return true;
}

function isServerAlive(record: RunRecord | undefined, pid: number, table: readonly ProcessEntry[]): boolean {
  if (process.platform === 'win32') return isPidAlive(pid);
  const entry = table.find((candidate) => candidate.pid === pid);
  if (entry === undefined) return false;
  return record === undefined || (record.startTime === entry.startTime && record.boot === bootId());
}

function isPidAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** A connection is accepted by the kernel for a server that is busy or stopped, and refused for a dead one. */
function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(path);
    socket.setTimeout(1000, () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

async function isOwnFolder(path: string, uid: number): Promise<boolean> {
  const stat = await lstat(path).catch(() => undefined);
  return stat !== undefined && stat.isDirectory() && (uid < 0 || stat.uid === uid);
}

async function namesIn(folder: string): Promise<readonly string[]> {
  return await readdir(folder).catch(() => []);
}

/** What a record says, if it is one. */
export function parseRecord(text: string): RunRecord | undefined {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isProcessId(data) || !('boot' in data) || typeof data.boot !== 'string') return undefined;
  const browsers: readonly unknown[] = 'browsers' in data && Array.isArray(data.browsers) ? data.browsers : [];
  return { pid: data.pid, startTime: data.startTime, boot: data.boot, browsers: browsers.filter(isProcessId) };
}

function isProcessId(data: unknown): data is ProcessId {
  if (typeof data !== 'object' || data === null || !('pid' in data) || !('startTime' in data)) return false;
  return Number.isSafeInteger(data.pid) && Number(data.pid) > 1 && Number.isSafeInteger(data.startTime);
}
