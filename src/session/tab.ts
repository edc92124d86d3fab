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
import { answers, unblock } from './navigation/hung-page.ts';
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
import { answerLimitMs, stateLimitMs } from './timing.ts';

export interface TabDeps {
  readonly id: string;
  /** Snapshots of our page agent, or Playwright's own. */
  readonly format: 'compact' | 'playwright';
  readonly refNumbers: RefNumbers;
  readonly times: SettleTimes;
  /** No tool can answer a dialog: dismiss each one, and report it. */
  readonly dismissesDialogs: boolean;
  /** The operator's rules about hosts. */
  readonly deniedBy: DeniedBy;
  readonly onDownload: (download: Download, request: Request | undefined) => void;
  readonly onEvent: (event: string) => void;
  /** The page navigated or loaded. */
  readonly onChange: () => void;
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
  readonly network = new NetworkLog();
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
  /** The tab whose page opened this one; closing it leads back there. */
  opener: Tab | undefined;
  readonly #deps: TabDeps;
  readonly #main: MainFrame;
  #title = '';
  #crashed = false;
  #hasModal = false;

  constructor(page: Page, deps: TabDeps) {
    this.id = deps.id;
    this.page = page;
    this.#deps = deps;
    this.#main = mainFrameOf(page);
    this.#main.listen({
      requested: (request) => void (request.redirectedFrom() ?? this.network.nextDocument()),
      committed: (isNewDocument) => {
        if (isNewDocument) this.#onNewDocument();
        deps.onChange();
      },
    });
    this.reloadLoop = new ReloadLoop(page);
    this.actions = new ActionRunner(this, deps);
    this.cdp = new CdpConnection(page, this.actions.signs);
    this.agents = new PageAgents(page, this.cdp, deps.refNumbers);
    this.garbage = new TabGarbage(page, this.cdp);
    const source = deps.format === 'compact' ? new AgentSnapshots(this.agents) : ariaSnapshots;
    const known = new KnownRefs();
    this.snapshots = new Snapshots(this, source, known);
    this.refs = new RefResolver(this, source, known);
    page.on('load', () => deps.onChange());
    page.on('console', (message) => this.console.add(message));
    page.on('pageerror', (error) => this.console.addPageError(error));
    this.dialogs = new Dialogs(deps.dismissesDialogs ? { accept: false } : undefined, {
      answered: deps.onEvent,
      stopScript: () => void this.#stopScript(),
      opened: (modal) => {
        this.actions.interrupt();
        deps.onModal(modal);
      },
    });
    this.choosers = new Choosers(page, () => deps.onEvent('The page opened a file chooser.'));
    page.on('crash', () => void (this.#crashed = true));
    page.on('download', (download) => deps.onDownload(download, this.network.latest(download.url())));
    page.on('request', (request) => {
      this.network.add(request);
      this.actions.noteRequest(request);
    });
  }

  get modals(): readonly Modal[] {
    return this.dialogs.open;
  }

  get crashed(): boolean {
    return this.#crashed;
  }

  /** HTTP status of the document, if it came over HTTP. */
  get status(): number | undefined {
    return this.#main.status;
  }

  /** The document's title in the last known state. */
  get title(): string {
    return this.#title;
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
    if (observed === undefined) return undefined;
    const { title, hasModal, secrets } = observed.state;
    this.#title = title;
    this.#hasModal = hasModal;
    this.typedSecrets.add(...secrets);
    return observed;
  }

  /** Navigates to a URL, inside an action. */
  async open(url: string, options: OpenOptions): Promise<Opened> {
    const go = async (): Promise<Opened> => openUrl(this, url, options);
    return unlessBlocked(this.page, url, this.#deps.deniedBy, go);
  }

  /** The sentence for a failure, for tools that continue after one. */
  failureOf(error: unknown, context: FailureContext): string {
    return toToolError(error, { url: this.page.url(), ...context }).message;
  }

  /** Stops what keeps the page from answering, so that the next call can use it. */
  async unblock(): Promise<void> {
    if (this.page.isClosed() || this.#crashed || this.modals.length > 0) return;
    await unblock(this);
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
    this.#title = '';
    this.actions.forgetRequests();
    this.dialogs.forget();
    this.choosers.take();
    this.console.nextDocument();
  }
}
