import type { Clock } from '../src/session/store.ts';

/** A clock that tests advance by hand. */
export class FakeClock implements Clock {
  #now = 0;
  readonly #timers = new Set<{ readonly at: number; readonly run: () => void }>();

  now(): number {
    return this.#now;
  }

  after(ms: number, run: () => void): Disposable {
    const timer = { at: this.#now + ms, run };
    this.#timers.add(timer);
    return { [Symbol.dispose]: () => void this.#timers.delete(timer) };
  }

  get pending(): number {
    return this.#timers.size;
  }

  pass(ms: number): void {
    this.#now += ms;
    for (const timer of [...this.#timers].filter(({ at }) => at <= this.#now)) {
      this.#timers.delete(timer);
      timer.run();
    }
  }
}
