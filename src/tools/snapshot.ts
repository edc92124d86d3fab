import { z } from 'zod';
import { defineTool } from '../call/tool.ts';
import { optionalTarget, optionalTargetShape } from './shapes.ts';

export const snapshot = defineTool({
  name: 'browser_snapshot',
  title: 'Page snapshot',
  description: 'Show the page as text: what is on it and the refs to act on. Better than a screenshot for acting.',
  effect: 'read',
  scope: 'tab',
  input: {
    ...optionalTargetShape,
    depth: z.number().optional().describe('How deep to go'),
    boxes: z.boolean().optional().describe('Add positions'),
    filename: z.string().optional().describe('Save to this file instead of answering with it'),
  },
  run: async ({ tab, session, args, response, signal }) => {
    const target = optionalTarget(args, session.name);
    const located = target === undefined ? undefined : await tab.locate(target, await tab.state(signal));
    response.snapshot({
      mode: 'full',
      ...(located === undefined ? {} : { target: located.locator }),
      ...(args.depth === undefined ? {} : { depth: args.depth }),
      ...(args.boxes === undefined ? {} : { boxes: args.boxes }),
      ...(args.filename === undefined ? {} : { filename: args.filename }),
    });
  },
});
