import * as z from 'zod';
import { defineTool } from '../../call/tool.ts';
import { ToolError } from '../../errors.ts';
import { dragByHand } from '../../session/act/drag.ts';
import type { Dragged } from '../../session/act/drag.ts';
import { untilAttached } from '../../session/act/missing.ts';
import type { Located, Target } from '../../session/snapshot/target.ts';
import { pageCode } from '../../util/code.ts';
import type { Code } from '../../util/code.ts';
import { oneLine } from '../../util/text.ts';
import { actOnPage } from '../lib/act.ts';
import { readTarget } from '../lib/read-target.ts';
import { given, hidden, hold, timeoutShape, within } from '../lib/argument-shapes.ts';
import { actionWait } from '../lib/timeouts.ts';

const pixels = within(-100_000, 100_000);

export const drag = defineTool({
  name: 'browser_drag',
  title: 'Drag',
  description: 'Drag one element onto another.',
  toolsets: ['core', 'viewpoint'],
  effect: 'input',
  scope: 'tab',
  positional: ['startRef', 'endRef'],
  input: {
    startElement: hidden(z.string().optional().describe('Dragged element')),
    startRef: z.string().describe('Ref or selector'),
    endElement: hidden(z.string().optional().describe('Drop target')),
    endRef: z.string().optional().describe('Drop target'),
    position: z.enum(['before', 'after']).optional().describe('Drop before or after it'),
    x: pixels.optional().describe('Point in it, or distance without endRef'),
    y: pixels.optional().describe('Same'),
    startX: pixels.optional().describe('Point to grab'),
    startY: pixels.optional().describe('Same'),
    hold: hidden(hold.optional().describe('Milliseconds to hold before moving')),
    ...timeoutShape,
  },
  synonyms: { startTarget: 'startRef', endTarget: 'endRef', source: 'startRef', target: 'endRef' },
  check: checkGoal,
  run: async (call) => {
    const { tab, args, session, response, settings, signal } = call;
    const { timeout, waitsFully } = actionWait(settings, args.timeout);
    const from = readTarget(args.startRef, session);
    const to = args.endRef === undefined ? undefined : readTarget(args.endRef, session);
    let done: { readonly start: Located; readonly end: Located | undefined; readonly points: Dragged } | undefined;
    await actOnPage(
      call,
      async (before) => {
        const locate = async (target: Target): Promise<Located> => {
          const located = await tab.refs.locate(target, before, signal);
          // Without this, an error for a missing drop target would name the source.
          await untilAttached(tab, target, located.locator, { timeout, waitsFully, signal });
          return located;
        };
        const start = await locate(from);
        const end = to === undefined ? undefined : await locate(to);
        const points = await dragByHand(tab.page, {
          from: start.locator,
          to: end?.locator,
          grip: pointOf(args.startX, args.startY),
          at: pointOf(args.x, args.y),
          position: args.position,
          holdMs: args.hold ?? 0,
          timeout,
          signal,
        });
        done = { start, end, points };
      },
      { failure: { what: 'Dragging', target: args.startRef, timeoutMs: timeout }, loadMs: settings.timeouts.load },
    );
    if (done === undefined) throw new ToolError('INTERNAL_ERROR', { reason: 'nothing was dragged' });
    const { start, end } = done;
    const goal =
      end === undefined
        ? `by ${args.x ?? 0},${args.y ?? 0} pixels`
        : `${args.position ?? 'to'} ${oneLine(args.endElement ?? end.label)}`;
    response.text(`Dragged ${oneLine(args.startElement ?? start.label)} ${goal}.`);
    for (const code of codeOf(args, done)) response.ran(code);
  },
});

interface Goal {
  readonly endRef?: string | undefined;
  readonly position?: 'before' | 'after' | undefined;
  readonly x?: number | undefined;
  readonly y?: number | undefined;
}

function checkGoal({ endRef, position, x, y }: Goal): void {
  const hasPoint = x !== undefined || y !== undefined;
  const accepted = ['endRef', 'position', 'x', 'y'];
  if (endRef === undefined && !hasPoint)
    throw new ToolError('MISSING_PARAMETER', {
      problems: [
        'Missing argument "endRef", or a distance as x and y.',
        `Accepted arguments: startRef, ${accepted.join(', ')}.`,
      ],
      accepted,
    });
  if (position === undefined || (endRef !== undefined && !hasPoint)) return;
  const problems = [endRef === undefined ? 'position needs endRef.' : 'Give either position, or x and y, not both.'];
  throw new ToolError('INVALID_ARGUMENT', { problems, accepted });
}

function pointOf(x: number | undefined, y: number | undefined): Dragged['start'] | undefined {
  return x === undefined && y === undefined ? undefined : { x: x ?? 0, y: y ?? 0 };
}

/** A drag onto an element as one call; any other one by its mouse events. */
function codeOf(
  {
    position,
    x,
    y,
    startX,
    startY,
  }: Goal & { readonly startX?: number | undefined; readonly startY?: number | undefined },
  { start, end, points }: { readonly start: Located; readonly end: Located | undefined; readonly points: Dragged },
): readonly Code[] {
  if (end !== undefined && position === undefined) {
    const [sourcePosition, targetPosition] = [pointOf(startX, startY), pointOf(x, y)];
    const options = given({
      sourcePosition: sourcePosition && { ...sourcePosition },
      targetPosition: targetPosition && { ...targetPosition },
    });
    return [start.code.call('dragTo', end.code, options)];
  }
  const mouse = pageCode.get('mouse');
  const [from, to] = [points.start, points.end];
  return [
    mouse.call('move', Math.round(from.x), Math.round(from.y)),
    mouse.call('down'),
    mouse.call('move', Math.round(to.x), Math.round(to.y), { steps: 10 }),
    mouse.call('up'),
  ];
}
