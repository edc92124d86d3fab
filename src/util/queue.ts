import { raceSignal } from './signals.ts';

/** Runs tasks one at a time, in the order they came; refuses more than `limit` waiting ones. */
export class FifoQueue {
  readonly #limit: number;
  readonly #onFull: (waiting: number) => Error;
  #waiting = 0;
  #running = 0;
  #tail: Promise<unknown> = Promise.resolve();

  constructor(limit: number, onFull: (waiting: number) => Error) {
    this.#limit = limit;
    this.#onFull = onFull;
  }

  /** Tasks that run or wait. */
  get size(): number {
    return this.#running + this.#waiting;
  }

  /** Rejects with the signal's reason when it aborts while the task waits; a running task sees to its own signal. */
  async run<T>(signal: AbortSignal, task: () => Promise<T>): Promise<T> {
    if (this.#waiting >= this.#limit) throw this.#onFull(this.#waiting);
    const turn = this.#tail;
    let release: () => void = () => undefined;
    this.#tail = new Promise<void>((resolve) => {
      release = resolve;
    });
    this.#waiting++;
    try {
      await raceSignal(turn, signal);
    } catch (error) {
      this.#waiting--;
      // The place in the line is kept until the ones before are done, or a later task would overtake them.
      void turn.then(release);
      throw error;
    }
    this.#waiting--;
    this.#running++;
    try {
      return await task();
    } finally {
      this.#running--;
      release();
    }
  }
}
