import * as z from 'zod';
import { defineTool } from '../../call/tool.ts';
import type { CallContext } from '../../call/tool.ts';
import type { Session } from '../../session/session.ts';
import { readSteps, stepsShape } from './read-steps.ts';
import { runSteps } from './run-steps.ts';
import type { StepsRun } from './run-steps.ts';

export const batch = defineTool({
  name: 'browser_batch',
  title: 'Batch',
  description:
    'Run up to 20 tools in one call and see the page once, at the end. Name elements not shown yet by role and name: button "Save". {{1.refs.0}} in args is a value of step 1.',
  toolsets: ['core'],
  effect: 'steps',
  scope: 'session',
  input: {
    steps: stepsShape.describe('Calls in order'),
    stopOnError: z.boolean().optional().describe('Default true'),
  },
  run: async (call) => {
    const { args, session, response } = call;
    const { stopOnError = true } = args;
    const steps = await readSteps(args.steps, call.prepareStep, session);
    const ran = await runSteps(steps, call, session, {
      stopOnError,
      isErrorShown: stopOnError,
      maxTokens: call.maxTokens,
    });
    show(call, session, ran);
    const { failed, count } = ran;
    if (failed === undefined || (!stopOnError && count > 0)) return;
    const { number, tool, error } = failed;
    const details = { ...error.details, step: number, steps: [...response.done] };
    response.fail({ ...error, message: `Step ${number} (${tool}): ${error.message}`, details });
  },
});

/** Puts what the steps returned into the answer, and the page after them. */
function show({ response }: CallContext, session: Session, { lines, ends, hasChanged }: StepsRun): void {
  for (const line of lines) response.text(line);
  for (const { report, code = [] } of ends) {
    code.forEach((each) => response.ran(each));
    report?.images.forEach((image) => response.image(image));
    report?.files?.forEach((file) => response.file(file));
  }
  if (ends.some(({ report }) => report?.isForeign === true || report?.snapshot !== undefined)) response.foreign();
  if (hasChanged && session.current !== undefined) response.snapshot({ mode: 'changes' });
}
