import * as z from 'zod';
import { defineTool } from '../../call/tool.ts';
import { locateAttached } from '../../session/act/missing.ts';
import { pageCode } from '../../util/code.ts';
import {
  optionalTarget,
  optionalTargetShape,
  needsTarget,
  requiredTarget,
  targetShape,
} from '../lib/argument-shapes.ts';
import { actionWait } from '../lib/timeouts.ts';

const shared = { capabilities: ['devtools'], effect: 'read', scope: 'tab' } as const;

export const highlight = defineTool({
  ...shared,
  name: 'browser_highlight',
  title: 'Highlight an element',
  description: 'Draw a frame around an element, for a user who watches.',
  input: {
    ...targetShape,
    style: z.string().optional().describe('CSS of the frame, for example "outline: 2px dashed red"'),
  },
  check: needsTarget,
  run: async ({ tab, session, args, response, settings, signal }) => {
    const target = requiredTarget(args, session);
    const wait = { ...actionWait(settings, undefined), signal };
    const { locator, code, label } = await locateAttached(tab, target, await tab.observe(signal), wait);
    const options = args.style === undefined ? {} : { style: args.style };
    await locator.highlight(options);
    response.withoutPage();
    response.text(`Highlighted ${label}.`);
    response.ran(code.call('highlight', options));
  },
});

export const hideHighlight = defineTool({
  ...shared,
  name: 'browser_hide_highlight',
  title: 'Hide highlights',
  description: 'Remove the frame around an element, or all of them.',
  input: optionalTargetShape,
  run: async ({ tab, session, args, response, signal }) => {
    const target = optionalTarget(args, session);
    response.withoutPage();
    if (target === undefined) {
      await tab.page.hideHighlight();
      response.text('Removed all highlights.');
      response.ran(pageCode.call('hideHighlight'));
      return;
    }
    const { locator, code, label } = await tab.refs.locate(target, await tab.observe(signal), signal);
    await locator.hideHighlight();
    response.text(`Removed the highlight of ${label}.`);
    response.ran(code.call('hideHighlight'));
  },
});
