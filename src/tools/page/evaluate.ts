import * as z from 'zod';
import { isContextDestroyed } from '../../browser/failure.ts';
import { defineTool } from '../../call/tool.ts';
import { ToolError } from '../../errors.ts';
import type { Located } from '../../session/snapshot/target.ts';
import type { Tab } from '../../session/tab.ts';
import { readLimitMs } from '../../session/timing.ts';
import { raceSignal, settlesWithin } from '../../util/signals.ts';
import { Script, pageCode } from '../../util/code.ts';
import { cut, oneLine, quoteBlock } from '../../util/text.ts';
import { actOnElement, actOnPage } from '../lib/act.ts';
import { bodyOf, functionSource, isExpression, withoutEnd } from '../lib/scripts/script-source.ts';
import { plainJson, plainText, shownValue, withinLimit, withoutMaps } from '../lib/scripts/script-value.ts';
import { hidden, optionalTarget, optionalTargetShape, timeoutShape } from '../lib/argument-shapes.ts';
import { actionWait } from '../lib/timeouts.ts';

/** The caller knows the script. */
const longestScript = 150;
/** Characters in the strings of a result. */
const longestResult = 30_000_000;
/** Characters in the result of a script that only reads; a larger one has the limits of all scripts. */
const longestRead = 1_000_000;

export const evaluate = defineTool({
  name: 'browser_evaluate',
  title: 'Run JavaScript',
  description: 'Run a JavaScript function in the page or on an element.',
  toolsets: ['core', 'viewpoint'],
  effect: 'code',
  scope: 'tab',
  positional: ['function', 'ref'],
  input: {
    function: z.string().describe('() => { … }, or (element) => { … } with a ref'),
    ...optionalTargetShape,
    args: hidden(z.array(z.unknown()).optional().describe('Arguments of the function')),
    filename: z.string().optional().describe('Save to this file'),
    ...timeoutShape,
  },
  synonyms: { script: 'function', expression: 'function', code: 'function' },
  run: async (call) => {
    const { tab, args, session, response, settings, signal } = call;
    const source = functionSource(args.function);
    const target = optionalTarget(args, session);
    const timeoutMs = args.timeout ?? settings.session.defaultTimeout;
    const extra = args.args ?? [];
    const options = {
      failure: { what: 'The script', timeoutMs },
      loadMs: settings.timeouts.load,
      showsPage: false,
      isInput: false,
    };
    const limited = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
    let value: unknown;
    let isOver = false;
    const keep = async (result: Promise<unknown>): Promise<void> => {
      const end = endOfScript.parse(await raceSignal(result.catch(leftPage), limited));
      if (end.thrown !== undefined) throw thrownError(end.thrown);
      value = end.value;
      isOver = end.left !== true;
    };
    const read = target === undefined ? await readOnly(tab, source, extra, signal) : undefined;
    if (read !== undefined) {
      ({ value } = read);
      isOver = true;
      response.withoutLook();
      response.ran(pageCode.call('evaluate', shownScript(args.function, extra, [])));
    } else if (target === undefined) {
      await actOnPage(call, async () => keep(tab.page.evaluate(asFunction(source, 'page'), extra)), options);
      response.ran(pageCode.call('evaluate', shownScript(args.function, extra, [])));
    } else {
      const { waitsFully } = actionWait(settings, args.timeout);
      const run = async ({ locator }: Located, until: AbortSignal): Promise<void> => {
        // The element is waited for; a script that has begun is not interrupted.
        await locator.waitFor({ state: 'attached', timeout: settings.timeouts.action, signal: until });
        await keep(locator.evaluate(asFunction(source, 'element'), extra, { timeout: settings.timeouts.action }));
      };
      const { located } = await actOnElement(call, { ...options, target, waitsFully, fallback: run });
      response.ran(located.code.call('evaluate', shownScript(args.function, extra, ['element'])));
    }
    response.withoutPage();
    // A dialog, a navigation or a closed tab came before the result; the outcome says which.
    if (!isOver) return;
    const text = shownValue(value);
    if (args.filename !== undefined) {
      const file = await session.files.save({
        kind: 'file',
        name: args.filename,
        data: text,
        mimeType: 'text/plain',
        tab: tab.id,
      });
      response.file(file.artifact);
      response.text(`Result written to ${file.shown}`);
      return;
    }
    response.foreign();
    response.text(quoteBlock(text));
    response.data({ result: plainJson(value) });
  },
});

const readValue = z.object({ value: z.unknown().optional() });

/**
 * Runs a script that only reads: nothing has to settle after it. Undefined if it may change something, which V8 detects
 * before it happens; if it is asynchronous; if its result is not plain; or outside of Chromium.
 */
async function readOnly(
  tab: Tab,
  source: string,
  extra: readonly unknown[],
  signal: AbortSignal,
): Promise<{ readonly value?: unknown } | undefined> {
  const channel = /\b(?:async|await|yield)\b/.test(source) ? undefined : tab.cdp.current;
  if (channel === undefined) return undefined;
  const input = extra.map((value) => JSON.stringify(value) ?? 'undefined').join(', ');
  const reading = channel.evaluateReadOnly(`(${String(plainText)})((${source})(${input}), ${longestRead})`);
  // Sent together. What it reports is hidden in the result.
  const looking = tab.observe(signal);
  if (!(await settlesWithin(reading, readLimitMs))) return undefined;
  await looking;
  const text = await reading;
  return text === undefined ? undefined : readValue.parse(JSON.parse(text));
}

/** Generated code passes a function with at most one argument, so several arguments are written into the function. */
function shownScript(script: string, extra: readonly unknown[], own: readonly string[]): Script {
  const source = withoutEnd(script);
  const isFunction = /^\s*(?:async\b\s*)?(?:function\b|(?:\([^]*?\)|[\w$]+)\s*=>)/.test(source);
  const parameters = /\bargs\b/.test(source) ? '(...args)' : '()';
  const body = isExpression(source)
    ? `${parameters} => (${source})`
    : `async ${parameters} => { ${bodyOf(source).trim()} }`;
  const text = isFunction ? source : body;
  const given = [...own, ...extra.map((value) => JSON.stringify(value) ?? 'undefined')].join(', ');
  const called = extra.length === 0 ? text : `(${own.join(', ')}) => (${text})(${given})`;
  return new Script(oneLine(cut(called, longestScript)));
}

/** The error of a script; a failed network request is retryable. */
function thrownError(thrown: string): ToolError {
  const reason = cut(thrown.replace(/^Error: /, ''), 500);
  const isNetwork = /^TypeError: (?:Failed to fetch|NetworkError when attempting|Load failed)/.test(thrown);
  return isNetwork ? new ToolError('NETWORK_ERROR', { reason }) : new ToolError('EVALUATION_FAILED', { reason });
}

/** How a script ended. Errors are caught in the page, so that they are not mistaken for a browser failure. */
const endOfScript = z
  .object({ value: z.unknown().optional(), thrown: z.string().optional(), left: z.boolean().optional() })
  // A result that cannot be serialized makes the whole object unserializable.
  .catch({});

/**
 * Playwright sends the text of a function to the page. This one's text is the caller's script, so nothing is evaluated
 * here, and a content security policy that forbids eval does not apply.
 */
function asFunction(source: string, on: 'page' | 'element'): (first: unknown, second?: unknown) => Promise<unknown> {
  const [parameters, input] = on === 'page' ? ['extra', '...extra'] : ['element, extra', 'element, ...extra'];
  const text = `async (${parameters}) => {
    try { return { value: (${String(withinLimit)})((${String(withoutMaps)})(await (${source})(${input})), ${longestResult}) }; } catch (error) { return { thrown: String(error) }; }
  }`;
  return Object.defineProperty(async () => undefined, 'toString', { value: () => text });
}

/** A script that navigates away has no result; that is not an error. */
function leftPage(error: unknown): { readonly left: true } {
  if (isContextDestroyed(error)) return { left: true };
  throw error;
}
