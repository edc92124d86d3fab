import * as z from 'zod';
import { defineTool } from '../call/tool.ts';
import { pageCode } from '../util/code.ts';
import { noTabs } from './tabs.ts';

export const close = defineTool({
  name: 'browser_close',
  title: 'Close page',
  description: 'Close the current page.',
  effect: 'manage',
  scope: 'session',
  input: { all: z.boolean().optional().describe('Close all pages') },
  run: async ({ args, session, response, settings }) => {
    const isAll = args.all ?? settings.compat === 'playwright';
    const closing = isAll ? [...session.tabs] : session.current === undefined ? [] : [session.current];
    for (const tab of closing) await session.closeTab(tab);
    response.text(closing.length === 1 ? 'Closed the page.' : `Closed ${closing.length} pages.`);
    if (session.current === undefined) response.text(noTabs);
    if (closing.length > 0) response.ran(pageCode.call('close'));
  },
});
