import type { DriverId } from '../../session/session.ts';
import type { Acquired, Held, Located, SessionDirectory, WorkerInfo } from '../stores.ts';
import { Superseded } from '../superseded.ts';

interface Entry {
  readonly epoch: number;
  /** The driver is free if there is none, or if its lease has ended. */
  readonly owner?: Pick<WorkerInfo, 'name' | 'boot' | 'address'>;
  readonly until: number;
}

export class MemoryDirectory implements SessionDirectory {
  readonly leaseMs: number;
  readonly #now: () => number;
  readonly #entries = new Map<DriverId, Entry>();
  readonly #workers = new Map<string, { readonly info: WorkerInfo; readonly until: number }>();
  /** Not lost with the data: it stands for the time, which passes between a loss and the next epoch. */
  #lastEpoch = 0;
  #settledAt = -Infinity;

  constructor(now: () => number, leaseMs: number) {
    this.#now = now;
    this.leaseMs = leaseMs;
  }

  async announce(worker: WorkerInfo, held: readonly Held[]): Promise<readonly Held[]> {
    const current = (await this.workers()).find(({ name }) => name === worker.name);
    if (current !== undefined && current.boot !== worker.boot && current.boot !== worker.replaces)
      throw new Superseded(current.name, current.address);
    const until = this.#now() + this.leaseMs;
    this.#workers.set(worker.name, { info: worker, until });
    const { name, boot, address } = worker;
    return held.filter(({ driver, epoch }) => {
      if (this.epochOf(driver) > epoch) return true;
      this.#entries.set(driver, { epoch, owner: { name, boot, address }, until });
      return false;
    });
  }

  async workers(): Promise<readonly WorkerInfo[]> {
    return [...this.#workers.values()].filter(({ until }) => until > this.#now()).map(({ info }) => info);
  }

  async locate(driver: DriverId): Promise<Located> {
    return this.#locate(driver);
  }

  async acquire(driver: DriverId, worker: Pick<WorkerInfo, 'name' | 'boot' | 'address'>): Promise<Acquired> {
    // Nothing is awaited from here to the end: it is one step.
    const located = this.#locate(driver);
    if (located.state === 'placed' && located.placement.worker !== worker.name) return { owner: located.placement };
    const retryMs = this.#retryMs();
    if (retryMs > 0) return { retryMs };
    const { name, boot, address } = worker;
    const epoch = (this.#lastEpoch = Math.max(this.#lastEpoch, this.epochOf(driver), Math.floor(this.#now())) + 1);
    this.#entries.set(driver, { epoch, owner: { name, boot, address }, until: this.#now() + this.leaseMs });
    return { epoch };
  }

  async release({ driver, epoch }: Held): Promise<void> {
    const last = this.epochOf(driver);
    // The epoch grows, so that writes and renewals that are under way are refused.
    if (last > 0 && last <= epoch) this.#entries.set(driver, { epoch: epoch + 1, until: 0 });
  }

  async leave({ name, boot }: Pick<WorkerInfo, 'name' | 'boot'>): Promise<void> {
    if (this.#workers.get(name)?.info.boot === boot) this.#workers.delete(name);
  }

  /** The newest epoch of a driver, 0 if there was none. */
  epochOf(driver: DriverId): number {
    return this.#entries.get(driver)?.epoch ?? 0;
  }

  loseData(): void {
    this.#entries.clear();
    this.#workers.clear();
    this.#settledAt = this.#now() + this.leaseMs;
  }

  #locate(driver: DriverId): Located {
    const entry = this.#entries.get(driver);
    if (entry?.owner !== undefined && entry.until > this.#now()) {
      const { name: worker, boot, address } = entry.owner;
      return { state: 'placed', placement: { driver, epoch: entry.epoch, worker, boot, address } };
    }
    const retryMs = this.#retryMs();
    return retryMs > 0 ? { state: 'unsettled', retryMs } : { state: 'free' };
  }

  #retryMs(): number {
    return Math.max(0, Math.min(this.#settledAt - this.#now(), Math.ceil(this.leaseMs / 4)));
  }
}
