import type { Locator } from 'playwright-core';
import type { Named, WhyNot } from '../../page/protocol.ts';
import { pause, settlesWithin } from '../../util/signals.ts';
import { isUnfinished } from '../agent/page-agents.ts';
import type { PageState } from '../agent/page-agents.ts';
import { answers } from '../navigation/hung-page.ts';

/** What stands in the way of an element for this long, on a page at rest, is not waited for. */
const firstLookMs = 300;
const nextLookMs = 150;
const lookLimitMs = 300;
const onlyLookLimitMs = 2000;

/** Why an element cannot be acted on, and what takes its place if something does. */
export interface Blocked {
  readonly reason: string;
  readonly instead?: Locator;
  /** Where in that to act. */
  readonly at?: WhyNot['at'];
}

interface Watch {
  readonly why: (limitMs: number) => Promise<WhyNot | undefined>;
  readonly state: () => Promise<PageState | undefined>;
  readonly signal: AbortSignal;
}

/**
 * Resolves when something stands in the way of an element and nothing on the page is changing that. An element that only
 * is not ready yet is left to Playwright's patience.
 */
export async function whenBlocked({ why, state, signal }: Watch): Promise<WhyNot> {
  let before: { readonly reason: string; readonly changes: number } | undefined;
  for (let wait = firstLookMs; ; wait = nextLookMs) {
    await pause(wait, signal);
    signal.throwIfAborted();
    const obstacle = await why(lookLimitMs);
    const now = await state();
    const isClear = obstacle === undefined || obstacle.is === 'none';
    if (isClear || now === undefined || isUnfinished(now)) {
      before = undefined;
      continue;
    }
    if (obstacle.is === 'drawn') return obstacle;
    const reason = obstacleText(obstacle);
    if (before?.reason === reason && before.changes === now.changes) return obstacle;
    before = { reason, changes: now.changes };
  }
}

/** One look; nothing from a page that spins, or is on its way elsewhere: it says nothing for as long as it does so. */
export async function whyNow(locator: Locator, why: () => Promise<WhyNot | undefined>): Promise<WhyNot | undefined> {
  if (!(await answers(locator.page()))) return undefined;
  const asking = locator.count().then(async (count) => (count === 1 ? why() : undefined));
  return (await settlesWithin(asking, onlyLookLimitMs)) ? asking : undefined;
}

/** Why an element cannot be acted on, in words. */
export function obstacleText(why: WhyNot): string {
  switch (why.is) {
    case 'none':
      return 'nothing stands in its way.';
    case 'gone':
      return 'it is no longer on the page.';
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
  return `${role}${name === '' ? '' : ` ${JSON.stringify(name.slice(0, 80))}`} [ref=${ref}]`;
}
