import * as z from 'zod';
import { defineTool } from '../../call/tool.ts';
import { aimAt, given, hidden, optionalTarget, optionalTargetShape } from '../lib/argument-shapes.ts';

export const snapshot = defineTool({
  name: 'browser_snapshot',
  title: 'Page snapshot',
  description: 'Show the page as text with refs for actions. Better than a screenshot for acting.',
  toolsets: ['core', 'viewpoint'],
  effect: 'read',
  scope: 'tab',
  input: {
    ...optionalTargetShape,
    search: z.string().optional().describe('Only lines with this text'),
    cursor: z.string().optional().describe('Cursor from a "…" line'),
    depth: z.number().optional().describe('Levels to show'),
    interactiveOnly: z.boolean().optional().describe('Only interactive elements'),
    viewport: z.boolean().optional().describe('Only what is in the viewport'),
    allRefs: hidden(z.boolean().optional().describe('Show a ref on every line')),
    boxes: z.boolean().optional().describe('Show positions'),
    maxTokens: z.number().optional().describe('Token limit, default 6000'),
    filename: z.string().optional().describe('Save to this file'),
  },
  run: async ({ tab, session, args, response, settings, signal }) => {
    const { depth, boxes, cursor, search, interactiveOnly, viewport, allRefs, filename } = args;
    const target = optionalTarget(args, session);
    const timeoutMs = settings.timeouts.navigation;
    response.attempt({ what: 'The snapshot', url: tab.page.url(), timeoutMs, ...aimAt(target) });
    const located = target === undefined ? undefined : await tab.refs.locate(target, await tab.observe(signal), signal);
    // A missing element is waited for as long as in an action; the snapshot itself may take longer.
    await located?.locator.waitFor({ state: 'attached', timeout: settings.timeouts.action, signal });
    response.snapshot({
      mode: 'full',
      ...(located === undefined ? {} : { target: located.locator }),
      ...given({ depth, boxes, cursor, search, interactiveOnly, viewport, allRefs, filename }),
    });
  },
});
