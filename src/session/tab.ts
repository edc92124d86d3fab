import type { Download, Page, Request } from 'playwright-core';
import { toToolError } from '../browser/failure.ts';
import type { FailureContext } from '../browser/failure.ts';
import type { StateRequest } from '../page/protocol.ts';
import { TypedSecrets } from '../policy/typed-secrets.ts';
import { ActionRunner } from './act/action-runner.ts';
import { CdpConnection } from './agent/cdp-channel.ts';
import { PageAgents } from './agent/page-agents.ts';
import type { Observation, PageState, RefNumbers } from './agent/page-agents.ts';
import { ConsoleLog } from './events/console-log.ts';
import { Dialogs } from './events/dialogs.ts';
import type { Modal } from './events/dialogs.ts';
import { Choosers } from './events/file-choosers.ts';
import { NetworkLog } from './events/network-log.ts';
import { TabGarbage } from './housekeeping/tab-gc.ts';
import { answers, freeConnection, unblock } from './navigation/hung-page.ts';
import { mainFrameOf } from './navigation/main-frame.ts';
import type { MainFrame } from './navigation/main-frame.ts';
import { openUrl } from './navigation/navigate.ts';
import type { OpenOptions, Opened } from './navigation/navigate.ts';
import { unlessBlocked } from './network/blocked-requests.ts';
import type { DeniedBy } from './network/blocked-requests.ts';
import { ReloadLoop } from './settle/reload-loop.ts';
import type { SettleTimes } from './settle/settle.ts';
import { AgentSnapshots } from './snapshot/agent-snapshots.ts';
import { KnownRefs } from './snapshot/known-refs.ts';
import { RefResolver } from './snapshot/ref-resolver.ts';
import { ariaSnapshots } from './snapshot/snapshot-source.ts';
import { Snapshots } from './snapshot/snapshots.ts';
import { settlesWithin } from '../util/signals.ts';
import { answerLimitMs, stateLimitMs } from './timing.ts';

export interface TabDeps {
  readonly id: string;
  /** Snapshots of our page agent, or Playwright's own. */
  readonly format: 'compact' | 'playwright';
  /** The attribute that generated code finds elements by. */
  readonly testIdAttribute: string;
  readonly refNumbers: RefNumbers;
  readonly times: SettleTimes;
  /** No tool can answer a dialog: dismiss each one, and report it. */
  readonly dismissesDialogs: boolean;
  /** Another part of the server answers dialogs. */
  readonly watchesOnly?: boolean;
  /** The operator's rules about hosts. */
  readonly deniedBy: DeniedBy;
  /** The rule that refused a failed request, if one did. */
  readonly refusedBy: DeniedBy;
  readonly onDownload: (download: Download, request: Request | undefined) => void;
  readonly onEvent: (event: string) => void;
  /** A person has control. */
  readonly isHeld: () => boolean;
  /** What happens is not recorded: a person uses the page privately. */
  readonly isPrivate: () => boolean;
  /** The page navigated or loaded. */
  readonly onChange: () => void;
  /** The page wrote to its storage, or another document was loaded. */
  readonly onStorage: () => void;
  /** A dialog opened. It also blocks other tabs of the same process. */
  readonly onModal: (modal: Modal) => void;
}

/** One page: its identity, its logs and its dialogs. Acting, snapshots and refs have objects of their own. */
export class Tab {
  readonly id: string;
  readonly page: Page;
  /** Milliseconds since 1970. */
  readonly createdAt = Date.now();
  readonly console = new ConsoleLog();
  readonly network: NetworkLog;
  readonly typedSecrets = new TypedSecrets();
  readonly choosers: Choosers;
  readonly dialogs: Dialogs;
  readonly reloadLoop: ReloadLoop;
  readonly actions: ActionRunner;
  readonly snapshots: Snapshots;
  readonly refs: RefResolver;
  readonly cdp: CdpConnection;
  readonly agents: PageAgents;
  readonly garbage: TabGarbage;
  /** URI of the PDF that the last navigation downloaded, until another document is loaded. */
  downloadedPdf: string | undefined;
  /** The tab whose page opened this one; closing it leads back there. */
  opener: Tab | undefined;
  readonly #deps: TabDeps;
  readonly #main: MainFrame;
  #title = '';
  #cookies: { readonly mark: string } | undefined;
  #crashed = false;
  #hasModal = false;
  #storage = 0;
  #isHung = false;
  /** Reported once per document: a page may block again and again. */
  #hasStoppedScript = false;

  constructor(page: Page, deps: TabDeps) {
    this.id = deps.id;
    this.page = page;
    this.#deps = deps;
    this.network = new NetworkLog(deps.refusedBy);
    this.#main = mainFrameOf(page);
    this.#main.listen({
      requested: (request) => void (request.redirectedFrom() ?? this.network.nextDocument()),
      committed: (isNewDocument) => {
        if (isNewDocument) this.#onNewDocument();
        if (isNewDocument) deps.onStorage();
        deps.onChange();
      },
    });
    this.reloadLoop = new ReloadLoop(page);
    this.actions = new ActionRunner(this, deps);
    this.cdp = new CdpConnection(page, this.actions.signs, deps.onStorage);
    this.agents = new PageAgents(page, this.cdp, deps.refNumbers);
    this.garbage = new TabGarbage(page, this.cdp);
    const source = deps.format === 'compact' ? new AgentSnapshots(this.agents) : ariaSnapshots;
    const known = new KnownRefs();
    this.snapshots = new Snapshots(this, source, known);
    this.refs = new RefResolver(this, source, known, deps.testIdAttribute);
    page.on('load', () => deps.onChange());
    page.on('console', (message) => void (deps.isPrivate() || this.console.add(message)));
    page.on('pageerror', (error) => void (deps.isPrivate() || this.console.addPageError(error)));
    const usual = deps.dismissesDialogs ? { accept: false } : undefined;
    this.dialogs = new Dialogs(deps.watchesOnly === true ? 'watch' : usual, {
      answered: deps.onEvent,
      stopScript: () => void this.#stopScript(),
      isHeld: deps.isHeld,
      opened: (modal) => {
        this.actions.interrupt();
        deps.onModal(modal);
      },
    });
    page.on('dialogclosed', (dialog) => this.dialogs.closed(dialog));
    this.choosers = new Choosers(page, () => deps.isHeld() || deps.onEvent('The page opened a file chooser.'));
    page.on('crash', () => void (this.#crashed = true));
    page.on('download', (download) => deps.onDownload(download, this.network.latest(download.url())));
    page.on('request', (request) => {
      if (!deps.isPrivate()) this.network.add(request);
      this.actions.noteRequest(request);
    });
  }

  get modals(): readonly Modal[] {
    return this.dialogs.open;
  }

  get crashed(): boolean {
    return this.#crashed;
  }

  /** Nothing made the page answer; the next call replaces it. */
  get isHung(): boolean {
    return this.#isHung;
  }

  markHung(): void {
    this.#isHung = true;
  }

  /** Whether the process of the page answers within the time. A script that runs does not matter. */
  async isAlive(limitMs: number): Promise<boolean> {
    if (this.modals.length > 0 || this.#crashed || this.page.isClosed()) return true;
    const isInTime = await settlesWithin(this.cdp.heartbeat(), limitMs);
    // A dialog may have opened meanwhile.
    return isInTime || this.modals.length > 0 || this.#crashed || this.page.isClosed();
  }

  /** HTTP status of the document, if it came over HTTP. */
  get status(): number | undefined {
    return this.#main.status;
  }

  /** The document's title in the last known state. */
  get title(): string {
    return this.#title;
  }

  /** The cookies that scripts saw when the page was last looked at: another object each time, and another mark if they changed. */
  get seenCookies(): { readonly mark: string } | undefined {
    return this.#cookies;
  }

  /** A modal dialog of the page's own makes the rest of it inert. */
  get hasModal(): boolean {
    return this.#hasModal;
  }

  /** Whether the page runs scripts at all. */
  async answers(limitMs = answerLimitMs): Promise<boolean> {
    return answers(this.page, limitMs);
  }

  /** Undefined while the page cannot answer. */
  async state(signal: AbortSignal): Promise<PageState | undefined> {
    return (await this.observe(signal))?.state;
  }

  /** The state, and what is requested with it; undefined while the page cannot answer. */
  async observe(signal: AbortSignal, request: StateRequest = {}): Promise<Observation | undefined> {
    if (this.modals.length > 0 || this.#crashed || this.page.isClosed()) return undefined;
    const observed = await this.agents.observe(stateLimitMs, signal, request);
    if (observed === undefined) {
      // An action may have changed it; a page that is busy does not tell.
      this.#deps.onStorage();
      return undefined;
    }
    const { title, cookies, hasModal, secrets, storage } = observed.state;
    if (storage !== this.#storage) this.#deps.onStorage();
    this.#storage = storage;
    this.#title = title;
    this.#cookies = { mark: cookies };
    this.#hasModal = hasModal;
    this.typedSecrets.add(...secrets);
    return observed;
  }

  /** Runs a function without free variables in the page, where the page cannot tamper with it if the browser allows that. */
  async readInPage<A, R>(read: (argument: A) => R, argument: A): Promise<R | undefined> {
    const channel = this.cdp.current;
    if (channel !== undefined) return channel.run(read, argument);
    return this.page.evaluate<R, undefined>(`(${read.toString()})(${JSON.stringify(argument)})`, undefined);
  }

  /** Navigates to a URL, inside an action. */
  async open(url: string, options: OpenOptions): Promise<Opened> {
    return unlessBlocked(this.page, url, this.#deps, async () => {
      const left = this.page.url();
      const isFreed = await freeConnection(this, url);
      let opened: Opened | undefined;
      try {
        opened = await openUrl(this, url, options);
        return opened;
      } finally {
        const stays = opened?.is !== 'page' && this.page.url() === left;
        if (isFreed && stays)
          this.#deps.onEvent('Open requests of the page were ended for this navigation; reload it if it needs them.');
      }
    });
  }

  /** The sentence for a failure, for tools that continue after one. */
  failureOf(error: unknown, context: FailureContext): string {
    return toToolError(error, { url: this.page.url(), ...context }).message;
  }

  /** Stops what keeps the page from answering, so that the next call can use it; false if nothing helps. */
  async unblock(): Promise<boolean> {
    if (this.page.isClosed() || this.#crashed || this.modals.length > 0 || this.#isHung) return false;
    const unblocked = await unblock(this);
    if (unblocked === 'stopped script') this.scriptStopped();
    // The page may have crashed, or opened a dialog, instead of answering.
    const isHung = unblocked === 'none' && !this.#crashed && this.modals.length === 0;
    if (isHung) this.#isHung = true;
    return unblocked !== 'none';
  }

  /** Must be called before the page is closed: Chromium crashes if a page is closed while it opens dialogs. */
  async endDialogs(): Promise<void> {
    if (!this.dialogs.isStorm || this.#crashed || this.page.isClosed()) return;
    await this.cdp.current?.disableScripts();
    await this.dialogs.areOver();
  }

  /** Reports in the next answer that a script of the page was stopped. */
  scriptStopped(): void {
    if (!this.#hasStoppedScript) this.#deps.onEvent('A script that blocked the page was stopped.');
    this.#hasStoppedScript = true;
  }

  async #stopScript(): Promise<void> {
    // The tab may close meanwhile.
    await this.cdp.open().then(
      async (channel) => channel?.stopScript(),
      () => undefined,
    );
  }

  #onNewDocument(): void {
    this.#crashed = false;
    this.#isHung = false;
    this.#hasStoppedScript = false;
    this.#title = '';
    this.downloadedPdf = undefined;
    this.actions.forgetRequests();
    this.dialogs.forget();
    this.choosers.take();
    this.console.nextDocument();
  }
}
