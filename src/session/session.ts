import type { BrowserContext, Page } from 'playwright-core';
import type { BrowserHost, BrowserLease } from '../browser/host.ts';
import type { ProxyRelay } from '../browser/proxy/loopback-proxy.ts';
import { contextFailure } from '../browser/failure.ts';
import { ToolError } from '../errors.ts';
import type { Logger } from '../log.ts';
import { FifoQueue } from '../util/queue.ts';
import { raceSignal, settlesWithin } from '../util/signals.ts';
import { takeCheckpoint } from './persistence/checkpoint.ts';
import type { Checkpoint } from './persistence/checkpoint.ts';
import { contextOptionsOf, isPlain, relayFor, traitsOf } from './session-options.ts';
import type { SessionOptions } from './session-options.ts';
import { BlockedRequests } from './network/blocked-requests.ts';
import { Downloads } from './files/downloads.ts';
import type { DownloadLimits } from './files/downloads.ts';
import { listenTo } from './events/context-listeners.ts';
import { letGo } from './release.ts';
import { broughtBack, crashText, goQuietly, lossText, lostUnder, reopenTabs } from './persistence/recovery.ts';
import type { Loss } from './persistence/recovery.ts';
import { seedTabStorage } from './persistence/session-storage.ts';
import type { TabStorage } from './persistence/session-storage.ts';
import { applyStorage, collectStorage, readStorageState, tabStorageIn } from './persistence/storage-state.ts';
import type { StorageParts, StorageState } from './persistence/storage-state.ts';
import { Tab } from './tab.ts';
import type { TabDeps } from './tab.ts';
import { TabList } from './tab-list.ts';
import { Traffic } from './network/routes.ts';
import type { Workspace } from './files/workspace.ts';
import { closeLimitMs } from './timing.ts';

/** Who is calling: the stdio process, an API key, or a connection without one. */
export type DriverId = string;

export interface SessionDeps {
  readonly host: BrowserHost;
  readonly log: Logger;
  readonly timeouts: { readonly action: number; readonly navigation: number };
  readonly queueLimit: number;
  readonly tabs: Pick<TabDeps, 'format' | 'times' | 'dismissesDialogs' | 'deniedBy'>;
  readonly workspace: Workspace;
  readonly downloads: DownloadLimits;
  /** Prepares a context of this server before its first page. */
  readonly prepareContext: (context: BrowserContext) => Promise<void>;
  /** Prepares a new page; calls wait for it. */
  readonly preparePage: (page: Page) => Promise<void>;
}

export interface SessionIdentity {
  readonly id: string;
  readonly name: string;
  readonly owner: DriverId;
  readonly options?: SessionOptions;
  /** What it was when its last server ended. */
  readonly checkpoint?: Checkpoint;
}

const mostTabs = 20;

/** One isolated browser context with its tabs. Opens browser, context and tab when they are first needed. */
export class Session implements AsyncDisposable {
  readonly id: string;
  readonly name: string;
  readonly owner: DriverId;
  readonly workspace: Workspace;
  /** What it was made with, for people. */
  readonly traits: Readonly<Record<string, unknown>>;
  readonly traffic = new Traffic();
  #options: SessionOptions;
  readonly #deps: SessionDeps;
  readonly #queue: FifoQueue;
  #lease: BrowserLease | undefined;
  #context: BrowserContext | undefined;
  #hearing: Disposable | undefined;
  readonly #tabs = new TabList();
  readonly #ready = new WeakMap<Tab, Promise<Tab>>();
  #nextTab = 1;
  /** The current tab, if it is a page of an external browser that no call has selected. */
  #unselected: Tab | undefined;
  #events: string[] = [];
  readonly #downloads: Downloads;
  readonly #blocked: BlockedRequests;
  #loss: Loss | undefined;
  /** What is still to be brought back. */
  #saved: Checkpoint | undefined;
  /** What its first tab starts with. */
  #tabStorage: readonly TabStorage[] = [];
  /** Between its browser and a proxy that browsers cannot log in to. */
  #relay: ProxyRelay | undefined;
  readonly #closing = new AbortController();
  #hasExpired = false;
  #tokens = 0;

  constructor(identity: SessionIdentity, deps: SessionDeps) {
    this.id = identity.id;
    this.name = identity.name;
    this.owner = identity.owner;
    this.workspace = deps.workspace;
    this.#blocked = new BlockedRequests(deps.tabs.deniedBy);
    this.#downloads = new Downloads(deps.workspace, deps.downloads, (event) => this.#events.push(event));
    this.#options = identity.options ?? {};
    this.#saved = identity.checkpoint;
    this.traits = traitsOf(this.#options);
    this.#deps = deps;
    this.#queue = new FifoQueue(deps.queueLimit, (waiting) => new ToolError('SESSION_BUSY', { waiting }));
  }

  /** What it was made with, but for cookies and storage, which have changed since. */
  get options(): SessionOptions {
    const { storageState: _state, ...options } = this.#options;
    return options;
  }

  get tabs(): readonly Tab[] {
    return this.#tabs.all;
  }

  /** The tab calls go to, if one is open. */
  get current(): Tab | undefined {
    return this.#tabs.current;
  }

  /** The tab that calls go to which name none. */
  get selected(): Tab | undefined {
    return this.#tabs.selected;
  }

  /** While it runs the named tab is the current one, whatever opens meanwhile. */
  async onTab<T>(key: string | number | undefined, run: () => Promise<T>): Promise<T> {
    return this.#tabs.on(key, run);
  }

  /** It has a browser already; the first call that needs one waits for its start. */
  get isOpen(): boolean {
    return this.#context !== undefined;
  }

  /** What relative URLs begin with, if it was given. */
  get baseUrl(): string | undefined {
    return this.#options.context?.baseURL;
  }

  /** Calls that run in it or wait. */
  get calls(): number {
    return this.#queue.size;
  }

  /** About how many tokens its answers have cost. */
  get tokens(): number {
    return this.#tokens;
  }

  meter(tokens: number): void {
    this.#tokens += tokens;
  }

  /** Its browser died and has not been replaced yet. */
  get isLost(): boolean {
    return this.#loss !== undefined;
  }

  /** Runs one call at a time; calls of other sessions go on meanwhile. */
  async exclusive<T>(signal: AbortSignal, run: () => Promise<T>): Promise<T> {
    return this.#queue.run(signal, async () => {
      this.#refuseIfClosed();
      const wasLost = this.isLost;
      try {
        // A browser may leave unanswered what it was asked about a context that is being closed.
        return await raceSignal(this.#bringBack(signal).then(run), this.#closing.signal);
      } catch (error) {
        // Whatever a call found when its browser died under it, that it died is what matters.
        throw !wasLost && this.#loss !== undefined ? lostUnder(this.#loss, error) : error;
      } finally {
        // Whatever a call found when its session was closed under it, that it was closed is what matters.
        this.#refuseIfClosed();
      }
    });
  }

  /** Running and queued calls fail with SESSION_EXPIRED. */
  markExpired(): void {
    this.#hasExpired = true;
  }

  /**
   * The tab calls go to; opens browser, context and tab when there is none. What a crash took is brought back first,
   * unless the call replaces the page anyway: otherwise a page that crashes its browser would crash every call.
   */
  async activeTab(signal: AbortSignal, { replacesPage = false } = {}): Promise<Tab> {
    await this.#restore(signal, replacesPage);
    if (this.current === undefined && !replacesPage) await this.#showOpenPage(signal);
    // A page of an external browser is replaced only if it was selected by name.
    if (replacesPage && this.current !== undefined && this.current === this.#unselected) return this.newTab(signal);
    const { current } = this;
    if (current?.crashed === true) await this.#reopen(current, signal, replacesPage);
    const tab = this.current ?? (await this.newTab(signal));
    return raceSignal(this.#ready.get(tab) ?? Promise.resolve(tab), signal);
  }

  async newTab(signal: AbortSignal): Promise<Tab> {
    await this.#restore(signal, true);
    if (this.tabs.length >= mostTabs) {
      throw new ToolError('FORBIDDEN', { reason: `${mostTabs} tabs are open, which is the limit of a session.` });
    }
    const context = await this.#openContext(signal);
    // A profile opens with a blank tab, which would never be closed.
    const isUsable = this.#lease?.isForeign === false && this.tabs.length === 1 && !this.#tabs.hasOwn;
    const blank = context.pages().find((page) => isUsable && page.url() === 'about:blank');
    const tab = this.#adopt(blank ?? (await context.newPage()));
    if (!this.#tabs.hasOwn) await seedTabStorage(tab.page, this.#tabStorage);
    this.#tabs.own(tab);
    this.#tabs.select(tab);
    return raceSignal(this.#ready.get(tab) ?? Promise.resolve(tab), signal);
  }

  select(tab: Tab): void {
    this.#unselected = undefined;
    this.#tabs.select(tab);
  }

  /** Makes the first open page of an external browser the current tab. */
  async #showOpenPage(signal: AbortSignal): Promise<void> {
    await this.#openContext(signal);
    const [first] = this.tabs;
    if (first === undefined || this.#lease?.isForeign !== true || this.#lease.owned) return;
    this.#unselected = first;
    this.#tabs.select(first);
  }

  /** A tab that the page has brought to the front becomes the current one, unless the call is about another one. */
  follow(tab: Tab): void {
    this.#tabs.follow(tab);
  }

  async closeTab(tab: Tab): Promise<void> {
    // Removed first: what is closed on purpose is not lost when the browser dies later.
    this.#tabs.remove(tab);
    const isDone = await settlesWithin(tab.page.close({ runBeforeUnload: false }), closeLimitMs);
    if (!isDone) this.#deps.log.warn('a tab did not close in time', { tab: tab.id });
    this.#tabs.forgetClosed();
  }

  /** A tab by its id (`t2`) or by its place in the list. */
  tab(key: string | number): Tab {
    return this.#tabs.find(key);
  }

  /** The tab of a page, once the browser has announced it. */
  tabOf(page: Page): Tab | undefined {
    return this.#tabs.of(page);
  }

  /** Cookies and storage of all its pages; those of pages that are dead are left out. */
  async storageState(wanted: StorageParts = {}): Promise<StorageState> {
    if (this.#context === undefined) return { cookies: [], origins: [] };
    return collectStorage(this.#context, this.tabs, wanted);
  }

  /** All that is needed to bring it back, once the calls before are done; undefined when that is saved already. */
  async checkpoint(signal: AbortSignal): Promise<Checkpoint | undefined> {
    return this.#queue.run(signal, async () => {
      // Tabs of an external browser outlive the server and must not be reopened.
      const isTheirs = this.#lease?.isForeign === true && !this.#lease.owned;
      return this.#context === undefined || isTheirs ? undefined : takeCheckpoint(this.#context, this.#tabs);
    });
  }

  /** What it was when its last server ended, until it is used again. */
  get dormant(): Checkpoint | undefined {
    return this.#saved;
  }

  /** Replaces cookies and storage; open pages are not notified. */
  async setStorageState(given: string | StorageState, signal: AbortSignal): Promise<StorageState> {
    const state = await readStorageState(given, this.workspace);
    const context = await this.#openContext(signal);
    await applyStorage(context, state);
    if (this.current !== undefined) await seedTabStorage(this.current.page, tabStorageIn(state));
    return state;
  }

  /** Finds or gets the browser; says in one line which. */
  async installBrowser(say: (line: string) => void, signal: AbortSignal): Promise<string> {
    return this.#deps.host.install(say, signal);
  }

  /** Events since the last answer; each is returned once. */
  async takeEvents(): Promise<readonly string[]> {
    await this.#downloads.settle();
    return [...this.#events.splice(0), ...this.#blocked.take()];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#closing.signal.aborted) return;
    this.#closing.abort();
    const [lease, context, own] = [this.#lease, this.#context, this.#tabs.ownPages];
    this.#forget();
    if (lease?.owned === false) await this.traffic.detach();
    await letGo(lease, context, own);
    await this.#relay?.[Symbol.asyncDispose]();
  }

  #refuseIfClosed(): void {
    if (!this.#closing.signal.aborted) return;
    throw new ToolError(this.#hasExpired ? 'SESSION_EXPIRED' : 'SESSION_NOT_FOUND', { session: this.name });
  }

  /** After its server ended: the tabs and the storage that it had. */
  async #bringBack(signal: AbortSignal): Promise<void> {
    const saved = this.#saved;
    if (saved === undefined) return;
    this.#saved = undefined;
    this.#options = { ...this.#options, storageState: saved.state };
    try {
      const tabs = await reopenTabs(saved, async () => this.newTab(signal), this.#deps.timeouts.navigation, signal);
      this.select(tabs[saved.active] ?? (await this.activeTab(signal)));
      this.#events.push(broughtBack(tabs.length));
    } catch (error) {
      this.#saved = saved;
      throw error;
    }
  }

  /** After a loss: a new browser, at the URL the model was on, and a word about what is gone. */
  async #restore(signal: AbortSignal, replacesPage: boolean): Promise<void> {
    const loss = this.#loss;
    if (loss === undefined) return;
    this.#loss = undefined;
    const { activeUrl = 'about:blank' } = loss;
    if (replacesPage || activeUrl === 'about:blank') {
      this.#events.push(lossText(loss));
      return;
    }
    const tab = await this.newTab(signal);
    const isBack = await goQuietly(tab.page, activeUrl, this.#deps.timeouts.navigation, signal);
    this.#events.push(lossText(loss, isBack));
  }

  async #reopen(tab: Tab, signal: AbortSignal, replacesPage: boolean): Promise<void> {
    const url = tab.page.url();
    await this.closeTab(tab);
    const fresh = await this.newTab(signal);
    const navigationMs = this.#deps.timeouts.navigation;
    const isBack = replacesPage ? undefined : await goQuietly(fresh.page, url, navigationMs, signal);
    this.#events.push(crashText(url, isBack));
  }

  async #openContext(signal: AbortSignal): Promise<BrowserContext> {
    if (this.#context !== undefined) return this.#context;
    this.#refuseIfClosed();
    const lease = await this.#deps.host.acquire({ isDefault: this.name === 'default' }, signal);
    let context: BrowserContext | undefined;
    try {
      context = lease.sharedContext ?? (await this.#makeContext(lease));
      await this.#deps.prepareContext(context);
      await this.traffic.attach(context);
      // If the session was closed meanwhile, only this call can dispose of the new context.
      this.#refuseIfClosed();
      this.#hearing = listenTo(context, (page) => this.#adopt(page), this.#blocked);
      lease.onLost((reason) => this.#onLost(lease, reason));
      if (lease.note !== undefined) this.#events.push(lease.note);
      this.#lease = lease;
      this.#context = context;
      for (const page of context.pages()) this.#adopt(page);
      return context;
    } catch (error) {
      await letGo(lease, context, []);
      await this.#relay?.[Symbol.asyncDispose]();
      this.#relay = undefined;
      throw contextFailure(error, !isPlain(this.#options));
    }
  }

  async #makeContext(lease: BrowserLease): Promise<BrowserContext> {
    const { storageState: given = { cookies: [], origins: [] } } = this.#options;
    const state = await readStorageState(given, this.workspace);
    this.#tabStorage = tabStorageIn(state);
    this.#relay ??= await relayFor(this.#options.proxy, lease);
    return lease.browser.newContext(contextOptionsOf(this.#options, state, lease, this.#relay?.route));
  }

  #adopt(page: Page): Tab {
    const known = this.tabOf(page);
    if (known !== undefined) return known;
    const tab = new Tab(page, {
      id: `t${this.#nextTab++}`,
      ...this.#deps.tabs,
      onDownload: (download, request) => this.#downloads.add(download, request),
      onEvent: (event) => this.#events.push(event),
      onModal: (modal) => {
        for (const other of this.tabs) if (other !== tab) void other.actions.interruptBy(modal);
      },
    });
    const ready = this.#deps.preparePage(page).then(() => tab);
    // The call that uses the tab reports the failure.
    ready.catch(() => undefined);
    this.#ready.set(tab, ready);
    this.#tabs.add(tab);
    return tab;
  }

  #onLost(lease: BrowserLease, reason: string): void {
    if (this.#lease !== lease || this.#closing.signal.aborted) return;
    const lost = this.#tabs.lost();
    this.#forget();
    this.#loss = { reason, isForeign: lease.isForeign, hasProfile: lease.sharedContext !== undefined, ...lost };
    void lease[Symbol.asyncDispose]();
  }

  #forget(): void {
    this.#hearing?.[Symbol.dispose]();
    this.#lease = undefined;
    this.#context = undefined;
    this.#tabs.clear();
  }
}
