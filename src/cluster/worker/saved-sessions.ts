import type { SessionBinding } from '../../call/binding.ts';
import type { Logger } from '../../log.ts';
import type { Checkpoint } from '../../session/persistence/checkpoint.ts';
import { leftSession, readSavedSession, savedSession } from '../../session/persistence/saved-session.ts';
import type { SavedSession } from '../../session/persistence/saved-session.ts';
import type { DriverId, Session } from '../../session/session.ts';
import type { SessionStore } from '../../session/store.ts';
import { checkpointLimitMs, saveDelayMs } from '../../session/timing.ts';
import type { Seal, SealedFor } from '../seal.ts';
import type { CheckpointStore, Held } from '../stores.ts';

export interface SavedSessionsOptions {
  readonly checkpoints: CheckpointStore;
  readonly seal: Seal;
  readonly store: SessionStore;
  readonly binding: () => SessionBinding;
  readonly heldOf: (driver: DriverId) => Held | undefined;
  readonly log: Logger;
}

/** A session with the connections that use it. */
interface ClusterSession extends SavedSession {
  readonly connections: readonly string[];
}

/** A session without an expiry is kept this long after its last use. */
const longestKeptMs = 30 * 24 * 3_600_000;
/** An expired session is remembered as such. */
const extraMs = 3_600_000;

/** The sessions of this worker in the store of the cluster, sealed. */
export class SavedSessions {
  readonly #options: SavedSessionsOptions;
  readonly #timers = new Map<string, NodeJS.Timeout>();
  readonly #saved = new Set<string>();

  constructor(options: SavedSessionsOptions) {
    this.#options = options;
  }

  /** Saves the session soon; the first time at once. */
  schedule(session: Session): void {
    if (this.#timers.has(session.id)) return;
    const delayMs = this.#saved.has(session.id) ? saveDelayMs : 0;
    const timer = setTimeout(() => {
      this.#timers.delete(session.id);
      void this.#saveNow(session);
    }, delayMs);
    timer.unref();
    this.#timers.set(session.id, timer);
  }

  /** Throws if the store refuses it: another worker has the session. */
  async save(session: Session, checkpoint: Checkpoint): Promise<void> {
    const { checkpoints, seal, store, binding, heldOf } = this.#options;
    const held = heldOf(session.owner);
    if (held === undefined) throw new Error('the session is not held by this worker');
    const connections = binding().connectionsOf(session);
    const saved: ClusterSession = { ...savedSession(store, session, checkpoint, new Date()), connections };
    const { leftMs = longestKeptMs } = store.facts(session);
    const sealed = await seal.seal(sealedFor(session.owner, session.id), Buffer.from(JSON.stringify(saved)));
    if (!(await checkpoints.save(held, session.id, sealed, leftMs + extraMs))) throw new Error('a newer epoch exists');
    this.#saved.add(session.id);
  }

  async remove({ id, owner }: Session): Promise<void> {
    const { checkpoints, heldOf, log } = this.#options;
    this.#forget(id);
    const held = heldOf(owner);
    if (held === undefined) return;
    await checkpoints.remove(held, id).catch((error: unknown) => log.warn('a session stays saved', { id, error }));
  }

  /** Brings the sessions of a driver back; each is restored on its next use. */
  async load(driver: DriverId): Promise<void> {
    const { checkpoints, seal, store, binding, log } = this.#options;
    for (const [id, sealed] of await checkpoints.load(driver)) {
      try {
        const opened = await seal.open(sealedFor(driver, id), sealed);
        if (opened === undefined) throw new Error('it was not sealed by this cluster');
        const text = opened.toString();
        const saved = readSavedSession(text);
        const isBack = store.bringBack(leftSession(saved, new Date()));
        if (isBack) binding().bind({ id }, connectionsIn(text));
        this.#saved.add(id);
      } catch (error) {
        log.warn('a saved session cannot be read', { session: id, error });
      }
    }
  }

  /** The session leaves this worker. */
  dropped({ id }: Session): void {
    this.#forget(id);
  }

  #forget(id: string): void {
    clearTimeout(this.#timers.get(id));
    this.#timers.delete(id);
    this.#saved.delete(id);
  }

  async #saveNow(session: Session): Promise<void> {
    try {
      const checkpoint = await session.checkpoint(AbortSignal.timeout(checkpointLimitMs));
      if (checkpoint !== undefined) await this.save(session, checkpoint);
    } catch (error) {
      this.#options.log.debug('a session was not saved', { session: session.name, error });
    }
  }
}

function sealedFor(driver: DriverId, session: string): SealedFor {
  return { driver, session };
}

function connectionsIn(text: string): readonly string[] {
  // Written by this class and sealed.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return (JSON.parse(text) as Partial<ClusterSession>).connections ?? [];
}
