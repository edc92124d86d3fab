import { lstat, readFile, readdir, rm } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import type { Logger } from '../../log.ts';
import { isRecord } from '../../util/records.ts';
import { bootId, findGroups, isAlive, isProcessId, isRunning, killGroups } from './processes.ts';
import { listProcesses, parseIdentity } from './processes.ts';
import { aliveSocket, parentName, recordFile, removeIfEmpty, runName, type RunRecord } from './run-folder.ts';

export interface ReapOptions {
  readonly log: Logger;
  readonly tmpdir: string;
  readonly uid: number;
  readonly now: () => number;
}

/** A folder without a record may be under construction until it is this old. */
const setupMs = 60_000;
const pollMs = 25;
const pollRounds = 80;

/**
 * Kills the browsers and removes the folders of servers that were killed together with their janitor (power cut,
 * out-of-memory kill). Returns the number of folders removed. Safe to run concurrently.
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
  if (record === undefined && (await lstat(folder)).mtimeMs > now() - setupMs) return false;
  if ((record === undefined ? isAlive(pid) : isRunning(record)) || (await answers(join(folder, aliveSocket))))
    return false;

  // Start times of another boot do not identify processes of this one.
  const owned = record !== undefined && record.boot === bootId() ? record.browsers : [];
  // No time window, unlike when the server exits by itself: pids may have been reused since, in a new container quickly.
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

/** The kernel accepts connections for a busy or stopped server, and refuses them for a dead one. */
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

/** Parses a record; undefined if it is not one. */
export function parseRecord(text: string): RunRecord | undefined {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    return undefined;
  }
  const server = parseIdentity(data);
  if (server === undefined) return undefined;
  const browsers: readonly unknown[] = isRecord(data) && Array.isArray(data['browsers']) ? data['browsers'] : [];
  return { ...server, browsers: browsers.filter(isProcessId) };
}
