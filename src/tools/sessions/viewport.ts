import { defineTool } from '../../call/tool.ts';
import { pageCode } from '../../util/code.ts';
import { oneLine } from '../../util/text.ts';
import { actOnElement, actOnPage } from '../lib/act.ts';
import { labelOf, requiredTarget, side, targetShape, timeoutShape } from '../lib/argument-shapes.ts';

export const resize = defineTool({
  name: 'browser_resize',
  title: 'Resize',
  description: 'Resize the viewport.',
  toolsets: ['core', 'viewpoint'],
  effect: 'input',
  scope: 'tab',
  input: {
    width: side.describe('Pixels'),
    height: side.describe('Pixels'),
  },
  run: async (call) => {
    const { tab, args, response, settings } = call;
    const { width, height } = args;
    await actOnPage(call, async () => tab.page.setViewportSize({ width, height }), {
      failure: { what: 'Resizing' },
      loadMs: settings.timeouts.load,
    });
    response.text(`The viewport is ${width}x${height} now.`);
    response.ran(pageCode.call('setViewportSize', { width, height }));
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

/** Runs in the page. */
function centre(element: Element): void {
  element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
}
