import type { Clock } from '../store.ts';

export interface IdleOptions {
  /** 0 means never. */
  readonly ms: number;
  readonly clock: Clock;
  readonly isBusy: () => boolean;
  readonly run: () => Promise<void>;
}

/** Runs a task once no call has come for a while. */
export class IdleTimer implements Disposable {
  readonly #options: IdleOptions;
  #timer: Disposable | undefined;

  constructor(options: IdleOptions) {
    this.#options = options;
  }

  /** A call has ended: restarts the timer. */
  used(): void {
    const { ms, clock, isBusy, run } = this.#options;
    this.#timer?.[Symbol.dispose]();
    if (ms === 0) return;
    this.#timer = clock.after(ms, () => {
      if (isBusy()) this.used();
      else void run();
    });
  }

  [Symbol.dispose](): void {
    this.#timer?.[Symbol.dispose]();
  }
}
