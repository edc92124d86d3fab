import * as z from 'zod';
import type { Locator, Page } from 'playwright-core';
import { defineTool } from '../../call/tool.ts';
import { readPageOffset, readPagePosition, readScrollerPosition } from '../../page/reads/scroll.ts';
import type { ScrollPosition } from '../../page/reads/scroll.ts';
import { pageCode } from '../../util/code.ts';
import { oneLine } from '../../util/text.ts';
import type { Acted } from '../../session/act/act.ts';
import { isInViewport, visiblePart } from '../../session/act/visible-part.ts';
import type { VisiblePart } from '../../session/act/visible-part.ts';
import { actOnElement, actQuietly, report } from '../lib/act.ts';
import {
  aimAt,
  hidden,
  labelOf,
  optionalTarget,
  optionalTargetShape,
  requiredTarget,
  targetShape,
  timeoutShape,
  within,
} from '../lib/argument-shapes.ts';

const mostSteps = 50;
const farAway = 1_000_000;
const pixels = within(-farAway, farAway);
const offset = z.object({ x: z.number(), y: z.number() });

export const scroll = defineTool({
  name: 'browser_scroll',
  title: 'Scroll',
  description: 'Scroll the page or an element by pixels, to an end or to a text.',
  toolsets: ['core'],
  effect: 'input',
  scope: 'tab',
  input: {
    ...optionalTargetShape,
    x: pixels.optional().describe('Pixels to the right'),
    y: pixels.optional().describe('Pixels down, default one viewport'),
    to: z
      .preprocess((given) => (given === 'bottom' ? 'end' : given), z.enum(['top', 'end']))
      .optional()
      .meta({ type: 'string', enum: ['top', 'end'], description: 'End to scroll to' }),
    until: z.string().optional().describe('Text to scroll to'),
    direction: hidden(z.enum(['up', 'down', 'left', 'right']).optional().describe('Direction, instead of x and y')),
    amount: hidden(pixels.optional().describe('Pixels in that direction, default one viewport')),
    max: hidden(z.number().optional().describe('Maximum number of steps for until, default 20')),
  },
  synonyms: { deltaX: 'x', deltaY: 'y' },
  run: async (call) => {
    const { tab, args, session, response, settings, signal } = call;
    const target = optionalTarget(args, session);
    const most = args.until === undefined ? 1 : Math.min(Math.max(1, args.max ?? 20), mostSteps);
    const { page } = tab;
    const timeout = settings.timeouts.action;
    let [x, y] = [0, 0];
    let canScroll = true;
    const step = async (): Promise<Acted & { readonly hasMoved: boolean; readonly isFound: boolean }> => {
      let hasMoved = false;
      let isFound = false;
      const acted = await actQuietly(
        call,
        async (before) => {
          const over = target === undefined ? undefined : (await tab.refs.locate(target, before, signal)).locator;
          if (over !== undefined && !(await isInViewport(page, over))) await over.scrollIntoViewIfNeeded({ timeout });
          const start = await positionOf(page, over);
          canScroll = start.scrolls;
          // A text that is on the page already may be out of view in any scroll box.
          isFound = args.until !== undefined && (await bringIntoView(over ?? page, args.until, timeout));
          if (!isFound) {
            ({ x, y } = distance(args, start.window));
            await turnWheel(page, over, x, y);
          }
          hasMoved = await movedFrom(page, over, start.at);
          if (!isFound && args.until !== undefined) isFound = await bringIntoView(over ?? page, args.until, timeout);
        },
        { failure: { what: 'Scrolling', ...aimAt(target) }, loadMs: settings.timeouts.load },
      );
      return { ...acted, hasMoved, isFound };
    };
    for (let steps = 1; ; steps++) {
      const stepped = await step();
      const { hasMoved, isFound } = stepped;
      if (steps < most && hasMoved && !isFound) continue;
      if (args.until !== undefined) {
        const found = isFound ? 'was found after' : 'was not found in';
        response.text(`The text ${JSON.stringify(args.until)} ${found} ${steps === 1 ? '1 step' : `${steps} steps`}.`);
      }
      if (hasMoved) response.text('Scrolled.');
      else if (!canScroll) response.text('Turned the wheel; there is nothing to scroll.');
      else if (!isFound) response.text('The end is reached: nothing moved.');
      report(call, stepped, {
        facts: async () => ({ moved: hasMoved, ...offset.parse(await page.evaluate(readPageOffset)) }),
      });
      break;
    }
    response.ran(pageCode.get('mouse').call('wheel', x, y));
  },
});

export const scrollIntoView = defineTool({
  name: 'browser_scroll_into_view',
  title: 'Scroll to element',
  description: 'Scroll an element to the middle of the viewport.',
  toolsets: ['core', 'viewpoint'],
  effect: 'input',
  scope: 'tab',
  input: { ...targetShape, ...timeoutShape },
  run: async (call) => {
    const { args, session, response, settings } = call;
    const timeout = args.timeout ?? settings.timeouts.action;
    const { located } = await actOnElement(call, {
      target: requiredTarget(args, session),
      fallback: async ({ locator }) => locator.evaluate(centre, undefined, { timeout }),
      failure: { what: 'Scrolling', timeoutMs: timeout },
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
