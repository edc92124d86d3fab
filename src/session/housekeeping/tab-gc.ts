import type { Session } from '../session.ts';
import type { Clock } from '../store.ts';

/** Longer than the steps of a script, shorter than a model takes to think. */
export const restMs = 2000;

/** Has tabs free what their past documents left behind, while nobody uses their session. */
export class Tidier implements Disposable {
  readonly #clock: Clock;
  readonly #timers = new Map<Session, Disposable>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** A call has ended: its session rests from now on. */
  used(session: Session): void {
    this.closed(session);
    if (!session.tabs.some(({ agents }) => agents.isLittered)) return;
    const tidy = (): void => {
      this.#timers.delete(session);
      // A call that is under way comes by here when it ends.
      if (session.calls > 0) return;
      for (const { agents } of session.tabs) if (agents.isLittered) void agents.tidy();
    };
    this.#timers.set(session, this.#clock.after(restMs, tidy));
  }

  closed(session: Session): void {
    this.#timers.get(session)?.[Symbol.dispose]();
    this.#timers.delete(session);
  }

  [Symbol.dispose](): void {
    for (const session of this.#timers.keys()) this.closed(session);
  }
}
