import * as z from 'zod';
import { tabReports } from '../../call/answer/collect.ts';
import { tabLine } from '../../call/answer/render-text.ts';
import type { Response } from '../../call/answer/response.ts';
import { defineTool } from '../../call/tool.ts';
import { checkedUrl, isFileUrl, isRelativeUrl } from '../../policy/urls.ts';
import type { Session } from '../../session/session.ts';
import type { Tab } from '../../session/tab.ts';
import { ToolError } from '../../errors.ts';
import { pageCode } from '../../util/code.ts';
import { actOnPage } from '../lib/act.ts';
import { hidden } from '../lib/argument-shapes.ts';

const noTabs = 'No open tabs. Navigate to a URL to create one.';

export const tabs = defineTool({
  name: 'browser_tabs',
  title: 'Tabs',
  description: 'List, open, close or select tabs.',
  toolsets: ['core', 'viewpoint'],
  effect: 'manage',
  scope: 'session',
  positional: ['action', 'index'],
  input: {
    action: z.enum(['list', 'new', 'close', 'select']).describe('Action'),
    index: z.number().optional().describe('Tab to close or select'),
    url: z.string().optional().describe('URL for a new tab'),
    tab: hidden(z.string().optional().describe('Tab id')),
  },
  check: ({ action, url }) => {
    if (action === 'new' && url !== undefined && !isRelativeUrl(url) && !isFileUrl(url)) checkedUrl(url);
  },
  run: async (call) => {
    const { args, session, response, settings, signal } = call;
    if (args.action === 'list') return list(session, response, signal);
    if (args.action === 'select') {
      session.select(chosen(session, args));
      response.snapshot({ mode: 'changes' });
      return undefined;
    }
    if (args.action === 'close') {
      const tab = chosen(session, args, session.current);
      const index = session.tabs.indexOf(tab);
      await session.closeTab(tab);
      if (session.current === undefined) {
        response.text(noTabs);
        return undefined;
      }
      response.text(`Closed tab ${index} (${tab.id}).`);
      response.snapshot({ mode: 'changes' });
      return undefined;
    }
    const before = session.current;
    const tab = await session.newTab(signal);
    response.text(`Opened tab ${session.tabs.indexOf(tab)} (${tab.id}).`);
    if (args.url === undefined) return undefined;
    try {
      const url = checkedUrl(args.url, session.baseUrl, settings.allowUnrestrictedFileAccess);
      const timeoutMs = settings.timeouts.navigation;
      const failure = { what: 'The navigation', url, timeoutMs };
      await actOnPage(
        { ...call, tab },
        async (_before, { activity }) => tab.open(url, { activity, signal, timeoutMs }),
        {
          failure,
          loadMs: settings.timeouts.load,
        },
      );
    } catch (error) {
      // Without this, each failed attempt would leave an empty tab.
      await session.closeTab(tab);
      if (before !== undefined && session.tabs.includes(before)) session.select(before);
      throw error;
    }
    return undefined;
  },
});

export const close = defineTool({
  name: 'browser_close',
  title: 'Close page',
  description: 'Close the current page.',
  toolsets: ['core', 'viewpoint'],
  effect: 'manage',
  scope: 'session',
  input: { all: z.boolean().optional().describe('Close all pages') },
  run: async ({ args, session, response }) => {
    const closing = args.all === true ? [...session.tabs] : session.current === undefined ? [] : [session.current];
    for (const tab of closing) await session.closeTab(tab);
    response.text(closing.length === 1 ? 'Closed the page.' : `Closed ${closing.length} pages.`);
    if (session.current === undefined) response.text(noTabs);
    if (closing.length > 0) response.ran(pageCode.call('close'));
  },
});

async function list(session: Session, response: Response, signal: AbortSignal): Promise<void> {
  const reports = await tabReports(session, signal);
  response.withoutLook();
  response.data({ tabs: reports });
  if (reports.length === 0) response.text(noTabs);
  for (const report of reports) response.text(tabLine(report));
}

function chosen(
  session: Session,
  args: { readonly index?: number | undefined; readonly tab?: string | undefined },
  fallback?: Tab,
): Tab {
  const key = args.tab ?? args.index;
  if (key !== undefined) return session.tab(key);
  if (fallback !== undefined) return fallback;
  if (session.tabs.length === 0) throw new ToolError('TAB_NOT_FOUND', { tab: 'to act on', open: 0 });
  throw new ToolError('MISSING_PARAMETER', {
    problems: ['Missing argument "index": which tab.'],
    accepted: ['action', 'index', 'url'],
  });
}
