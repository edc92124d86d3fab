import * as z from 'zod';
import { defineTool } from '../call/tool.ts';
import { ToolError } from '../errors.ts';
import { pageCode } from '../util/code.ts';
import { oneLine } from '../util/text.ts';
import { actOnElement, actOnPage } from './acting.ts';
import { labelOf, requiredTarget, targetShape, timeoutShape } from './shapes.ts';

const largestSide = 10_000;

export const resize = defineTool({
  name: 'browser_resize',
  title: 'Resize',
  description: 'Give the page another size.',
  effect: 'input',
  scope: 'tab',
  input: {
    width: z.number().describe('Pixels'),
    height: z.number().describe('Pixels'),
  },
  check: ({ width, height }) => {
    if ([width, height].every((side) => Number.isInteger(side) && side > 0 && side <= largestSide)) return;
    const problems = [`Width and height must be whole numbers from 1 to ${largestSide}.`];
    throw new ToolError('MISSING_PARAMETER', { problems, accepted: ['width', 'height'] });
  },
  run: async (call) => {
    const { tab, args, response, settings } = call;
    const { width, height } = args;
    await actOnPage(call, async () => tab.page.setViewportSize({ width, height }), {
      failure: { what: 'Resizing' },
      loadMs: settings.timeouts.load,
    });
    response.text(`The page is ${width}x${height} now.`);
    response.ran(pageCode.call('setViewportSize', { width, height }));
  },
});

export const scrollIntoView = defineTool({
  name: 'browser_scroll_into_view',
  title: 'Scroll to element',
  description: 'Scroll until an element is in the middle of the window.',
  effect: 'input',
  scope: 'tab',
  input: { ...targetShape, ...timeoutShape },
  run: async (call) => {
    const { args, session, response, settings } = call;
    const timeout = args.timeout ?? settings.timeouts.action;
    const { located } = await actOnElement(
      call,
      requiredTarget(args, session.name),
      async ({ locator }) => locator.evaluate(centre, undefined, { timeout }),
      { failure: { what: 'Scrolling', timeoutMs: timeout }, loadMs: settings.timeouts.load, isInput: false },
    );
    response.text(`Scrolled to ${oneLine(labelOf(args, located.label))}.`);
    response.ran(located.code.call('scrollIntoViewIfNeeded'));
  },
});

/** Runs in the page. */
function centre(element: Element): void {
  element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
}
