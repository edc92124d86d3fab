import { Script } from 'node:vm';
import { inspect } from 'node:util';
import { z } from 'zod';
import { defineTool } from '../call/tool.ts';
import { ToolError } from '../errors.ts';
import type { Located } from '../session/target.ts';
import { raceSignal } from '../util/signals.ts';
import { cut, oneLine, quoteBlock } from '../util/text.ts';
import { actOnElement, actOnPage } from './acting.ts';
import { hidden, optionalTarget, optionalTargetShape, timeoutShape } from './shapes.ts';

export const evaluate = defineTool({
  name: 'browser_evaluate',
  title: 'Run JavaScript',
  description: 'Run a JavaScript function in the page, or on an element, and get its result as JSON.',
  effect: 'code',
  scope: 'tab',
  input: {
    function: z.string().describe('() => { … }, or (element) => { … } with a ref'),
    ...optionalTargetShape,
    args: hidden(z.array(z.unknown()).optional().describe('Further arguments of the function')),
    filename: z.string().optional().describe('Save the result to this file'),
    ...timeoutShape,
  },
  synonyms: { script: 'function', expression: 'function', code: 'function' },
  run: async (call) => {
    const { tab, args, session, response, settings, signal } = call;
    const source = callable(args.function);
    const target = optionalTarget(args, session.name);
    const timeoutMs = args.timeout ?? settings.session.defaultTimeout;
    const extra = args.args ?? [];
    const options = { failure: { what: 'The script', timeoutMs }, loadMs: settings.timeouts.load, showsPage: false };
    const limited = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
    let value: unknown;
    const keep = async (result: Promise<unknown>): Promise<void> => {
      value = await raceSignal(result, limited).catch((error: unknown) => scriptError(error, timeoutMs, limited));
    };
    if (target === undefined) {
      await actOnPage(call, async () => keep(tab.page.evaluate(asFunction(source, 'page'), extra)), options);
      response.ran(`await page.evaluate(${oneLine(cut(args.function, 500))});`);
    } else {
      const run = async ({ locator }: Located): Promise<void> =>
        keep(locator.evaluate(asFunction(source, 'element'), extra, { timeout: settings.timeouts.action }));
      const { located } = await actOnElement(call, target, run, options);
      response.ran(`await page.${located.code}.evaluate(${oneLine(cut(args.function, 500))});`);
    }
    const text = shown(value);
    response.withoutPage();
    if (args.filename !== undefined) {
      const file = await session.workspace.save('output', args.filename, text);
      response.text(`Result written to ${file.shown}`);
      return;
    }
    response.text(quoteBlock(text));
    response.data({ result: plainJson(value) });
  },
});

/** Accepts a function, an expression or statements, and gives the text of a function; never runs it. */
function callable(source: string): string {
  const expression = `(${source}\n)`;
  const problem = syntaxError(expression);
  if (problem === undefined) {
    return `(...input) => { const given = ${expression}; return typeof given === 'function' ? given(...input) : given; }`;
  }
  const body = `async (...input) => { ${source}\n}`;
  if (syntaxError(`(${body})`) === undefined) return body;
  throw new ToolError('EVALUATION_FAILED', { reason: problem });
}

function syntaxError(source: string): string | undefined {
  try {
    // Compiled, never run.
    return new Script(source) instanceof Script ? undefined : 'it is not a script';
  } catch (error) {
    return String(error);
  }
}

/**
 * Playwright sends a function's text to the page. Ours is the caller's text, so that nothing is evaluated here and the
 * page's content security policy, which forbids eval, has nothing to forbid.
 */
function asFunction(source: string, on: 'page' | 'element'): (first: unknown, second?: unknown) => unknown {
  const text =
    on === 'page' ? `(extra) => (${source})(...extra)` : `(element, extra) => (${source})(element, ...extra)`;
  return Object.defineProperty(() => undefined, 'toString', { value: () => text });
}

function scriptError(error: unknown, timeoutMs: number, limited: AbortSignal): never {
  if (limited.aborted) throw new ToolError('TIMEOUT', { what: 'The script', ms: timeoutMs }, { cause: error });
  if (!(error instanceof Error) || error.name === 'TimeoutError' || /closed|crashed|navigation/i.test(error.message))
    throw error;
  const [reason = error.message] = error.message.replace(/^[\w.]+: (?:Error: )?/, '').split('\n    at ');
  throw new ToolError('EVALUATION_FAILED', { reason: cut(reason, 500) }, { cause: error });
}

/** A string as it is, anything else as JSON. */
function shown(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === undefined) return 'undefined';
  try {
    return JSON.stringify(value, jsonSafe) ?? inspect(value);
  } catch {
    return inspect(value, { depth: 4 });
  }
}

function plainJson(value: unknown): unknown {
  try {
    const text = JSON.stringify(value, jsonSafe);
    return text === undefined ? null : JSON.parse(text);
  } catch {
    return inspect(value, { depth: 4 });
  }
}

function jsonSafe(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
  return value;
}
