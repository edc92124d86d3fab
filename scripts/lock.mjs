// @ts-check
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const pollMs = 100;
const longestWaitMs = 20 * 60_000;
/** A lock whose owner has not written its id by then never will. */
const namelessMs = 5000;

/**
 * Does something while holding a lock that is a folder: making one is atomic everywhere.
 * @template T
 * @param {string} folder
 * @param {(line: string) => void} say
 * @param {() => Promise<T>} action
 * @returns {Promise<T>}
 */
export async function withLock(folder, say, action) {
  mkdirSync(dirname(folder), { recursive: true });
  const deadline = Date.now() + longestWaitMs;
  let hasSaid = false;
  while (!tryLock(folder)) {
    if (isStale(folder)) {
      removeStale(folder);
      continue;
    }
    if (Date.now() > deadline) throw new Error(`another set-up is still running; if not, remove ${folder}`);
    if (!hasSaid) say(`waiting for another set-up (process ${owner(folder) ?? 'unknown'})`);
    hasSaid = true;
    await delay(pollMs);
  }
  const release = () => rmSync(folder, { recursive: true, force: true });
  process.once('exit', release);
  try {
    return await action();
  } finally {
    process.off('exit', release);
    release();
  }
}

function tryLock(/** @type {string} */ folder) {
  try {
    mkdirSync(folder);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
  writeFileSync(join(folder, 'pid'), String(process.pid));
  return true;
}

/** @returns {number | undefined} */
function owner(/** @type {string} */ folder) {
  try {
    const pid = Number(readFileSync(join(folder, 'pid'), 'utf8'));
    return Number.isInteger(pid) && pid > 0 ? pid : undefined;
  } catch {
    return undefined;
  }
}

function isStale(/** @type {string} */ folder) {
  const pid = owner(folder);
  if (pid === undefined) {
    const made = statSync(folder, { throwIfNoEntry: false })?.mtimeMs;
    return made !== undefined && Date.now() - made > namelessMs;
  }
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ESRCH';
  }
}

/** Of several that find a stale lock only one can rename it. One that came late has a newcomer's lock in hand. */
function removeStale(/** @type {string} */ folder) {
  const aside = `${folder}.${process.pid}`;
  try {
    renameSync(folder, aside);
    if (!isStale(aside)) {
      renameSync(aside, folder);
      return;
    }
  } catch {
    return;
  }
  rmSync(aside, { recursive: true, force: true });
}
