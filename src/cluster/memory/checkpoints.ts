import type { DriverId } from '../../session/session.ts';
import type { CheckpointStore, Held } from '../stores.ts';

interface Saved {
  readonly sealed: Buffer;
  readonly until: number;
}

export class MemoryCheckpoints implements CheckpointStore {
  readonly #now: () => number;
  readonly #epochOf: (driver: DriverId) => number;
  readonly #saved = new Map<DriverId, Map<string, Saved>>();

  constructor(now: () => number, epochOf: (driver: DriverId) => number) {
    this.#now = now;
    this.#epochOf = epochOf;
  }

  async save({ driver, epoch }: Held, session: string, sealed: Buffer, ttlMs: number): Promise<boolean> {
    if (this.#epochOf(driver) > epoch) return false;
    const sessions = this.#saved.get(driver) ?? new Map<string, Saved>();
    this.#saved.set(driver, sessions.set(session, { sealed: Buffer.from(sealed), until: this.#now() + ttlMs }));
    return true;
  }

  async remove({ driver, epoch }: Held, session: string): Promise<boolean> {
    if (this.#epochOf(driver) > epoch) return false;
    this.#saved.get(driver)?.delete(session);
    return true;
  }

  async load(driver: DriverId): Promise<ReadonlyMap<string, Buffer>> {
    const sessions = [...(this.#saved.get(driver) ?? [])].filter(([, { until }]) => until > this.#now());
    this.#saved.set(driver, new Map(sessions));
    return new Map(sessions.map(([session, { sealed }]) => [session, sealed]));
  }

  loseData(): void {
    this.#saved.clear();
  }
}
