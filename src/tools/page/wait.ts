import * as z from 'zod';
import type { Page } from 'playwright-core';
import { defineTool } from '../../call/tool.ts';
import { ToolError } from '../../errors.ts';
import { pause } from '../../util/signals.ts';
import { pageCode } from '../../util/code.ts';
import type { Code } from '../../util/code.ts';
import { quoted } from '../../util/text.ts';
import { actOnPage } from '../lib/act.ts';
import { timeoutShape } from '../lib/argument-shapes.ts';

const longestSeconds = 30;

export const waitFor = defineTool({
  name: 'browser_wait_for',
  title: 'Wait',
  description: 'Wait for text to appear or disappear, or for a time. Actions already wait for their effects.',
  toolsets: ['core', 'viewpoint'],
  effect: 'read',
  scope: 'tab',
  input: {
    text: z.string().optional().describe('Text to wait for'),
    textGone: z.string().optional().describe('Text that must disappear'),
    time: z.number().optional().describe('Seconds, at most 30'),
    ...timeoutShape,
  },
  run: async (call) => {
    const { tab, args, response, settings, signal } = call;
    const { text, textGone, time } = args;
    if (text === undefined && textGone === undefined && time === undefined) {
      const problems = ['Give text, textGone or time.'];
      throw new ToolError('MISSING_PARAMETER', { problems, accepted: ['text', 'textGone', 'time'] });
    }
    const timeoutMs = args.timeout ?? settings.session.defaultTimeout;
    const seconds = Math.min(Math.max(0, time ?? 0), longestSeconds);
    const what = text === undefined ? `Waiting until ${quoted(textGone ?? '')} is gone` : `Waiting for ${quoted(text)}`;
    let isOver = false;
    await actOnPage(
      call,
      async () => {
        if (time !== undefined) await pause(seconds * 1000, signal);
        if (textGone !== undefined) await untilShown(tab.page, textGone, false, timeoutMs, signal);
        if (text !== undefined) await untilShown(tab.page, text, true, timeoutMs, signal);
        isOver = true;
      },
      { failure: { what, timeoutMs }, loadMs: settings.timeouts.load, isDirect: true, isPassive: true },
    );
    if (!isOver) return response.text('The wait was interrupted.');
    if (time !== undefined) {
      response.text(`Waited ${seconds} seconds${time > longestSeconds ? `, the maximum` : ''}.`);
      response.ran(pageCode.call('waitForTimeout', seconds * 1000));
    }
    if (textGone !== undefined) {
      response.text(`The text ${JSON.stringify(textGone)} is gone.`);
      response.ran(firstWith(textGone).call('waitFor', { state: 'hidden' }));
    }
    if (text !== undefined) {
      response.text(`The text ${JSON.stringify(text)} is there.`);
      response.ran(firstWith(text).call('waitFor'));
    }
  },
});

function firstWith(text: string): Code {
  return pageCode.call('getByText', text).call('first');
}

export const waitForLoad = defineTool({
  name: 'wait_for_load',
  title: 'Wait for load',
  description: 'Wait until the page has loaded.',
  toolsets: ['design'],
  effect: 'read',
  scope: 'tab',
  answer: 'data',
  input: {
    state: z.enum(['load', 'domcontentloaded', 'networkidle']).optional().describe('Load state, default load'),
    ...timeoutShape,
  },
  run: async ({ tab, args, response, settings, signal }) => {
    const { state = 'load', timeout = settings.session.defaultTimeout } = args;
    response.attempt({ what: `Waiting for ${state}`, url: tab.page.url(), timeoutMs: timeout });
    await tab.page.waitForLoadState(state, { timeout, signal });
    response.facts(async () => ({ state, url: tab.page.url(), title: (await tab.state(signal))?.title ?? tab.title }));
  },
});

/** Whether any frame shows the text; to wait until it is gone, all frames are checked. */
async function untilShown(
  page: Page,
  text: string,
  isShown: boolean,
  timeout: number,
  signal: AbortSignal,
): Promise<void> {
  const waits = page.frames().map(async (frame) => {
    // A frame may show the text many times; some may be hidden copies.
    const matches = frame.getByText(text);
    const wanted = isShown ? matches.filter({ visible: true }).first() : matches.filter({ visible: true });
    await wanted.first().waitFor({ state: isShown ? 'visible' : 'hidden', timeout, signal });
  });
  if (!isShown) {
    await Promise.all(waits);
    return;
  }
  try {
    await Promise.any(waits);
  } catch (error) {
    throw error instanceof AggregateError ? error.errors[0] : error;
  }
}
