import { rmSync, readlinkSync } from 'node:fs';
import { copyFile, mkdtemp, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import { ToolError } from '../errors.ts';
import { errorCode } from '../util/error-code.ts';
import { makeFolder } from '../util/make-folder.ts';
import { identityOf, isAlive, isRunning, parseIdentity } from './process/processes.ts';

/** A profile folder, locked until it is released. */
export interface Profile {
  readonly folder: string;
  /** Why it is not the requested one. */
  readonly note?: string;
  /** Synchronous because it also runs in the `exit` event. */
  release(): void;
}

const lockName = 'pagehelm.lock';

/** Not copied: caches, which the browser rebuilds, and lock files of the browser that runs in the profile. */
const notCopied =
  /^(?:Singleton.*|lock|\.parentlock|pagehelm\.lock|.*Cache|Crashpad|BrowserMetrics.*|CacheStorage|ScriptCache|component_crx_cache|Safe Browsing|optimization_guide.*|cache2|startupCache)$/;

/**
 * Opens the requested profile, or a copy of it while another browser uses it: two browsers in one profile corrupt it,
 * and a profile in use must not stop an agent from working.
 */
export async function openProfile(wanted: string, temporary: string, isCopyRefused = false): Promise<Profile> {
  const folder = resolve(wanted);
  await makeFolder(folder).catch((error: unknown) => {
    const problem = `The profile directory ${folder} cannot be created or used (${errorCode(error) ?? 'unknown'}).`;
    throw new ToolError('BAD_CONFIGURATION', { problem }, { cause: error });
  });
  const lock = join(folder, lockName);
  if (!isUsedByBrowser(folder) && (await take(lock))) {
    const note = await setAsideBrokenState(folder);
    return { folder, ...(note === undefined ? {} : { note }), release: () => rmSync(lock, { force: true }) };
  }
  if (isCopyRefused) throw new ToolError('PROFILE_IN_USE', { folder });
  const copy = await mkdtemp(join(temporary, 'profile-'));
  await copyFolder(folder, copy);
  return {
    folder: copy,
    note: `The profile ${folder} is in use by another browser. This one works on a copy; changes to the copy are discarded at the end.`,
    release: () => undefined,
  };
}

/** Chromium replaces most broken files of a profile, but does not start if this one is no JSON. */
async function setAsideBrokenState(folder: string): Promise<string | undefined> {
  const file = join(folder, 'Local State');
  const text = await readFile(file, 'utf8').catch(() => '{}');
  try {
    JSON.parse(text);
    return undefined;
  } catch {
    await rename(file, `${file}.broken`);
    return `The file "Local State" of the profile ${folder} was broken and is now "Local State.broken".`;
  }
}

/** Chrome and Firefox create a symbolic link that names the process. The browser itself removes a stale one. */
function isUsedByBrowser(folder: string): boolean {
  const chrome = /^(.*)-(\d+)$/.exec(linkIn(folder, 'SingletonLock') ?? '');
  // A process on another host cannot be checked; Chrome refuses to start in that case too.
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

/** Creates the lock, or takes over the lock of a dead server; false while it is held. */
async function take(lock: string): Promise<boolean> {
  const { pid } = process;
  const own = JSON.stringify(identityOf(pid));
  if (await make(lock, own)) return true;
  const found = await readFile(lock, 'utf8').catch(() => '');
  if (isHeld(found)) return false;
  // Renamed rather than removed: if two servers find it stale, only one rename succeeds.
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
  try {
    const holder = parseIdentity(JSON.parse(text));
    return holder !== undefined && isRunning(holder);
  } catch {
    // Half written by a server that died meanwhile.
    return false;
  }
}

/** Copies plain files and folders. The profile is in use, so files that vanish meanwhile are skipped. */
async function copyFolder(from: string, to: string): Promise<void> {
  await makeFolder(to, 0o700);
  const entries = await readdir(from, { withFileTypes: true }).catch(() => []);
  for (const entry of entries.filter(({ name }) => !notCopied.test(name))) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) await copyFolder(source, target);
    else if (entry.isFile()) await copyFile(source, target).catch(() => undefined);
  }
}
