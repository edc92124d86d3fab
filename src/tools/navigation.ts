import * as z from 'zod';
import { defineTool } from '../call/tool.ts';
import { readTiming } from '../page/reads/metadata.ts';
import { checkedUrl, isFileUrl, isRelativeUrl } from '../policy/urls.ts';
import { pageCode } from '../util/code.ts';
import { isErrorPage } from '../session/navigation/address.ts';
import type { Opened } from '../session/navigation/navigate.ts';
import { cut, oneLine } from '../util/text.ts';
import { actOnPage } from './acting.ts';
import { hidden, timeoutShape } from './lib/argument-shapes.ts';

const timing = z.record(z.string(), z.number()).catch({});

export const navigate = defineTool({
  name: 'browser_navigate',
  title: 'Navigate',
  description: 'Open a URL in the current tab.',
  effect: 'navigate',
  scope: 'tab',
  replacesPage: true,
  input: {
    url: z.string().describe('The URL to open'),
    waitUntil: hidden(
      z
        .enum(['load', 'domcontentloaded', 'networkidle', 'commit'])
        .optional()
        .describe('When the page counts as loaded'),
    ),
    ...timeoutShape,
  },
  // What a relative one means is known to the session only, and whether files are opened to the server.
  check: ({ url }) => void (isRelativeUrl(url) || isFileUrl(url) || checkedUrl(url)),
  complaint: { doing: 'navigating', about: ['URL', 'url'] },
  run: async (call) => {
    const { tab, args, session, response, settings, signal } = call;
    const timeoutMs = args.timeout ?? settings.timeouts.navigation;
    const { waitUntil } = args;
    const url = checkedUrl(args.url, session.baseUrl, settings.allowUnrestrictedFileAccess);
    let opened: Opened = 'page';
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
      { failure: { what: 'The navigation', url, timeoutMs }, loadMs: settings.timeouts.load },
    );
    response.outcome({ ...outcome, navigatedTo: undefined });
    // As it was given, unless it had to be completed or led elsewhere.
    const isAsGiven = tab.page.url() === url && /^[a-z]+:\/\//i.test(args.url.trim());
    const shown = isAsGiven ? args.url.trim() : tab.page.url();
    const place = isErrorPage(tab.page) ? 'as it was' : `at ${cut(oneLine(tab.page.url()), 500)}`;
    const stays = `the tab stays ${place}`;
    const sentences = {
      page: `Successfully navigated to ${cut(oneLine(shown), 500)}`,
      download: `The URL is a download; ${stays}`,
      nothing: `The server answered without a page (HTTP status ${tab.status ?? 204}); ${stays}`,
    };
    response.sentence(sentences[opened]);
    const title = outcome.state?.title ?? '';
    if (title !== '') response.sentence(`Title: ${cut(oneLine(title), 200)}`);
    if (outcome.stillLoading && !outcome.isStopped && waitUntil === undefined)
      response.sentence('loadState: domcontentloaded');
    response.facts(async () => ({
      url: tab.page.url(),
      ...(tab.status === undefined ? {} : { status: tab.status }),
      title: tab.title,
      loadState: outcome.stillLoading ? 'domcontentloaded' : (waitUntil ?? 'load'),
      timing: timing.parse(await tab.page.evaluate(readTiming).catch(() => ({}))),
    }));
    response.ran(pageCode.call('goto', url));
  },
});
