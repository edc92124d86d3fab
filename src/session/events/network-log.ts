import type { Request } from 'playwright-core';
import { Ring } from '../../util/ring.ts';

/** One request of a tab's pages. */
export interface NetworkEntry {
  /** Counted from 1 in the tab; what callers name it by. */
  readonly index: number;
  readonly request: Request;
  /** The document of the tab that requested it, counted from 0. */
  readonly document: number;
  readonly startedAt: number;
  /** The rule that refused it, once it has failed. */
  readonly blockedBy: () => string | undefined;
}

const capacity = 1000;

/** Requests of a tab: a ring buffer, because a page can make requests without limit. */
export class NetworkLog {
  readonly #entries = new Ring<NetworkEntry>(capacity);
  #document = 0;
  #count = 0;
  readonly #refusedBy: (url: string) => string | undefined;

  constructor(refusedBy: (url: string) => string | undefined) {
    this.#refusedBy = refusedBy;
  }

  /** The request that loads a document belongs to it, not to the one before. */
  nextDocument(): void {
    this.#document++;
  }

  add(request: Request): void {
    const blockedBy = (): string | undefined =>
      request.failure() === null ? undefined : this.#refusedBy(request.url());
    const startedAt = performance.now();
    this.#entries.push({ index: ++this.#count, request, document: this.#document, startedAt, blockedBy });
  }

  /** Requests of the current document, oldest first. */
  entries(): readonly NetworkEntry[] {
    return this.#entries.items().filter((entry) => entry.document === this.#document);
  }

  /** The last request for a URL, of any document. */
  latest(url: string): Request | undefined {
    return this.#entries.items().findLast(({ request }) => request.url() === url)?.request;
  }

  /** Requests of all documents that are still known, oldest first. */
  all(): readonly NetworkEntry[] {
    return this.#entries.items();
  }

  entry(index: number): NetworkEntry | undefined {
    return this.#entries.items().find((entry) => entry.index === index);
  }
}
