import type { ProcessIdentity } from '../../browser/process/processes.ts';
import type { SessionOptions } from '../session-options.ts';
import type { DriverId, Session } from '../session.ts';
import type { LeftSession, SessionStore } from '../store.ts';
import type { Checkpoint } from './checkpoint.ts';

/** A session as it is saved, to be restored by another process. */
export interface SavedSession {
  readonly version: 1;
  /** The server that uses it; other servers skip it while that one runs. Absent once that server has shut down. */
  readonly server?: ProcessIdentity;
  readonly id: string;
  readonly name: string;
  readonly owner: DriverId;
  readonly options: SessionOptions;
  readonly ttlMs?: number;
  /** Unix time in milliseconds. */
  readonly expiresAt?: number;
  /** ISO 8601. */
  readonly createdAt?: string;
  readonly isActive: boolean;
  readonly checkpoint: Checkpoint;
}

/** Saves sessions, so that they survive their process. */
export interface SessionSaver extends AsyncDisposable {
  /** A call on the session has ended. */
  used(session: Session): void;
  closed(session: Session): void;
}

export function savedSession(
  store: Pick<SessionStore, 'facts' | 'life'>,
  session: Session,
  checkpoint: Checkpoint,
  now: Date,
): SavedSession {
  const { ttlMs, isActive, leftMs } = store.facts(session);
  return {
    version: 1,
    id: session.id,
    name: session.name,
    owner: session.owner,
    options: session.options,
    ...(ttlMs === undefined ? {} : { ttlMs }),
    ...(leftMs === undefined ? {} : { expiresAt: now.getTime() + leftMs }),
    createdAt: store.life(session).createdAt.toISOString(),
    isActive,
    checkpoint,
  };
}

/** What a store needs to bring the session back. */
export function leftSession(saved: SavedSession, now: Date): LeftSession {
  const { id, name, owner, options, ttlMs, expiresAt, createdAt, isActive, checkpoint } = saved;
  return {
    id,
    name,
    owner,
    options,
    isActive,
    checkpoint,
    ...(ttlMs === undefined ? {} : { ttlMs }),
    ...(createdAt === undefined ? {} : { createdAt }),
    ...(expiresAt === undefined ? {} : { leftMs: expiresAt - now.getTime() }),
  };
}

/** The text was written by this program, and only this program could write it; the version is checked. */
export function readSavedSession(text: string): SavedSession {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const saved = JSON.parse(text) as SavedSession;
  if (saved.version !== 1) throw new Error('it has another version');
  return saved;
}
