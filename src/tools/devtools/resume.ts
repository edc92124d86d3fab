import type { Debugger } from 'playwright-core';
import * as z from 'zod';
import { defineTool } from '../../call/tool.ts';
import { ToolError } from '../../errors.ts';
import { raceSignal } from '../../util/signals.ts';
import { cut, oneLine } from '../../util/text.ts';

export const resume = defineTool({
  name: 'browser_resume',
  title: 'Resume a paused script',
  description: 'Resume a Playwright script that is paused in this browser, and wait until it pauses again.',
  capabilities: ['devtools'],
  effect: 'manage',
  scope: 'session',
  input: {
    step: z.boolean().optional().describe('Pause before the next action'),
    location: z.string().optional().describe('Pause at this <file>:<line>'),
  },
  run: async ({ session, args, response, signal }) => {
    const { debugger: script } = await session.openContext(signal);
    if (script.pausedDetails() === null) throw new ToolError('NOT_PAUSED', {});
    const paused = nextPause(script);
    if (args.location !== undefined) await script.runTo(locationIn(args.location));
    else await (args.step === true ? script.next() : script.resume());
    await raceSignal(paused, signal);
    response.withoutPage();
    const details = script.pausedDetails();
    const place = details === null ? '' : ` at ${oneLine(details.location.file)}:${details.location.line ?? '?'}`;
    response.text(`Paused${place}.`);
  },
});

async function nextPause(script: Debugger): Promise<void> {
  await new Promise<void>((resolve) => {
    const listener = (): void => {
      if (script.pausedDetails() === null) return;
      script.off('pausedstatechanged', listener);
      resolve();
    };
    script.on('pausedstatechanged', listener);
  });
}

function locationIn(text: string): { readonly file: string; readonly line?: number } {
  const colon = text.lastIndexOf(':');
  if (colon <= 1) return { file: text };
  const line = Number(text.slice(colon + 1));
  if (Number.isInteger(line)) return { file: text.slice(0, colon), line };
  const problems = [`The location ${JSON.stringify(cut(text, 100))} is not <file>:<line>.`];
  throw new ToolError('INVALID_ARGUMENT', { problems, accepted: ['step', 'location'] });
}
