import type { Request } from 'playwright-core';
import { pause } from '../../util/signals.ts';
import type { PageState } from '../agent/page-agents.ts';
import { cancelNavigation } from '../navigation/hung-page.ts';
import type { StuckPage } from '../navigation/hung-page.ts';
import { documentLimitMs, idleMs, openLimitMs, quietMs, silenceMs, timerLateMs } from '../timing.ts';
import type { Activity } from './activity.ts';
import { freezeNavigation } from './navigation-freeze.ts';

/** How many times longer fades are waited for than a DOM that never stops changing. */
const fadeFactor = 4;

export interface SettleTimes {
  /** How long a DOM that never stops changing is waited for. */
  readonly settle: number;
  /** How long the load event, and requests and timers of the action, are waited for. */
  readonly load: number;
  /** How long the server may take to answer a navigation. */
  readonly navigation: number;
}

export interface SettleOptions {
  readonly tab: StuckPage;
  readonly activity: Activity;
  /** The state before the action. */
  readonly before: PageState | undefined;
  /**
   * Reads the state of the page. `mayBeLast` is true if only the page itself can make another read necessary: a snapshot
   * taken along may be the one that is shown. `isFirst` is true if nothing was waited for since the action.
   */
  readonly look: (mayBeLast: boolean, isFirst: boolean) => Promise<PageState | undefined>;
  readonly times: SettleTimes & {
    /** How long the first effect of the action may take. */
    readonly effect: number;
  };
  readonly signal: AbortSignal;
}

/** The result of settling. */
export interface Settled {
  readonly state: PageState | undefined;
  /** Requests of the action that were not answered when the wait ended. */
  readonly pending: readonly Request[];
  readonly stillLoading: boolean;
  /** Reports a navigation that was cancelled. */
  readonly givenUp?: string;
  /** The page was in a reload loop and was stopped. */
  readonly isStopped?: boolean;
}

/**
 * Waits until the effects of an action are over: its navigation has loaded, its requests are answered, its timers have
 * fired, its fades have ended, and the DOM is quiet. A dialog, a download, the end of the page and the signal end the
 * wait.
 */
export async function settle(options: SettleOptions): Promise<Settled> {
  const { activity, signal } = options;
  const run = new Run(options);
  await firstEffect(run);
  for (;;) {
    const step = await nextStep(run);
    if (typeof step === 'object') return step;
    run.hasWaited = true;
    if (step > 0) await waitForEvent(activity, step, signal);
  }
}

/**
 * One reason to wait: `next` if it does not hold, the milliseconds until the waits are checked again (any event of the
 * page checks them sooner; 0 checks them at once), or the result.
 */
type Wait = (run: Run) => Step | 'next' | Promise<Step | 'next'>;
type Step = number | Settled;

/** In order: each is checked only if none before it holds. */
const waits: readonly Wait[] = [
  interruption,
  reloadLoop,
  early,
  load,
  polls,
  requests,
  announcements,
  state,
  timers,
  rest,
];

async function nextStep(run: Run): Promise<Step> {
  for (const wait of waits) {
    const step = await wait(run);
    if (step !== 'next') return step;
  }
  return 0;
}

/** Shared state of the waits. */
class Run {
  readonly options: SettleOptions;
  readonly activity: Activity;
  readonly #started = performance.now();
  /** When waiting for the load event ended, if the action navigated. */
  loadedAt: number | undefined;
  stillLoading = false;
  /** Something was waited for, or has begun, since the action. */
  hasWaited = false;
  /** The page has not answered once. */
  isSilent = false;
  /** The last state that was read. */
  state: PageState | undefined;
  /** Since when only the DOM has been waited for. */
  restSince: number | undefined;

  constructor(options: SettleOptions) {
    this.options = options;
    this.activity = options.activity;
  }

  get elapsedMs(): number {
    return performance.now() - this.#started;
  }

  /** Milliseconds the action may still take to show its first effect. */
  get effectLeftMs(): number {
    return this.options.times.effect - this.elapsedMs;
  }

  /** Milliseconds that requests and timers are still waited for. A loaded page may keep requests open indefinitely. */
  get leftMs(): number {
    const { times } = this.options;
    const { navigating } = this.activity;
    if (this.loadedAt !== undefined && !navigating) return this.loadedAt + times.settle - performance.now();
    return (navigating ? times.navigation : times.load) - this.elapsedMs;
  }

  /** The state of the page; undefined if a dialog or a reload loop keeps it from answering. */
  async look(mayBeLast: boolean): Promise<PageState | undefined> {
    const blocked = this.activity.whenStopped.then(() => undefined);
    return Promise.race([this.options.look(mayBeLast, !this.hasWaited), blocked]);
  }

  ended(more: Partial<Settled> = {}): Settled {
    return { state: undefined, pending: this.activity.pending, stillLoading: this.stillLoading, ...more };
  }
}

/** Waits for the frame that shows the first effect; any event of the page ends the wait. */
async function firstEffect(run: Run): Promise<void> {
  const { times, signal } = run.options;
  // Node's timers may fire a moment early.
  if (times.effect <= 0 || isUnderWay(run)) return;
  await waitForEvent(run.activity, times.effect + 1, signal);
  run.hasWaited = true;
}

function interruption(run: Run): Step | 'next' {
  const { tab, signal } = run.options;
  return run.activity.interrupted || signal.aborted || tab.page.isClosed() ? run.ended() : 'next';
}

/** Stops a reload loop and reads the document that is there then. */
async function reloadLoop(run: Run): Promise<Step | 'next'> {
  const { activity } = run;
  if (!activity.inReloadLoop.aborted) return 'next';
  await using freeze = await freezeNavigation(run.options.tab.page);
  // The loop may also have ended by itself.
  const isStopped = await freeze.hasBlocked(() => activity.navigating);
  const now = await run.options.look(true, false);
  return run.ended({ state: now, pending: [], stillLoading: isStopped || activity.navigating, isStopped });
}

/** A navigation with an explicit `waitUntil` below `load` ends here, once the document is there. */
async function early(run: Run): Promise<Step | 'next'> {
  if (!run.activity.endsEarly || run.activity.navigating) return 'next';
  const { page } = run.options.tab;
  const isLoaded = await page.waitForLoadState('load', { timeout: 1 }).then(
    () => true,
    () => false,
  );
  return run.ended({ state: await run.look(true), pending: [], stillLoading: !isLoaded });
}

/** The load event of the new document. Its time begins when the document commits. */
async function load(run: Run): Promise<Step | 'next'> {
  if (!isReplaced(run) || run.activity.navigating) return 'next';
  run.stillLoading = !(await hasLoaded(run));
  run.loadedAt = performance.now();
  return 0;
}

/** Finds out whether requests that repeat change the page; if not, they are not waited for. */
async function polls(run: Run): Promise<'next'> {
  const { activity } = run;
  if (!activity.mayPoll) return 'next';
  const now = await run.look(false);
  if (now !== undefined && now.quietMs < idleMs) activity.keepPolls();
  else activity.dropPolls(Math.max(0, now?.timerMs ?? 0) + timerLateMs);
  return 'next';
}

/** The navigation and the requests of the action. */
async function requests(run: Run): Promise<Step | 'next'> {
  const { activity, leftMs } = run;
  if (!activity.navigating && activity.pending.length === 0) return 'next';
  if (leftMs <= 0) return unanswered(run);
  run.restSince = undefined;
  return leftMs;
}

/** Without cancelling it, the navigation could commit during a later call, and the page would not answer until then. */
async function unanswered(run: Run): Promise<Settled> {
  const givenUp = run.activity.navigating ? await cancelNavigation(run.options.tab) : undefined;
  const now = await run.options.look(true, false);
  return run.ended({ state: now, ...(givenUp === undefined ? {} : { givenUp }) });
}

/** A tab, a file chooser or a document that the page announced. */
function announcements(run: Run): number | 'next' {
  const left = announcedLeft(run);
  return left > 0 ? left : 'next';
}

/** Reads the state of the page for the waits below. */
async function state(run: Run): Promise<Step | 'next'> {
  run.state = await run.look(isNetworkQuiet(run));
  if (run.activity.interrupted) return run.ended();
  // The state is older than what has begun meanwhile.
  if (isUnderWay(run)) return 0;
  if (run.state !== undefined) return 'next';
  // A page that does not answer is about to close, to crash or to be replaced: an event will show which.
  if (run.isSilent) return run.ended();
  run.isSilent = true;
  return silenceMs;
}

/** Timers that the action set. */
function timers(run: Run): number | 'next' {
  const { leftMs, activity } = run;
  const timerMs = run.state?.timerMs ?? -1;
  if (timerMs < 0 || leftMs <= 0 || activity.onlyPolls) return 'next';
  run.restSince = undefined;
  return Math.min(timerMs + timerLateMs, leftMs);
}

/** Fades, and a quiet DOM and network. */
function rest(run: Run): Step {
  run.restSince ??= performance.now();
  const left = run.state === undefined ? 0 : restLeft(run, run.state);
  // A fade ends, but another one may follow it.
  const limit = run.options.times.settle * ((run.state?.fadeMs ?? -1) < 0 ? 1 : fadeFactor);
  if (left > 0 && performance.now() - run.restSince < limit) return left;
  return run.ended({ state: run.state, pending: [] });
}

function restLeft(run: Run, now: PageState): number {
  const { activity } = run;
  // The page gets the event that ends a fade with the next frame, and may then remove the element.
  if (now.fadeMs >= 0) return now.fadeMs + quietMs;
  const { before } = run.options;
  const isUntouched = before !== undefined && before.documents === now.documents && before.mutations === now.mutations;
  if (isUntouched && !activity.hadRequests && !activity.navigated) return run.effectLeftMs;
  // A new document has rendered by the time it has loaded.
  const network = activity.navigated ? 0 : quietMs - activity.quietMs;
  return Math.max(quietMs - now.quietMs, network);
}

/** Whether the action navigated and the load event has not been waited for. */
function isReplaced({ activity, loadedAt }: Run): boolean {
  return activity.navigated && loadedAt === undefined;
}

/** Whether something has begun, or is announced, that must be waited for. */
function isUnderWay(run: Run): boolean {
  const { activity } = run;
  return isReplaced(run) || activity.navigating || activity.pending.length > 0 || announcedLeft(run) > 0;
}

/** Milliseconds that an announced tab, file chooser or document may still take to begin. */
function announcedLeft({ activity, elapsedMs }: Run): number {
  if (activity.expectsTab || activity.expectsChooser) return openLimitMs - elapsedMs;
  return activity.announcedForMs === undefined ? 0 : documentLimitMs - activity.announcedForMs;
}

function isNetworkQuiet({ activity, effectLeftMs }: Run): boolean {
  if (!activity.hadRequests && !activity.navigated) return effectLeftMs <= 0;
  return activity.navigated || activity.quietMs >= quietMs;
}

async function waitForEvent(activity: Activity, ms: number, signal: AbortSignal): Promise<void> {
  const stop = new AbortController();
  try {
    const either = AbortSignal.any([stop.signal, signal]);
    await Promise.race([activity.next(either), pause(ms, either)]);
  } finally {
    stop.abort();
  }
}

/** Whether the load event came in time; a dialog, for example of a frame, keeps it from coming. */
async function hasLoaded({ options, activity }: Run): Promise<boolean> {
  const { tab, times, signal } = options;
  if (times.load <= 0) return false;
  const either = AbortSignal.any([signal, activity.inReloadLoop]);
  const loading = tab.page.waitForLoadState('load', { timeout: times.load, signal: either }).then(
    () => {
      activity.loaded();
      return true;
    },
    () => false,
  );
  // A download does not block the page.
  const blocked = activity.whenInterrupted.then(async () => (activity.downloads.length > 0 ? loading : false));
  return Promise.race([loading, blocked]);
}
