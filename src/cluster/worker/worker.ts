import type { SessionBinding } from '../../call/binding.ts';
import type { Logger } from '../../log.ts';
import type { SessionSaver } from '../../session/persistence/saved-session.ts';
import type { DriverId, Session } from '../../session/session.ts';
import type { SessionStore } from '../../session/store.ts';
import { settlesWithin } from '../../util/signals.ts';
import { AtMostOnce } from '../at-most-once.ts';
import type { Seal } from '../seal.ts';
import type { ClusterStores, WorkerInfo } from '../stores.ts';
import type { Superseded } from '../superseded.ts';
import { Lease } from './lease.ts';
import { Placements } from './placements.ts';
import { findPredecessor } from './predecessor.ts';
import { SavedSessions } from './saved-sessions.ts';

export interface WorkerOptions {
  readonly stores: ClusterStores;
  readonly seal: Seal;
  readonly info: () => Pick<WorkerInfo, 'name' | 'boot' | 'address' | 'version' | 'slots'>;
  readonly log: Logger;
  /** A session without a call for this long sleeps; 0 means never. */
  readonly sleepAfterMs: number;
  /** Another process keeps the browser, so that a restarted worker goes on with its sessions. */
  readonly keepsBrowsers: boolean;
  /** Another process has the name of this worker, which takes nothing any more. */
  readonly onSuperseded?: ((error: Superseded) => void) | undefined;
}

/** How long a session may take to save itself before it sleeps. */
const sleepLimitMs = 10_000;
/** How long all sessions together may take when the worker ends. */
const drainLimitMs = 8000;

/** The part of a server that runs sessions for a cluster: it takes drivers, saves their sessions, and releases them. */
export class ClusterWorker implements AsyncDisposable {
  readonly placements: Placements;
  readonly lease: Lease;
  readonly calls: AtMostOnce;
  readonly #options: WorkerOptions;
  #store: SessionStore | undefined;
  #saved: SavedSessions | undefined;
  #sleeping: NodeJS.Timeout | undefined;
  /** What ran under the name of this worker before. */
  #predecessor: WorkerInfo | undefined;
  readonly #ended = new AbortController();
  #isDraining = false;

  constructor(options: WorkerOptions) {
    const { stores, log } = options;
    this.#options = options;
    this.placements = new Placements({
      directory: stores.directory,
      describe: () => this.#describe(),
      isLeased: () => this.lease.isValid,
      adopt: async ({ driver }) => {
        await this.#saved?.load(driver);
        // A restart finds what was announced.
        if (this.#options.keepsBrowsers) await this.lease.announce();
      },
      drop: (driver) => this.#drop(driver),
      log,
    });
    this.lease = new Lease({
      directory: stores.directory,
      describe: () => this.#describe(),
      held: () => this.placements.all,
      claim: async () => {
        const { signal } = this.#ended;
        this.#predecessor = await findPredecessor({ directory: stores.directory, own: options.info(), signal });
      },
      onLost: (drivers) => this.placements.lost(drivers),
      onExpired: () => this.placements.expired(),
      onSuperseded: (error) => {
        this.placements.close();
        this.placements.lost(this.placements.all);
        options.onSuperseded?.(error);
      },
      log,
    });
    this.calls = new AtMostOnce({
      journal: stores.journal,
      heldOf: (driver) => this.placements.of(driver),
      mayWait: () => this.lease.isValid,
      log,
    });
  }

  /** Connects the worker with the sessions of its server. */
  saver(store: SessionStore, binding: () => SessionBinding): SessionSaver {
    const { stores, seal, log } = this.#options;
    const heldOf = (driver: DriverId) => this.placements.of(driver);
    const saved = new SavedSessions({ checkpoints: stores.checkpoints, seal, store, binding, heldOf, log });
    this.#store = store;
    this.#saved = saved;
    return {
      used: (session) => saved.schedule(session),
      closed: (session) => void saved.remove(session),
      [Symbol.asyncDispose]: async () => undefined,
    };
  }

  /** Announces the worker. Until the first announcement has succeeded, it takes nothing. */
  async start(): Promise<void> {
    await this.lease.start();
    const before = this.#options.keepsBrowsers ? (this.#predecessor?.drivers ?? []) : [];
    // Before the browser closes what no session claims, and before another worker takes it.
    await Promise.all(before.map(async (driver) => this.#takeBack(driver)));
    const { sleepAfterMs } = this.#options;
    if (sleepAfterMs === 0) return;
    this.#sleeping = setInterval(() => void this.sleepIdle(), Math.max(20, Math.min(5000, sleepAfterMs / 4)));
    this.#sleeping.unref();
  }

  /** Saves sessions that were not used for a while and releases their browsers; releases drivers that have no others. */
  async sleepIdle(): Promise<void> {
    const store = this.#store;
    if (store === undefined || this.#isDraining || !this.lease.isValid) return;
    const { sleepAfterMs, log } = this.#options;
    for (const { driver } of this.placements.all) {
      const isIdle = (session: Session): boolean =>
        session.calls === 0 && !session.person.isHeld && store.life(session).idleMs >= sleepAfterMs;
      try {
        for (const session of store.list(driver)) if (isIdle(session) && session.isOpen) await this.#sleep(session);
        const rest = store.list(driver);
        const mayGo = rest.every((session) => isIdle(session) && !session.isOpen && session.dormant !== undefined);
        // A stream stays with the worker that has its driver.
        if (mayGo && !this.placements.isUsed(driver)) await this.#release(driver);
      } catch (error) {
        log.debug('sessions were not put to sleep', { driver, error });
      }
    }
  }

  /** Takes no further driver, and tells gateways. */
  async close(): Promise<void> {
    this.#isDraining = true;
    this.placements.close();
    clearInterval(this.#sleeping);
    await this.lease.announce();
  }

  /** Saves all sessions and releases all drivers. Called when calls in progress have ended. */
  async releaseAll(): Promise<void> {
    const releasing = this.placements.all.map(async ({ driver }) => {
      const sessions = this.#store?.list(driver) ?? [];
      await Promise.allSettled(sessions.map(async (session) => session.isOpen && this.#sleep(session)));
      await this.#release(driver);
    });
    await settlesWithin(Promise.allSettled(releasing), drainLimitMs);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { stores, info } = this.#options;
    clearInterval(this.#sleeping);
    this.#ended.abort();
    this.lease[Symbol.dispose]();
    await stores.directory.leave(info()).catch(() => undefined);
  }

  #describe(): WorkerInfo {
    const all = this.#store?.all() ?? [];
    return {
      ...this.#options.info(),
      live: all.filter(({ isOpen }) => isOpen).length,
      waiting: all.reduce((sum, { calls }) => sum + Math.max(0, calls - 1), 0),
      isDraining: this.#isDraining,
      replaces: this.#predecessor?.boot,
      ...(this.#options.keepsBrowsers ? { drivers: this.placements.all.map(({ driver }) => driver) } : {}),
    };
  }

  async #takeBack(driver: DriverId): Promise<void> {
    const entered = await this.placements.enter(driver);
    if (!('is' in entered)) entered[Symbol.dispose]();
  }

  async #sleep(session: Session): Promise<void> {
    const save = async (checkpoint: Parameters<SavedSessions['save']>[1]): Promise<void> =>
      this.#saved?.save(session, checkpoint);
    await this.#store?.sleepOne(session, AbortSignal.timeout(sleepLimitMs), save);
  }

  async #release(driver: DriverId): Promise<void> {
    await this.placements.release(driver, async () => {
      for (const session of this.#store?.list(driver) ?? []) {
        this.#saved?.dropped(session);
        await this.#store?.evict(session);
      }
    });
  }

  #drop(driver: DriverId): void {
    const { log } = this.#options;
    for (const session of this.#store?.list(driver) ?? []) {
      this.#saved?.dropped(session);
      this.#store?.evict(session).catch((error: unknown) => log.warn('closing a session failed', { error }));
    }
  }
}
