import type { Logger } from '../../log.ts';
import type { Held, SessionDirectory, WorkerInfo } from '../stores.ts';
import { Superseded } from '../superseded.ts';

export interface LeaseOptions {
  readonly directory: SessionDirectory;
  readonly describe: () => WorkerInfo;
  readonly held: () => readonly Held[];
  /** Makes sure that no other process has the name of this worker; throws Superseded if one does. */
  readonly claim?: () => Promise<void>;
  /** What was announced, and another worker has taken. */
  readonly onLost: (lost: readonly Held[]) => void;
  /** The right to act has ended: what is under way must stop before the lease ends too. */
  readonly onExpired: () => void;
  /** Another process has the name of this worker: it never acts again. */
  readonly onSuperseded?: (error: Superseded) => void;
  readonly log: Logger;
  /** A monotonic clock in milliseconds. */
  readonly now?: () => number;
}

/** Announcements within a lease: two may be lost without a consequence. */
const rounds = 4;
/** A worker stops this long before its lease ends, so that what it has sent arrives before another worker acts. */
const longestMarginMs = 2000;

/** The right of a worker to act, renewed in rounds. Judged by the monotonic clock of this process alone. */
export class Lease implements Disposable {
  readonly #options: LeaseOptions;
  readonly #now: () => number;
  readonly #marginMs: number;
  /** When the last announcement that succeeded was sent. */
  #renewedAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  #expiry: NodeJS.Timeout | undefined;
  #isClaimed = false;
  #isEnded = false;
  #hasFailed = false;

  constructor(options: LeaseOptions) {
    this.#options = options;
    this.#now = options.now ?? ((): number => performance.now());
    this.#marginMs = Math.min(longestMarginMs, options.directory.leaseMs / 5);
  }

  /** Whether this process may act now. */
  get isValid(): boolean {
    return !this.#isEnded && this.#now() < this.#renewedAt + this.#options.directory.leaseMs - this.#marginMs;
  }

  /** Announces the worker now, and then in rounds. */
  async start(): Promise<void> {
    await this.announce();
    if (this.#isEnded) return;
    this.#timer = setTimeout(() => void this.start(), this.#options.directory.leaseMs / rounds);
    this.#timer.unref();
  }

  async announce(): Promise<void> {
    const { directory, describe, held, claim, onLost, log } = this.#options;
    if (this.#isEnded) return;
    try {
      if (!this.#isClaimed) await claim?.();
      this.#isClaimed = true;
      const sentAt = this.#now();
      const told = held();
      const lost = await directory.announce(describe(), told);
      this.#renewedAt = Math.max(this.#renewedAt, sentAt);
      this.#awaitExpiry();
      if (this.#hasFailed) log.info('the directory responds again', {});
      this.#hasFailed = false;
      if (lost.length > 0) onLost(lost);
    } catch (error) {
      if (error instanceof Superseded) return this.#supersede(error);
      if (!this.#hasFailed) log.warn('the directory does not respond', { error });
      this.#hasFailed = true;
    }
  }

  [Symbol.dispose](): void {
    this.#isEnded = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#expiry);
  }

  #supersede(error: Superseded): void {
    if (this.#isEnded) return;
    this[Symbol.dispose]();
    this.#options.onExpired();
    this.#options.onSuperseded?.(error);
  }

  #awaitExpiry(): void {
    clearTimeout(this.#expiry);
    if (this.#isEnded) return;
    const leftMs = this.#renewedAt + this.#options.directory.leaseMs - this.#marginMs - this.#now();
    this.#expiry = setTimeout(
      () => {
        if (!this.isValid) this.#options.onExpired();
        else this.#awaitExpiry();
      },
      Math.max(1, leftMs),
    );
    this.#expiry.unref();
  }
}
