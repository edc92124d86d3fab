import type { Config } from '../config/schema/schema.ts';

export interface PoolOptions<B> {
  readonly settings: Config['pool'];
  readonly launch: () => Promise<B>;
  readonly close: (browser: B) => Promise<void>;
  /** Registers a callback for an unexpected end of the browser. */
  readonly onEnd: (browser: B, ended: () => void) => void;
  readonly after: (ms: number, run: () => void) => Disposable;
}

/** A browser of the pool, leased to one session. */
export interface PoolPlace<B> {
  readonly browser: B;
  readonly release: () => void;
}

interface Member<B> {
  readonly starting: Promise<B>;
  users: number;
  idle: Disposable | undefined;
}

/** A browser that ended by itself is replaced after this time, and after twice as long each time without a session. */
const firstRefillMs = 1000;
const longestRefillMs = 60_000;

/**
 * Distributes sessions over browsers: an unused one, else a new one while the maximum allows it, else the one with the
 * fewest sessions. Idle browsers above the minimum are closed after a while; the last one stays. Browsers that exit
 * unexpectedly are replaced up to the minimum.
 */
export class BrowserPool<B> implements AsyncDisposable {
  readonly #options: PoolOptions<B>;
  readonly #members = new Set<Member<B>>();
  #refill: Disposable | undefined;
  #refillMs = firstRefillMs;
  #isClosed = false;

  constructor(options: PoolOptions<B>) {
    this.#options = options;
  }

  get size(): number {
    return this.#members.size;
  }

  async take(): Promise<PoolPlace<B>> {
    const member = this.#choose();
    // Counted before the browser has started, so that the next caller sees it as taken.
    member.users++;
    member.idle?.[Symbol.dispose]();
    let isReleased = false;
    const release = (): void => {
      if (isReleased) return;
      isReleased = true;
      member.users--;
      this.#watchIdle(member);
    };
    try {
      const browser = await member.starting;
      this.#refillMs = firstRefillMs;
      return { browser, release };
    } catch (error) {
      release();
      throw error;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const members = [...this.#members];
    this.#isClosed = true;
    this.#refill?.[Symbol.dispose]();
    this.#members.clear();
    await Promise.all(members.map(async (member) => this.#close(member)));
  }

  #choose(): Member<B> {
    const { minBrowsers, maxBrowsers = 1 } = this.#options.settings;
    const byLoad = [...this.#members].toSorted((a, b) => a.users - b.users);
    const [least] = byLoad;
    const mayStart = this.#members.size < Math.max(1, minBrowsers, maxBrowsers);
    return least !== undefined && (least.users === 0 || !mayStart) ? least : this.#start();
  }

  #start(): Member<B> {
    const member: Member<B> = { starting: this.#options.launch(), users: 0, idle: undefined };
    this.#members.add(member);
    const forget = (): void => {
      member.idle?.[Symbol.dispose]();
      this.#members.delete(member);
    };
    const replace = (): void => {
      forget();
      this.#scheduleRefill();
    };
    // A browser that does not start is not replaced: the next session reports the reason.
    member.starting.then((browser) => this.#options.onEnd(browser, replace), forget);
    return member;
  }

  #scheduleRefill(): void {
    const { minBrowsers } = this.#options.settings;
    if (this.#isClosed || this.#members.size >= minBrowsers) return;
    this.#refill?.[Symbol.dispose]();
    this.#refill = this.#options.after(this.#refillMs, () => {
      while (!this.#isClosed && this.#members.size < minBrowsers) this.#start();
    });
    this.#refillMs = Math.min(this.#refillMs * 2, longestRefillMs);
  }

  #watchIdle(member: Member<B>): void {
    const { idleTimeout, minBrowsers } = this.#options.settings;
    if (member.users > 0 || !this.#members.has(member)) return;
    member.idle = this.#options.after(idleTimeout, () => {
      if (member.users > 0 || this.#members.size <= Math.max(1, minBrowsers)) return;
      this.#members.delete(member);
      void this.#close(member);
    });
  }

  async #close(member: Member<B>): Promise<void> {
    member.idle?.[Symbol.dispose]();
    const browser = await member.starting.catch(() => undefined);
    if (browser !== undefined) await this.#options.close(browser);
  }
}
