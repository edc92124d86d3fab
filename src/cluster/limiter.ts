import { RateLimiterRes } from 'rate-limiter-flexible';
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import type { LimitTaken, Limits } from './stores.ts';

/** Limits by rate-limiter-flexible, with one limiter for each rate that occurs. */
export class RateLimits implements Limits {
  readonly #limiters = new Map<number, RateLimiterAbstract>();
  readonly #create: (perSecond: number) => RateLimiterAbstract;

  constructor(create: (perSecond: number) => RateLimiterAbstract) {
    this.#create = create;
  }

  async take(key: string, perSecond: number): Promise<LimitTaken> {
    if (perSecond === 0) return { isTaken: true };
    let limiter = this.#limiters.get(perSecond);
    if (limiter === undefined) this.#limiters.set(perSecond, (limiter = this.#create(perSecond)));
    try {
      await limiter.consume(key);
      return { isTaken: true };
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error;
      return { isTaken: false, retryMs: Math.max(1, error.msBeforeNext) };
    }
  }
}
