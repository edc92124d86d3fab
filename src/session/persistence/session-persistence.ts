import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { identityOf, isRunning, parseIdentity } from '../../browser/process/processes.ts';
import type { ProcessIdentity } from '../../browser/process/processes.ts';
import { ConfigError } from '../../errors.ts';
import type { Logger } from '../../log.ts';
import { makeFolder } from '../../util/make-folder.ts';
import { settlesWithin } from '../../util/signals.ts';
import type { Checkpoint } from './checkpoint.ts';
import type { Session } from '../session.ts';
import { leftSession, readSavedSession, savedSession } from './saved-session.ts';
import type { SavedSession, SessionSaver } from './saved-session.ts';
import type { Clock, SessionStore } from '../store.ts';
import { checkpointLimitMs, lastCheckpointLimitMs, saveDelayMs } from '../timing.ts';

export interface PersistenceOptions {
  readonly folder: string;
  readonly store: SessionStore;
  readonly clock: Clock;
  readonly log: Logger;
  readonly now: () => Date;
  readonly pid: number;
}

const privateFolder = 0o700;
const privateFile = 0o600;

/** Saves sessions so that they survive the server. The files contain cookies, so only the user can read them. */
export class SessionPersistence implements SessionSaver {
  readonly #options: PersistenceOptions;
  readonly #server: ProcessIdentity;
  readonly #timers = new Map<Session, Disposable>();
  /** Sessions that were saved or are about to be. */
  readonly #known = new WeakSet<Session>();
  #isEnded = false;

  constructor(options: PersistenceOptions) {
    this.#options = options;
    this.#server = identityOf(options.pid);
  }

  /** Loads the sessions of servers that have ended into the store. Synchronous: it runs before the first call. */
  load(): void {
    const { folder, store, log } = this.#options;
    try {
      mkdirSync(folder, { recursive: true, mode: privateFolder });
    } catch (error) {
      throw new ConfigError([`The sessions directory cannot be created: ${String(error)}.`]);
    }
    for (const file of newestFirst(folder)) {
      try {
        const path = join(folder, file);
        const saved = readSavedSession(readFileSync(path, 'utf8'));
        const owner = parseIdentity(saved.server);
        if (owner !== undefined && isRunning(owner)) continue;
        const left = leftSession(saved, this.#options.now());
        // Concurrent servers may have used the same name: the older session waits until a server has the name free.
        const isTaken = store.list(saved.owner).some(({ name }) => name === saved.name);
        if (isTaken && (left.leftMs ?? 1) > 0) continue;
        const isBack = store.bringBack(left);
        if (!isBack) rmSync(path, { force: true });
        // Claim it for this server.
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
    const isNew = !this.#known.has(session);
    this.#known.add(session);
    if (isNew) this.#saveFirst(session);
    this.#timers.set(session, this.#options.clock.after(isNew ? 0 : saveDelayMs, run));
  }

  closed(session: Session): void {
    this.#timers.get(session)?.[Symbol.dispose]();
    this.#timers.delete(session);
    if (!this.#isEnded) void rm(this.#fileOf(session), { force: true });
  }

  /** Saves all sessions a last time, before the browsers close. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#isEnded) return;
    this.#isEnded = true;
    for (const timer of this.#timers.values()) timer[Symbol.dispose]();
    const saving = this.#options.store.all().map(async (session) => this.#save(session, lastCheckpointLimitMs));
    await settlesWithin(Promise.all(saving), lastCheckpointLimitMs);
  }

  /** Before the answer of its first call: a server that is killed right after it must not forget the session. */
  #saveFirst(session: Session): void {
    const checkpoint = session.firstCheckpoint();
    if (checkpoint === undefined) return;
    try {
      // A session of an earlier server has a file with its storage, which stays until the next full checkpoint.
      const once = { mode: privateFile, flag: 'wx' };
      writeFileSync(this.#fileOf(session), JSON.stringify(this.#saved(session, checkpoint)), once);
    } catch (error) {
      this.#options.log.debug('a session was not saved at once', { session: session.name, error });
    }
  }

  async #save(session: Session, limitMs: number): Promise<void> {
    const { folder, store, log } = this.#options;
    try {
      // A session that was never used keeps its old checkpoint, and is released for the next server.
      const asleep = this.#isEnded ? session.dormant : undefined;
      const checkpoint = (await session.checkpoint(AbortSignal.timeout(limitMs))) ?? asleep;
      if (checkpoint === undefined) return;
      await makeFolder(folder, privateFolder);
      await this.#write(session, this.#saved(session, checkpoint));
      // The session may have been closed while it was being saved.
      if (!store.all().some(({ id }) => id === session.id)) await rm(this.#fileOf(session), { force: true });
    } catch (error) {
      log.debug('a session was not saved', { session: session.name, error });
    }
  }

  #saved(session: Session, checkpoint: Checkpoint): SavedSession {
    const { store, now } = this.#options;
    const saved = savedSession(store, session, checkpoint, now());
    return this.#isEnded ? saved : { ...saved, server: this.#server };
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
