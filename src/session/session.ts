import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { BrowserHost, BrowserLease, ProcessUse } from '../browser/host.ts';
import { contextFailure } from '../browser/failure.ts';
import { ToolError } from '../errors.ts';
import type { Logger } from '../log.ts';
import type { DomainPolicy } from '../policy/domains.ts';
import { FifoQueue } from '../util/queue.ts';
import { RefNumbers } from './agent/page-agents.ts';
import { raceSignal, settlesWithin, withTimeout } from '../util/signals.ts';
import { PlaywrightBackend } from './compat/playwright-backend.ts';
import type { BackendDeps } from './compat/playwright-backend.ts';
import { openTabs, takeCheckpoint } from './persistence/checkpoint.ts';
import type { Checkpoint } from './persistence/checkpoint.ts';
import { PersonControl } from './control/person-control.ts';
import { contextOptionsOf, isPlain, relayFor, traitsOf } from './session-options.ts';
import type { SessionOptions } from './session-options.ts';
import type { Artifact, ArtifactStore } from './files/artifacts.ts';
import { Downloads } from './files/downloads.ts';
import type { DownloadLimits } from './files/downloads.ts';
import { SessionFiles } from './files/session-files.ts';
import type { FilePlace } from './files/session-files.ts';
import { ContextEvents } from './events/context-listeners.ts';
import { Recordings } from './recording/recordings.ts';
import { SessionRecovery } from './persistence/session-recovery.ts';
import { seedTabStorage } from './persistence/session-storage.ts';
import type { TabStorage } from './persistence/session-storage.ts';
import { applyStorage, collectStorage, hostsIn, readStorageState, tabStorageIn } from './persistence/storage-state.ts';
import type { StorageParts, StorageState } from './persistence/storage-state.ts';
import { Tab } from './tab.ts';
import type { TabDeps } from './tab.ts';
import { TabList } from './tab-list.ts';
import { Traffic } from './network/routes.ts';
import { closeLimitMs, newTabLimitMs } from './timing.ts';

type Workspace = ConstructorParameters<typeof SessionFiles>[0]['workspace'];

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
  /** The browser or a page was lost. */
  lost(session: Session, what: 'browser' | 'page'): void;
  recovered(session: Session, what: 'browser' | 'page', ms: number): void;
  /** A person has taken control of it, or has given it back. */
  controlChanged(session: Session): void;
  /** Popups opened or closed that only the person in control sees. */
  popupsChanged(session: Session): void;
}

export interface SessionDeps {
  readonly host: BrowserHost;
  readonly log: Logger;
  readonly timeouts: { readonly action: number; readonly navigation: number };
  readonly queueLimit: number;
  /** Open tabs of a session; popups beyond it are closed. */
  readonly maxTabs: number;
  readonly tabs: Pick<TabDeps, 'format' | 'testIdAttribute' | 'times' | 'dismissesDialogs' | 'watchesOnly'>;
  /** Set if Playwright's own tools answer the calls. */
  readonly backend?: BackendDeps | undefined;
  readonly rules: DriverRules;
  /** Notified of new and closed tabs, and of their navigations. */
  readonly changes: SessionListener;
  readonly workspace: Workspace;
  readonly artifacts: ArtifactStore;
  readonly placeFor: (identity: SessionIdentity) => FilePlace;
  readonly downloads: DownloadLimits;
  /** Prepares a context of this server before its first page. */
  readonly prepareContext: (context: BrowserContext, lease: BrowserLease) => Promise<void>;
  /** Prepares a new page; calls wait for it. */
  readonly preparePage: (page: Page) => Promise<void>;
}

export interface ExclusiveOptions {
  readonly progress?: (message: string) => void;
  /** The timeout of the call, if it has one. */
  readonly timeoutMs?: number | undefined;
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
  /** Files that its tools write. */
  readonly files: SessionFiles;
  /** Its identifier in resource URIs. */
  readonly uriId: string;
  /** Its options, for display. */
  readonly traits: Readonly<Record<string, unknown>>;
  readonly traffic = new Traffic();
  /** What a person does with it. */
  readonly person: PersonControl;
  readonly recordings: Recordings;
  /** Playwright's own tools, if they answer the calls. */
  readonly backend: PlaywrightBackend | undefined;
  #options: SessionOptions;
  readonly #givenState: SessionOptions['storageState'];
  readonly #deps: SessionDeps;
  readonly #queue: FifoQueue;
  /** Why a URL may not be opened, by the rules of now. */
  readonly #deniedBy = (url: string): string | undefined => {
    const { rules } = this.#deps;
    return (rules.of(this.owner) ?? rules.operator).verdictOn(url);
  };
  /** Throws if the rules do not allow one of the hosts that cookies or storage are for. */
  checkStorage(hosts: Iterable<string>): void {
    const { rules } = this.#deps;
    const policy = rules.of(this.owner) ?? rules.operator;
    for (const host of hosts) {
      const rule = policy.verdictOnStorage(host);
      if (rule !== undefined) throw new ToolError('STORAGE_BLOCKED', { host, rule });
    }
  }

  /** Why a request that failed was refused: by the rules, or by the egress proxy, which knows the address. */
  readonly #refusedBy = (url: string): string | undefined =>
    this.#deniedBy(url) ?? (this.#relay?.refusals ?? this.#lease?.refusals)?.ruleFor(url);
  #lease: BrowserLease | undefined;
  /** Which external browser it used last. */
  #place: number | undefined;
  #context: BrowserContext | undefined;
  #listeners: Disposable | undefined;
  readonly #tabs = new TabList();
  readonly #ready = new WeakMap<Tab, Promise<Tab>>();
  readonly #refNumbers = new RefNumbers();
  #nextTab = 1;
  #events: string[] = [];
  /** What was lost and restored since the last answer; errors tell it too. */
  #losses: string[] = [];
  #newFiles: Artifact[] = [];
  readonly #downloads: Downloads;
  readonly #contextEvents: ContextEvents;
  readonly #recovery: SessionRecovery;
  /** What its context started with. */
  #startState: StorageState | undefined;
  /** Session storage for its first tab. */
  #tabStorage: readonly TabStorage[] = [];
  /** The egress proxy of its own rules, or the relay to a proxy that browsers cannot log in to. */
  #relay: Awaited<ReturnType<typeof relayFor>>;
  readonly #closing = new AbortController();
  #endedBy: 'SESSION_NOT_FOUND' | 'SESSION_EXPIRED' | 'SERVER_ENDING' = 'SESSION_NOT_FOUND';
  #roots: readonly string[] | undefined;
  #tokens = 0;
  /** Its context is that of the server before this one. */
  #isKept = false;

  constructor(identity: SessionIdentity, deps: SessionDeps) {
    this.id = identity.id;
    this.name = identity.name;
    this.owner = identity.owner;
    // A driver has one default session and does not know its id.
    this.uriId = identity.name === 'default' ? identity.name : identity.id;
    this.files = new SessionFiles({
      workspace: deps.workspace,
      artifacts: deps.artifacts,
      owner: this.owner,
      session: this.uriId,
      sessionName: this.name,
      ...deps.placeFor(identity),
      now: () => new Date(),
    });
    this.#contextEvents = new ContextEvents(deps.maxTabs, this.#refusedBy);
    this.recordings = new Recordings((event) => this.#events.push(event));
    this.#downloads = new Downloads(this.files, deps.downloads, {
      tell: (event) => this.#events.push(event),
      saved: (artifact) => this.#newFiles.push(artifact),
    });
    this.#options = identity.options ?? {};
    this.#givenState = this.#options.storageState;
    this.#recovery = new SessionRecovery(this, {
      dormant: identity.checkpoint,
      navigationMs: deps.timeouts.navigation,
      startWith: (storageState) => (this.#options = { ...this.#options, storageState }),
      report: (event) => this.#losses.push(event),
    });
    this.traits = traitsOf(this.#options);
    this.#deps = deps;
    this.backend = deps.backend && new PlaywrightBackend(this, deps.backend);
    this.#queue = new FifoQueue(deps.queueLimit, (waiting) => new ToolError('SESSION_BUSY', { waiting }));
    this.person = new PersonControl(this, {
      navigationMs: deps.timeouts.navigation,
      hold: async (signal) => this.#hold(signal),
      tell: (event) => this.#events.push(event),
      controlChanged: () => deps.changes.controlChanged(this),
      popupsChanged: () => deps.changes.popupsChanged(this),
    });
  }

  /** Its options without cookies and storage, which have changed since. */
  get options(): SessionOptions {
    const { storageState: _state, ...options } = this.#options;
    return options;
  }

  /** What its clients know about the current page. */
  get reportedPlaces(): TabList['reported'] {
    return this.#tabs.reported;
  }

  get tabs(): readonly Tab[] {
    return this.#tabs.all;
  }

  get workspace(): Workspace {
    return this.#roots === undefined ? this.#deps.workspace : this.#deps.workspace.heldTo(this.#roots);
  }

  /** The roots that the client declared. */
  get roots(): readonly string[] | undefined {
    return this.#roots;
  }

  /** The first root that the client declared. */
  get root(): string | undefined {
    return this.#roots?.[0];
  }

  /** The client of this call declares these roots. */
  holdTo(roots: readonly string[] | undefined): void {
    this.#roots = roots;
  }

  get tracing(): Recordings['tracing'] {
    return this.recordings.tracing;
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

  /** The browser has no window. */
  get isHeadless(): boolean {
    return this.#lease?.headless === true;
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

  /**
   * Runs one call at a time; calls of other sessions run in parallel. `failed` aborts if browser or page do. While a
   * person has the session, a call reports progress, and fails after some time. A page that does not answer after
   * `timeoutMs` fails.
   */
  async exclusive<T>(
    signal: AbortSignal,
    run: (failed: AbortSignal) => Promise<T>,
    { progress = () => undefined, timeoutMs }: ExclusiveOptions = {},
  ): Promise<T> {
    using waiting = this.person.control.wait(progress);
    return await this.#queue.run(AbortSignal.any([signal, waiting.signal]), async () => {
      waiting[Symbol.dispose]();
      this.#refuseIfClosed();
      const wasLost = this.isLost;
      try {
        // A browser may never answer requests about a context that is being closed.
        using watch = this.#recovery.watchCall(timeoutMs);
        const running = this.#recovery.wake(signal).then(async () => run(watch.signal));
        const done = await raceSignal(running, this.#closing.signal);
        await this.#recovery.saveStorage();
        return done;
      } catch (error) {
        // Report the loss of the browser rather than its consequence.
        throw (wasLost ? undefined : this.#recovery.errorOf(error)) ?? error;
      } finally {
        this.#recovery.afterCall();
        // Report that the session was closed rather than the consequence.
        this.#refuseIfClosed();
      }
    });
  }

  /** Keeps calls out, from the end of the running one until the returned function is called or the session closes. */
  async #hold(signal: AbortSignal): Promise<() => void> {
    return new Promise((resolve, reject) => {
      const task = async (): Promise<void> => {
        const released = new Promise<void>((release) => resolve(release));
        await raceSignal(released, this.#closing.signal).catch(() => undefined);
      };
      this.#queue.runNext(signal, task).catch(reject);
    });
  }

  get ownBrowser(): Browser | undefined {
    return this.#lease?.silent === undefined ? undefined : this.#lease.browser;
  }

  get rendererUse(): ProcessUse | undefined {
    return this.#lease?.renderers?.();
  }

  endFrozenBrowser(): void {
    this.#lease?.silent?.('it stopped responding');
  }

  get hasExpired(): boolean {
    return this.#endedBy === 'SESSION_EXPIRED';
  }

  /** Running and queued calls fail with SESSION_EXPIRED. */
  markExpired(): void {
    this.#endedBy = 'SESSION_EXPIRED';
  }

  /** Running and queued calls fail with SERVER_ENDING. */
  markEnding(): void {
    this.#endedBy = 'SERVER_ENDING';
  }

  /**
   * The tab calls go to; opens browser, context and tab when there is none. What a crash took is brought back first,
   * unless the call replaces the page anyway: otherwise a page that crashes its browser would crash every call.
   */
  async activeTab(signal: AbortSignal, { replacesPage = false } = {}): Promise<Tab> {
    const wasLost = this.isLost;
    const began = performance.now();
    await this.#recovery.restore(signal, replacesPage);
    if (wasLost) this.#deps.changes.recovered(this, 'browser', performance.now() - began);
    if (this.current === undefined) await this.#showOpenPage(signal);
    const { current } = this;
    if (current?.crashed === true || current?.isHung === true) {
      this.#deps.changes.lost(this, 'page');
      await this.#recovery.reopen(current, signal, replacesPage);
      this.#deps.changes.recovered(this, 'page', performance.now() - began);
    }
    const tab = this.current ?? (await this.newTab(signal));
    return withTimeout(this.#ready.get(tab) ?? Promise.resolve(tab), newTabLimitMs, signal);
  }

  /** Closes a tab whose page cannot be left, and opens an empty one in its place. */
  async replaceTab(tab: Tab, signal: AbortSignal): Promise<Tab> {
    await this.#recovery.reopen(tab, signal, true);
    return this.activeTab(signal, { replacesPage: true });
  }

  /** Waits until the operator's modules have prepared the page of a tab. */
  async whenReady(tab: Tab): Promise<void> {
    await this.#ready.get(tab);
  }

  async newTab(signal: AbortSignal): Promise<Tab> {
    await this.#recovery.restore(signal, true);
    if (this.#countedTabs >= this.#deps.maxTabs) throw this.#tooManyTabs();
    const context = await this.openContext(signal);
    // A profile opens with a blank tab, which would never be closed.
    const isUsable = this.#lease?.isForeign === false && this.tabs.length === 1 && !this.#tabs.hasOwn;
    const blank = context.pages().find((page) => isUsable && page.url() === 'about:blank');
    // A browser that is busy with the messages of another page may take long; calls have a limit of their own.
    const page = blank ?? (await withTimeout(context.newPage(), newTabLimitMs, signal));
    // Popups took the last places meanwhile.
    if (this.#contextEvents.popups.hasRefused(page)) throw this.#tooManyTabs();
    const tab = this.#adopt(page);
    if (!this.#tabs.hasOwn) await seedTabStorage(tab.page, this.#tabStorage);
    this.#tabs.own(tab);
    this.#tabs.select(tab);
    return raceSignal(this.#ready.get(tab) ?? Promise.resolve(tab), signal);
  }

  select(tab: Tab): void {
    this.#tabs.select(tab);
  }

  /** Makes the first open page of an external browser the current tab. */
  async #showOpenPage(signal: AbortSignal): Promise<void> {
    await this.openContext(signal);
    const [first] = this.tabs;
    if (first === undefined || this.#lease?.isForeign !== true || this.#lease.owned) return;
    this.#tabs.select(first);
  }

  /** Makes a tab that the page opened the current one, unless the call named another tab. */
  follow(tab: Tab): void {
    this.#tabs.follow(tab);
  }

  async closeTab(tab: Tab): Promise<void> {
    // Before it is removed: the dialogs of a page without a tab would open another one.
    await tab.endDialogs();
    // Removed first: a tab that was closed on purpose is not reported as lost when the browser crashes later.
    this.#tabs.remove(tab);
    const isDone = await settlesWithin(tab.page.close({ runBeforeUnload: false }), closeLimitMs);
    if (!isDone) this.#deps.log.warn('a tab did not close in time', { tab: tab.id });
    this.#tabs.forgetClosed();
  }

  /** Remembers the place of a tab that is about to be closed, for the tab that replaces it. */
  keepPlace(tab: Tab): (fresh: Tab) => void {
    return this.#tabs.keepPlace(tab);
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

  /** Starts to record a trace. */
  async startTracing(signal: AbortSignal): Promise<void> {
    const context = await this.openContext(signal);
    const folder = await this.#lease?.traces();
    if (folder === undefined) throw new ToolError('BROWSER_CRASHED', { reason: 'it was lost before recording began' });
    await this.tracing.start(
      context,
      folder,
      this.tabs.map(({ typedSecrets }) => typedSecrets),
    );
  }

  /** Everything needed to restore the session, after pending calls; undefined if the last checkpoint is still valid. */
  async checkpoint(signal: AbortSignal): Promise<Checkpoint | undefined> {
    return this.#queue.run(signal, async () => {
      const context = this.#savedContext;
      return context === undefined ? undefined : takeCheckpoint(context, this.#tabs);
    });
  }

  /** The part of a checkpoint that needs no answer of the browser: the open tabs. */
  firstCheckpoint(): Checkpoint | undefined {
    return this.#savedContext === undefined ? undefined : openTabs(this.#tabs);
  }

  /** Tabs of an external browser outlive the server and must not be reopened. */
  get #savedContext(): BrowserContext | undefined {
    const isTheirs = this.#lease?.isForeign === true && !this.#lease.owned;
    return isTheirs ? undefined : this.#context;
  }

  /** The state that an earlier server saved, until the session is used again. */
  get dormant(): Checkpoint | undefined {
    return this.#recovery.dormant;
  }

  /** Replaces cookies and storage; open pages are not notified. */
  async setStorageState(given: string | StorageState, signal: AbortSignal): Promise<StorageState> {
    const state = await readStorageState(given, this.workspace);
    this.checkStorage(hostsIn(state));
    const context = await this.openContext(signal);
    await applyStorage(context, state);
    if (this.current !== undefined) await seedTabStorage(this.current.page, tabStorageIn(state));
    return state;
  }

  /** Finds or installs the browser; returns a line that describes it. */
  async installBrowser(say: (line: string) => void, signal: AbortSignal): Promise<string> {
    return this.#deps.host.install(say, signal);
  }

  /** Adds an event to the next answer. */
  tell(event: string): void {
    this.#events.push(event);
  }

  /** Adds a file to the next answer. */
  addFile(file: Artifact): void {
    this.#newFiles.push(file);
  }

  /** Events since the last answer; each is returned once. */
  async takeEvents(): Promise<readonly string[]> {
    await this.#downloads.settle();
    return [
      ...this.takeLosses(),
      ...this.#events.splice(0),
      ...this.#contextEvents.take(),
      ...this.tabs.flatMap((tab) => tab.dialogs.takeDismissed()),
    ];
  }

  /** What was lost and restored since the last answer; each is returned once. */
  takeLosses(): readonly string[] {
    return this.#losses.splice(0);
  }

  /** The files that pages made since the last answer, with those that are still being downloaded. */
  async newFiles(): Promise<readonly Artifact[]> {
    await this.#downloads.settle();
    return [...this.#newFiles];
  }

  /** Files that pages made since the last answer; each is returned once. */
  takeFiles(): readonly Artifact[] {
    return this.#newFiles.splice(0);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#closing.signal.aborted) return;
    this.#closing.abort();
    this.person.control.close();
    await Promise.all(this.tabs.map(async (tab) => tab.endDialogs()));
    const [lease, context, own] = [this.#lease, this.#context, this.#tabs.ownPages];
    this.#forget();
    const wasTracing = await this.tracing.forget();
    if (wasTracing) this.#deps.log.warn('a trace was discarded with its session', { sessionId: this.id });
    this.#recovery.forgetStorage();
    if (lease?.owned === false) await this.traffic.detach();
    // The next server finds the pages of a kept browser as they are.
    const isLeft = lease?.keeps !== undefined && this.#endedBy === 'SERVER_ENDING';
    await release(lease, isLeft ? undefined : context, own);
    await this.#relay?.[Symbol.asyncDispose]();
    await this.files.uploads[Symbol.asyncDispose]();
  }

  /** Closes the context and, if it is that of a profile, its browser. The next call opens another. */
  async closeContext(): Promise<void> {
    await Promise.all(this.tabs.map(async (tab) => tab.endDialogs()));
    const [lease, context] = [this.#lease, this.#context];
    const isTheirs = lease?.isForeign === true && !lease.owned;
    const own = isTheirs ? this.#tabs.ownPages : [];
    this.#forget();
    await this.tracing.forget();
    this.#recovery.forgetStorage();
    if (isTheirs) await this.traffic.detach();
    if (context !== undefined && !isTheirs) await settlesWithin(context.close(), closeLimitMs);
    await release(lease, isTheirs ? context : undefined, own);
    await this.#relay?.[Symbol.asyncDispose]();
    this.#relay = undefined;
  }

  #refuseIfClosed(): void {
    if (!this.#closing.signal.aborted) return;
    throw new ToolError(this.#endedBy, { session: this.name });
  }

  /** The browser context; opens it when there is none. */
  async openContext(signal: AbortSignal): Promise<BrowserContext> {
    if (this.#context !== undefined) return this.#context;
    this.#refuseIfClosed();
    const rules = this.#deps.rules.of(this.owner);
    const lease = await this.#deps.host.acquire(
      { isDefault: this.name === 'default', rules, prefers: this.#place },
      signal,
    );
    this.#place = lease.place;
    let context: BrowserContext | undefined;
    try {
      const kept = lease.keeps?.take(this.id);
      context = lease.sharedContext ?? kept ?? (await this.#makeContext(lease));
      if (kept === undefined) lease.keeps?.label(this.id, context);
      await this.#deps.prepareContext(context, lease);
      await this.traffic.attach(context);
      // If the session was closed meanwhile, only this call can dispose of the new context.
      this.#refuseIfClosed();
      // Before this, nothing listens to the end of the browser.
      if (!lease.browser.isConnected()) throw new ToolError('BROWSER_CRASHED', { reason: 'its process ended' });
      this.#listeners = this.#contextEvents.listenTo(context, (page) => this.#admit(page));
      lease.onLost((reason) => this.#onLost(lease, reason));
      if (lease.note !== undefined) this.#events.push(lease.note);
      this.#lease = lease;
      this.#context = context;
      // The storage of a profile, and of an external browser, outlives the process.
      if (lease.sharedContext === undefined) this.#recovery.watchStorage(context, this.#startState);
      for (const page of context.pages()) this.#adopt(page);
      this.#isKept = kept !== undefined;
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
    // What a checkpoint restores was allowed when it was stored.
    if (given === this.#givenState) this.checkStorage(hostsIn(state));
    this.#startState = state;
    this.#tabStorage = tabStorageIn(state);
    this.#relay ??= await relayFor(this.#options.proxy, lease);
    return lease.browser.newContext(contextOptionsOf(this.#options, state, lease, this.#relay?.route));
  }

  /** Opens the context; the tabs that the server before this one left in it, if it is the same. */
  async openKept(signal: AbortSignal): Promise<readonly Tab[] | undefined> {
    await this.openContext(signal);
    if (!this.#isKept) return undefined;
    for (const tab of this.tabs) this.#tabs.own(tab);
    return this.tabs;
  }

  /** Adopts a page that has opened. A popup beyond the tab limit is closed instead. */
  #admit(page: Page): Tab | undefined {
    const known = this.tabOf(page);
    if (known !== undefined) return known;
    // The user of an external browser may open tabs too.
    const isLimited = this.#lease?.isForeign !== true || this.#lease.owned;
    return isLimited && this.#contextEvents.popups.refuses(page, this.tabs.length) ? undefined : this.#adopt(page);
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
      refusedBy: this.#refusedBy,
      refNumbers: this.#refNumbers,
      onDownload: (download, request) => {
        if (this.backend === undefined) this.#downloads.add(download, request, tab.id);
      },
      onEvent: (event) => this.#events.push(event),
      isHeld: () => this.person.isHeld,
      isPrivate: () => this.person.isPrivate,
      onChange: () => this.#deps.changes.pageChanged(this, tab.id),
      onStorage: () => this.#recovery.storageChanged(tab),
      onModal: (modal) => {
        for (const other of this.tabs) if (other !== tab) void other.actions.interruptBy(modal);
      },
    });
    const ready = this.#deps.preparePage(page).then(() => tab);
    // The call that uses the tab reports the failure.
    ready.catch(() => undefined);
    this.#ready.set(tab, ready);
    this.#tabs.add(tab);
    this.tracing.watch(tab.typedSecrets);
    this.#deps.changes.sessionChanged(this);
    page.on('close', () => {
      this.#deps.changes.sessionChanged(this);
      this.#deps.changes.pageChanged(this, tab.id);
    });
    return tab;
  }

  #onLost(lease: BrowserLease, reason: string): void {
    if (this.#lease !== lease || this.#closing.signal.aborted) return;
    const lost = this.#tabs.lost((tab) => this.#recovery.sessionStorageOf(tab));
    this.#forget();
    this.tracing.lost();
    this.#deps.changes.lost(this, 'browser');
    this.#recovery.lost({ reason, isForeign: lease.isForeign, hasProfile: lease.sharedContext !== undefined, ...lost });
    void lease[Symbol.asyncDispose]();
  }

  #forget(): void {
    this.#listeners?.[Symbol.dispose]();
    this.recordings.forget();
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
