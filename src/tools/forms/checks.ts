import type { z } from 'zod';
import { defineTool } from '../../call/tool.ts';
import { oneLine } from '../../util/text.ts';
import { actOnElement } from '../lib/act.ts';
import { actionWait } from '../lib/timeouts.ts';
import { setBox } from './boxes.ts';
import { labelOf, needsTarget, requiredTarget, targetShape, timeoutShape } from '../lib/argument-shapes.ts';

const input = { ...targetShape, ...timeoutShape } satisfies z.ZodRawShape;

function checkTool<const N extends string>(name: N, isOn: boolean) {
  const verb = isOn ? 'Check' : 'Uncheck';
  return defineTool({
    name,
    title: `${verb} a box`,
    description: `${verb} a checkbox, or a radio button.`,
    effect: 'input',
    scope: 'tab',
    input,
    check: needsTarget,
    run: async (call) => {
      const { args, session, response, settings } = call;
      const { timeout, waitsFully } = actionWait(settings, args.timeout);
      const { located } = await actOnElement(call, {
        target: requiredTarget(args, session),
        fast: { do: 'check', isOn },
        fallback: async (box, signal) => setBox(box, isOn, { timeout, signal }),
        failure: { what: `${verb}ing`, timeoutMs: timeout },
        waitsFully,
        loadMs: settings.timeouts.load,
        isDirect: true,
      });
      response.text(`${verb}ed ${oneLine(labelOf(args, located.label))}.`);
      response.ran(located.code.call(isOn ? 'check' : 'uncheck'));
    },
  });
}

export const check = checkTool('browser_check', true);
export const uncheck = checkTool('browser_uncheck', false);
