import type { Request } from 'playwright-core';

/** What is asked so often, and for so long, goes on for ever, or for longer than an action is waited for. */
const often = 5;
const longMs = 1000;
/** What is asked for at once by several parts of a page is asked for once. */
const onceMs = 20;
const mostKinds = 200;

interface Kind {
  readonly since: number;
  readonly last: number;
  readonly count: number;
}

/** The same requests, asked again and again in one action: a poll, unless the page changes by it. */
export class Repeats {
  readonly #kinds = new Map<string, Kind>();
  readonly #found = new Map<string, Request>();

  /** Requests of kinds that have come often enough. */
  get found(): readonly Request[] {
    return [...this.#found.values()];
  }

  add(request: Request): void {
    const kind = kindOf(request);
    const now = performance.now();
    const { since, last, count } = this.#kinds.get(kind) ?? { since: now, last: Number.NEGATIVE_INFINITY, count: 0 };
    if (now - last < onceMs || (count === 0 && this.#kinds.size === mostKinds)) return;
    this.#kinds.set(kind, { since, last: now, count: count + 1 });
    if (count + 1 >= often && now - since >= longMs) this.#found.set(kind, request);
  }

  has(request: Request): boolean {
    return this.#found.has(kindOf(request));
  }

  /** They were for something: all is counted anew. */
  clear(): void {
    this.#kinds.clear();
    this.#found.clear();
  }
}

/** With all of its address: one page of a list after the other is not the same. */
function kindOf(request: Request): string {
  return `${request.method()} ${request.url()} ${request.postData() ?? ''}`;
}
