import type { Config } from '../config/schema/schema.ts';

export interface PoolOptions<B> {
  readonly settings: Config['pool'];
  readonly launch: () => Promise<B>;
  readonly close: (browser: B) => Promise<void>;
  /** Registers a callback for an unexpected end of the browser. */
  readonly onEnd: (browser: B, ended: () => void) => void;
  readonly after: (ms: number, run: () => void) => Disposable;
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
  /** Memory of a browser in bytes; undefined where that is not known. */
  readonly memoryOf: (browser: B) => number | undefined;
}

/** A browser of the pool, leased to one session. */
export interface PoolPlace<B> {
  readonly browser: B;
  readonly release: () => void;
}

interface Member<B> {
  readonly starting: Promise<B>;
  readonly startedAt: number;
  /** Once it has started. */
  browser: B | undefined;
  users: number;
  /** Sessions that it has had. */
  served: number;
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
    member.served++;
    member.idle?.[Symbol.dispose]();
    let isReleased = false;
    const release = (): void => {
      if (isReleased) return;
      isReleased = true;
      member.users--;
      this.#retireOrKeep(member);
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
    const { launch, now } = this.#options;
    const member: Member<B> = {
      starting: launch(),
      startedAt: now(),
      users: 0,
      served: 0,
      idle: undefined,
      browser: undefined,
    };
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
    const begin = (browser: B): void => {
      member.browser = browser;
      this.#options.onEnd(browser, replace);
    };
    member.starting.then(begin, forget);
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

  /** A browser keeps memory of past sessions; one that is old or large is replaced while no session uses it. */
  #retireOrKeep(member: Member<B>): void {
    const { browser } = member;
    const isUnused = browser !== undefined && member.users === 0 && this.#members.has(member);
    if (!isUnused || !this.#isWorn(member, browser)) {
      this.#watchIdle(member);
      return;
    }
    this.#members.delete(member);
    void this.#close(member);
    this.#scheduleRefill();
  }

  #isWorn({ served, startedAt }: Member<B>, browser: B): boolean {
    const { settings, now, memoryOf } = this.#options;
    const { maxSessions, maxAge, maxMemory } = settings;
    if (maxSessions > 0 && served >= maxSessions) return true;
    if (maxAge > 0 && now() - startedAt >= maxAge) return true;
    return maxMemory > 0 && (memoryOf(browser) ?? 0) >= maxMemory * 2 ** 20;
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
