import type { Locator } from 'playwright-core';
import { isTimeout } from '../../browser/failure.ts';
import { ToolError } from '../../errors.ts';
import { pageText } from '../../util/text.ts';
import type { Named, WhyNot } from '../../page/protocol.ts';
import { pause, settlesWithin } from '../../util/signals.ts';
import { isUnfinished } from '../agent/page-agents.ts';
import { answers } from '../navigation/hung-page.ts';
import type { Located } from '../snapshot/target.ts';
import type { Tab } from '../tab.ts';
import { answerLimitMs, lastObstacleLimitMs, nextObstacleMs, obstacleLimitMs, obstacleMs } from '../timing.ts';

/** Consecutive checks that find another element before an element counts as one that the page keeps replacing. */
const leastReplacements = 2;
/** Clicks that miss because the page renders again meanwhile. */
const mostMisses = 10;

/** Acts on an element; called a second time with the element drawn in its place, if there is one. */
export type ElementAction = (located: Located, signal: AbortSignal) => Promise<unknown>;

interface Point {
  readonly x: number;
  readonly y: number;
}

/** The page replaces the element again and again, at the same point: Playwright finds none of them stable. */
interface Replaced {
  readonly is: 'replaced';
  readonly at: Point;
}

type Obstacle = WhyNot | Replaced;

interface Watched {
  readonly located: Located;
  /** The action edits the element, so a read-only one is an obstacle and a covered one is not. */
  readonly isEditing: boolean;
  /** The caller gave a timeout: wait that long for the obstacle to go. Else only while the page may change. */
  readonly waitsFully: boolean;
  /** Milliseconds that the action may take. */
  readonly timeout: number;
  readonly signal: AbortSignal;
}

export interface UnlessBlocked extends Watched {
  /** Playwright acts by script, which reaches elements behind a modal dialog: check for one first. */
  readonly isByScript?: boolean;
  /** Completes the action at a point of the viewport, for an element that the page keeps replacing. */
  readonly actAt?: ((point: Point) => Promise<void>) | undefined;
}

/** Runs the action; fails early, with the obstacle, if the element cannot be acted on. */
export async function runUnlessBlocked(tab: Tab, watched: UnlessBlocked, action: ElementAction): Promise<void> {
  const { located, isEditing, isByScript = isEditing, signal } = watched;
  if (isByScript && tab.hasModal) {
    const found = await obstacleNow(tab, watched);
    if (found !== undefined && found.is !== 'drawn') throw obstacleError(watched, found);
  }
  const started = performance.now();
  const obstacle = await runUntilBlocked(tab, watched, action);
  if (obstacle === undefined) return;
  if (obstacle.is === 'replaced') return actOnReplaced(tab, watched, obstacle);
  const instead = tab.refs.standIn(obstacle);
  if (instead === undefined) throw obstacleError(watched, obstacle, performance.now() - started);
  await action({ ...located, locator: instead, position: obstacle.at, own: located.locator }, signal);
}

/** Acts at the point of the latest replacement. The page agent blocks a click that would hit another element. */
async function actOnReplaced(tab: Tab, watched: UnlessBlocked, obstacle: Replaced): Promise<void> {
  const { located, isEditing, actAt, signal } = watched;
  if (actAt === undefined) throw obstacleError(watched, obstacle);
  for (let misses = 0; misses < mostMisses; misses++) {
    const now = await tab.refs.whyNot(located.locator, isEditing, obstacleLimitMs, signal, true);
    if (now?.is !== 'none' || now.at === undefined) break;
    await actAt(now.at);
    if ((await tab.state(signal))?.hasMissed !== true) return;
  }
  throw obstacleError(watched, obstacle);
}

/** Runs the action until it is done, fails, or meets an obstacle that stays. */
async function runUntilBlocked(tab: Tab, watched: Watched, action: ElementAction): Promise<Obstacle | undefined> {
  const { located, signal } = watched;
  const giveUp = new AbortController();
  const done = new AbortController();
  let obstacle: Obstacle | undefined;
  const watching = whenBlocked(tab, { ...watched, signal: AbortSignal.any([signal, done.signal]) }).then((found) => {
    obstacle = found;
    giveUp.abort();
    return undefined;
  });
  // If the action is done first, the watch ends by its signal.
  watching.catch(() => undefined);
  try {
    const acting = action(located, AbortSignal.any([signal, giveUp.signal]));
    acting.catch(() => undefined);
    await Promise.race([acting, watching]).catch(async (error: unknown) => {
      obstacle = isTimeout(error) ? await obstacleNow(tab, watched) : undefined;
      // No time is left to act on the element drawn in its place.
      if (obstacle === undefined || obstacle.is === 'drawn') throw error;
    });
    // The action may have completed at the moment it was given up.
    const isDone = obstacle === undefined || (await acting.then(() => true).catch(() => false));
    return isDone ? undefined : obstacle;
  } finally {
    done.abort();
  }
}

/** Resolves when an obstacle stays in the way and nothing on the page is about to change that. */
async function whenBlocked(tab: Tab, { located, isEditing, waitsFully, signal }: Watched): Promise<Obstacle> {
  let before: { readonly reason: string; readonly changes: number } | undefined;
  const replacements = new Replacements();
  for (let wait = obstacleMs; ; wait = nextObstacleMs) {
    await pause(wait, signal);
    signal.throwIfAborted();
    const obstacle = await tab.refs.whyNot(located.locator, isEditing, obstacleLimitMs, signal);
    if (obstacle?.is === 'drawn' && !tab.actions.isRequesting) return obstacle;
    const replaced = replacements.add(obstacle);
    if (replaced !== undefined) return replaced;
    // A response or a message may remove the obstacle.
    const mayChange = waitsFully || obstacle?.mayChange === true || tab.actions.isConnected;
    const now = mayChange ? undefined : await tab.state(signal);
    if (obstacle === undefined || obstacle.is === 'none' || now === undefined || isUnfinished(now)) {
      before = undefined;
      continue;
    }
    const reason = obstacleText(obstacle);
    if (before?.reason === reason && before.changes === now.changes) return obstacle;
    before = { reason, changes: now.changes };
  }
}

/** Recognizes an element that is another one at each check, always ready and at the same point. */
class Replacements {
  #last: WhyNot | undefined;
  #count = 0;

  add(now: WhyNot | undefined): Replaced | undefined {
    const { ref, at } = this.#last ?? {};
    const isReplaced = now?.is === 'none' && ref !== undefined && now.ref !== ref && isSamePoint(now.at, at);
    this.#count = isReplaced ? this.#count + 1 : 0;
    this.#last = now?.is === 'none' ? now : undefined;
    return now?.at !== undefined && this.#count >= leastReplacements ? { is: 'replaced', at: now.at } : undefined;
  }
}

function isSamePoint(a: Point | undefined, b: Point | undefined): boolean {
  return a !== undefined && b !== undefined && Math.abs(a.x - b.x) < 1 && Math.abs(a.y - b.y) < 1;
}

/** One check; undefined if nothing blocks the element, or the page does not answer. */
async function obstacleNow(tab: Tab, { located, isEditing, signal }: Watched): Promise<WhyNot | undefined> {
  const { locator } = located;
  if (!(await answers(tab.page))) return undefined;
  const checking = whyOne(tab, locator, isEditing, signal);
  const why = (await settlesWithin(checking, lastObstacleLimitMs)) ? await checking : undefined;
  return why?.is === 'none' ? undefined : why;
}

async function whyOne(
  tab: Tab,
  locator: Locator,
  isEditing: boolean,
  signal: AbortSignal,
): Promise<WhyNot | undefined> {
  if ((await locator.count()) !== 1) return undefined;
  return tab.refs.whyNot(locator, isEditing, answerLimitMs, signal);
}

function obstacleError({ located, isEditing, timeout }: Watched, obstacle: Obstacle, waitedMs = 0): ToolError {
  const isLocked = obstacle.is === 'read-only' || obstacle.is === 'disabled';
  const code = isEditing && isLocked ? 'ELEMENT_NOT_EDITABLE' : 'ELEMENT_NOT_CLICKABLE';
  const waited = waitedMs < timeout ? '' : ` Waited ${timeout} ms.`;
  return new ToolError(code, { target: located.label, reason: `${obstacleText(obstacle)}${waited}` });
}

function obstacleText(why: Obstacle): string {
  switch (why.is) {
    case 'none':
      return 'nothing blocks it.';
    case 'gone':
      return 'it is no longer on the page.';
    case 'replaced':
      return 'the page keeps replacing it with a new element.';
    case 'disabled':
      return 'it is disabled.';
    case 'hidden':
      return 'it is not visible.';
    case 'read-only':
      return 'it is read-only.';
    case 'outside':
      return 'it is outside of the viewport and cannot be scrolled into it.';
    case 'untouchable':
      return 'it takes no clicks (its style has pointer-events: none).';
    case 'covered':
    case 'drawn':
      return coveredText(why);
  }
}

function coveredText({ by, ways = [] }: WhyNot): string {
  if (by === undefined) return 'it is covered by another element.';
  const inside = ways.length === 0 ? '' : ` In it: ${ways.map(label).join(', ')}.`;
  return `it is covered by ${label(by)}.${inside}`;
}

function label({ ref, role, name }: Named): string {
  return `${role}${name === '' ? '' : ` ${JSON.stringify(pageText(name.slice(0, 80)))}`} [ref=${ref}]`;
}
