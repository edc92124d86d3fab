import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { rmSync, rmdirSync } from 'node:fs';
import { chmod, lstat, mkdir, mkdtemp, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import type { Logger } from '../../log.ts';
import { errorCode } from '../../util/error-code.ts';
import { makeFolder } from '../../util/make-folder.ts';
import { Janitor, sessionWindowTicks } from './janitor.ts';
import { carries, findGroups, identityOf, killGroups, listProcesses, runVariable } from './processes.ts';
import type { ProcessId, ProcessIdentity } from './processes.ts';

export interface RunFolderOptions {
  readonly log: Logger;
  /** Where temporary folders go; read before any run folder is open. */
  readonly tmpdir: string;
  /** Negative where users have no number. */
  readonly uid: number;
  readonly pid: number;
  /** The environment that `os.tmpdir()` reads: `process.env`, or a substitute in tests. */
  readonly env: Record<string, string | undefined>;
  /** End the server if its event loop does not run for this long, times three; not for a program that embeds it. */
  readonly beatMs?: number | undefined;
  /** Ends the server also if it is stopped by a signal. */
  readonly endsStopped?: boolean | undefined;
}

/** What the next server needs to know about a dead one. */
export interface RunRecord extends ProcessIdentity {
  readonly browsers: readonly ProcessId[];
}

export const recordFile = 'record.json';
/** A socket that accepts connections while the server lives, also from another container that shares the folder. */
export const aliveSocket = 'alive';
/** `<pid>-<8 hex>`: short, because Chromium puts Unix sockets below it, whose paths may have 107 bytes. */
export const runName = /^(\d+)-[\da-f]{8}$/;

export function parentName(uid: number): string {
  return `pagehelm-${uid < 0 ? 'user' : uid}`;
}

const temporaryVariables = ['TMPDIR', 'TMP', 'TEMP'] as const;
const pollMs = 25;
const graceRounds = 40;

/** Creates the temporary folder of this server process and starts its janitor. Takes a few milliseconds, so it runs before the first launch and not at start. */
export async function openRunFolder(options: RunFolderOptions): Promise<RunFolder> {
  const path = await makeOwnFolder(options);
  const self = listProcesses().find((entry) => entry.pid === options.pid);
  const record = { ...identityOf(options.pid), browsers: [] };
  const folder = new RunFolder(path, record, self?.group, options);
  await folder.prepare();
  return folder;
}

/** The temporary folder of one server, and the browsers that were started in it. */
export class RunFolder implements AsyncDisposable {
  readonly path: string;
  /** Overrides for the browser's environment. */
  readonly env: Readonly<Record<string, string>>;
  readonly #log: Logger;
  readonly #options: RunFolderOptions;
  readonly #ownGroup: number | undefined;
  readonly #before: Readonly<Record<string, string | undefined>>;
  #record: RunRecord;
  #janitor: Janitor | undefined;
  #alive: Promise<Server | undefined> | undefined;
  #disposed: Promise<void> | undefined;

  constructor(path: string, record: RunRecord, ownGroup: number | undefined, options: RunFolderOptions) {
    this.path = path;
    this.#log = options.log;
    this.#options = options;
    this.#record = record;
    this.#ownGroup = ownGroup;
    this.env = { ...Object.fromEntries(temporaryVariables.map((name) => [name, path])), [runVariable]: path };
    this.#before = Object.fromEntries(temporaryVariables.map((name) => [name, outside(options.env[name])]));
    // Set for the lifetime of the folder, not only during a launch: launches overlap, and Playwright reads the variables
    // at some point during them and again later, for traces and recordings. Nothing may be written elsewhere.
    for (const name of temporaryVariables) options.env[name] = path;
  }

  get janitorPid(): number | undefined {
    return this.#janitor?.pid;
  }

  /** Before each launch: recreates what a cleaner of temporary files, or a kill of the janitor, removed. */
  async prepare(): Promise<void> {
    const created = await makeFolder(this.path, 0o700);
    if (created !== undefined || this.#alive === undefined)
      this.#alive = listen(join(this.path, aliveSocket), this.#log);
    await this.#alive;
    await this.#writeRecord();
    if (process.platform === 'win32' || this.#janitor?.isAlive === true) return;
    this.#janitor = new Janitor({
      folder: this.path,
      path: this.#options.env['PATH'],
      ownGroup: this.#ownGroup,
      log: this.#log,
      watched:
        this.#options.beatMs === undefined
          ? undefined
          : { pid: this.#options.pid, beatMs: this.#options.beatMs, endsStopped: this.#options.endsStopped },
    });
    for (const browser of this.#record.browsers) this.#janitor.own(browser);
  }

  /** After each launch, even a failed one: records the browsers that were started in this folder. */
  async adopt(): Promise<readonly number[]> {
    const table = listProcesses();
    const known = this.#record.browsers.filter(({ pid }) => table.some(({ session }) => session === pid));
    const found = table.filter(
      (entry) =>
        entry.ppid === this.#record.pid &&
        entry.group === entry.pid &&
        !known.some(({ pid, startTime }) => pid === entry.pid && startTime === entry.startTime) &&
        carries(entry, this.path),
    );
    const browsers = [...known, ...found.map(({ pid, startTime }) => ({ pid, startTime }))];
    this.#record = { ...this.#record, browsers };
    for (const browser of found) this.#janitor?.own(browser);
    await this.#writeRecord();
    return browsers.map(({ pid }) => pid);
  }

  /** For the `exit` event, where nothing can be awaited. Whatever cannot be removed yet is left to the janitor. */
  endSync(): void {
    this.#restoreEnvironment();
    // Needed after a dispose too: a launch that was in progress then may have started its browser since.
    killGroups(this.#groups());
    try {
      rmSync(this.path, { recursive: true, force: true, maxRetries: 5, retryDelay: 20 });
      rmdirSync(dirname(this.path));
    } catch (error) {
      this.#log.debug('run folder left to the janitor', { folder: this.path, error });
    }
    this.#janitor?.release();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#disposed ??= this.#dispose();
    await this.#disposed;
  }

  async #dispose(): Promise<void> {
    this.#restoreEnvironment();
    if (!(await this.#areGroupsGone())) {
      this.#log.warn('browser did not end and was killed', { groups: this.#groups() });
      killGroups(this.#groups());
      await this.#areGroupsGone();
    }
    (await this.#alive)?.close();
    try {
      await rm(this.path, { recursive: true, force: true, maxRetries: 10, retryDelay: 20 });
      this.#janitor?.dismiss();
    } catch (error) {
      this.#log.debug('run folder left to the janitor', { folder: this.path, error });
      this.#janitor?.release();
    }
    await removeIfEmpty(dirname(this.path));
  }

  #groups(): readonly number[] {
    const { path: folder } = this;
    return findGroups(listProcesses(), {
      folder,
      owned: this.#record.browsers,
      windowTicks: sessionWindowTicks,
      except: this.#ownGroup,
    });
  }

  async #areGroupsGone(): Promise<boolean> {
    for (let round = 0; round < graceRounds; round++) {
      if (this.#groups().length === 0) return true;
      await after(pollMs);
    }
    return false;
  }

  /** Writes a draft and renames it: a reader sees the old record or the new one, never half of one. */
  async #writeRecord(): Promise<void> {
    const draft = join(this.path, `${recordFile}.${randomBytes(4).toString('hex')}`);
    try {
      await writeFile(draft, JSON.stringify(this.#record), { mode: 0o600 });
      await rename(draft, join(this.path, recordFile));
    } catch (error) {
      // A full disk must not prevent browsing; the janitor already knows what the record contains.
      this.#log.warn('run folder has no record', { folder: this.path, error });
    }
  }

  #restoreEnvironment(): void {
    const { env } = this.#options;
    for (const name of temporaryVariables) {
      if (env[name] !== this.path) continue;
      const before = this.#before[name];
      if (before === undefined) delete env[name];
      else env[name] = before;
    }
  }
}

/** Removes the parent folder once the last run folder is gone. */
export async function removeIfEmpty(folder: string): Promise<void> {
  await rmdir(folder).catch(() => undefined);
}

async function makeOwnFolder({ tmpdir, uid, pid }: RunFolderOptions): Promise<string> {
  const base = outside(tmpdir) ?? tmpdir;
  for (let attempt = 0; ; attempt++) {
    const path = join(await makeParent(base, uid), `${pid}-${randomBytes(4).toString('hex')}`);
    try {
      await mkdir(path, { mode: 0o700 });
      return path;
    } catch (error) {
      // Another server that just exited may have removed the empty parent.
      if (attempt >= 5 || errorCode(error) !== 'ENOENT') throw error;
    }
  }
}

/** The parent of all run folders of this user; a folder with a random suffix if another user owns that name. */
async function makeParent(tmpdir: string, uid: number): Promise<string> {
  const usual = join(tmpdir, parentName(uid));
  for (let attempt = 0; ; attempt++) {
    try {
      await mkdir(usual, { mode: 0o700 });
      return usual;
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error;
    }
    try {
      const stat = await lstat(usual);
      if (!stat.isDirectory() || (uid >= 0 && stat.uid !== uid)) return await mkdtemp(`${usual}-`);
      if ((stat.mode & 0o077) !== 0) await chmod(usual, 0o700);
      return usual;
    } catch (error) {
      if (attempt >= 5 || errorCode(error) !== 'ENOENT') throw error;
    }
  }
}

/** Strips a run folder of this process from a temporary directory. */
function outside(path: string | undefined): string | undefined {
  return path?.replace(/[/\\]pagehelm-[^/\\]+[/\\]\d+-[\da-f]{8}$/, '');
}

async function listen(path: string, log: Logger): Promise<Server | undefined> {
  if (process.platform === 'win32') return undefined;
  const server = createServer((socket) => socket.destroy());
  try {
    server.listen(path);
    await once(server, 'listening');
    server.unref();
    return server;
  } catch (error) {
    // The path is too long for a socket; pid and start time still identify a living server.
    log.debug('run folder has no socket', { path, error });
    server.close();
    return undefined;
  }
}
