import { identityOf, isRunning } from '../../browser/process/processes.ts';
import type { ProcessIdentity } from '../../browser/process/processes.ts';

const watchMs = 1000;

export interface WatchOptions {
  /** Milliseconds without use after which to end; 0 means never. */
  readonly idleMs: number;
  readonly isPublished: () => boolean;
  /** Whether a command runs or a client is connected by MCP. */
  readonly isBusy: () => boolean;
  readonly end: (reason: string) => void;
  readonly now: () => number;
}

/** Ends a daemon that cannot be reached or is not used. */
export class DaemonWatch implements Disposable {
  readonly #options: WatchOptions;
  readonly #owners = new Map<number, ProcessIdentity>();
  readonly #timer: NodeJS.Timeout;
  #usedAt: number;

  constructor(options: WatchOptions) {
    this.#options = options;
    this.#usedAt = options.now();
    this.#timer = setInterval(() => this.#check(), watchMs);
  }

  get idleMs(): number {
    return this.#options.now() - this.#usedAt;
  }

  used(): void {
    this.#usedAt = this.#options.now();
  }

  /** The daemon ends once all processes that were named have ended. */
  addOwner(pid: number): void {
    if (!this.#owners.has(pid)) this.#owners.set(pid, identityOf(pid));
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }

  #check(): void {
    const { isPublished, isBusy, idleMs, end } = this.#options;
    if (!isPublished()) {
      end('the socket is gone');
      return;
    }
    const owners = [...this.#owners.values()];
    if (owners.length > 0 && !owners.some(isRunning)) {
      end('its owner ended');
      return;
    }
    if (isBusy()) this.used();
    else if (idleMs > 0 && this.idleMs >= idleMs) end('it was idle');
  }
}
