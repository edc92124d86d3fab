/** A token bucket: so many requests a second, and a burst of twice as many. */
export class RateLimit {
  readonly #perSecond: number;
  readonly #now: () => number;
  #tokens: number;
  #at: number;

  constructor(perSecond: number, now: () => number = () => performance.now()) {
    this.#perSecond = perSecond;
    this.#now = now;
    this.#tokens = 2 * perSecond;
    this.#at = now();
  }

  /** Zero if the request may go on, else the seconds to wait. */
  take(): number {
    if (this.#perSecond === 0) return 0;
    const now = this.#now();
    this.#tokens = Math.min(2 * this.#perSecond, this.#tokens + ((now - this.#at) / 1000) * this.#perSecond);
    this.#at = now;
    if (this.#tokens < 1) return Math.max(1, Math.ceil((1 - this.#tokens) / this.#perSecond));
    this.#tokens--;
    return 0;
  }
}
