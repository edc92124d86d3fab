import * as z from 'zod';
import { defineTool } from '../../call/tool.ts';
import { ToolError } from '../../errors.ts';
import { checkedUrl } from '../../policy/urls.ts';
import { cut, pageUrl, plural } from '../../util/text.ts';
import { wholeWithin } from '../lib/argument-shapes.ts';
import { readSteps, stepsShape } from '../steps/read-steps.ts';
import { answerWithVisits } from './answer.ts';
import { visitAll } from './visit-all.ts';

const mostUrls = 50;
const mostAtOnce = 16;
const usualAtOnce = 4;
const isCount = (urls: readonly unknown[]): boolean => urls.length > 0 && urls.length <= mostUrls;

export const map = defineTool({
  name: 'browser_map',
  title: 'Run steps on many URLs',
  description:
    'Open up to 50 URLs, each in a new isolated session, and run the same steps on each, several at once. Get one result in the order of the URLs. The current page stays.',
  effect: 'steps',
  scope: 'session',
  positional: ['urls'],
  input: {
    urls: z.array(z.string()).refine(isCount, `must have 1 to ${mostUrls} URLs`).describe('The URLs to open'),
    steps: stepsShape.describe('Calls in order on each page, as in a batch'),
    concurrency: wholeWithin(1, mostAtOnce).optional().describe(`URLs at once, default ${usualAtOnce}`),
    shareState: z.boolean().optional().describe('Start with the cookies and storage of this session'),
    stopOnError: z.boolean().optional().describe('Stop the steps of a URL at its first error, default true'),
    filename: z.string().optional().describe('Save all results to this file'),
  },
  check: ({ urls }) => checkUrls(urls),
  run: async (call) => {
    const { args, session, sessions, response, settings, signal } = call;
    const { concurrency = usualAtOnce, shareState = false, stopOnError = true } = args;
    // New sessions have shown no refs.
    const steps = await readSteps(args.steps, call.prepareStep, { tabs: [] });
    const urls = args.urls.map((url) => checkedUrl(url, session.baseUrl, settings.allowUnrestrictedFileAccess));
    const navigations = await Promise.all(urls.map(async (url) => call.prepareStep('browser_navigate', { url })));
    const others = sessions.list().filter(({ name }) => name !== 'default').length;
    const left = sessions.maxSessions - others;
    if (left < 1) throw new ToolError('MAX_SESSIONS_REACHED', { limit: sessions.maxSessions });
    const storageState = shareState
      ? await session.storageState({ indexedDB: true, sessionStorage: true })
      : { cookies: [], origins: [] };
    signal.throwIfAborted();
    const visits = await visitAll(call, {
      urls,
      navigations,
      steps,
      stopOnError,
      atOnce: Math.min(concurrency, left, urls.length),
      options: { ...session.options, storageState },
    });
    if (concurrency > left && urls.length > left) {
      response.note(`${plural(left, 'session')} at once: the limit of ${sessions.maxSessions} leaves no more.`);
    }
    await answerWithVisits(call, session, visits, args.filename);
  },
});

/** Nothing is opened if one of the URLs cannot be. */
function checkUrls(urls: readonly string[]): void {
  const problems = urls.flatMap((url, place) => {
    try {
      checkedUrl(url, 'http://127.0.0.1', true);
      return [];
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      return [`URL ${place + 1} (${cut(pageUrl(url), 100)}): ${error.message}`];
    }
  });
  if (problems.length === 0) return;
  throw new ToolError('INVALID_ARGUMENT', { problems: [...problems, 'No URL was opened.'], accepted: ['urls'] });
}
