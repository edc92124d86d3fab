import type { Config } from '../config/schema/schema.ts';

export interface PoolOptions<B> {
  readonly settings: Config['pool'];
  readonly launch: () => Promise<B>;
  readonly close: (browser: B) => Promise<void>;
  /** Calls back when the browser has ended by itself. */
  readonly onEnd: (browser: B, ended: () => void) => void;
  readonly after: (ms: number, run: () => void) => Disposable;
}

/** A browser of the pool, for one session. */
export interface PoolPlace<B> {
  readonly browser: B;
  readonly release: () => void;
}

interface Member<B> {
  readonly starting: Promise<B>;
  users: number;
  idle: Disposable | undefined;
}

/**
 * Browsers that sessions are spread over: one that nobody uses, else a new one while there may be more, else the one
 * with the fewest sessions. Those above the minimum are closed when they were idle for a while; the last one stays.
 */
export class BrowserPool<B> implements AsyncDisposable {
  readonly #options: PoolOptions<B>;
  readonly #members = new Set<Member<B>>();

  constructor(options: PoolOptions<B>) {
    this.#options = options;
  }

  get size(): number {
    return this.#members.size;
  }

  async take(): Promise<PoolPlace<B>> {
    const member = this.#choose();
    // Before the browser is there: the next one who asks must see that this place is taken.
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
      return { browser: await member.starting, release };
    } catch (error) {
      release();
      throw error;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const members = [...this.#members];
    this.#members.clear();
    await Promise.all(members.map(async (member) => this.#close(member)));
  }

  #choose(): Member<B> {
    const { minBrowsers, maxBrowsers } = this.#options.settings;
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
    // A failed or lost browser is not kept: the next session starts another one.
    member.starting.then((browser) => this.#options.onEnd(browser, forget), forget);
    return member;
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
