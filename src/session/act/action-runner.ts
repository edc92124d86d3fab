import type { Page, Request } from 'playwright-core';
import { isGone, isTimeout, toToolError } from '../../browser/failure.ts';
import type { FailureContext } from '../../browser/failure.ts';
import { ToolError } from '../../errors.ts';
import type { ActionInput, DirectAction, DirectResult, StateRequest } from '../../page/protocol.ts';
import { announcedSince, isUnfinished } from '../agent/page-agents.ts';
import type { Observation, PageAgents, PageState } from '../agent/page-agents.ts';
import type { PageSigns } from '../agent/cdp-channel.ts';
import type { Dialogs, Modal } from '../events/dialogs.ts';
import { addressOf } from '../navigation/main-frame.ts';
import type { StuckPage } from '../navigation/hung-page.ts';
import { ActivityWatch, unlessInterrupted, untilInterrupted } from '../settle/activity.ts';
import type { Activity } from '../settle/activity.ts';
import { PollingDetector } from '../settle/polling.ts';
import type { ReloadLoop } from '../settle/reload-loop.ts';
import { settle } from '../settle/settle.ts';
import type { SettleTimes } from '../settle/settle.ts';
import type { RefResolver } from '../snapshot/ref-resolver.ts';
import type { Snapshots } from '../snapshot/snapshots.ts';
import type { Target } from '../snapshot/target.ts';
import { OpenConnections } from './open-connections.ts';
import { closedOutcome, outcomeOf } from './outcome.ts';
import type { Outcome } from './outcome.ts';
import { SpeculativeSnapshot } from './speculative-snapshot.ts';
import { busyMs, effectMs, effectWindowMs } from '../timing.ts';

/** The tab of a runner. */
interface RunnerTab extends StuckPage {
  readonly page: Page;
  readonly agents: PageAgents;
  readonly refs: RefResolver;
  readonly snapshots: Snapshots;
  readonly reloadLoop: ReloadLoop;
  readonly modals: readonly Modal[];
  readonly dialogs: Pick<Dialogs, 'atRest'>;
  readonly crashed: boolean;
  readonly isHung: boolean;
  observe(signal: AbortSignal, request?: StateRequest): Promise<Observation | undefined>;
  answers(): Promise<boolean>;
  unblock(): Promise<boolean>;
}

interface RunnerDeps {
  readonly times: SettleTimes;
  readonly onEvent: (event: string) => void;
}

export interface RunOptions {
  /**
   * All effects begin in the page before the browser confirms the action (a key, a text, a mouse move), so an unchanged
   * page is final. A click or Enter may also start something a frame later.
   */
  readonly isDirect?: boolean;
  /** The element to look up together with the first state. */
  readonly target?: Target | undefined;
  /** Look up its field kind too. */
  readonly wantsKind?: boolean | undefined;
  /** A direct action on the target to try before anything else. */
  readonly direct?: DirectAction | undefined;
  /** Take a snapshot together with the final state. */
  readonly takesSnapshot?: boolean;
  /** The action only waits: requests meanwhile are not its effects. */
  readonly isPassive?: boolean;
  /** How long to wait for the load event, if less than configured. */
  readonly loadMs?: number;
  readonly signal: AbortSignal;
  readonly failure: FailureContext;
}

/** Input of an action besides the page. */
export interface Prepared {
  readonly activity: Activity;
  /** The result of the direct action. */
  readonly direct: Promise<DirectResult>;
  /** Requests the observation that follows the action ahead of time. Call it in the turn that sends the only input. */
  readonly speculate: (after: ActionInput) => void;
}

export type Action = (before: Observation | undefined, prepared: Prepared) => Promise<unknown>;

/** Runs the actions of one tab: one at a time, each until its effects have settled or a dialog opens. */
export class ActionRunner {
  readonly #tab: RunnerTab;
  readonly #deps: RunnerDeps;
  readonly #watch: ActivityWatch;
  readonly #connections: OpenConnections;
  /** Requests that the page sends by itself. */
  readonly #polling = PollingDetector.whileIdle();
  #activity: Activity | undefined;
  /** The action under way only waits. */
  #isPassive = false;
  #lastActionAt = performance.now();
  /** A dialog of another tab that opened during the action. */
  #elsewhere: Modal | undefined;
  /** The last state that was read: a page with an open dialog cannot be asked for the one before the action. */
  #lastState: PageState | undefined;

  constructor(tab: RunnerTab, deps: RunnerDeps) {
    this.#tab = tab;
    this.#deps = deps;
    this.#watch = new ActivityWatch(tab.page, tab.reloadLoop);
    this.#connections = new OpenConnections(tab.page);
  }

  readonly signs: PageSigns = {
    opens: (isOnce) => this.#activity?.expectTab(isOnce),
    leaves: () => this.#activity?.expectDocument(),
    opensFileChooser: () => this.#activity?.expectChooser(),
  };

  async run(action: Action, options: RunOptions): Promise<Outcome> {
    const { signal, failure } = options;
    const { page } = this.#tab;
    const url = page.url();
    using activity = this.#begin(options.isPassive === true);
    const known = new Set(this.#tab.modals);
    const isLost = (): boolean => page.context().browser()?.isConnected() === false;
    const newModal = (): Modal | undefined => this.#tab.modals.find((modal) => !known.has(modal)) ?? this.#elsewhere;
    try {
      const {
        before = this.#lastState,
        settled,
        snapshot,
      } = await this.#runAndSettle(action, options, activity, newModal);
      this.#lastState = settled?.state ?? before;
      if (settled !== undefined && newModal() === undefined) this.#tab.dialogs.atRest();
      signal.throwIfAborted();
      if (this.#tab.crashed) throw new ToolError('PAGE_CRASHED', { url });
      if (isLost()) throw new ToolError('BROWSER_CRASHED', { reason: 'its process ended' });
      return outcomeOf(activity, settled, {
        navigatedTo: activity.navigated && page.url() !== url ? addressOf(page) : undefined,
        modal: newModal(),
        closed: page.isClosed(),
        announced: announcedSince(before, settled?.state),
        snapshot,
        effects: options.isPassive === true ? undefined : settled?.state?.effects,
      });
    } catch (error) {
      if (signal.aborted || isLate(error)) await this.#tab.unblock();
      signal.throwIfAborted();
      if (this.#tab.isHung) throw new ToolError('PAGE_UNRESPONSIVE', { url }, { cause: error });
      if (this.#tab.crashed) throw new ToolError('PAGE_CRASHED', { url }, { cause: error });
      if (isGone(error) && page.isClosed() && !isLost()) return closedOutcome([...activity.popups]);
      throw toToolError(error, { url, browserLost: isLost(), ...failure });
    } finally {
      this.#end(activity);
    }
  }

  /** Performs a direct action, if the element is ready for it. */
  async direct(target: Target | undefined, action: DirectAction | undefined): Promise<DirectResult> {
    const command = this.#tab.modals.length > 0 ? undefined : this.#tab.refs.directCommand(target, action);
    return command === undefined ? { is: 'gone' } : this.#tab.agents.act(command);
  }

  /** Whether effects of the action are still under way. */
  async isBusy(signal: AbortSignal): Promise<boolean> {
    if (this.isRequesting) return true;
    const state = (await this.#tab.observe(signal))?.state;
    return state !== undefined && (isUnfinished(state) || (state.quietMs >= 0 && state.quietMs < busyMs));
  }

  /** Whether the action waits for a document or a response. */
  get isRequesting(): boolean {
    return this.#activity !== undefined && (this.#activity.navigating || this.#activity.pending.length > 0);
  }

  /** Whether the page waits for a response or a message, of the action or from before it. */
  get isConnected(): boolean {
    return this.isRequesting || !this.#connections.isEmpty;
  }

  /** Requests of the page to the host of a URL that have not ended. */
  requestsTo(url: string): number {
    return this.#connections.requestsTo(url);
  }

  /** A dialog of this tab blocks the action. */
  interrupt(): void {
    this.#activity?.interrupt();
  }

  /** A dialog of another tab blocks the action too, if one process serves both tabs. */
  async interruptBy(modal: Modal): Promise<void> {
    const activity = this.#activity;
    if (activity === undefined || (await this.#tab.answers()) || this.#activity !== activity) return;
    this.#elsewhere = modal;
    activity.interrupt();
  }

  /** Learns which requests the page makes by itself. */
  noteRequest(request: Request): void {
    if ((this.#activity !== undefined && !this.#isPassive) || request.isNavigationRequest()) return;
    if (performance.now() - this.#lastActionAt > effectWindowMs) this.#polling.add(request);
  }

  /** A new document makes other requests. */
  forgetRequests(): void {
    this.#polling.clear();
    this.#connections.clear();
  }

  #begin(isPassive: boolean): Activity {
    const activity = this.#watch.begin((request) => isPassive || this.#polling.has(request));
    this.#elsewhere = undefined;
    this.#activity = activity;
    this.#isPassive = isPassive;
    this.#tab.snapshots.countAction();
    return activity;
  }

  async #runAndSettle(action: Action, options: RunOptions, activity: Activity, newModal: () => Modal | undefined) {
    const { signal, isDirect = false } = options;
    const tab = this.#tab;
    await tab.reloadLoop.stop();
    const observing = tab.observe(signal, this.#firstRequest(options));
    // Sent in the same message.
    const direct = this.direct(options.target, options.direct);
    const atRest = (): StateRequest => (options.takesSnapshot === true ? tab.snapshots.inlineAtRest() : {});
    const speculative = new SpeculativeSnapshot(async (after) =>
      tab.observe(signal, { ...atRest(), afterTasks: true, after }),
    );
    const speculate = isDirect ? speculative.request : () => undefined;
    if (options.direct?.kind === 'options') speculate('options');
    const observed = await unlessInterrupted(observing, activity);
    const before = observed?.state;
    // An action started behind an open dialog would run when the dialog closes.
    const isBlocked = before === undefined && newModal() !== undefined;
    const acting = isBlocked ? undefined : action(observed, { direct, activity, speculate });
    await untilInterrupted(acting, activity, () => newModal() !== undefined);
    activity.countDocuments();
    let last: Observation | undefined;
    const look = async (mayBeLast: boolean, isFirst: boolean): Promise<PageState | undefined> => {
      const early = isFirst ? await speculative.take(observed) : undefined;
      const request = { ...(mayBeLast ? atRest() : {}), ...(isFirst ? { afterTasks: true } : {}) };
      last = early ?? (await tab.observe(signal, request));
      return last?.state;
    };
    const load = Math.min(this.#deps.times.load, options.loadMs ?? Number.POSITIVE_INFINITY);
    const times = { ...this.#deps.times, load, effect: isDirect ? 0 : effectMs };
    const settled = newModal() ? undefined : await settle({ tab, look, activity, before, times, signal });
    if (settled?.givenUp !== undefined) this.#deps.onEvent(settled.givenUp);
    tab.reloadLoop.reset();
    return { before, settled, snapshot: last?.state === settled?.state ? last?.snapshot : undefined };
  }

  #firstRequest({ isPassive, target, wantsKind = false }: RunOptions): StateRequest {
    if (isPassive === true) return {};
    const find = this.#tab.refs.finding(target, wantsKind);
    return { begin: true, ...(find === undefined ? {} : { find }) };
  }

  #end(activity: Activity): void {
    this.#activity = undefined;
    if (!this.#isPassive) this.#lastActionAt = performance.now();
    for (const request of [...activity.pending, ...activity.polls]) this.#polling.mark(request);
  }
}

function isLate(error: unknown): boolean {
  return isTimeout(error) || (error instanceof ToolError && error.code === 'NAVIGATION_TIMEOUT');
}
