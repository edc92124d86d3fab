import type { Page } from 'playwright-core';
import { isMainNavigation } from './activity.ts';
import { holdStill } from './navigation-freeze.ts';
import type { Stillness } from './navigation-freeze.ts';
import { withoutFragment } from './document-count.ts';

/** So many documents in so short a time, so many of them the same: none is there for long enough to be looked at. */
const hasty = { documents: 6, same: 3, withinMs: 3000 };

/** Knows whether a page loads itself anew too fast to be asked or left, also while nothing is done to it. */
export class Restlessness {
  readonly #page: Page;
  #isLoading = false;
  #last: readonly { readonly at: number; readonly address: string }[] = [];
  /** The action under way found it so. */
  #wasFound = false;

  constructor(page: Page) {
    this.#page = page;
    page.on('request', (request) => {
      this.#isLoading ||= isMainNavigation(request, page);
    });
    page.on('framenavigated', (frame) => {
      if (this.#isLoading && frame === page.mainFrame()) this.#came(frame.url());
    });
  }

  /** The page has come to rest. */
  end(): void {
    this.#last = [];
  }

  /** Whether the action under way has to do with such a page. */
  get isThere(): boolean {
    return this.#wasFound || this.#isNow;
  }

  /** Before an action. */
  async stop(): Promise<void> {
    const still = await this.calmDown();
    this.#wasFound = still !== undefined;
    await still?.[Symbol.asyncDispose]();
  }

  /** Keeps the page still, if need be. */
  async calmDown(): Promise<Stillness | undefined> {
    if (!this.#isNow || this.#page.isClosed()) return undefined;
    // It may just be closing.
    const still = await holdStill(this.#page).catch(() => undefined);
    const isStopped = await still?.hasStopped(() => this.#isLoading);
    this.end();
    if (isStopped === true) return still;
    await still?.[Symbol.asyncDispose]();
    return undefined;
  }

  #came(url: string): void {
    this.#isLoading = false;
    const document = { at: performance.now(), address: withoutFragment(url) };
    this.#last = [...this.#last, document].slice(-hasty.documents);
  }

  get #isNow(): boolean {
    const [first] = this.#last;
    const isFast = this.#last.length === hasty.documents && performance.now() - (first?.at ?? 0) < hasty.withinMs;
    return isFast && this.#last.some(({ address }) => this.#count(address) >= hasty.same);
  }

  #count(address: string): number {
    return this.#last.filter((document) => document.address === address).length;
  }
}
