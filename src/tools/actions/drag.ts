import * as z from 'zod';
import { defineTool } from '../../call/tool.ts';
import { toToolError } from '../../browser/failure.ts';
import type { FailureContext } from '../../browser/failure.ts';
import { ToolError } from '../../errors.ts';
import type { Located } from '../../session/snapshot/target.ts';
import { oneLine } from '../../util/text.ts';
import { actOnPage } from '../lib/act.ts';
import { readTarget } from '../lib/read-target.ts';
import { aimAt, timeoutShape } from '../lib/argument-shapes.ts';

export const drag = defineTool({
  name: 'browser_drag',
  title: 'Drag and drop',
  description: 'Drag one element onto another.',
  toolsets: ['core', 'viewpoint'],
  effect: 'input',
  scope: 'tab',
  input: {
    startElement: z.string().optional().describe('Dragged element'),
    startRef: z.string().describe('Its ref or selector'),
    endElement: z.string().optional().describe('Drop target'),
    endRef: z.string().describe('Its ref or selector'),
    ...timeoutShape,
  },
  synonyms: { startTarget: 'startRef', endTarget: 'endRef', source: 'startRef', target: 'endRef' },
  run: async (call) => {
    const { tab, args, session, response, settings, signal } = call;
    const timeout = args.timeout ?? settings.timeouts.action;
    const [from, to] = [readTarget(args.startRef, session), readTarget(args.endRef, session)];
    let ends: readonly [Located, Located] | undefined;
    await actOnPage(
      call,
      async (before) => {
        ends = [await tab.refs.locate(from, before, signal), await tab.refs.locate(to, before, signal)];
        // Playwright's error for a missing drop target looks like one for the source.
        for (const [located, target] of [
          [ends[0], from],
          [ends[1], to],
        ] as const)
          await untilAttached(located, { what: 'Dragging', timeoutMs: timeout, ...aimAt(target) }, signal);
        await ends[0].locator.dragTo(ends[1].locator, { timeout, signal });
      },
      { failure: { what: 'Dragging', target: args.startRef, timeoutMs: timeout }, loadMs: settings.timeouts.load },
    );
    if (ends === undefined) throw new ToolError('INTERNAL_ERROR', { reason: 'nothing was dragged' });
    const [start, end] = ends;
    response.text(`Dragged ${oneLine(args.startElement ?? start.label)} to ${oneLine(args.endElement ?? end.label)}.`);
    response.ran(start.code.call('dragTo', end.code));
  },
});

async function untilAttached({ locator }: Located, failure: FailureContext, signal: AbortSignal): Promise<void> {
  try {
    await locator.waitFor({ state: 'attached', timeout: failure.timeoutMs ?? 0, signal });
  } catch (error) {
    signal.throwIfAborted();
    throw toToolError(error, { url: locator.page().url(), ...failure });
  }
}
