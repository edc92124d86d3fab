import { rmSync, readlinkSync } from 'node:fs';
import { copyFile, mkdtemp, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import { ToolError } from '../errors.ts';
import { errorCode } from '../util/error-code.ts';
import { makeFolder } from '../util/make-folder.ts';
import { bootId, listProcesses } from './process/processes.ts';

/** The folder of a profile, ours until it is released. */
export interface Profile {
  readonly folder: string;
  /** Why it is not the one that was asked for. */
  readonly note?: string;
  /** Without waiting: it is also called when the process ends. */
  release(): void;
}

const lockName = 'pagehelm.lock';

/** The server that uses a profile, so told that it cannot be mistaken for a later process. */
interface Holder {
  readonly pid: number;
  readonly startTime: number;
  readonly boot: string;
}

/** What a profile does without: it is made again, or is the business of the browser that runs in it. */
const leftOut =
  /^(?:Singleton.*|lock|\.parentlock|pagehelm\.lock|.*Cache|Crashpad|BrowserMetrics.*|CacheStorage|ScriptCache|component_crx_cache|Safe Browsing|optimization_guide.*|cache2|startupCache)$/;

/**
 * The profile that was asked for, or a copy of it while somebody else uses it: two browsers in one profile destroy it,
 * and a profile in use must not keep an agent from working.
 */
export async function openProfile(wanted: string, temporary: string): Promise<Profile> {
  const folder = resolve(wanted);
  await makeFolder(folder).catch((error: unknown) => {
    const problem = `The profile directory ${folder} cannot be made or used (${errorCode(error) ?? 'unknown'}).`;
    throw new ToolError('BAD_CONFIGURATION', { problem }, { cause: error });
  });
  const lock = join(folder, lockName);
  if (!isUsedByBrowser(folder) && (await take(lock))) {
    return { folder, release: () => rmSync(lock, { force: true }) };
  }
  const copy = await mkdtemp(join(temporary, 'profile-'));
  await copyFolder(folder, copy);
  return {
    folder: copy,
    note: `The profile ${folder} is in use by another browser. This one works on a copy of it, and what it changes there is gone at the end.`,
    release: () => undefined,
  };
}

/** Chrome and Firefox leave a link that names the process. A stale one is theirs to remove. */
function isUsedByBrowser(folder: string): boolean {
  const chrome = /^(.*)-(\d+)$/.exec(linkIn(folder, 'SingletonLock') ?? '');
  // Whether a process on another machine still lives cannot be told; Chrome would not start either.
  if (chrome !== null) return chrome[1] !== hostname() || isAlive(Number(chrome[2]));
  const firefox = /\+(\d+)$/.exec(linkIn(folder, 'lock') ?? '');
  return firefox !== null && isAlive(Number(firefox[1]));
}

function linkIn(folder: string, name: string): string | undefined {
  try {
    return readlinkSync(join(folder, name));
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}

/** Makes the lock, or takes over that of a server that is dead; false when it is held. */
async function take(lock: string): Promise<boolean> {
  const { pid } = process;
  const startTime = listProcesses().find((entry) => entry.pid === pid)?.startTime ?? 0;
  const own = JSON.stringify({ pid, startTime, boot: bootId() } satisfies Holder);
  if (await make(lock, own)) return true;
  const found = await readFile(lock, 'utf8').catch(() => '');
  if (isHeld(found)) return false;
  // Moved away rather than removed: of two servers that find it stale, only one can.
  const stale = `${lock}.${pid}`;
  try {
    await rename(lock, stale);
    const isSame = (await readFile(stale, 'utf8')) === found;
    if (!isSame) await rename(stale, lock);
    return isSame && (await make(lock, own));
  } catch {
    return false;
  } finally {
    await rm(stale, { force: true });
  }
}

async function make(lock: string, text: string): Promise<boolean> {
  return writeFile(lock, text, { flag: 'wx', mode: 0o600 }).then(
    () => true,
    () => false,
  );
}

function isHeld(text: string): boolean {
  // One that is half written was left by a server that died over it.
  const [, pid = Number.NaN, startTime = 0] = (/^\{"pid":(\d+),"startTime":(\d+),/.exec(text) ?? []).map(Number);
  const boot = /"boot":"([^"]*)"\}$/.exec(text)?.[1];
  if (boot !== bootId() || !isAlive(pid)) return false;
  const living = listProcesses().find((entry) => entry.pid === pid);
  return living === undefined || living.startTime === startTime;
}

/** Plain files and folders; what vanishes meanwhile is left out, since the profile is in use. */
async function copyFolder(from: string, to: string): Promise<void> {
  await makeFolder(to, 0o700);
  const entries = await readdir(from, { withFileTypes: true }).catch(() => []);
  for (const entry of entries.filter(({ name }) => !leftOut.test(name))) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) await copyFolder(source, target);
    else if (entry.isFile()) await copyFile(source, target).catch(() => undefined);
  }
}
