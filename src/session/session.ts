import type { BrowserContext, Page } from 'playwright-core';
import type { BrowserHost, BrowserLease } from '../browser/host.ts';
import type { ProxyRelay } from '../browser/proxy/loopback-proxy.ts';
import { contextFailure } from '../browser/failure.ts';
import { ToolError } from '../errors.ts';
import type { Logger } from '../log.ts';
import type { DomainPolicy } from '../policy/domains.ts';
import { FifoQueue } from '../util/queue.ts';
import { RefNumbers } from './agent/page-agents.ts';
import { raceSignal, settlesWithin } from '../util/signals.ts';
import { takeCheckpoint } from './persistence/checkpoint.ts';
import type { Checkpoint } from './persistence/checkpoint.ts';
import { contextOptionsOf, isPlain, relayFor, traitsOf } from './session-options.ts';
import type { SessionOptions } from './session-options.ts';
import { BlockedRequests } from './network/blocked-requests.ts';
import type { Artifact, ArtifactStore } from './files/artifacts.ts';
import { Downloads } from './files/downloads.ts';
import type { DownloadLimits } from './files/downloads.ts';
import { SessionFiles } from './files/session-files.ts';
import type { FilePlace } from './files/session-files.ts';
import { PopupLimit, listenTo } from './events/context-listeners.ts';
import { SessionRecovery } from './persistence/session-recovery.ts';
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

/** The domain rules of this server. They can change while it runs. */
export interface DriverRules {
  readonly operator: DomainPolicy;
  /** The rules of a driver that has its own; they include those of the operator. */
  of(driver: DriverId): DomainPolicy | undefined;
}

/** Called when something that clients can watch has changed. */
export interface SessionListener {
  /** Tabs were opened or closed. */
  sessionChanged(session: Session): void;
  /** A tab navigated or loaded. */
  pageChanged(session: Session, tab: string): void;
}

export interface SessionDeps {
  readonly host: BrowserHost;
  readonly log: Logger;
  readonly timeouts: { readonly action: number; readonly navigation: number };
  readonly queueLimit: number;
  /** Open tabs of a session; popups beyond it are closed. */
  readonly maxTabs: number;
  readonly tabs: Pick<TabDeps, 'format' | 'times' | 'dismissesDialogs'>;
  readonly rules: DriverRules;
  /** Notified of new and closed tabs, and of their navigations. */
  readonly changes: SessionListener;
  readonly workspace: Workspace;
  readonly artifacts: ArtifactStore;
  readonly placeFor: (identity: SessionIdentity) => FilePlace;
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
  /** The state that an earlier server saved. */
  readonly checkpoint?: Checkpoint;
}

/** One isolated browser context with its tabs. Opens browser, context and tab when they are first needed. */
export class Session implements AsyncDisposable {
  readonly id: string;
  readonly name: string;
  readonly owner: DriverId;
  readonly workspace: Workspace;
  /** Files that its tools write. */
  readonly files: SessionFiles;
  /** Its identifier in resource URIs. */
  readonly uriId: string;
  /** Its options, for display. */
  readonly traits: Readonly<Record<string, unknown>>;
  readonly traffic = new Traffic();
  #options: SessionOptions;
  readonly #deps: SessionDeps;
  readonly #queue: FifoQueue;
  /** Why a URL may not be opened, by the rules of now. */
  readonly #deniedBy = (url: string): string | undefined => {
    const { rules } = this.#deps;
    return (rules.of(this.owner) ?? rules.operator).verdictOn(url);
  };
  #lease: BrowserLease | undefined;
  #context: BrowserContext | undefined;
  #listeners: Disposable | undefined;
  readonly #tabs = new TabList();
  readonly #ready = new WeakMap<Tab, Promise<Tab>>();
  readonly #refNumbers = new RefNumbers();
  #nextTab = 1;
  /** The current tab, if it is a page of an external browser that no call has selected. */
  #unselected: Tab | undefined;
  #events: string[] = [];
  #newFiles: Artifact[] = [];
  readonly #downloads: Downloads;
  readonly #blocked: BlockedRequests;
  readonly #popups: PopupLimit;
  readonly #recovery: SessionRecovery;
  /** Session storage for its first tab. */
  #tabStorage: readonly TabStorage[] = [];
  /** The egress proxy of its own rules, or the relay to a proxy that browsers cannot log in to. */
  #relay: ProxyRelay | undefined;
  readonly #closing = new AbortController();
  #hasExpired = false;
  #tokens = 0;

  constructor(identity: SessionIdentity, deps: SessionDeps) {
    this.id = identity.id;
    this.name = identity.name;
    this.owner = identity.owner;
    this.workspace = deps.workspace;
    // A driver has one default session and does not know its id.
    this.uriId = identity.name === 'default' ? identity.name : identity.id;
    this.files = new SessionFiles({
      workspace: deps.workspace,
      artifacts: deps.artifacts,
      owner: this.owner,
      session: this.uriId,
      ...deps.placeFor(identity),
      now: () => new Date(),
    });
    this.#blocked = new BlockedRequests(this.#deniedBy);
    this.#popups = new PopupLimit(deps.maxTabs);
    this.#downloads = new Downloads(this.files, deps.downloads, {
      tell: (event) => this.#events.push(event),
      saved: (artifact) => this.#newFiles.push(artifact),
    });
    this.#options = identity.options ?? {};
    this.#recovery = new SessionRecovery(this, {
      dormant: identity.checkpoint,
      navigationMs: deps.timeouts.navigation,
      startWith: (storageState) => (this.#options = { ...this.#options, storageState }),
      report: (event) => this.#events.push(event),
    });
    this.traits = traitsOf(this.#options);
    this.#deps = deps;
    this.#queue = new FifoQueue(deps.queueLimit, (waiting) => new ToolError('SESSION_BUSY', { waiting }));
  }

  /** Its options without cookies and storage, which have changed since. */
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

  /** The tab for calls that name none. */
  get selected(): Tab | undefined {
    return this.#tabs.selected;
  }

  /** Runs with the named tab as the current one, even if other tabs open meanwhile. */
  async onTab<T>(key: string | number | undefined, run: () => Promise<T>): Promise<T> {
    return this.#tabs.on(key, run);
  }

  /** Whether it has a browser. */
  get isOpen(): boolean {
    return this.#context !== undefined;
  }

  /** The base of relative URLs, if given. */
  get baseUrl(): string | undefined {
    return this.#options.context?.baseURL;
  }

  /** Number of calls that run or wait. */
  get calls(): number {
    return this.#queue.size;
  }

  /** Estimated number of tokens of its answers. */
  get tokens(): number {
    return this.#tokens;
  }

  meter(tokens: number): void {
    this.#tokens += tokens;
  }

  /** Its browser was lost and has not been replaced yet. */
  get isLost(): boolean {
    return this.#recovery.isLost;
  }

  /** Runs one call at a time; calls of other sessions run in parallel. */
  async exclusive<T>(signal: AbortSignal, run: () => Promise<T>): Promise<T> {
    return this.#queue.run(signal, async () => {
      this.#refuseIfClosed();
      const wasLost = this.isLost;
      try {
        // A browser may never answer requests about a context that is being closed.
        return await raceSignal(this.#recovery.wake(signal).then(run), this.#closing.signal);
      } catch (error) {
        // Report the loss of the browser rather than its consequence.
        throw (wasLost ? undefined : this.#recovery.errorOf(error)) ?? error;
      } finally {
        // Report that the session was closed rather than the consequence.
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
    await this.#recovery.restore(signal, replacesPage);
    if (this.current === undefined && !replacesPage) await this.#showOpenPage(signal);
    // A page of an external browser is replaced only if it was selected by name.
    if (replacesPage && this.current !== undefined && this.current === this.#unselected) return this.newTab(signal);
    const { current } = this;
    if (current?.crashed === true) await this.#recovery.reopen(current, signal, replacesPage);
    const tab = this.current ?? (await this.newTab(signal));
    return raceSignal(this.#ready.get(tab) ?? Promise.resolve(tab), signal);
  }

  async newTab(signal: AbortSignal): Promise<Tab> {
    await this.#recovery.restore(signal, true);
    if (this.#countedTabs >= this.#deps.maxTabs) throw this.#tooManyTabs();
    const context = await this.#openContext(signal);
    // A profile opens with a blank tab, which would never be closed.
    const isUsable = this.#lease?.isForeign === false && this.tabs.length === 1 && !this.#tabs.hasOwn;
    const blank = context.pages().find((page) => isUsable && page.url() === 'about:blank');
    const page = blank ?? (await context.newPage());
    // Popups took the last places meanwhile.
    if (this.#popups.hasRefused(page)) throw this.#tooManyTabs();
    const tab = this.#adopt(page);
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

  /** Makes a tab that the page opened the current one, unless the call named another tab. */
  follow(tab: Tab): void {
    this.#tabs.follow(tab);
  }

  async closeTab(tab: Tab): Promise<void> {
    // Removed first: a tab that was closed on purpose is not reported as lost when the browser crashes later.
    this.#tabs.remove(tab);
    const isDone = await settlesWithin(tab.page.close({ runBeforeUnload: false }), closeLimitMs);
    if (!isDone) this.#deps.log.warn('a tab did not close in time', { tab: tab.id });
    this.#tabs.forgetClosed();
  }

  /** Finds a tab by id (`t2`) or index. */
  tab(key: string | number): Tab {
    return this.#tabs.find(key);
  }

  /** The tab of a page, once the browser has reported it. */
  tabOf(page: Page): Tab | undefined {
    return this.#tabs.of(page);
  }

  /** Cookies and storage of all pages; crashed pages are skipped. */
  async storageState(wanted: StorageParts = {}): Promise<StorageState> {
    if (this.#context === undefined) return { cookies: [], origins: [] };
    return collectStorage(this.#context, this.tabs, wanted);
  }

  /** Everything needed to restore the session, after pending calls; undefined if the last checkpoint is still valid. */
  async checkpoint(signal: AbortSignal): Promise<Checkpoint | undefined> {
    return this.#queue.run(signal, async () => {
      // Tabs of an external browser outlive the server and must not be reopened.
      const isTheirs = this.#lease?.isForeign === true && !this.#lease.owned;
      return this.#context === undefined || isTheirs ? undefined : takeCheckpoint(this.#context, this.#tabs);
    });
  }

  /** The state that an earlier server saved, until the session is used again. */
  get dormant(): Checkpoint | undefined {
    return this.#recovery.dormant;
  }

  /** Replaces cookies and storage; open pages are not notified. */
  async setStorageState(given: string | StorageState, signal: AbortSignal): Promise<StorageState> {
    const state = await readStorageState(given, this.workspace);
    const context = await this.#openContext(signal);
    await applyStorage(context, state);
    if (this.current !== undefined) await seedTabStorage(this.current.page, tabStorageIn(state));
    return state;
  }

  /** Finds or installs the browser; returns a line that describes it. */
  async installBrowser(say: (line: string) => void, signal: AbortSignal): Promise<string> {
    return this.#deps.host.install(say, signal);
  }

  /** Events since the last answer; each is returned once. */
  async takeEvents(): Promise<readonly string[]> {
    await this.#downloads.settle();
    return [
      ...this.#events.splice(0),
      ...this.#blocked.take(),
      ...this.#popups.take(),
      ...this.tabs.flatMap((tab) => tab.dialogs.takeDismissed()),
    ];
  }

  /** Files that pages made since the last answer; each is returned once. */
  takeFiles(): readonly Artifact[] {
    return this.#newFiles.splice(0);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#closing.signal.aborted) return;
    this.#closing.abort();
    const [lease, context, own] = [this.#lease, this.#context, this.#tabs.ownPages];
    this.#forget();
    if (lease?.owned === false) await this.traffic.detach();
    await release(lease, context, own);
    await this.#relay?.[Symbol.asyncDispose]();
  }

  #refuseIfClosed(): void {
    if (!this.#closing.signal.aborted) return;
    throw new ToolError(this.#hasExpired ? 'SESSION_EXPIRED' : 'SESSION_NOT_FOUND', { session: this.name });
  }

  async #openContext(signal: AbortSignal): Promise<BrowserContext> {
    if (this.#context !== undefined) return this.#context;
    this.#refuseIfClosed();
    const request = { isDefault: this.name === 'default', rules: this.#deps.rules.of(this.owner) };
    const lease = await this.#deps.host.acquire(request, signal);
    let context: BrowserContext | undefined;
    try {
      context = lease.sharedContext ?? (await this.#makeContext(lease));
      await this.#deps.prepareContext(context);
      await this.traffic.attach(context);
      // If the session was closed meanwhile, only this call can dispose of the new context.
      this.#refuseIfClosed();
      this.#listeners = listenTo(context, (page) => this.#admit(page), this.#blocked);
      lease.onLost((reason) => this.#onLost(lease, reason));
      if (lease.note !== undefined) this.#events.push(lease.note);
      this.#lease = lease;
      this.#context = context;
      for (const page of context.pages()) this.#adopt(page);
      return context;
    } catch (error) {
      await release(lease, context, []);
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

  /** Adopts a page that has opened. A popup beyond the tab limit is closed instead. */
  #admit(page: Page): Tab | undefined {
    const known = this.tabOf(page);
    if (known !== undefined) return known;
    // The user of an external browser may open tabs too.
    const isLimited = this.#lease?.isForeign !== true || this.#lease.owned;
    return isLimited && this.#popups.refuses(page, this.tabs.length) ? undefined : this.#adopt(page);
  }

  /** Tabs that count towards the limit; other tabs of an external browser do not. */
  get #countedTabs(): number {
    const isTheirs = this.#lease?.isForeign === true && !this.#lease.owned;
    return isTheirs ? this.#tabs.ownPages.length : this.tabs.length;
  }

  #tooManyTabs(): ToolError {
    return new ToolError('MAX_TABS_REACHED', { limit: this.#deps.maxTabs });
  }

  #adopt(page: Page): Tab {
    const known = this.tabOf(page);
    if (known !== undefined) return known;
    const tab = new Tab(page, {
      id: `t${this.#nextTab++}`,
      ...this.#deps.tabs,
      deniedBy: this.#deniedBy,
      refNumbers: this.#refNumbers,
      onDownload: (download, request) => this.#downloads.add(download, request, tab.id),
      onEvent: (event) => this.#events.push(event),
      onChange: () => this.#deps.changes.pageChanged(this, tab.id),
      onModal: (modal) => {
        for (const other of this.tabs) if (other !== tab) void other.actions.interruptBy(modal);
      },
    });
    const ready = this.#deps.preparePage(page).then(() => tab);
    // The call that uses the tab reports the failure.
    ready.catch(() => undefined);
    this.#ready.set(tab, ready);
    this.#tabs.add(tab);
    this.#deps.changes.sessionChanged(this);
    page.on('close', () => {
      this.#deps.changes.sessionChanged(this);
      this.#deps.changes.pageChanged(this, tab.id);
    });
    return tab;
  }

  #onLost(lease: BrowserLease, reason: string): void {
    if (this.#lease !== lease || this.#closing.signal.aborted) return;
    const lost = this.#tabs.lost();
    this.#forget();
    this.#recovery.lost({ reason, isForeign: lease.isForeign, hasProfile: lease.sharedContext !== undefined, ...lost });
    void lease[Symbol.asyncDispose]();
  }

  #forget(): void {
    this.#listeners?.[Symbol.dispose]();
    this.#lease = undefined;
    this.#context = undefined;
    this.#tabs.clear();
  }
}

/** Closes a context and returns its browser. Of a context that outlives the session, only the session's pages close. */
async function release(
  lease: BrowserLease | undefined,
  context: BrowserContext | undefined,
  own: readonly Page[],
): Promise<void> {
  if (context !== undefined) {
    const isShared = lease?.owned === false;
    await settlesWithin(isShared ? Promise.all(own.map((page) => page.close())) : context.close(), closeLimitMs);
  }
  await lease?.[Symbol.asyncDispose]();
}
