import type { Locator } from 'playwright-core';
import { isTimeout, toToolError } from '../../browser/failure.ts';
import { ToolError } from '../../errors.ts';
import { pause } from '../../util/signals.ts';
import { isUnfinished } from '../agent/page-agents.ts';
import type { Observation } from '../agent/page-agents.ts';
import { selectorText } from '../snapshot/target.ts';
import type { Located, Target } from '../snapshot/target.ts';
import type { Tab } from '../tab.ts';
import { busyMs, nextObstacleMs, obstacleLimitMs } from '../timing.ts';

/** A timer that is due this much later is another one. */
const sameTimerMs = 50;
/** A timer that fired and was set this often repeats. */
const leastFired = 2;

type SelectorTarget = Extract<Target, { readonly kind: 'selector' }>;

/** Resolves with true when the selector matches nothing and the page is at rest, with false once it matches. */
export async function isMissing(tab: Tab, locator: Locator, signal: AbortSignal): Promise<boolean> {
  const timers = new RepeatingTimers();
  for (;;) {
    if ((await locator.count()) > 0) return false;
    if (await isAtRest(tab, timers, signal)) return true;
    await pause(nextObstacleMs, signal);
    signal.throwIfAborted();
  }
}

/** Nothing that is under way can add an element. */
async function isAtRest(tab: Tab, timers: RepeatingTimers, signal: AbortSignal): Promise<boolean> {
  if (tab.actions.isConnected) return false;
  const state = await tab.state(signal);
  if (state === undefined || isUnfinished(state) || (state.quietMs >= 0 && state.quietMs < busyMs)) return false;
  const askedAt = performance.now();
  const root = await tab.refs.whyNot(tab.page.locator(':root'), false, obstacleLimitMs, signal);
  if (root === undefined) return false;
  const areRepeating = timers.note(root.timerMs, askedAt);
  return root.mayChange !== true || (areRepeating && root.isCalm === true);
}

/** Timers that fire again and again: an interval, or one that sets itself. */
class RepeatingTimers {
  /** When the next timer fires, at the latest: a busy page answers late. */
  #dueBy = Number.POSITIVE_INFINITY;
  #fired = 0;

  note(timerMs: number | undefined, askedAt: number): boolean {
    if (timerMs === undefined) return false;
    if (timerMs === 0) return true;
    if (askedAt + timerMs > this.#dueBy + sameTimerMs) this.#fired++;
    this.#dueBy = performance.now() + timerMs;
    return this.#fired >= leastFired;
  }
}

/** Runs an action on the match of a selector; fails as soon as the page at rest has none. */
export async function unlessMissing<T>(
  tab: Tab,
  target: Target,
  { locator, signal }: { readonly locator: Locator; readonly signal: AbortSignal },
  action: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  if (target.kind === 'ref') return action(signal);
  const giveUp = new AbortController();
  const done = new AbortController();
  const acting = action(AbortSignal.any([signal, giveUp.signal]));
  acting.catch(() => undefined);
  // An invalid selector fails in the action too, with a better message.
  const looking = isMissing(tab, locator, AbortSignal.any([signal, done.signal])).catch(() => false);
  try {
    const isGone = await Promise.race([acting.then(() => false), looking]);
    if (!isGone) return await acting;
    giveUp.abort();
    // The action may have found an element at the last moment.
    return await acting.catch((error: unknown) => {
      signal.throwIfAborted();
      throw isTimeout(error) || giveUp.signal.aborted ? notFound(tab, target) : error;
    });
  } finally {
    done.abort();
  }
}

/** Locates a target for a tool that does not act on it; a selector has a match then. */
export async function locateAttached(
  tab: Tab,
  target: Target,
  before: Observation | undefined,
  wait: AttachedWait,
): Promise<Located> {
  const located = await tab.refs.locate(target, before, wait.signal);
  if (target.kind === 'selector') await untilAttached(tab, target, located.locator, wait);
  return located;
}

export interface AttachedWait {
  readonly timeout: number;
  readonly waitsFully: boolean;
  readonly signal: AbortSignal;
}

/** Waits for the element of a target, which only one that a selector names may need. */
export async function untilAttached(
  tab: Tab,
  target: Target,
  locator: Locator,
  { timeout, waitsFully, signal }: AttachedWait,
): Promise<void> {
  const wait = async (until: AbortSignal): Promise<void> =>
    locator.waitFor({ state: 'attached', timeout, signal: until });
  try {
    await (waitsFully ? wait(signal) : unlessMissing(tab, target, { locator, signal }, wait));
  } catch (error) {
    const failure = { what: 'Finding the element', target: target.given, timeoutMs: timeout };
    const selector = target.kind === 'selector' ? { selector: selectorText(target) } : {};
    const coded = toToolError(error, { ...failure, ...selector, url: tab.page.url() });
    throw await withCandidates(tab, target, { locator, signal }, coded);
  }
}

function notFound(tab: Tab, target: SelectorTarget): ToolError {
  return new ToolError('ELEMENT_NOT_FOUND', { selector: selectorText(target), page: tab.page.url() });
}

/** The error with elements that the caller may have meant. */
export async function withCandidates(
  tab: Tab,
  target: Target,
  { locator, signal }: { readonly locator: Locator | undefined; readonly signal: AbortSignal },
  error: unknown,
): Promise<unknown> {
  if (!(error instanceof ToolError) || target.kind === 'ref' || signal.aborted) return error;
  try {
    if (error.code === 'ELEMENT_NOT_FOUND') {
      const candidates = await tab.refs.near(selectorText(target), signal);
      return new ToolError('ELEMENT_NOT_FOUND', { selector: selectorText(target), page: tab.page.url(), candidates });
    }
    if (error.code === 'AMBIGUOUS_SELECTOR' && locator !== undefined) {
      const count = await locator.count();
      const { lines, more } = await tab.refs.visibleOf(locator, signal);
      return new ToolError('AMBIGUOUS_SELECTOR', { selector: selectorText(target), count, candidates: lines, more });
    }
    return error;
  } catch {
    // The page went away meanwhile: the error says enough.
    return error;
  }
}
