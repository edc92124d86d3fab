import * as z from 'zod';
import { defineTool } from '../../call/tool.ts';
import { ToolError } from '../../errors.ts';
import { checkedUrl } from '../../policy/urls.ts';
import { cut, oneLine, quoteBlock } from '../../util/text.ts';
import { actOnPage } from '../lib/act.ts';
import { timeoutShape } from '../lib/argument-shapes.ts';
import { plainJson, shownValue } from '../lib/scripts/script-value.ts';
import { runPageCall } from './page-calls.ts';

const mostLines = 50;
const longestLine = 500;

export const runCodeUnsafe = defineTool({
  name: 'browser_run_code_unsafe',
  title: 'Run Playwright code',
  description: 'Run a JavaScript function with Playwright’s page, for what no other tool does.',
  effect: 'code',
  scope: 'tab',
  runsServerCode: true,
  input: {
    code: z.string().describe('Function such as async (page) => { … }'),
    ...timeoutShape,
  },
  synonyms: { function: 'code', script: 'code' },
  run: async (call) => {
    const { tab, args, session, response, settings, signal } = call;
    const timeoutMs = args.timeout ?? settings.session.defaultTimeout;
    const deadline = AbortSignal.timeout(timeoutMs);
    const lines: string[] = [];
    const { runCode } = await import('./code-process.ts');
    const pageCalls = {
      page: tab.page,
      // Rules for domains are enforced by the egress proxy.
      checkUrl: (url: string) => checkedUrl(url, tab.page.url()),
      filesFor: async (paths: readonly string[]) => {
        if (!settings.security.enableFileUpload) throw new Error('File uploads are disabled on this server.');
        return Promise.all(
          paths.map(async (path) => session.files.uploads.add((await session.workspace.uploadable(path)).path)),
        );
      },
    };
    const handlers = {
      call: async (path: Parameters<typeof runPageCall>[1]) => runPageCall(pageCalls, path),
      log: (text: string) => {
        if (lines.length < mostLines) lines.push(cut(oneLine(text), longestLine));
      },
      url: () => tab.page.url(),
    };
    let value: unknown;
    const run = async (): Promise<void> => {
      try {
        value = await runCode(args.code, handlers, AbortSignal.any([signal, deadline]));
      } catch (error) {
        if (deadline.aborted && !signal.aborted) throw new ToolError('TIMEOUT', { what: 'The code', ms: timeoutMs });
        throw error;
      }
    };
    await actOnPage(call, run, { failure: { what: 'The code', timeoutMs }, loadMs: settings.timeouts.load });
    const result = isUndefined(value) ? undefined : value;
    response.foreign();
    response.text(quoteBlock(shownValue(result)));
    for (const line of lines) response.text(`Log: ${quoteBlock(line)}`);
    response.data({ result: plainJson(result) });
  },
});

function isUndefined(value: unknown): boolean {
  return typeof value === 'object' && value !== null && '$' in value && value.$ === 'undefined';
}
