import type { Request } from 'playwright-core';
import { pollingMs, sameRequestMs } from '../timing.ts';

/** When requests count as polling. */
interface Threshold {
  readonly times: number;
  /** Between the first and the last of them. */
  readonly overMs: number;
  /** Requests closer together than this count once: several parts of a page may load the same thing. */
  readonly apartMs: number;
  /** Requests that differ only in the query are the same. */
  readonly ignoresQuery: boolean;
}

/** While no action is under way, one request may be a late effect of the last action; a second one is polling. */
const whileIdle: Threshold = { times: 2, overMs: 0, apartMs: 0, ignoresQuery: true };
/** During an action. Queries count: the pages of a list are different requests. */
const duringAction: Threshold = { times: 5, overMs: pollingMs, apartMs: sameRequestMs, ignoresQuery: false };

const mostKinds = 200;
const longestBody = 2000;

interface Seen {
  readonly request: Request;
  readonly since: number;
  readonly last: number;
  readonly count: number;
  readonly isPolling: boolean;
}

/** Detects polling. Requests are compared by method, URL and body: many pages send everything to one URL. */
export class PollingDetector {
  readonly #threshold: Threshold;
  readonly #kinds = new Map<string, Seen>();

  private constructor(threshold: Threshold) {
    this.#threshold = threshold;
  }

  static whileIdle(): PollingDetector {
    return new PollingDetector(whileIdle);
  }

  static duringAction(): PollingDetector {
    return new PollingDetector(duringAction);
  }

  add(request: Request): void {
    const { times, overMs, apartMs } = this.#threshold;
    const kind = this.#kindOf(request);
    const now = performance.now();
    const seen = this.#kinds.get(kind);
    if (seen === undefined && this.#kinds.size >= mostKinds) return;
    const { since, last, count, isPolling } = seen ?? { since: now, last: -Infinity, count: 0, isPolling: false };
    if (now - last < apartMs) return;
    const reaches = count + 1 >= times && now - since >= overMs;
    this.#kinds.set(kind, { request, since, last: now, count: count + 1, isPolling: isPolling || reaches });
  }

  /** Treats such requests as polling from now on: an action has waited for one without an answer. */
  mark(request: Request): void {
    if (this.#kinds.size >= mostKinds) return;
    const now = performance.now();
    const kind = this.#kindOf(request);
    this.#kinds.set(kind, { request, since: now, last: now, count: this.#threshold.times, isPolling: true });
  }

  has(request: Request): boolean {
    return this.#kinds.get(this.#kindOf(request))?.isPolling === true;
  }

  /** The latest request of each kind that is polling. */
  get found(): readonly Request[] {
    return [...this.#kinds.values()].filter(({ isPolling }) => isPolling).map(({ request }) => request);
  }

  clear(): void {
    this.#kinds.clear();
  }

  #kindOf(request: Request): string {
    const url = this.#threshold.ignoresQuery ? request.url().replace(/[?#].*$/s, '') : request.url();
    return `${request.method()} ${url} ${request.postData()?.slice(0, longestBody) ?? ''}`;
  }
}
