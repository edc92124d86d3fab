import type { BrowserContext, Response } from 'playwright-core';
import { readStorage } from '../../page/reads/storage.ts';
import type { StorageItem, StorageRead } from '../../page/reads/storage.ts';
import { pause, settlesWithin } from '../../util/signals.ts';
import type { Tab } from '../tab.ts';
import { isErrorPage } from '../navigation/main-frame.ts';
import { storageLimitMs } from '../timing.ts';
import type { TabStorage } from './session-storage.ts';
import type { StorageState } from './storage-state.ts';

/** Characters that are kept per origin; browsers allow about as many. */
const mostPerOrigin = 6_000_000;
const mostOrigins = 50;

/** Responses of other kinds may set cookies too; those are found when another one comes. */
const settingCookies = new Set(['document', 'fetch', 'xhr']);
/**
 * An answer waits this long for the copy, which takes milliseconds unless the machine is overloaded. A read that fails
 * before, for example because its document is replaced, is repeated.
 */
const saveLimitMs = 5000;
/** A document that is being replaced fails at once. Without a pause, repeated reads would block the event loop. */
const readAgainMs = 20;
/** The end of a browser is reported this soon after calls to it fail. */
const lossReportMs = 100;

type Cookies = StorageState['cookies'];

/**
 * A copy of the cookies and the storage of a session, for the case that its browser dies. It is updated with each answer,
 * and reads only what may have changed: storage if a page state or an event says so, cookies after a response or a change
 * of `document.cookie`, which is part of what the page agent reports.
 */
export class StorageBackup implements Disposable {
  readonly #context: BrowserContext;
  readonly #tabs: () => readonly Tab[];
  #cookies: Cookies = [];
  readonly #local = new Map<string, readonly StorageItem[]>();
  readonly #session = new WeakMap<Tab, Map<string, readonly StorageItem[]>>();
  /** Tabs whose storage may have changed. */
  readonly #changed = new WeakSet<Tab>();
  /** Tabs that reported a change which was not read yet. */
  readonly #reported = new WeakSet<Tab>();
  /** Tabs that had crashed when the call began. */
  readonly #crashed = new WeakSet<Tab>();
  readonly #known = new WeakSet<Tab>();
  readonly #scriptCookies = new WeakMap<Tab, string>();
  readonly #seenCookies = new WeakMap<Tab, Tab['seenCookies']>();
  /** The call has looked at all tabs. */
  #isCurrent = false;
  #hasNewCookies = false;
  /** A change is being read; until then it is not in the copy. */
  #isReading = false;
  #isScheduled = false;
  #running: Promise<void> | undefined;
  /** A read has failed since the last save began. */
  #hasFailed = false;
  readonly #ended = new AbortController();

  /** `initial`: what the context started with. Until its pages are read, that is the copy. */
  constructor(context: BrowserContext, tabs: () => readonly Tab[], initial: StorageState | undefined) {
    this.#context = context;
    this.#tabs = tabs;
    this.#cookies = initial?.cookies ?? [];
    for (const { origin, localStorage } of initial?.origins ?? []) this.#local.set(origin, localStorage);
    context.on('response', this.#onResponse);
  }

  [Symbol.dispose](): void {
    this.#ended.abort();
    this.#context.off('response', this.#onResponse);
  }

  /** A page of the tab wrote to its storage, or another document was loaded. */
  changed(tab: Tab): void {
    this.#changed.add(tab);
    this.#reported.add(tab);
  }

  /** The session storage with which a tab is reopened. */
  seed(tab: Tab, storage: readonly TabStorage[]): void {
    this.#session.set(tab, new Map(storage.map(({ origin, sessionStorage }) => [origin, sessionStorage])));
  }

  /** A call begins: pages that have crashed before do not concern it. */
  begin(): void {
    for (const tab of this.#tabs()) if (tab.crashed) this.#crashed.add(tab);
  }

  /** The page that crashed during the call before its storage was read: Chromium may lose what it wrote last. */
  get crashed(): Tab | undefined {
    return this.#tabs().find((tab) => tab.crashed && this.#reported.has(tab) && !this.#crashed.has(tab));
  }

  /** Updates the copy if something has changed; false if the browser was lost meanwhile. */
  async save(): Promise<boolean> {
    // All tabs are checked, even if the first one was not looked at.
    this.#isCurrent = this.#tabs().filter((tab) => !this.#hasSeenCookies(tab)).length === 0;
    if (this.#ended.signal.aborted || !this.#isChanged()) return true;
    const until = performance.now() + saveLimitMs;
    for (;;) {
      this.#hasFailed = false;
      await settlesWithin(this.#update(), saveLimitMs);
      if (!this.#hasFailed || this.#ended.signal.aborted || performance.now() >= until) break;
      await pause(readAgainMs, this.#ended.signal);
    }
    // Of a lost browser, reads fail before its end is reported.
    if (this.#hasFailed) await pause(lossReportMs, this.#ended.signal);
    return !this.#ended.signal.aborted;
  }

  #isChanged(): boolean {
    return this.#isReading || this.#hasNewCookies || this.#tabs().some((tab) => this.#changed.has(tab));
  }

  /** Whether the call looked at the page, and so knows whether its scripts have set cookies. */
  #hasSeenCookies(tab: Tab): boolean {
    const [last, now] = [this.#seenCookies.get(tab), tab.seenCookies];
    this.#seenCookies.set(tab, now);
    if (now === undefined || now === last || tab.cdp.current === undefined) return false;
    if (last !== undefined && last.mark !== now.mark) this.#hasNewCookies = true;
    return last !== undefined;
  }

  /** Once the answer has been sent, reads the pages if the call did not look at all: scripts may have set cookies. */
  schedule(): void {
    const isCurrent = this.#isCurrent;
    // A call that fails does not save.
    this.#isCurrent = false;
    if (this.#isScheduled || this.#ended.signal.aborted || isCurrent) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      void this.#update();
    });
  }

  /** The storage for a new context. */
  get state(): StorageState {
    return {
      cookies: [...this.#cookies],
      origins: [...this.#local].map(([origin, items]) => ({ origin, localStorage: [...items] })),
    };
  }

  /** The session storage of a tab. */
  sessionOf(tab: Tab): readonly TabStorage[] {
    const kept = this.#session.get(tab) ?? new Map<string, readonly StorageItem[]>();
    return [...kept].flatMap(([origin, items]) => (items.length === 0 ? [] : [{ origin, sessionStorage: items }]));
  }

  readonly #onResponse = (response: Response): void => {
    if (settingCookies.has(response.request().resourceType())) this.#hasNewCookies = true;
  };

  async #update(): Promise<void> {
    // Waits for a running update, which may have read too early.
    await this.#running;
    this.#running = this.#readChanged();
    await this.#running;
  }

  async #readChanged(): Promise<void> {
    this.#isReading = this.#isChanged();
    try {
      await Promise.all(this.#tabs().map(async (tab) => this.#read(tab)));
      if (!this.#hasNewCookies || this.#ended.signal.aborted) return;
      this.#isReading = true;
      this.#hasNewCookies = false;
      this.#cookies = await this.#context.cookies();
    } catch {
      // The browser has gone: what is known is restored.
      this.#hasFailed = true;
    } finally {
      this.#isReading = false;
    }
  }

  async #read(tab: Tab): Promise<void> {
    if (this.#ended.signal.aborted || tab.crashed || tab.isHung || tab.modals.length > 0 || tab.page.isClosed()) return;
    // Without events of the storage, it may have changed at any time.
    const hasEvents = tab.cdp.current !== undefined;
    const wantsItems = !hasEvents || !this.#known.has(tab) || this.#changed.has(tab);
    this.#changed.delete(tab);
    const isReported = this.#reported.delete(tab);
    // The browser's own error page has no storage, and no world to read it in.
    if (isErrorPage(tab.page)) return;
    const reading = tab.readInPage(readStorage, { wantsItems, most: mostPerOrigin });
    const isInTime = await settlesWithin(reading, storageLimitMs);
    const read = isInTime ? await reading.catch(() => undefined) : undefined;
    if (read !== undefined) {
      this.#keep(tab, read);
      return;
    }
    this.#changed.add(tab);
    if (isReported) this.#reported.add(tab);
    this.#hasFailed = true;
  }

  #keep(tab: Tab, { origin, cookie, local, session }: StorageRead): void {
    this.#known.add(tab);
    if (this.#scriptCookies.get(tab) !== cookie) this.#hasNewCookies = true;
    this.#scriptCookies.set(tab, cookie);
    if (!/^https?:/.test(origin)) return;
    if (local !== undefined && (local.length > 0 || this.#local.has(origin))) this.#keepLocal(origin, local);
    if (session === undefined) return;
    const kept = this.#session.get(tab) ?? new Map<string, readonly StorageItem[]>();
    kept.set(origin, session);
    this.#session.set(tab, kept);
  }

  #keepLocal(origin: string, items: readonly StorageItem[]): void {
    this.#local.delete(origin);
    this.#local.set(origin, items);
    // The origin that was written first is forgotten first.
    for (const [oldest] of this.#local) {
      if (this.#local.size <= mostOrigins) return;
      this.#local.delete(oldest);
    }
  }
}
