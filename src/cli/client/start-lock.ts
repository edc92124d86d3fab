import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { identityOf, isRunning, parseIdentity } from '../../browser/process/processes.ts';
import type { ProcessIdentity } from '../../browser/process/processes.ts';

/** Held by the one process that starts the daemon. The lock of a process that has died is taken over. */
export class StartLock implements Disposable {
  readonly #path: string;

  private constructor(path: string) {
    this.#path = path;
  }

  /** Undefined if another process holds it, or has just removed the folder. */
  static take(path: string): StartLock | undefined {
    const own = `${path}.${process.pid}`;
    try {
      // A link appears with its content, so a lock without its owner is never seen.
      writeFileSync(own, JSON.stringify(identityOf(process.pid)), { mode: 0o600 });
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
      throw error;
    }
    try {
      if (!links(own, path) && !(removesStale(path) && links(own, path))) return undefined;
      return new StartLock(path);
    } finally {
      rmSync(own, { force: true });
    }
  }

  [Symbol.dispose](): void {
    rmSync(this.#path, { force: true });
  }
}

function links(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch {
    return false;
  }
}

/** Removes the lock of a dead process. Two processes may try: the file is moved away first, and put back if it is another. */
function removesStale(path: string): boolean {
  const holder = ownerOf(path);
  if (holder === undefined || isRunning(holder)) return false;
  const aside = `${path}.${process.pid}.stale`;
  try {
    renameSync(path, aside);
  } catch {
    return false;
  }
  const moved = ownerOf(aside);
  const isStale = moved?.pid === holder.pid && moved.startTime === holder.startTime;
  if (!isStale) links(aside, path);
  rmSync(aside, { force: true });
  return isStale;
}

function ownerOf(path: string): ProcessIdentity | undefined {
  try {
    return parseIdentity(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    // Released in the meantime.
    return undefined;
  }
}
