import type { DriverId } from '../../session/session.ts';
import { keptMs, longestAnswer } from '../retention.ts';
import type { CallJournal, Held, JournalEntry } from '../stores.ts';

interface Call {
  readonly hash: string;
  readonly epoch: number;
  readonly isDone: boolean;
  readonly answer?: string | undefined;
  readonly until: number;
}

export class MemoryJournal implements CallJournal {
  readonly #now: () => number;
  readonly #epochOf: (driver: DriverId) => number;
  readonly #calls = new Map<string, Call>();

  constructor(now: () => number, epochOf: (driver: DriverId) => number) {
    this.#now = now;
    this.#epochOf = epochOf;
  }

  async begin({ driver, epoch }: Held, id: string, hash: string): Promise<JournalEntry> {
    if (this.#epochOf(driver) > epoch) return { state: 'fenced' };
    this.#dropExpired();
    const key = JSON.stringify([driver, id]);
    const call = this.#calls.get(key);
    if (call === undefined) {
      this.#set(key, { hash, epoch, isDone: false });
      return { state: 'new' };
    }
    if (call.hash !== hash) return { state: 'reused' };
    if (call.isDone) return { state: 'done', answer: call.answer };
    return { state: call.epoch === epoch ? 'running' : 'unknown' };
  }

  async finish({ driver, epoch }: Held, id: string, answer: string | undefined): Promise<boolean> {
    if (this.#epochOf(driver) > epoch) return false;
    const key = JSON.stringify([driver, id]);
    const call = this.#calls.get(key);
    if (answer === undefined) this.#calls.delete(key);
    else if (call !== undefined) {
      const kept = Buffer.byteLength(answer) > longestAnswer ? undefined : answer;
      this.#set(key, { hash: call.hash, epoch, isDone: true, answer: kept });
    }
    return true;
  }

  /** Calls that are changed go to the end, so that the first ones expire first. */
  #set(key: string, call: Omit<Call, 'until'>): void {
    this.#calls.delete(key);
    this.#calls.set(key, { ...call, until: this.#now() + keptMs });
  }

  #dropExpired(): void {
    for (const [key, { until }] of this.#calls) {
      if (until > this.#now()) break;
      this.#calls.delete(key);
    }
  }
}
