import { raceSignal } from './signals.ts';

/** Runs tasks one at a time in FIFO order; rejects tasks beyond `limit` waiting ones. */
export class FifoQueue {
  readonly #limit: number;
  readonly #onFull: (waiting: number) => Error;
  /** Each starts one task that waits. */
  #waiting: (() => void)[] = [];
  #isRunning = false;

  constructor(limit: number, onFull: (waiting: number) => Error) {
    this.#limit = limit;
    this.#onFull = onFull;
  }

  /** Tasks that run or wait. */
  get size(): number {
    return Number(this.#isRunning) + this.#waiting.length;
  }

  /** Rejects with the signal's reason if it aborts while the task waits; a running task handles its own signal. */
  async run<T>(signal: AbortSignal, task: () => Promise<T>): Promise<T> {
    if (this.#waiting.length >= this.#limit) throw this.#onFull(this.#waiting.length);
    return this.#enter(signal, task, false);
  }

  /** As `run`, before all tasks that wait, and without a limit. */
  async runNext<T>(signal: AbortSignal, task: () => Promise<T>): Promise<T> {
    return this.#enter(signal, task, true);
  }

  async #enter<T>(signal: AbortSignal, task: () => Promise<T>, isFirst: boolean): Promise<T> {
    let start: () => void = () => undefined;
    const turn = new Promise<void>((resolve) => {
      start = resolve;
    });
    if (isFirst) this.#waiting.unshift(start);
    else this.#waiting.push(start);
    this.#startNext();
    try {
      await raceSignal(turn, signal);
    } catch (error) {
      const place = this.#waiting.indexOf(start);
      // Its turn may have come in the same moment.
      if (place < 0) this.#end();
      else this.#waiting.splice(place, 1);
      throw error;
    }
    try {
      return await task();
    } finally {
      this.#end();
    }
  }

  #startNext(): void {
    if (this.#isRunning) return;
    const start = this.#waiting.shift();
    this.#isRunning = start !== undefined;
    start?.();
  }

  #end(): void {
    this.#isRunning = false;
    this.#startNext();
  }
}
