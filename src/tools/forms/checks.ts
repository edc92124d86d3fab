import type { z } from 'zod';
import { defineTool } from '../../call/tool.ts';
import { oneLine } from '../../util/text.ts';
import { actOnElement } from '../acting.ts';
import { setBox } from './boxes.ts';
import { quickCheck } from '../quick.ts';
import { labelOf, requiredTarget, targetShape, timeoutShape } from '../lib/argument-shapes.ts';

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
    run: async (call) => {
      const { args, session, response, settings } = call;
      const timeout = args.timeout ?? settings.timeouts.action;
      const target = requiredTarget(args, session);
      const { located } = await actOnElement(
        call,
        target,
        async (box, signal) => setBox(box, isOn, { timeout, signal }),
        {
          failure: { what: `${verb}ing`, timeoutMs: timeout },
          loadMs: settings.timeouts.load,
          isDirect: true,
          quick: quickCheck(call.tab, target, isOn, timeout),
        },
      );
      response.text(`${verb}ed ${oneLine(labelOf(args, located.label))}.`);
      response.ran(located.code.call(isOn ? 'check' : 'uncheck'));
    },
  });
}

export const check = checkTool('browser_check', true);
export const uncheck = checkTool('browser_uncheck', false);
