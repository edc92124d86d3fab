import type { Page } from 'playwright-core';
import type { CdpConnection } from '../agent/cdp-channel.ts';
import type { Session } from '../session.ts';
import type { Clock } from '../store.ts';
import { gcRestMs } from '../timing.ts';

/**
 * A collection takes as long as the live heap is large, and causes a noticeable pause beyond this size. How much of the
 * heap is garbage shows only afterwards, so each document since the last collection gets the same allowance.
 */
const mostHeap = 50 * 2 ** 20;

/** A session that works without a pause leaves no rest: its garbage is collected after this many documents. */
const mostDocuments = 10;

/** Frees the memory of a page's past documents, which browsers keep until they need to collect. */
export class TabGarbage {
  readonly #cdp: CdpConnection;
  /** Documents since the last collection. */
  #documents = 0;

  constructor(page: Page, cdp: CdpConnection) {
    this.#cdp = cdp;
    page.on('domcontentloaded', () => {
      this.#documents += 1;
    });
  }

  get isDirty(): boolean {
    return this.#documents > 0;
  }

  /** It must not wait for a rest. */
  get isFull(): boolean {
    return this.#documents >= mostDocuments;
  }

  async collect(): Promise<void> {
    const documents = this.#documents;
    this.#documents = 0;
    const isDone = await this.#cdp.current?.collectGarbage((documents + 1) * mostHeap);
    if (isDone === false) this.#documents += documents;
  }
}

/** Collects the garbage of past documents in the tabs of a session that is not in use. */
export class TabGc implements Disposable {
  readonly #clock: Clock;
  readonly #timers = new Map<Session, Disposable>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** A call has ended: the rest of its session begins. */
  used(session: Session): void {
    this.closed(session);
    for (const { garbage } of session.tabs) if (garbage.isFull) void garbage.collect();
    if (!session.tabs.some(({ garbage }) => garbage.isDirty)) return;
    const collect = (): void => {
      this.#timers.delete(session);
      // The call under way starts the timer again when it ends.
      if (session.calls > 0) return;
      for (const { garbage } of session.tabs) if (garbage.isDirty) void garbage.collect();
    };
    this.#timers.set(session, this.#clock.after(gcRestMs, collect));
  }

  closed(session: Session): void {
    this.#timers.get(session)?.[Symbol.dispose]();
    this.#timers.delete(session);
  }

  [Symbol.dispose](): void {
    for (const session of this.#timers.keys()) this.closed(session);
  }
}
