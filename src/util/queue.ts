import { raceSignal } from './signals.ts';

/** Runs tasks one at a time in FIFO order; rejects tasks beyond `limit` waiting ones. */
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

  /** Rejects with the signal's reason if it aborts while the task waits; a running task handles its own signal. */
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
      // An aborted task keeps its place until earlier tasks are done; otherwise later tasks would overtake them.
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
