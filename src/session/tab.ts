import type { Download, Locator, Page, Request } from 'playwright-core';
import { isGone, isTimeout, toToolError } from '../browser/failure.ts';
import type { FailureContext } from '../browser/failure.ts';
import { ToolError } from '../errors.ts';
import type { Asking, Grasped, WhyNot } from '../page/protocol.ts';
import type { FieldKind } from '../page/reads/field-kind.ts';
import { ActivityWatch, unlessInterrupted, untilInterrupted } from './settle/activity.ts';
import type { Activity } from './settle/activity.ts';
import { addressOf, mainFrameOf } from './navigation/main-frame.ts';
import type { MainFrame } from './navigation/main-frame.ts';
import { PageAgents, announcedSince, isUnfinished } from './agent/page-agents.ts';
import type { PageState } from './agent/page-agents.ts';
import { Choosers } from './events/file-choosers.ts';
import { unlessBlocked } from './network/blocked-requests.ts';
import type { DeniedBy } from './network/blocked-requests.ts';
import { ConsoleLog } from './events/console-log.ts';
import { Dialogs } from './events/dialogs.ts';
import type { Modal } from './events/dialogs.ts';
import { openUrl } from './navigation/navigate.ts';
import type { OpenOptions, Opened } from './navigation/navigate.ts';
import { closedBy, outcomeOf } from './act/outcome.ts';
import type { Action, ActOptions, Outcome } from './act/outcome.ts';
import { KnownRefs } from './snapshot/known-refs.ts';
import { LookAhead } from './act/speculative-snapshot.ts';
import type { IsHeard } from './act/speculative-snapshot.ts';
import { NetworkLog } from './events/network-log.ts';
import { obstacleText, whenBlocked, whyNow } from './act/obstacles.ts';
import type { Blocked } from './act/obstacles.ts';
import { beginning, graspOf, lookAtRest } from './agent/requests.ts';
import { calmMs, settle } from './settle/settle.ts';
import type { LookHow, SettleTimes } from './settle/settle.ts';
import { AgentEyes } from './snapshot/agent-snapshots.ts';
import { ariaEyes } from './snapshot/snapshot-source.ts';
import type { Eyes, LookOptions, PageView, RefInfo } from './snapshot/snapshot-source.ts';
import { alikeLines } from '../view/alike.ts';
import type { ShownView } from '../view/diff.ts';
import { PollingDetector } from './settle/polling.ts';
import { labelOf, needsPath, refCode } from './snapshot/ref-code.ts';
import { ReloadLoop } from './settle/reload-loop.ts';
import { isAsShown, momentOf, shownNow } from './snapshot/last-shown.ts';
import type { Shown } from './snapshot/last-shown.ts';
import { answerLimitMs, answers, unblock } from './navigation/hung-page.ts';
import { locateSelector } from './snapshot/target.ts';
import type { Located, Target } from './snapshot/target.ts';
import { TypedSecrets } from '../policy/typed-secrets.ts';

export interface TabDeps {
  readonly id: string;
  /** How pages are seen: by our own agent, or as Playwright sees them. */
  readonly format: 'compact' | 'playwright';
  readonly times: SettleTimes;
  /** Nobody can answer a dialog here: each is dismissed at once, and told. */
  readonly dismissesDialogs: boolean;
  /** The operator's rules about hosts. */
  readonly deniedBy: DeniedBy;
  /** Told about every download, to save it. */
  readonly onDownload: (download: Download, request: Request | undefined) => void;
  readonly onEvent: (event: string) => void;
  /** A dialog opened. One process may serve several tabs, and then they all wait for it. */
  readonly onModal: (modal: Modal) => void;
}

const stateTimeoutMs = 2000;
const mostCandidates = 5;
/** What a page asks for this long after our last action is its own business, not an effect of it. */
const effectWindowMs = 2000;
/** A page whose DOM has rested this long has done what it was going to do. */
const restMs = 100;

/** One page, with what it wrote, what holds it up, and what the model was shown of it. */
export class Tab {
  readonly id: string;
  readonly page: Page;
  readonly console = new ConsoleLog();
  readonly network = new NetworkLog();
  readonly typedSecrets = new TypedSecrets();
  readonly #deps: TabDeps;
  /** Requests that the page sends by itself. */
  readonly #polling = PollingDetector.whileIdle();
  readonly #main: MainFrame;
  readonly #watch: ActivityWatch;
  readonly reloadLoop: ReloadLoop;
  #activity: Activity | undefined;
  /** Also for those who tidy up. */
  readonly agents: PageAgents;
  readonly #eyes: Eyes;
  /** The call under way sets nothing off. */
  #isWaiting = false;
  #lastActionAt = performance.now();
  #actions = 0;
  #title = '';
  #crashed = false;
  /** What was shown of the page, by ref. */
  readonly refs = new KnownRefs();
  shown: Shown | undefined;
  readonly choosers: Choosers;
  readonly dialogs: Dialogs;
  /** A dialog that the page itself made keeps people from all else on it; not one of the browser's. */
  hasModal = false;
  /** The tab whose page opened it; closing it leads back there. */
  opener: Tab | undefined;
  /** A dialog of another tab that opened during the action under way. */
  #elsewhere: Modal | undefined;

  constructor(page: Page, deps: TabDeps) {
    this.id = deps.id;
    this.page = page;
    this.#deps = deps;
    this.#main = mainFrameOf(page);
    this.#main.listen({
      requested: (request) => void (request.redirectedFrom() ?? this.network.nextDocument()),
      committed: (isNewDocument) => (isNewDocument ? this.#onNewDocument() : undefined),
    });
    this.agents = new PageAgents(page, {
      opens: (isOnce) => this.#activity?.expectTab(isOnce),
      leaves: () => this.#activity?.expectDocument(),
      asksForFiles: () => this.#activity?.expectChooser(),
    });
    this.#eyes = deps.format === 'compact' ? new AgentEyes(this.agents) : ariaEyes;
    page.on('console', (message) => this.console.add(message));
    page.on('pageerror', (error) => this.console.addPageError(error));
    this.dialogs = new Dialogs(deps.dismissesDialogs ? { accept: false } : undefined, {
      answered: deps.onEvent,
      opened: (modal) => {
        this.#activity?.interrupt();
        deps.onModal(modal);
      },
    });
    this.choosers = new Choosers(page, () =>
      deps.onEvent('The page asks for files. Give them with browser_file_upload.'),
    );
    page.on('crash', () => void (this.#crashed = true));
    page.on('download', (download) => deps.onDownload(download, this.network.latest(download.url())));
    page.on('request', (request) => this.#onRequest(request));
    this.reloadLoop = new ReloadLoop(page);
    this.#watch = new ActivityWatch(page, this.reloadLoop);
  }

  get modals(): readonly Modal[] {
    return this.dialogs.open;
  }

  get crashed(): boolean {
    return this.#crashed;
  }

  /** HTTP status of the document, when it came over HTTP. */
  get status(): number | undefined {
    return this.#main.status;
  }

  /** The document's title when the page last answered; a page that a dialog holds up cannot be asked. */
  get title(): string {
    return this.#title;
  }

  /** A dialog of another tab ends what this one is doing, if both are served by one process: then it cannot go on. */
  async interruptBy(modal: Modal): Promise<void> {
    const activity = this.#activity;
    if (activity === undefined || (await this.answers()) || this.#activity !== activity) return;
    this.#elsewhere = modal;
    activity.interrupt();
  }

  /** Whether the page answers at all. */
  async answers(limitMs = answerLimitMs): Promise<boolean> {
    return answers(this.page, limitMs);
  }

  /** Asks the page agents; undefined while the page cannot answer. */
  async state(signal: AbortSignal, asking: Asking = {}, isLater = false): Promise<PageState | undefined> {
    if (this.modals.length > 0 || this.#crashed || this.page.isClosed()) return undefined;
    return this.#noted(await this.agents.state(stateTimeoutMs, signal, asking, isLater));
  }

  /** The state, and what is to be seen along with it, unless that is known already. */
  async stateToShow(signal: AbortSignal, { isUpdate = false, isKnown = true } = {}): Promise<PageState | undefined> {
    const how = this.#eyes.glance(this.page, isUpdate);
    const unless = isKnown ? momentOf(this.shown, this.#actions) : {};
    return this.state(signal, how === undefined ? {} : { glance: { ...how, ...unless } });
  }

  /** Does it, then waits until what it set off is over, or a dialog opens. */
  async act(action: Action, options: ActOptions): Promise<Outcome> {
    const { signal, failure } = options;
    const url = this.page.url();
    const isBackground = (request: Request): boolean => options.isPassive === true || this.#polling.has(request);
    using activity = this.#watch.begin(isBackground);
    const known = new Set(this.modals);
    const isLost = (): boolean => this.page.context().browser()?.isConnected() === false;
    const newModal = (): Modal | undefined => this.modals.find((modal) => !known.has(modal)) ?? this.#elsewhere;
    this.#elsewhere = undefined;
    this.#activity = activity;
    this.#isWaiting = options.isPassive === true;
    this.#actions++;
    try {
      await this.reloadLoop.stop();
      const asking = this.state(signal, beginning(options, this.#eyes, this.refs));
      const grasped = this.grasp(options);
      const looks = new LookAhead(async ({ mayBeLast, isAhead }) =>
        this.state(signal, mayBeLast ? lookAtRest(options, this.#eyes.glance(this.page, true)) : {}, isAhead),
      );
      const lookAhead = (isHeard: IsHeard): void => (options.isDirect === true ? looks.ask(isHeard) : undefined);
      // It is all done by the agent, which does one thing after the other.
      if (options.wish?.for === 'options') lookAhead(async () => (await grasped).is === 'done');
      const shortcuts = { grasped, lookAhead, activity };
      const before = await unlessInterrupted(asking, activity);
      // What is begun while a dialog is open would be done behind its back once it is answered.
      const isHeldUp = before === undefined && newModal() !== undefined;
      const acting = isHeldUp ? undefined : action(before, shortcuts);
      await untilInterrupted(acting, activity, () => newModal() !== undefined);
      activity.countDocuments();
      const times = { ...this.#deps.times, effect: options.isDirect === true ? 0 : calmMs };
      const look = async ({ mayBeLast, isFirst }: LookHow): Promise<PageState | undefined> =>
        looks.look(mayBeLast, isFirst, before);
      const settled = newModal() ? undefined : await settle({ tab: this, activity, before, look, times, signal });
      if (settled?.givenUp !== undefined) this.#deps.onEvent(settled.givenUp);
      this.reloadLoop.reset();
      signal.throwIfAborted();
      if (this.#crashed) throw new ToolError('PAGE_CRASHED', { url });
      if (isLost()) throw new ToolError('BROWSER_CRASHED', { reason: 'its process ended' });
      return outcomeOf(activity, settled, {
        navigatedTo: activity.navigated && this.page.url() !== url ? addressOf(this.page) : undefined,
        modal: newModal(),
        closed: this.page.isClosed(),
        announced: announcedSince(before, this.#noted(settled?.state)),
      });
    } catch (error) {
      if (signal.aborted || isTimeout(error)) await this.unblock();
      signal.throwIfAborted();
      if (this.#crashed) throw new ToolError('PAGE_CRASHED', { url }, { cause: error });
      if (isGone(error) && this.page.isClosed() && !isLost()) return closedBy([...activity.popups]);
      throw toToolError(error, { url, browserLost: isLost(), ...failure });
    } finally {
      this.#activity = undefined;
      if (options.isPassive !== true) this.#lastActionAt = performance.now();
      for (const request of [...activity.pending, ...activity.polls]) this.#polling.mark(request);
    }
  }

  /** Takes hold of an element, if that can be done at once. */
  async grasp(wanted: Pick<ActOptions, 'target' | 'wish'>): Promise<Grasped> {
    const command = this.modals.length > 0 ? undefined : graspOf(wanted, this.#eyes, this.refs);
    return command === undefined ? { is: 'gone' } : this.agents.grasp(command);
  }

  /** Goes to a URL, inside `act`. */
  async open(url: string, options: OpenOptions): Promise<Opened> {
    const go = async (): Promise<Opened> => openUrl(this, url, options);
    return unlessBlocked(this.page, url, this.#deps.deniedBy, go);
  }

  /** A failure of Playwright's in our own words, for tools that go on after one. */
  failureOf(error: unknown, context: FailureContext): string {
    return toToolError(error, { url: this.page.url(), ...context }).message;
  }

  /** Finds the element, at once for a ref: a ref that points nowhere is never waited for. */
  async locate(
    target: Target,
    state: PageState | undefined,
    signal: AbortSignal,
    wantsKind = false,
  ): Promise<Located & { readonly kind?: FieldKind }> {
    if (target.kind === 'selector') return locateSelector(this.page, target);
    const info = this.refs.get(target.ref);
    if (info === undefined) throw new ToolError('REF_NOT_FOUND', { ref: target.given });
    const was = labelOf(info);
    const isOtherDocument = state !== undefined && state.mainDocument !== this.refs.document;
    const finding = { ref: target.ref, wantsPath: needsPath(info), wantsKind };
    const seen = state?.found?.ref === target.ref ? state.found.is : undefined;
    const known = wantsKind && seen !== undefined && !('kind' in seen) ? undefined : seen;
    const found = isOtherDocument
      ? undefined
      : (known ?? (await this.#eyes.find(this.page, finding, stateTimeoutMs, signal)));
    if (found?.is === 'here' || found?.is === 'anew') {
      const ref = found.is === 'here' ? target.ref : found.ref;
      this.refs.set(ref, info);
      const note = found.is === 'here' ? {} : { note: `${target.given} was rendered anew and is ${ref} now.` };
      const around = { refs: this.refs.all, nodes: this.shown?.view.whole ?? [] };
      const code = refCode(ref, info, found.css, this.#eyes.frameOf(this.page, ref), around);
      const kind = found.kind === undefined ? {} : { kind: found.kind };
      return { locator: this.#eyes.locate(this.page, ref), code, label: was, ...note, ...kind };
    }
    const candidates = isOtherDocument ? [] : await this.#alike(info, signal);
    throw new ToolError('STALE_REF', { ref: target.given, was, candidates });
  }

  /** Refs of elements that were found in another way; from then on they are as good as those of a snapshot. */
  async refsOf(locators: readonly Locator[], signal: AbortSignal): Promise<readonly string[]> {
    const found = await this.#eyes.name(locators, stateTimeoutMs, signal);
    this.refs.add(found, (await this.state(signal))?.mainDocument ?? '');
    return [...found.keys()];
  }

  /** Resolves with the reason when the element cannot be acted on and nothing on the page is changing that. */
  async whenBlocked(locator: Locator, isEditing: boolean, signal: AbortSignal): Promise<Blocked> {
    const why = await whenBlocked({
      why: async (limitMs) => this.#eyes.why(locator, isEditing, limitMs, signal),
      // Whatever the action has asked the network for may be what is missing.
      state: async () => (this.#asks ? undefined : this.state(signal)),
      signal,
    });
    return this.#blockedBy(why);
  }

  /** The same at one look; undefined when nothing is in the way, or that is not the trouble, which took too long. */
  async blockedNow(
    locator: Locator,
    isEditing: boolean,
    signal: AbortSignal,
    error?: unknown,
  ): Promise<Blocked | undefined> {
    if (error !== undefined && !isTimeout(error)) return undefined;
    if (this.#asks) return undefined;
    const why = await whyNow(locator, async () => this.#eyes.why(locator, isEditing, answerLimitMs, signal));
    return why === undefined || why.is === 'none' ? undefined : this.#blockedBy(why);
  }

  #blockedBy(why: WhyNot): Blocked {
    for (const { ref, role, name } of [why.by, ...(why.ways ?? [])].filter((named) => named !== undefined)) {
      this.refs.set(ref, { role, name });
    }
    const instead = why.is === 'drawn' && why.by !== undefined ? this.#eyes.locate(this.page, why.by.ref) : undefined;
    return { reason: obstacleText(why), ...(instead === undefined ? {} : { instead, at: why.at }) };
  }

  /** Whether what the action under way set off is still going on. */
  async isBusy(signal: AbortSignal): Promise<boolean> {
    if (this.#asks) return true;
    const state = await this.state(signal);
    return state !== undefined && (isUnfinished(state) || (state.quietMs >= 0 && state.quietMs < restMs));
  }

  get #asks(): boolean {
    return this.#activity !== undefined && (this.#activity.navigating || this.#activity.pending.length > 0);
  }

  /** Lines of the page as it is now that could be what a lost ref meant; their refs are good. */
  async #alike(info: RefInfo, signal: AbortSignal): Promise<readonly string[]> {
    const state = await this.state(signal);
    const { nodes } = await this.look({ signal, timeoutMs: stateTimeoutMs, secrets: state?.secrets ?? [] }, state);
    return alikeLines(nodes, info).slice(0, mostCandidates);
  }

  /** Looks at the page, or a part of it, and remembers the refs that are seen. */
  async look(options: LookOptions, state: PageState | undefined): Promise<PageView> {
    const looking = this.#eyes.look(this.page, { ...options, walked: state?.walked });
    const view = await looking.catch(async (error: unknown) => this.unblock().then(() => Promise.reject(error)));
    this.refs.add(view.refs, view.document ?? state?.mainDocument ?? '');
    return view;
  }

  /** From now on changes are told against this. */
  remember(view: ShownView, state: PageState | undefined): void {
    this.shown = shownNow(view, state, this.#actions);
  }

  /** What was shown, if the page cannot look different now. */
  unchanged(state: PageState | undefined): ShownView | undefined {
    return isAsShown(this.shown, state, this.#actions) ? this.shown?.view : undefined;
  }

  #noted(state: PageState | undefined): PageState | undefined {
    if (state === undefined) return undefined;
    this.#title = state.title;
    this.hasModal = state.hasModal;
    this.typedSecrets.add(...state.secrets);
    return state;
  }

  /** A page that no longer answers is stopped, so that the next call finds it usable. Elsewhere only closing it helps. */
  async unblock(): Promise<void> {
    if (this.page.isClosed() || this.#crashed || this.modals.length > 0) return;
    await unblock(this);
  }

  #onRequest(request: Request): void {
    this.network.add(request);
    if ((this.#activity !== undefined && !this.#isWaiting) || request.isNavigationRequest()) return;
    if (performance.now() - this.#lastActionAt > effectWindowMs) this.#polling.add(request);
  }

  #onNewDocument(): void {
    this.#crashed = false;
    this.#title = '';
    this.#polling.clear();
    this.dialogs.forget();
    this.choosers.take();
    this.console.nextDocument();
  }
}
