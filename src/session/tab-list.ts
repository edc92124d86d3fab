import type { Page } from 'playwright-core';
import { ToolError } from '../errors.ts';
import { addressOf } from './navigation/main-frame.ts';
import type { Tab } from './tab.ts';
import { lostWithBrowserMs } from './timing.ts';

/** What was open when a browser was lost. */
export interface OpenUrls {
  readonly urls: readonly string[];
  readonly activeUrl?: string;
}

const mostClosed = 20;

/** The tabs of a session, in the order they were opened, and which of them calls go to. */
export class TabList {
  #tabs: Tab[] = [];
  #selected: Tab | undefined;
  /** The tab that the call under way has named. */
  #focused: Tab | undefined;
  /** Pages that have closed, in case their browser turns out to have died. */
  #closed: { readonly url: string; readonly isActive: boolean; readonly at: number }[] = [];
  /** Tabs that the session opened, and what these opened: others of an attached browser are not ours to close. */
  readonly #own = new Set<Tab>();

  get all(): readonly Tab[] {
    return this.#tabs;
  }

  get hasOwn(): boolean {
    return this.#own.size > 0;
  }

  /** Of what is open, what was opened by the session. */
  get ownPages(): readonly Page[] {
    return this.#tabs.filter((tab) => this.#own.has(tab)).map(({ page }) => page);
  }

  own(tab: Tab): void {
    this.#own.add(tab);
  }

  /** The tab that the call under way is about. */
  get current(): Tab | undefined {
    return this.#focused ?? this.#selected;
  }

  /** The tab that calls go to which name none. */
  get selected(): Tab | undefined {
    return this.#selected;
  }

  /** While it runs the named tab is the current one, whatever opens meanwhile. */
  async on<T>(key: string | number | undefined, run: () => Promise<T>): Promise<T> {
    this.#focused = key === undefined ? undefined : this.find(key);
    try {
      return await run();
    } finally {
      this.#focused = undefined;
    }
  }

  select(tab: Tab): void {
    this.#selected = tab;
  }

  /** A tab that the page has brought to the front becomes the current one, unless the call is about another one. */
  follow(tab: Tab): void {
    if (this.#focused === undefined) this.#selected = tab;
  }

  /** A tab by its id (`t2`) or by its place in the list. */
  find(key: string | number): Tab {
    const found = typeof key === 'number' ? this.#tabs[key] : this.#tabs.find((tab) => tab.id === key);
    if (found === undefined) throw new ToolError('TAB_NOT_FOUND', { tab: String(key), open: this.#tabs.length });
    return found;
  }

  of(page: Page): Tab | undefined {
    return this.#tabs.find((tab) => tab.page === page);
  }

  add(tab: Tab): void {
    this.#tabs.push(tab);
    void tab.page.opener().then((page) => {
      const opener = page === null ? undefined : this.of(page);
      if (opener !== undefined && this.#own.has(opener)) this.#own.add(tab);
    });
    tab.page.on('close', () => {
      // A browser that dies closes its pages first, and is known to be dead only afterwards.
      this.#closed.push({ url: addressOf(tab.page), isActive: tab === this.#selected, at: performance.now() });
      this.#closed = this.#closed.slice(-mostClosed);
      this.remove(tab);
    });
  }

  remove(tab: Tab): void {
    const index = this.#tabs.indexOf(tab);
    if (index < 0) return;
    this.#tabs.splice(index, 1);
    if (this.#focused === tab) this.#focused = undefined;
    if (this.#selected !== tab) return;
    const { opener } = tab;
    const neighbour = this.#tabs[Math.min(index, this.#tabs.length - 1)];
    this.#selected = opener !== undefined && this.#tabs.includes(opener) ? opener : neighbour;
  }

  /** What was closed so far was closed on purpose. */
  forgetClosed(): void {
    this.#closed = [];
  }

  clear(): void {
    this.#tabs = [];
    this.#closed = [];
    this.#own.clear();
    this.#selected = undefined;
  }

  /** What was open until the browser died. */
  lost(): OpenUrls {
    const died = this.#closed.filter(({ at }) => performance.now() - at < lostWithBrowserMs);
    const urls = [...died.map(({ url }) => url), ...this.#tabs.map((tab) => addressOf(tab.page))];
    const active = this.#selected === undefined ? undefined : addressOf(this.#selected.page);
    const activeUrl = died.find(({ isActive }) => isActive)?.url ?? active ?? urls[0];
    return { urls, ...(activeUrl === undefined ? {} : { activeUrl }) };
  }
}
