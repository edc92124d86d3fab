import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { listProcesses } from '../../browser/process/processes.ts';
import { ConfigError } from '../../errors.ts';
import type { Logger } from '../../log.ts';
import { makeFolder, makeFolderSync } from '../../util/make-folder.ts';
import { settlesWithin } from '../../util/signals.ts';
import type { Checkpoint } from './checkpoint.ts';
import type { SessionOptions } from '../session-options.ts';
import type { DriverId, Session } from '../session.ts';
import type { Clock, SessionStore } from '../store.ts';

export interface KeeperOptions {
  readonly folder: string;
  readonly store: SessionStore;
  readonly clock: Clock;
  readonly log: Logger;
  readonly now: () => Date;
  readonly pid: number;
}

/** A session as it stands in its file. */
interface SavedSession {
  readonly version: 1;
  /** The server that has it; another one leaves it alone while that one lives. */
  readonly server: { readonly pid: number; readonly startTime: number };
  readonly id: string;
  readonly name: string;
  readonly owner: DriverId;
  readonly options: SessionOptions;
  readonly ttlMs?: number;
  /** Milliseconds since 1970. */
  readonly expiresAt?: number;
  readonly isActive: boolean;
  readonly checkpoint: Checkpoint;
}

/** What a call changed is saved this long after it, together with what the calls after it did. */
const delayMs = 1000;
const checkpointLimitMs = 10_000;
const lastLimitMs = 2000;
/** Whose server has ended in order. */
const nobody = { pid: 0, startTime: 0 };
const privateFolder = 0o700;
const privateFile = 0o600;

/** Keeps sessions over the end of their server, in files of its user alone: they hold cookies. */
export class SessionKeeper implements AsyncDisposable {
  readonly #options: KeeperOptions;
  readonly #server: SavedSession['server'];
  readonly #timers = new Map<Session, Disposable>();
  #isEnded = false;

  constructor(options: KeeperOptions) {
    this.#options = options;
    const startTime = listProcesses().find(({ pid }) => pid === options.pid)?.startTime ?? 0;
    this.#server = { pid: options.pid, startTime };
  }

  /** Gives the store what servers that have ended left behind. Before the first call, hence without waiting. */
  bringBack(): void {
    const { folder, store, log } = this.#options;
    try {
      makeFolderSync(folder, privateFolder);
    } catch (error) {
      throw new ConfigError([`The directory for sessions cannot be made: ${String(error)}.`]);
    }
    const running = listProcesses();
    for (const file of newestFirst(folder)) {
      try {
        const path = join(folder, file);
        const saved = parse(readFileSync(path, 'utf8'));
        const { server, checkpoint, expiresAt, ...identity } = saved;
        if (running.some(({ pid, startTime }) => pid === server.pid && startTime === server.startTime)) continue;
        const leftMs = expiresAt === undefined ? undefined : expiresAt - this.#options.now().getTime();
        // Two servers at once may have used one name: the older session waits for a server that has the name free.
        const isTaken = store.list(saved.owner).some(({ name }) => name === saved.name);
        if (isTaken && (leftMs === undefined || leftMs > 0)) continue;
        const isBack = store.bringBack({ ...identity, checkpoint, ...(leftMs === undefined ? {} : { leftMs }) });
        if (!isBack) rmSync(path, { force: true });
        // From now on it is ours.
        else writeFileSync(path, JSON.stringify({ ...saved, server: this.#server }), { mode: privateFile });
      } catch (error) {
        log.warn('a saved session cannot be read', { file, error });
      }
    }
  }

  used(session: Session): void {
    if (this.#isEnded || this.#timers.has(session)) return;
    const run = (): void => {
      this.#timers.delete(session);
      void this.#save(session, checkpointLimitMs);
    };
    this.#timers.set(session, this.#options.clock.after(delayMs, run));
  }

  closed(session: Session): void {
    this.#timers.get(session)?.[Symbol.dispose]();
    this.#timers.delete(session);
    if (!this.#isEnded) void rm(this.#fileOf(session), { force: true });
  }

  /** The last state of everything, before the browsers end. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#isEnded) return;
    this.#isEnded = true;
    for (const timer of this.#timers.values()) timer[Symbol.dispose]();
    const saving = this.#options.store.all().map(async (session) => this.#save(session, lastLimitMs));
    await settlesWithin(Promise.all(saving), lastLimitMs);
  }

  async #save(session: Session, limitMs: number): Promise<void> {
    const { folder, store, log, now } = this.#options;
    try {
      // One that was not used is as its last server left it; at the end it is free for the next one.
      const asleep = this.#isEnded ? session.dormant : undefined;
      const checkpoint = (await session.checkpoint(AbortSignal.timeout(limitMs))) ?? asleep;
      if (checkpoint === undefined) return;
      const { ttlMs, isActive, leftMs } = store.facts(session);
      const saved: SavedSession = {
        version: 1,
        server: this.#isEnded ? nobody : this.#server,
        id: session.id,
        name: session.name,
        owner: session.owner,
        options: session.options,
        ...(ttlMs === undefined ? {} : { ttlMs }),
        ...(leftMs === undefined ? {} : { expiresAt: now().getTime() + leftMs }),
        isActive,
        checkpoint,
      };
      await makeFolder(folder, privateFolder);
      await this.#write(session, saved);
      // It may have been closed while it was being saved.
      if (!store.all().some(({ id }) => id === session.id)) await rm(this.#fileOf(session), { force: true });
    } catch (error) {
      log.debug('a session was not saved', { session: session.name, error });
    }
  }

  async #write(session: Session, saved: SavedSession): Promise<void> {
    const part = `${this.#fileOf(session)}.part`;
    await writeFile(part, JSON.stringify(saved), { mode: privateFile });
    await rename(part, this.#fileOf(session));
  }

  #fileOf(session: Session): string {
    return join(this.#options.folder, `${session.id}.json`);
  }
}

function newestFirst(folder: string): readonly string[] {
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'));
  const dated = files.map((name) => ({
    name,
    at: statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0,
  }));
  return dated.toSorted((a, b) => b.at - a.at).map(({ name }) => name);
}

function parse(text: string): SavedSession {
  // Written by this class into a folder that nobody else may write to; other versions of it are told apart.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const saved = JSON.parse(text) as SavedSession;
  if (saved.version !== 1) throw new Error('it is of another version');
  return saved;
}
