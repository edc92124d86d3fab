import type { Page } from 'playwright-core';
import { ToolError } from '../errors.ts';
import { addressOf } from './navigation/main-frame.ts';
import type { Tab } from './tab.ts';
import { lostWithBrowserMs } from './timing.ts';

/** The URLs that were open when a browser was lost. */
export interface OpenUrls {
  readonly urls: readonly string[];
  readonly activeUrl?: string;
}

const mostClosed = 20;

/** The tabs of a session in the order they were opened, and the current one. */
export class TabList {
  #tabs: Tab[] = [];
  #selected: Tab | undefined;
  /** The tab that the running call named. */
  #focused: Tab | undefined;
  /** Recently closed pages, in case their browser crashed. */
  #closed: { readonly url: string; readonly isActive: boolean; readonly at: number }[] = [];
  /** Tabs opened by the session or by its tabs; other tabs of an external browser are never closed. */
  readonly #own = new Set<Tab>();

  get all(): readonly Tab[] {
    return this.#tabs;
  }

  get hasOwn(): boolean {
    return this.#own.size > 0;
  }

  /** Open pages that the session opened. */
  get ownPages(): readonly Page[] {
    return this.#tabs.filter((tab) => this.#own.has(tab)).map(({ page }) => page);
  }

  own(tab: Tab): void {
    this.#own.add(tab);
  }

  /** The tab of the running call. */
  get current(): Tab | undefined {
    return this.#focused ?? this.#selected;
  }

  /** The tab for calls that name none. */
  get selected(): Tab | undefined {
    return this.#selected;
  }

  /** Runs with the named tab as the current one, even if other tabs open meanwhile. */
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

  /** Makes a tab that the page opened the current one, unless the call named another tab. */
  follow(tab: Tab): void {
    if (this.#focused === undefined) this.#selected = tab;
  }

  /** Finds a tab by id (`t2`) or index. */
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
      // When a browser crashes, its pages close first and the loss is reported later.
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

  /** Forgets closed pages: they were closed on purpose. */
  forgetClosed(): void {
    this.#closed = [];
  }

  clear(): void {
    this.#tabs = [];
    this.#closed = [];
    this.#own.clear();
    this.#selected = undefined;
  }

  /** The URLs that were open until the browser crashed. */
  lost(): OpenUrls {
    const died = this.#closed.filter(({ at }) => performance.now() - at < lostWithBrowserMs);
    const urls = [...died.map(({ url }) => url), ...this.#tabs.map((tab) => addressOf(tab.page))];
    const active = this.#selected === undefined ? undefined : addressOf(this.#selected.page);
    const activeUrl = died.find(({ isActive }) => isActive)?.url ?? active ?? urls[0];
    return { urls, ...(activeUrl === undefined ? {} : { activeUrl }) };
  }
}
