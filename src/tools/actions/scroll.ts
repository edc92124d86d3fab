import * as z from 'zod';
import type { Locator, Page } from 'playwright-core';
import { defineTool } from '../../call/tool.ts';
import type { CallContext } from '../../call/tool.ts';
import { readListItems } from '../../page/reads/list-items.ts';
import { readPageOffset, readPagePosition, readScrollerPosition } from '../../page/reads/scroll.ts';
import type { ScrollPosition } from '../../page/reads/scroll.ts';
import { pageCode } from '../../util/code.ts';
import { oneLine, pageText } from '../../util/text.ts';
import type { Acted } from '../../session/act/act.ts';
import { locateAttached } from '../../session/act/missing.ts';
import { isInViewport, visiblePart } from '../../session/act/visible-part.ts';
import type { VisiblePart } from '../../session/act/visible-part.ts';
import { actOnElement, actQuietly, report } from '../lib/act.ts';
import type { ActingCall } from '../lib/act.ts';
import { CollectedItems } from '../lib/collected-items.ts';
import {
  aimAt,
  hidden,
  labelOf,
  optionalTarget,
  optionalTargetShape,
  needsTarget,
  requiredTarget,
  targetShape,
  timeoutShape,
  wholeWithin,
  within,
} from '../lib/argument-shapes.ts';
import type { TargetArguments } from '../lib/argument-shapes.ts';
import { actionWait } from '../lib/timeouts.ts';

const mostSteps = 50;
const mostItems = 5000;
const mostItemSteps = 200;
const farAway = 1_000_000;
const pixels = within(-farAway, farAway);
const offset = z.object({ x: z.number(), y: z.number() });

export const scroll = defineTool({
  name: 'browser_scroll',
  title: 'Scroll',
  description: 'Scroll the page or an element by pixels, to an end or a text, or through a list to collect its items.',
  toolsets: ['core'],
  effect: 'input',
  scope: 'tab',
  positional: ['y'],
  input: {
    ...optionalTargetShape,
    x: pixels.optional().describe('Pixels to the right'),
    y: pixels.optional().describe('Pixels down, default one viewport'),
    to: z
      .preprocess((given) => (given === 'bottom' ? 'end' : given), z.enum(['top', 'end']))
      .optional()
      .meta({ type: 'string', enum: ['top', 'end'], description: 'End to scroll to' }),
    until: z.string().optional().describe('Text to scroll to'),
    items: wholeWithin(1, mostItems).optional().describe('List so many items, each once'),
    direction: hidden(z.enum(['up', 'down', 'left', 'right']).optional().describe('Direction, instead of x and y')),
    amount: hidden(pixels.optional().describe('Pixels in that direction, default one viewport')),
    max: hidden(z.number().optional().describe('Maximum number of steps for until and items, default 20 and 200')),
  },
  synonyms: { deltaX: 'x', deltaY: 'y', count: 'items' },
  run: async (call) => {
    const { tab, args, response } = call;
    if (args.items !== undefined) {
      await collectItems(call, args.items);
      return;
    }
    const most = args.until === undefined ? 1 : Math.min(Math.max(1, args.max ?? 20), mostSteps);
    for (let steps = 1; ; steps++) {
      const stepped = await scrollStep(call);
      const { hasMoved, hasTurned, isFound, canScroll, by } = stepped;
      if (steps < most && hasMoved && !isFound) continue;
      if (args.until !== undefined) {
        const found = isFound ? 'was found after' : 'was not found in';
        response.text(`The text ${JSON.stringify(args.until)} ${found} ${steps === 1 ? '1 step' : `${steps} steps`}.`);
      }
      if (hasMoved) response.effect('Scrolled.');
      else if (!canScroll) response.text('Turned the wheel; there is nothing to scroll.');
      else if (!isFound) response.text(steps === 1 ? 'The end is reached: nothing moved.' : 'The end is reached.');
      report(call, stepped, {
        facts: async () => ({ moved: hasMoved, ...offset.parse(await tab.page.evaluate(readPageOffset)) }),
      });
      // The wheel does not turn for a text that is on the page already.
      const turns = hasTurned ? steps : steps - 1;
      if (turns > 0) response.ran(pageCode.get('mouse').call('wheel', by.x, by.y).repeated(turns));
      if (isFound && args.until !== undefined)
        response.ran(pageCode.call('getByText', args.until).call('first').call('scrollIntoViewIfNeeded'));
      return;
    }
  },
});

interface ScrollCall extends ActingCall, Pick<CallContext, 'settings' | 'progress'> {
  readonly args: Distance &
    TargetArguments & { readonly until?: string | undefined; readonly max?: number | undefined };
}

interface Step extends Acted {
  readonly hasMoved: boolean;
  readonly isFound: boolean;
  readonly canScroll: boolean;
  readonly hasTurned: boolean;
  readonly by: { readonly x: number; readonly y: number };
}

/** Turns the wheel once, and waits for what that loads. */
async function scrollStep(call: ScrollCall, showsPage = true): Promise<Step> {
  const { tab, args, session, settings, signal } = call;
  const { page } = tab;
  const { until } = args;
  const target = optionalTarget(args, session);
  const wait = { ...actionWait(settings, undefined), signal };
  const { timeout } = wait;
  let by = { x: 0, y: 0 };
  let canScroll = true;
  let hasMoved = false;
  let isFound = false;
  let hasTurned = false;
  const acted = await actQuietly(
    call,
    async (before) => {
      const over = target && (await locateAttached(tab, target, before, wait)).locator;
      if (over !== undefined && !(await isInViewport(page, over))) await over.scrollIntoViewIfNeeded({ timeout });
      const start = await positionOf(page, over);
      canScroll = start.scrolls;
      // A text that is on the page already may be out of view in any scroll box.
      isFound = until !== undefined && (await bringIntoView(over ?? page, until, timeout));
      by = distance(args, start.window);
      hasTurned = !isFound;
      if (hasTurned) {
        await turnWheel(page, over, by.x, by.y);
      }
      hasMoved = await movedFrom(page, over, start.at);
      if (!isFound && until !== undefined) isFound = await bringIntoView(over ?? page, until, timeout);
    },
    { failure: { what: 'Scrolling', ...aimAt(target) }, loadMs: settings.timeouts.load, showsPage },
  );
  return { ...acted, hasMoved, hasTurned, isFound, canScroll, by };
}

/** Scrolls through a list, which may be endless or show only a part of its items at a time. */
async function collectItems(call: ScrollCall, wanted: number): Promise<void> {
  const { tab, args, session, response, progress, settings, signal } = call;
  const target = optionalTarget(args, session);
  const wait = { ...actionWait(settings, undefined), signal };
  const collected = new CollectedItems();
  const look = async (): Promise<number> => {
    const over = target && (await locateAttached(tab, target, undefined, wait)).locator;
    const shown = over === undefined ? tab.page.evaluate(readListItems, undefined) : over.evaluate(readListItems);
    return collected.add(await shown);
  };
  await look();
  const most = Math.min(Math.max(1, args.max ?? mostItemSteps), mostItemSteps);
  let isEnd = false;
  let last: Step | undefined;
  for (let steps = 0; steps < most && collected.texts.length < wanted && !isEnd; steps++) {
    last = await scrollStep(call, false);
    const added = await look();
    isEnd = !last.hasMoved && added === 0;
    progress(`${collected.texts.length} items`);
  }
  const { texts } = collected;
  const lines = texts.slice(0, wanted).map((text, index) => `${index + 1}. ${pageText(text)}`);
  response.foreign();
  for (const line of lines) response.text(line);
  const end = isEnd ? ' The end is reached.' : texts.length < wanted ? ' There may be more: call again.' : '';
  response.note(`${lines.length === 1 ? '1 item' : `${lines.length} items`}.${end}`);
  if (last !== undefined) report(call, last, { showsPage: false });
  response.data({ items: texts.slice(0, wanted), isEnd });
}

export const scrollIntoView = defineTool({
  name: 'browser_scroll_into_view',
  title: 'Scroll to element',
  description: 'Scroll an element to the middle of the viewport.',
  toolsets: ['core', 'viewpoint'],
  effect: 'input',
  scope: 'tab',
  input: { ...targetShape, ...timeoutShape },
  check: needsTarget,
  run: async (call) => {
    const { args, session, response, settings } = call;
    const { timeout, waitsFully } = actionWait(settings, args.timeout);
    const { located } = await actOnElement(call, {
      target: requiredTarget(args, session),
      fallback: async ({ locator }, signal) => locator.evaluate(centre, undefined, { timeout, signal }),
      failure: { what: 'Scrolling', timeoutMs: timeout },
      waitsFully,
      loadMs: settings.timeouts.load,
      isInput: false,
    });
    response.text(`Scrolled to ${oneLine(labelOf(args, located.label))}.`);
    response.ran(located.code.call('scrollIntoViewIfNeeded'));
  },
});

interface Distance {
  readonly x?: number | undefined;
  readonly y?: number | undefined;
  readonly to?: 'top' | 'end' | undefined;
  readonly direction?: 'up' | 'down' | 'left' | 'right' | undefined;
  readonly amount?: number | undefined;
}

/** The distance; one viewport down by default. */
function distance(
  { x, y, to, direction, amount }: Distance,
  window: number,
): { readonly x: number; readonly y: number } {
  if (to !== undefined) return { x: x ?? 0, y: to === 'top' ? -farAway : farAway };
  if (direction === undefined) return { x: x ?? 0, y: y ?? (x === undefined ? window : 0) };
  const far = (amount ?? window) * (direction === 'up' || direction === 'left' ? -1 : 1);
  return direction === 'up' || direction === 'down' ? { x: x ?? 0, y: far } : { x: far, y: y ?? 0 };
}

async function positionOf(page: Page, over: Locator | undefined): Promise<ScrollPosition> {
  if (over === undefined) return page.evaluate(readPagePosition);
  return over.evaluate(readScrollerPosition);
}

/** Scrolls to a text, if it is rendered. */
async function bringIntoView(within: Locator | Page, text: string, timeout: number): Promise<boolean> {
  const found = within.getByText(text).filter({ visible: true }).first();
  if ((await found.count()) === 0) return false;
  await found.scrollIntoViewIfNeeded({ timeout });
  return true;
}

/** Dispatches real wheel events at the element: infinite lists listen to them. */
async function turnWheel(page: Page, over: Locator | undefined, x: number, y: number): Promise<void> {
  const at = over === undefined ? await page.evaluate(readPagePosition) : centreOf(await visiblePart(page, over));
  await page.mouse.move(at.x, at.y);
  await page.mouse.wheel(x, y);
}

function centreOf({ left, right, top, bottom }: VisiblePart): { readonly x: number; readonly y: number } {
  return { x: (left + right) / 2, y: (top + bottom) / 2 };
}

/** Waits a few frames: wheel events are dispatched before the page scrolls. */
async function movedFrom(page: Page, over: Locator | undefined, at: string): Promise<boolean> {
  for (let frame = 0; frame < 10; frame++) {
    if ((await positionOf(page, over)).at !== at) return true;
    await page.evaluate(nextFrame);
  }
  return false;
}

/** Runs in the page. */
async function nextFrame(): Promise<void> {
  await new Promise((resolve) => requestAnimationFrame(resolve));
}

/** Runs in the page. */
function centre(element: Element): void {
  element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
}
