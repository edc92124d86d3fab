const intervalMs = 250;
/** Ticks that are remembered: the last five seconds. */
const remembered = 20;

/** Measures how late timers are: nothing is answered while the event loop is blocked. */
export class LoopLag implements Disposable {
  readonly #timer: NodeJS.Timeout;
  #last = performance.now();
  #lags: readonly number[] = [];

  constructor() {
    this.#timer = setInterval(() => {
      this.#lags = [...this.#lags.slice(1 - remembered), this.#late];
      this.#last = performance.now();
    }, intervalMs);
    this.#timer.unref();
  }

  /** The longest delay of the last seconds, in milliseconds. */
  get ms(): number {
    return Math.max(0, this.#late, ...this.#lags);
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }

  get #late(): number {
    return Math.max(0, performance.now() - this.#last - intervalMs);
  }
}
