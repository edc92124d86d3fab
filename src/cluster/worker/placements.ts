import { ToolError } from '../../errors.ts';
import type { Logger } from '../../log.ts';
import type { DriverId } from '../../session/session.ts';
import type { Held, Placement, SessionDirectory, WorkerInfo } from '../stores.ts';

/** Why a worker does not serve a driver. */
export type NotHeld =
  /** Another worker does. */
  | { readonly is: 'elsewhere'; readonly owner: Placement }
  /** No worker may, for this time. */
  | { readonly is: 'unsettled'; readonly retryMs: number }
  /** It takes nothing more, or cannot reach the directory. */
  | { readonly is: 'unavailable'; readonly reason: string };

export interface PlacementOptions {
  readonly directory: SessionDirectory;
  readonly describe: () => WorkerInfo;
  /** Whether this process may act now. */
  readonly isLeased: () => boolean;
  /** Brings the sessions of a driver here. */
  readonly adopt: (held: Held) => Promise<void>;
  /** Ends the sessions of a driver here, without saving them: another worker has them. */
  readonly drop: (driver: DriverId) => void;
  readonly log: Logger;
}

/** A driver's sessions were moved or put to sleep while a request for it began. */
const mostAttempts = 3;

/** The drivers whose sessions this worker runs. */
export class Placements {
  readonly #options: PlacementOptions;
  readonly #held = new Map<DriverId, Held>();
  /** Drivers that are being taken or released. */
  readonly #moving = new Map<DriverId, Promise<NotHeld | undefined>>();
  /** Requests under way. */
  readonly #uses = new Map<DriverId, number>();
  /** Aborted when this process must stop what it does for a driver. */
  readonly #rights = new Map<DriverId, AbortController>();
  #isClosed = false;

  constructor(options: PlacementOptions) {
    this.#options = options;
  }

  get all(): readonly Held[] {
    return [...this.#held.values()];
  }

  of(driver: DriverId): Held | undefined {
    return this.#held.get(driver);
  }

  /**
   * Makes sure that this worker runs the sessions of the driver, and keeps them here until what it returns is disposed of.
   * Otherwise returns why it does not.
   */
  async enter(driver: DriverId): Promise<NotHeld | Disposable> {
    for (let attempt = 0; attempt < mostAttempts; attempt++) {
      if (!this.#options.isLeased()) return noLease;
      const moving = this.#moving.get(driver);
      if (moving === undefined && this.#held.has(driver)) return this.#use(driver);
      if (this.#isClosed) return { is: 'unavailable', reason: 'this worker is shutting down' };
      const problem = await (moving ?? this.#move(driver, async () => this.#take(driver)));
      if (problem !== undefined) return problem;
    }
    return { is: 'unavailable', reason: 'the sessions are being moved' };
  }

  /** Whether a request for the driver is under way. */
  isUsed(driver: DriverId): boolean {
    return this.#uses.has(driver);
  }

  /** Throws if this process must not act for the driver now. */
  fence(driver: DriverId): void {
    if (!this.#held.has(driver)) throw new ToolError('CLUSTER_DEGRADED', { reason: 'another worker has the sessions' });
    if (!this.#options.isLeased())
      throw new ToolError('CLUSTER_DEGRADED', { reason: 'the directory does not respond' });
  }

  /** Aborts when this process must stop what it does for the driver. */
  right(driver: DriverId): AbortSignal {
    if (!this.#held.has(driver) || !this.#options.isLeased()) return AbortSignal.abort();
    let right = this.#rights.get(driver);
    if (right === undefined) this.#rights.set(driver, (right = new AbortController()));
    return right.signal;
  }

  /** This process may not act any more: another one may have the drivers soon. */
  expired(): void {
    for (const driver of this.#rights.keys()) this.#stop(driver);
  }

  /** Another worker has taken these drivers, unless this one took them again after the announcement. */
  lost(lost: readonly Held[]): void {
    for (const { driver, epoch } of lost) {
      if (this.#held.get(driver)?.epoch !== epoch) continue;
      this.#held.delete(driver);
      this.#stop(driver);
      this.#options.log.warn('another worker has taken the sessions of a key', { driver });
      this.#options.drop(driver);
    }
  }

  /** Releases a driver, after `remove` has removed its sessions. Requests that come meanwhile wait, and take it again. */
  async release(driver: DriverId, remove: () => Promise<void>): Promise<void> {
    const held = this.#held.get(driver);
    if (held === undefined || this.#moving.has(driver)) return;
    await this.#move(driver, async () => {
      try {
        await remove();
      } finally {
        this.#held.delete(driver);
        this.#stop(driver);
        await this.#options.directory.release(held).catch(() => undefined);
      }
      return undefined;
    });
  }

  /** No further driver is taken. */
  close(): void {
    this.#isClosed = true;
  }

  #stop(driver: DriverId): void {
    const right = this.#rights.get(driver);
    this.#rights.delete(driver);
    right?.abort();
  }

  async #move(driver: DriverId, run: () => Promise<NotHeld | undefined>): Promise<NotHeld | undefined> {
    const moving = run().finally(() => this.#moving.delete(driver));
    this.#moving.set(driver, moving);
    return moving;
  }

  #use(driver: DriverId): Disposable {
    this.#uses.set(driver, (this.#uses.get(driver) ?? 0) + 1);
    let isOver = false;
    const end = (): void => {
      if (isOver) return;
      isOver = true;
      const left = (this.#uses.get(driver) ?? 1) - 1;
      if (left > 0) this.#uses.set(driver, left);
      else this.#uses.delete(driver);
    };
    return { [Symbol.dispose]: end };
  }

  async #take(driver: DriverId): Promise<NotHeld | undefined> {
    const { directory, describe, adopt, log } = this.#options;
    try {
      const acquired = await directory.acquire(driver, describe());
      if ('owner' in acquired) return { is: 'elsewhere', owner: acquired.owner };
      if ('retryMs' in acquired) return { is: 'unsettled', retryMs: acquired.retryMs };
      const held = { driver, epoch: acquired.epoch };
      this.#held.set(driver, held);
      await adopt(held);
      log.debug('the sessions of a key are here', { driver, epoch: held.epoch });
      return undefined;
    } catch (error) {
      log.warn('the sessions of a key could not be taken', { driver, error });
      const held = this.#held.get(driver);
      this.#held.delete(driver);
      if (held !== undefined) await directory.release(held).catch(() => undefined);
      return noLease;
    }
  }
}

const noLease: NotHeld = { is: 'unavailable', reason: 'the directory of the cluster does not respond' };
