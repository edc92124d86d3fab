import type { IncomingMessage } from 'node:http';
import { isLoopbackHost } from './guard.ts';
import type { Refusal } from './guard.ts';
import type { KeyCheck, KeyIdentity } from './keys.ts';
import { RateLimit } from './rate.ts';

export interface AdmissionOptions {
  /** None: every request is accepted, which only a loopback address allows. */
  readonly keys: KeyCheck | undefined;
  /** Requests of one key that may be under way at once. */
  readonly maxRequests: number;
  /** Requests of one key in a second; 0 means no limit. */
  readonly rate: number;
  /** Called for a request without a key or with a wrong one. */
  readonly onFailure: (status: number) => void;
  readonly addressOf: (request: IncomingMessage) => string;
  readonly now: () => number;
}

/** Wrong keys from one address before it has to wait. Loopback addresses are shared, so they never wait. */
const maxFailures = 20;
const failureWindowMs = 60_000;
const rememberedAddresses = 10_000;

/** Admits requests: checks keys, the rate of each key, and addresses that guess keys. */
export class Admission {
  readonly #options: AdmissionOptions;
  readonly #rates = new Map<string, RateLimit>();
  readonly #running = new Map<string, number>();
  readonly #failures = new Map<string, { readonly count: number; readonly until: number }>();

  constructor(options: AdmissionOptions) {
    this.#options = options;
  }

  /** The key of a request; undefined where none is needed. */
  identify(request: IncomingMessage): KeyIdentity | Refusal | undefined {
    const { keys, onFailure, addressOf } = this.#options;
    if (keys === undefined) return undefined;
    const address = addressOf(request);
    const waitMs = this.#waitOf(address);
    if (waitMs > 0) return tooMany('Too many wrong keys from this address.', Math.ceil(waitMs / 1000));
    const identity = keys.authenticate(request);
    if ('status' in identity) {
      onFailure(identity.status);
      if (identity.status === 403) this.#failed(address);
    }
    return identity;
  }

  /** Counts a request of a key; what it returns ends it. */
  begin(identity: KeyIdentity | undefined): Refusal | (() => void) {
    const key = identity?.name ?? '';
    const { rate, maxRequests } = this.#options;
    const bucket = this.#rates.get(key) ?? new RateLimit(identity?.scope.rate ?? rate);
    this.#rates.set(key, bucket);
    const seconds = bucket.take();
    if (seconds > 0) return tooMany('Too many requests in a second (--rate-limit).', seconds);
    const running = this.#running.get(key) ?? 0;
    if (running >= maxRequests) return tooMany(`A key may have ${maxRequests} requests under way.`, 1);
    this.#running.set(key, running + 1);
    return () => {
      const left = (this.#running.get(key) ?? 1) - 1;
      if (left > 0) this.#running.set(key, left);
      else this.#running.delete(key);
    };
  }

  /** After a change of the keys: their limits may have changed too. */
  reset(): void {
    this.#rates.clear();
  }

  #waitOf(address: string): number {
    const failure = this.#failures.get(address);
    if (failure === undefined) return 0;
    const left = failure.until - this.#options.now();
    if (left <= 0) this.#failures.delete(address);
    return failure.count >= maxFailures ? Math.max(0, left) : 0;
  }

  #failed(address: string): void {
    if (isLoopbackHost(address.replace(/^::ffff:/i, ''))) return;
    const count = (this.#failures.get(address)?.count ?? 0) + 1;
    this.#failures.set(address, { count, until: this.#options.now() + failureWindowMs });
    const [oldest] = this.#failures.keys();
    if (this.#failures.size > rememberedAddresses && oldest !== undefined) this.#failures.delete(oldest);
  }
}

export function tooMany(message: string, seconds: number): Refusal {
  return { status: 429, message, headers: { 'Retry-After': String(seconds) } };
}
