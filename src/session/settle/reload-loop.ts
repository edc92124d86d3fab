import type { Page } from 'playwright-core';
import { mainFrameOf, withoutFragment } from '../navigation/main-frame.ts';
import type { MainFrame } from '../navigation/main-frame.ts';
import { reloadLoopMs } from '../timing.ts';
import { freezeNavigation } from './navigation-freeze.ts';
import type { NavigationFreeze } from './navigation-freeze.ts';

/** A reload loop: so many documents, so many of them at one URL, within so long. */
interface Threshold {
  readonly documents: number;
  readonly sameUrl: number;
  readonly withinMs: number;
}

/** For the documents that one action led to. A login or a consent page leads to a handful, all at different URLs. */
const duringAction: readonly Threshold[] = [
  { documents: 6, sameUrl: 6, withinMs: Number.POSITIVE_INFINITY },
  { documents: 21, sameUrl: 1, withinMs: Number.POSITIVE_INFINITY },
];
/** At any time: the documents are replaced faster than a call can read one. */
const always: readonly Threshold[] = [{ documents: 6, sameUrl: 3, withinMs: reloadLoopMs }];
const mostKept = 21;

interface Loaded {
  readonly index: number;
  readonly at: number;
  readonly url: string;
}

/** Detects that a page reloads itself, or navigates in circles, without end; and stops it. */
export class ReloadLoop {
  readonly #page: Page;
  readonly #main: MainFrame;
  #loaded: readonly Loaded[] = [];
  #documents = 0;
  #wasFound = false;

  constructor(page: Page) {
    this.#page = page;
    this.#main = mainFrameOf(page);
    this.#main.listen({
      committed: (isNewDocument) => {
        if (!isNewDocument) return;
        const entry = { index: this.#documents++, at: performance.now(), url: withoutFragment(page.url()) };
        this.#loaded = [...this.#loaded, entry].slice(-mostKept);
      },
    });
  }

  /** Documents so far; the position to pass to `isLoopSince`. */
  get documents(): number {
    return this.#documents;
  }

  /** Whether the documents since that position are those of a reload loop. */
  isLoopSince(position: number): boolean {
    const loaded = this.#loaded.filter(({ index }) => index >= position);
    return duringAction.some((threshold) => reaches(loaded, threshold));
  }

  /** Whether the action under way began on a page in a reload loop, or is on one now. */
  get isActive(): boolean {
    return this.#wasFound || this.#isNow;
  }

  /** The page has settled. */
  reset(): void {
    this.#loaded = [];
  }

  /** Stops a reload loop, so that an action can begin. */
  async stop(): Promise<void> {
    const freeze = await this.freeze();
    this.#wasFound = freeze !== undefined;
    await freeze?.[Symbol.asyncDispose]();
  }

  /** Stops a reload loop and keeps it stopped until the freeze is disposed of; undefined if there is none. */
  async freeze(): Promise<NavigationFreeze | undefined> {
    if (!this.#isNow || this.#page.isClosed()) return undefined;
    // The page may close meanwhile.
    const freeze = await freezeNavigation(this.#page).catch(() => undefined);
    const isStopped = await freeze?.hasBlocked(() => this.#main.isNavigating);
    this.reset();
    if (isStopped === true) return freeze;
    await freeze?.[Symbol.asyncDispose]();
    return undefined;
  }

  get #isNow(): boolean {
    return always.some((threshold) => reaches(this.#loaded, threshold));
  }
}

function reaches(loaded: readonly Loaded[], { documents, sameUrl, withinMs }: Threshold): boolean {
  const since = performance.now() - withinMs;
  const recent = loaded.filter(({ at }) => at >= since).map(({ url }) => url);
  if (recent.length < documents) return false;
  return recent.some((url) => recent.filter((other) => other === url).length >= sameUrl);
}
