import type { EventStore } from '@modelcontextprotocol/server';
import type { DriverId } from '../session/session.ts';

/** A process that runs sessions. */
export interface WorkerInfo {
  /** Stays the same over a restart. */
  readonly name: string;
  /** Another one after each start. */
  readonly boot: string;
  /** Where gateways reach it, as a URL. */
  readonly address: string;
  readonly version: string;
  /** Sessions that it can run. */
  readonly slots: number;
  /** Sessions that it runs. */
  readonly live: number;
  /** Calls that wait for a session. */
  readonly waiting: number;
  readonly isDraining: boolean;
  /** The boot whose place it took when it started. */
  readonly replaces?: string | undefined;
  /** What it holds, if it can go on with it after a restart. */
  readonly drivers?: readonly DriverId[] | undefined;
}

/** A driver whose sessions a worker runs, under an epoch that grows with each move. */
export interface Held {
  readonly driver: DriverId;
  readonly epoch: number;
}

/** Who runs the sessions of a driver. */
export interface Placement extends Held {
  /** Name, boot id and address of the worker. */
  readonly worker: string;
  readonly boot: string;
  readonly address: string;
}

export type Located =
  | { readonly state: 'placed'; readonly placement: Placement }
  /** No worker has them: any may acquire them. */
  | { readonly state: 'free' }
  /** The directory lost its data, and the owner may not have announced itself yet. Try again after the time. */
  | { readonly state: 'unsettled'; readonly retryMs: number };

export type Acquired =
  | { readonly epoch: number }
  | { readonly owner: Placement }
  /** As `unsettled`: nothing may run yet. */
  | { readonly retryMs: number };

/**
 * Knows which worker runs the sessions of a driver. It is soft state: workers announce what they hold in each round, and
 * after a loss of all data the directory is complete one round later. Times are those of the directory.
 */
export interface SessionDirectory {
  /** Milliseconds after which a placement that is not announced again is free. */
  readonly leaseMs: number;
  /**
   * Announces a worker and renews what it holds. Returns what it has lost: a newer epoch exists. It may be the worker's own,
   * if it released and acquired the driver meanwhile. Throws Superseded if another boot of the same name, other than the
   * one that it replaces, is announced.
   */
  announce(worker: WorkerInfo, held: readonly Held[]): Promise<readonly Held[]>;
  /** The workers that sent an announcement within a lease. */
  workers(): Promise<readonly WorkerInfo[]>;
  locate(driver: DriverId): Promise<Located>;
  /**
   * Takes a driver, in one step: if it is free, its lease has ended, or the same worker or an earlier boot of it has it.
   * The epoch is larger than any before, even after a loss of all data.
   */
  acquire(driver: DriverId, worker: Pick<WorkerInfo, 'name' | 'boot' | 'address'>): Promise<Acquired>;
  /** Gives a driver up. Does nothing if a newer epoch exists. */
  release(held: Held): Promise<void>;
  /** The worker ends: it is no longer listed. */
  leave(worker: Pick<WorkerInfo, 'name' | 'boot'>): Promise<void>;
}

/** Saved sessions, sealed by the caller. Writes under an epoch older than the driver's newest are refused. */
export interface CheckpointStore {
  /** False if a newer epoch exists. `ttlMs`: kept this long. */
  save(held: Held, session: string, sealed: Buffer, ttlMs: number): Promise<boolean>;
  remove(held: Held, session: string): Promise<boolean>;
  /** All saved sessions of a driver, by id. */
  load(driver: DriverId): Promise<ReadonlyMap<string, Buffer>>;
}

export type JournalEntry =
  /** Not seen before: the call is recorded as started, and may run. */
  | { readonly state: 'new' }
  /** It ran; the answer is that of the first time. Without one, the answer was too long to keep. */
  | { readonly state: 'done'; readonly answer: string | undefined }
  /** It runs under the same epoch. */
  | { readonly state: 'running' }
  /** It was started under an older epoch, and how far it got is unknown. */
  | { readonly state: 'unknown' }
  /** The id belongs to a call with other arguments. */
  | { readonly state: 'reused' }
  /** A newer epoch exists: the call must not run here. */
  | { readonly state: 'fenced' };

/** Calls by the ids that clients gave them, so that a repeated call runs at most once. Kept for ten minutes. */
export interface CallJournal {
  /** `hash`: of tool and arguments. */
  begin(held: Held, call: string, hash: string): Promise<JournalEntry>;
  /** Records the answer; false if a newer epoch exists. `undefined`: the call had no effect and may run again. */
  finish(held: Held, call: string, answer: string | undefined): Promise<boolean>;
}

/** Messages of event streams, which a client can resume at any gateway. Kept for ten minutes. */
export interface EventStreams {
  /** The streams of a 2025 connection. Event ids of other connections mean nothing in it. */
  connection(id: string): EventStore & { clear(): Promise<void> };
}

export type LimitTaken = { readonly isTaken: true } | { readonly isTaken: false; readonly retryMs: number };

/** Requests per key and second, across all gateways. */
export interface Limits {
  take(key: string, perSecond: number): Promise<LimitTaken>;
}

/** Everything that the processes of a cluster share. */
export interface ClusterStores extends AsyncDisposable {
  readonly directory: SessionDirectory;
  readonly checkpoints: CheckpointStore;
  readonly journal: CallJournal;
  readonly events: EventStreams;
  readonly limits: Limits;
  /** Another text after each loss of data. */
  generation(): Promise<string>;
  /** Whether the stores answer now. */
  ping(): Promise<boolean>;
}
