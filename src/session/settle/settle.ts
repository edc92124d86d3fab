import type { Page, Request } from 'playwright-core';
import { pause } from '../../util/signals.ts';
import type { Activity } from './activity.ts';
import type { PageState } from '../agent/page-agents.ts';
import { holdStill } from './navigation-freeze.ts';
import { giveUp } from '../navigation/hung-page.ts';
import type { StuckPage } from '../navigation/hung-page.ts';

export interface SettleTimes {
  /** How long a DOM that never rests is waited for. */
  readonly settle: number;
  /** How long a load, or requests and timers that the action set off, are waited for. */
  readonly load: number;
  /** How long a navigation may take to begin to answer. */
  readonly navigation: number;
}

/** What the page looked like when it came to rest. */
export interface Settled {
  readonly state: PageState | undefined;
  /** Requests the action started that had not answered when the wait ended. */
  readonly pending: readonly Request[];
  readonly stillLoading: boolean;
  /** What is to be told of a navigation that was given up. */
  readonly givenUp?: string;
  /** It loaded itself anew again and again, and was stopped. */
  readonly isStopped?: boolean;
}

/** An action that touched nothing is given this long to show an effect: a frame, and what is drawn in it. */
export const calmMs = 20;
/** After an effect, page and network must rest this long: long enough for the renders and requests that follow one. */
export const quietMs = 30;
/** A timer fires a little late. */
const lateMs = 5;
const openLimitMs = 2000;
const documentLimitMs = 500;
const silenceMs = 500;
/** A page that was not changed for this long, while it asked for something again and again, was not changed by that. */
const idleMs = 500;

/**
 * Waits until what an action set off is over: its navigation has loaded, its requests have answered, its timers have
 * fired, what fades has faded, the DOM rests. A dialog, a download or the end of the page ends the wait; so does the
 * signal. `look` is told whether only the page itself can keep it from being the last, and whether nothing has been waited
 * for before it.
 */
export async function settle(
  tab: StuckPage,
  look: (mayBeLast: boolean, isFirst: boolean) => Promise<PageState | undefined>,
  activity: Activity,
  before: PageState | undefined,
  times: SettleTimes & { readonly calmMs: number },
  signal: AbortSignal,
): Promise<Settled> {
  const started = performance.now();
  let loadedAt: number | undefined;
  let stillLoading = false;
  let restSince = started;
  let isSilent = false;
  await untilShown(activity, times.calmMs, signal);
  for (let isFirst = true; ; isFirst = false) {
    if (activity.interrupted || signal.aborted || tab.page.isClosed()) break;
    if (activity.restless.aborted) return lookStopped(tab.page, activity, async () => look(true, false));
    if (activity.navigated && !activity.navigating && loadedAt === undefined) {
      // The time of the load begins when there is a document to load.
      stillLoading = !(await loaded(tab.page, activity, times.load, signal));
      loadedAt = performance.now();
      continue;
    }
    if (activity.mayPoll) await judgePolls(activity, async () => look(false, false));
    const left = limitOf(activity, times, started, loadedAt) - performance.now();
    if (activity.navigating || activity.pending.length > 0) {
      if (left <= 0) return lookInVain(tab, activity, stillLoading, async () => look(true, false));
      await waitForEvent(activity, left, signal);
      restSince = performance.now();
      continue;
    }
    const due = announcedLeft(activity, performance.now() - started);
    if (due > 0) {
      await waitForEvent(activity, due, signal);
      continue;
    }
    // A dialog that opens now keeps the page from answering.
    const mayBeLast = isCalm(activity, times.calmMs - (performance.now() - started));
    const state = await Promise.race([look(mayBeLast, isFirst), activity.whenHeldUp.then(() => undefined)]);
    if (activity.interrupted) break;
    if (isUnderWay(activity, performance.now() - started, loadedAt)) continue;
    if (state === undefined) {
      // A page that does not answer is about to close, to crash or to be replaced: which one will show.
      if (isSilent) break;
      isSilent = true;
      await waitForEvent(activity, silenceMs, signal);
      continue;
    }
    if (state.timerMs >= 0 && left > 0 && !activity.onlyPolls) {
      await waitForEvent(activity, Math.min(state.timerMs + lateMs, left), signal);
      restSince = performance.now();
      continue;
    }
    const wait = restLeft(state, before, activity, times.calmMs - (performance.now() - started));
    if (wait <= 0 || performance.now() - restSince >= times.settle) return { state, pending: [], stillLoading };
    await waitForEvent(activity, wait, signal);
  }
  return { state: undefined, pending: activity.pending, stillLoading };
}

/** Looks what has come of that which the page asks for again and again. */
async function judgePolls(activity: Activity, look: () => Promise<PageState | undefined>): Promise<void> {
  const state = await Promise.race([look(), activity.whenHeldUp.then(() => undefined)]);
  if (state !== undefined && state.quietMs < idleMs) activity.keepPolls();
  else activity.letPoll(Math.max(0, state?.timerMs ?? 0) + lateMs);
}

/** What was waited for did not come. A navigation must not come in under a later call, and keeps the page from answering. */
async function lookInVain(
  tab: StuckPage,
  activity: Activity,
  stillLoading: boolean,
  look: () => Promise<PageState | undefined>,
): Promise<Settled> {
  const givenUp = activity.navigating ? await giveUp(tab, activity.pending) : undefined;
  const state = await look();
  return { state, pending: activity.pending, stillLoading, ...(givenUp === undefined ? {} : { givenUp }) };
}

/** Stops a page that loads itself anew for ever, to look at the document that it has then. */
async function lookStopped(
  page: Page,
  activity: Activity,
  look: () => Promise<PageState | undefined>,
): Promise<Settled> {
  await using still = await holdStill(page);
  // It may also have come to an end by itself.
  const isStopped = await still.hasStopped(() => activity.navigating);
  return { state: await look(), pending: [], stillLoading: isStopped || activity.navigating, isStopped };
}

/** An effect that takes a frame to show is not looked for before; one that shows itself ends the wait. */
async function untilShown(activity: Activity, ms: number, signal: AbortSignal): Promise<void> {
  const isIdle = !isUnderWay(activity, 0);
  // Timers may fire a moment early.
  if (ms > 0 && isIdle) await waitForEvent(activity, ms + 1, signal);
}

/** When waiting ends: a loaded page may keep requests open for ever; an action's own are what it was done for. */
function limitOf({ navigating }: Activity, times: SettleTimes, started: number, loadedAt: number | undefined): number {
  if (loadedAt !== undefined && !navigating) return loadedAt + times.settle;
  return started + (navigating ? times.navigation : times.load);
}

/** Milliseconds that what the page announced may still take to begin: a tab, a chooser of files, another document. */
function announcedLeft(activity: Activity, elapsedMs: number): number {
  if (activity.expectsTab || activity.expectsChooser) return openLimitMs - elapsedMs;
  return activity.leavingForMs === undefined ? 0 : documentLimitMs - activity.leavingForMs;
}

/** Milliseconds that page and network must still stay as they are to count as at rest. */
function restLeft(state: PageState, before: PageState | undefined, activity: Activity, calmLeftMs: number): number {
  // The page is told of its end with the next frame, and may then take away what has gone out of sight.
  if (state.fadeMs >= 0) return state.fadeMs + quietMs;
  const isUntouched =
    before !== undefined && before.documents === state.documents && before.mutations === state.mutations;
  if (isUntouched && !activity.hadRequests && !activity.navigated) return calmLeftMs;
  // A new document has rendered itself by the time it has loaded; what it asks for afterwards is waited for above.
  const network = activity.navigated ? 0 : quietMs - activity.quietMs;
  return Math.max(quietMs - state.quietMs, network);
}

/** Whether something has begun, or was announced, that is to be waited for; what came before it is not what will be seen. */
function isUnderWay(activity: Activity, elapsedMs: number, loadedAt?: number): boolean {
  const isReplaced = activity.navigated && loadedAt === undefined;
  return isReplaced || activity.navigating || activity.pending.length > 0 || announcedLeft(activity, elapsedMs) > 0;
}

/** Whether all but the page itself is at rest. */
function isCalm(activity: Activity, calmLeftMs: number): boolean {
  if (!activity.hadRequests && !activity.navigated) return calmLeftMs <= 0;
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

/** Whether the load event came in time; a dialog, of a frame for example, keeps it from coming. */
async function loaded(page: Page, activity: Activity, timeoutMs: number, signal: AbortSignal): Promise<boolean> {
  if (timeoutMs <= 0) return false;
  const either = AbortSignal.any([signal, activity.restless]);
  const loading = page.waitForLoadState('load', { timeout: timeoutMs, signal: either }).then(
    () => {
      activity.loaded();
      return true;
    },
    () => false,
  );
  // A download holds nothing up.
  const heldUp = activity.whenInterrupted.then(async () => (activity.downloads.length > 0 ? loading : false));
  return Promise.race([loading, heldUp]);
}
