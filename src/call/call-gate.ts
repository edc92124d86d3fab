import { ToolError } from '../errors.ts';
import { settlesWithin } from '../util/signals.ts';

/** Limits the calls that run or wait at once, and waits for them before the server ends. */
export class CallGate {
  readonly #limit: number;
  #running = 0;
  #isEnding = false;
  #onEmpty: () => void = () => undefined;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Admits a call, which ends when the place is disposed of. */
  enter(): Disposable {
    if (this.#isEnding) throw new ToolError('SERVER_ENDING', {});
    if (this.#running >= this.#limit) {
      throw new ToolError('SERVER_BUSY', { reason: `it already has ${this.#limit} calls (--max-calls)` });
    }
    this.#running++;
    return {
      [Symbol.dispose]: () => {
        this.#running--;
        if (this.#running === 0) this.#onEmpty();
      },
    };
  }

  /** Refuses further calls and waits for those in progress; false if some still run after the time. */
  async end(limitMs: number): Promise<boolean> {
    this.#isEnding = true;
    if (this.#running === 0) return true;
    const empty = new Promise<void>((resolve) => {
      this.#onEmpty = resolve;
    });
    return settlesWithin(empty, limitMs);
  }
}
