import * as z from 'zod';
import { defineTool } from '../../call/tool.ts';
import { locateAttached } from '../../session/act/missing.ts';
import { snapshotLimitMs } from '../../session/timing.ts';
import { aimAt, given, hidden, optionalTarget, optionalTargetShape } from '../lib/argument-shapes.ts';
import { actionWait } from '../lib/timeouts.ts';

export const snapshot = defineTool({
  name: 'browser_snapshot',
  title: 'Page snapshot',
  description: 'Show the page as text with refs; better than a screenshot for acting.',
  toolsets: ['core', 'viewpoint'],
  effect: 'read',
  scope: 'tab',
  limitMs: snapshotLimitMs,
  positional: ['ref'],
  input: {
    ...optionalTargetShape,
    search: z.string().optional().describe('Only lines with this text'),
    cursor: z.string().optional().describe('Cursor from a "…" line'),
    depth: z.number().optional().describe('Levels to show'),
    interactiveOnly: z.boolean().optional().describe('Only interactive elements'),
    viewport: z.boolean().optional().describe('Only the viewport'),
    allRefs: hidden(z.boolean().optional().describe('Show a ref on every line')),
    urls: hidden(z.boolean().optional().describe('Show the targets of all links')),
    boxes: z.boolean().optional().describe('Show positions'),
    maxTokens: z.number().optional().describe('Token limit, default 6000'),
    filename: z.string().optional().describe('Save to this file'),
  },
  run: async ({ tab, session, args, response, settings, signal }) => {
    const { depth, boxes, cursor, search, interactiveOnly, viewport, allRefs, urls, filename } = args;
    const target = optionalTarget(args, session);
    const timeoutMs = settings.timeouts.navigation;
    response.attempt({ what: 'The snapshot', url: tab.page.url(), timeoutMs, ...aimAt(target) });
    // A missing element is waited for as long as in an action; the snapshot itself may take longer.
    const wait = { ...actionWait(settings, undefined), signal };
    const located = target && (await locateAttached(tab, target, await tab.observe(signal), wait));
    response.snapshot({
      mode: 'full',
      ...(located === undefined ? {} : { target: located.locator }),
      ...given({ depth, boxes, cursor, search, interactiveOnly, viewport, allRefs, urls, filename }),
    });
  },
});
