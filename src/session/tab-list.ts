import type { Page } from 'playwright-core';
import { ToolError } from '../errors.ts';
import { addressOf } from './navigation/main-frame.ts';
import type { SavedTab } from './persistence/checkpoint.ts';
import type { TabStorage } from './persistence/session-storage.ts';
import type { Tab } from './tab.ts';
import { lostWithBrowserMs } from './timing.ts';
import { ReportedPlaces } from './reported-places.ts';

/** The tabs that were open when a browser was lost. */
export interface OpenTabs {
  readonly tabs: readonly SavedTab[];
  /** Index of the current one. */
  readonly active: number;
}

const mostClosed = 20;

/** The tabs of a session in the order they were opened, and the current one. */
export class TabList {
  /** What clients know about the current tab. */
  readonly reported = new ReportedPlaces();
  #tabs: Tab[] = [];
  #selected: Tab | undefined;
  /** The tab that the running call named. */
  #focused: Tab | undefined;
  /** Recently closed pages, in case their browser crashed. */
  #closed: { readonly tab: Tab; readonly url: string; readonly isActive: boolean; readonly at: number }[] = [];
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
    const outer = this.#focused;
    this.#focused = key === undefined ? outer : this.find(key);
    try {
      return await run();
    } finally {
      this.#focused = outer;
    }
  }

  /** A tab of a browser that was lost meanwhile cannot be the current one. */
  select(tab: Tab): void {
    if (this.#tabs.includes(tab)) this.#selected = tab;
  }

  /** Makes a tab that the page opened the current one, unless the call named another tab. */
  follow(tab: Tab): void {
    if (this.#focused === undefined) this.select(tab);
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
      this.#closed.push({ tab, url: addressOf(tab.page), isActive: tab === this.#selected, at: performance.now() });
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

  /** Remembers the place of a tab that is about to be closed; the returned function gives it to another tab. */
  keepPlace(tab: Tab): (fresh: Tab) => void {
    const index = this.#tabs.indexOf(tab);
    const isFocused = this.#focused === tab;
    const selected = this.#selected;
    return (fresh) => {
      if (index < 0 || !this.#tabs.includes(fresh)) return;
      this.#tabs = this.#tabs.filter((other) => other !== fresh).toSpliced(index, 0, fresh);
      if (isFocused) this.#focused = fresh;
      if (selected !== undefined && selected !== tab) this.select(selected);
    };
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
    this.#focused = undefined;
  }

  /** The tabs that were open until the browser crashed. */
  lost(storageOf: (tab: Tab) => readonly TabStorage[]): OpenTabs {
    const died = this.#closed.filter(({ at }) => performance.now() - at < lostWithBrowserMs);
    const open = this.#tabs.map((tab) => ({ tab, url: addressOf(tab.page), isActive: tab === this.#selected }));
    const all = [...died, ...open];
    const tabs = all.map(({ tab, url }) => ({ url, storage: storageOf(tab) }));
    return {
      tabs,
      active: Math.max(
        0,
        all.findIndex(({ isActive }) => isActive),
      ),
    };
  }
}
