import * as z from 'zod';
import type { Page, Route } from 'playwright-core';
import { defineTool } from '../call/tool.ts';
import { ToolError } from '../errors.ts';
import { leaveBy } from '../session/navigation/navigate.ts';
import { pageCode } from '../util/code.ts';
import { actOnPage } from './acting.ts';
import { hidden, timeoutShape } from './lib/argument-shapes.ts';

function historyTool<const N extends string>(name: N, direction: 'back' | 'forward', description: string) {
  const method = direction === 'back' ? 'goBack' : 'goForward';
  return defineTool({
    name,
    title: `Go ${direction}`,
    description,
    effect: 'navigate',
    scope: 'tab',
    input: { ...timeoutShape },
    run: async (call) => {
      const { tab, args, response, settings, signal } = call;
      const timeout = args.timeout ?? settings.timeouts.navigation;
      const url = tab.page.url();
      const outcome = await actOnPage(
        call,
        async (_before, { activity }) => {
          const answer = await leaveBy(activity, signal, async (until) =>
            tab.page[method]({ timeout, signal: until, waitUntil: 'domcontentloaded' }),
          );
          if (answer === null && tab.page.url() === url) throw new ToolError('NO_HISTORY', { direction });
        },
        { failure: { what: `Going ${direction}`, url, timeoutMs: timeout }, loadMs: settings.timeouts.load },
      );
      if (outcome.isGivenUp === true) throw new ToolError('NAVIGATION_TIMEOUT', { url, timeout });
      response.outcome({ ...outcome, navigatedTo: tab.page.url() });
      response.ran(pageCode.call(method));
    },
  });
}

export const navigateBack = historyTool('browser_navigate_back', 'back', 'Go back in the history of the tab.');

export const navigateForward = historyTool(
  'browser_navigate_forward',
  'forward',
  'Go forward to the next page in the history of the tab.',
);

export const reload = defineTool({
  name: 'browser_reload',
  title: 'Reload',
  description: 'Load the page again.',
  effect: 'navigate',
  scope: 'tab',
  input: {
    ignoreCache: hidden(z.boolean().optional().describe('Ask the server for everything again')),
    ...timeoutShape,
  },
  run: async (call) => {
    const { tab, args, response, settings, signal } = call;
    const timeout = args.timeout ?? settings.timeouts.navigation;
    await actOnPage(
      call,
      async (_before, { activity }) => {
        const again = async (): Promise<unknown> =>
          leaveBy(activity, signal, async (until) =>
            tab.page.reload({ timeout, signal: until, waitUntil: 'domcontentloaded' }),
          );
        await (args.ignoreCache === true ? withoutCache(tab.page, again) : again());
      },
      { failure: { what: 'Reloading', url: tab.page.url(), timeoutMs: timeout }, loadMs: settings.timeouts.load },
    );
    response.text('Reloaded the page.');
    response.ran(pageCode.call('reload'));
  },
});

/** Playwright turns the cache off while it routes: a route that lets everything pass is all it takes, in any browser. */
async function withoutCache(page: Page, run: () => Promise<unknown>): Promise<void> {
  const pass = async (route: Route): Promise<void> => route.fallback();
  await page.route('**/*', pass);
  try {
    await run();
  } finally {
    await page.unroute('**/*', pass);
  }
}
