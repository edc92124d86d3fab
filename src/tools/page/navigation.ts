import * as z from 'zod';
import type { Page, Route } from 'playwright-core';
import type { Response } from '../../call/answer/response.ts';
import { defineTool } from '../../call/tool.ts';
import type { Toolset } from '../../call/tool.ts';
import { ToolError } from '../../errors.ts';
import { readTiming } from '../../page/reads/metadata.ts';
import { checkedUrl, isFileUrl, isRelativeUrl } from '../../policy/urls.ts';
import { pageCode } from '../../util/code.ts';
import { isErrorPage } from '../../session/navigation/main-frame.ts';
import { leaveBy } from '../../session/navigation/navigate.ts';
import type { Opened } from '../../session/navigation/navigate.ts';
import type { Session } from '../../session/session.ts';
import type { Tab } from '../../session/tab.ts';
import { cut, oneLine, pageText } from '../../util/text.ts';
import { actOnPage } from '../lib/act.ts';
import { hidden, timeoutShape } from '../lib/argument-shapes.ts';

const timing = z.record(z.string(), z.number()).catch({});

export const navigate = defineTool({
  name: 'browser_navigate',
  title: 'Navigate',
  description: 'Open a URL in the current tab.',
  toolsets: ['core', 'viewpoint'],
  effect: 'navigate',
  scope: 'tab',
  replacesPage: true,
  input: {
    url: z.string().describe('URL'),
    waitUntil: hidden(
      z
        .enum(['load', 'domcontentloaded', 'networkidle', 'commit'])
        .optional()
        .describe('When the page counts as loaded'),
    ),
    ...timeoutShape,
  },
  // Relative and file URLs depend on the session and the configuration, and are checked when the call runs.
  check: ({ url }) => void (isRelativeUrl(url) || isFileUrl(url) || checkedUrl(url)),
  sentenceError: { doing: 'navigating', about: ['URL', 'url'] },
  run: async (call) => {
    const { tab, args, session, response, settings, signal } = call;
    const timeoutMs = args.timeout ?? settings.timeouts.navigation;
    const { waitUntil } = args;
    const url = checkedUrl(args.url, session.baseUrl, settings.allowUnrestrictedFileAccess);
    let opened: Opened = { is: 'page' };
    const outcome = await actOnPage(
      call,
      async (_before, { activity }) => {
        opened = await tab.open(url, {
          activity,
          signal,
          timeoutMs,
          ...(waitUntil === undefined ? {} : { waitUntil }),
        });
      },
      {
        failure: { what: 'The navigation', url, timeoutMs },
        loadMs: Math.min(timeoutMs === 0 ? Number.POSITIVE_INFINITY : timeoutMs, settings.timeouts.load),
        navigatedTo: () => undefined,
        facts: async ({ stillLoading }) => ({
          url: tab.page.url(),
          ...statusOf(opened, tab.status),
          title: tab.title,
          ...(opened.is === 'page' ? await loadFacts(tab.page, stillLoading, waitUntil) : {}),
        }),
      },
    );
    response.sentence(navigatedSentence(opened, { given: args.url.trim(), url, page: tab.page }));
    const title = outcome.state?.title ?? '';
    if (title !== '') response.sentence(`Title: ${cut(pageText(title), 200)}`);
    if (opened.is === 'page' && tab.page.url() !== url) response.sentence(`Redirected to ${shortUrl(tab.page.url())}`);
    if (opened.is === 'page') response.tellsPlace(tab.page.url());
    if (outcome.stillLoading && !outcome.isStopped && waitUntil === undefined) {
      response.sentence('loadState: domcontentloaded');
      response.aside('The page is still loading.');
    }
    await noteDownloadedPdf(opened, session, tab, response);
    response.ran(pageCode.call('goto', url));
  },
});

function navigatedSentence(opened: Opened, { given, url, page }: Navigated): string {
  // The URL as given, unless it had to be completed.
  if (opened.is === 'page') return `Successfully navigated to ${shortUrl(/^[a-z]+:/i.test(given) ? given : url)}`;
  const stays = `the tab stays ${isErrorPage(page) ? 'as it was' : `at ${shortUrl(page.url())}`}`;
  if (opened.is === 'download') return `The URL is a download; ${stays}`;
  return `The server answered without a page (HTTP status ${opened.status}); ${stays}`;
}

/** Browsers without a viewer download a PDF: it is what the caller wanted to read. */
async function noteDownloadedPdf({ is }: Opened, session: Session, tab: Tab, response: Response): Promise<void> {
  if (is !== 'download') return;
  const files = await session.newFiles();
  const pdf = files.findLast(({ mimeType, page }) => mimeType === 'application/pdf' && page === tab.id);
  tab.downloadedPdf = pdf?.uri;
  if (pdf !== undefined) response.note(`Its text can be read: it is the PDF ${pdf.uri}`);
}

interface Navigated {
  readonly given: string;
  /** Completed and checked. */
  readonly url: string;
  readonly page: Page;
}

function shortUrl(url: string): string {
  return cut(oneLine(url), 500);
}

/** The status of the response, even if the previous document stays. */
function statusOf(opened: Opened, status: number | undefined): { readonly status?: number } {
  if (opened.is === 'nothing') return { status: opened.status };
  return opened.is === 'download' || status === undefined ? {} : { status };
}

async function loadFacts(page: Page, stillLoading: boolean, waitUntil: string | undefined) {
  return {
    loadState: stillLoading ? 'domcontentloaded' : (waitUntil ?? 'load'),
    timing: timing.parse(await page.evaluate(readTiming).catch(() => ({}))),
  };
}

interface HistorySpec<N extends string> {
  readonly name: N;
  readonly direction: 'back' | 'forward';
  readonly description: string;
  readonly toolsets?: readonly Toolset[];
}

function historyTool<const N extends string>({ name, direction, description, toolsets = [] }: HistorySpec<N>) {
  const method = direction === 'back' ? 'goBack' : 'goForward';
  return defineTool({
    name,
    title: `Go ${direction}`,
    description,
    toolsets,
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
        {
          failure: { what: `Going ${direction}`, url, timeoutMs: timeout },
          loadMs: settings.timeouts.load,
          navigatedTo: () => tab.page.url(),
        },
      );
      if (outcome.isGivenUp === true) throw new ToolError('NAVIGATION_TIMEOUT', { url, timeout });
      response.ran(pageCode.call(method));
    },
  });
}

export const navigateBack = historyTool({
  name: 'browser_navigate_back',
  direction: 'back',
  description: 'Go back in the history of the tab.',
  toolsets: ['core', 'viewpoint'],
});

export const navigateForward = historyTool({
  name: 'browser_navigate_forward',
  direction: 'forward',
  description: 'Go forward in the history of the tab.',
});

export const reload = defineTool({
  name: 'browser_reload',
  title: 'Reload',
  description: 'Reload the page.',
  effect: 'navigate',
  scope: 'tab',
  input: {
    ignoreCache: hidden(z.boolean().optional().describe('Bypass the cache')),
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

/** Playwright disables the cache while a route is set, in every browser; so a route that passes everything is enough. */
async function withoutCache(page: Page, run: () => Promise<unknown>): Promise<void> {
  const pass = async (route: Route): Promise<void> => route.fallback();
  await page.route('**/*', pass);
  try {
    await run();
  } finally {
    await page.unroute('**/*', pass);
  }
}
