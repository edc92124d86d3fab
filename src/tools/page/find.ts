import * as z from 'zod';
import type { Locator } from 'playwright-core';
import { defineTool } from '../../call/tool.ts';
import { ToolError } from '../../errors.ts';
import { frameMatches } from '../../session/snapshot/frame-matches.ts';
import { locateSelector, readings } from '../../session/snapshot/target.ts';
import type { Target } from '../../session/snapshot/target.ts';
import type { Tab } from '../../session/tab.ts';
import { snapshotLimitMs } from '../../session/timing.ts';
import { cut, oneLine, pageText } from '../../util/text.ts';
import { aimAt, checkTarget, hidden, optionalTarget, optionalTargetShape } from '../lib/argument-shapes.ts';
import type { TargetArguments } from '../lib/argument-shapes.ts';
import { compileRegex, readRegex, withinTime } from '../lib/patterns/regex.ts';
import type { Regex } from '../lib/patterns/regex.ts';

const mostRefs = 20;
const longestText = 100;
const textLimitMs = 1000;

interface FindCall {
  readonly tab: Tab;
  readonly signal: AbortSignal;
}

export const find = defineTool({
  name: 'browser_find',
  title: 'Find',
  description: 'Find text or elements, with refs, on the whole page and in frames.',
  toolsets: ['core'],
  effect: 'read',
  scope: 'tab',
  limitMs: snapshotLimitMs,
  positional: ['text'],
  input: {
    text: z.string().optional().describe('Text'),
    regex: z.string().optional().describe('Regular expression, or /…/i'),
    ...optionalTargetShape,
    ref: hidden(optionalTargetShape.ref),
    selector: z.string().optional().describe('Selector, or role and name: button "Save"'),
    filename: hidden(z.string().optional().describe('Save to this file')),
  },
  sentenceError: { doing: 'finding element', about: ['Selector', 'selector'] },
  check: checkSearch,
  run: async (call) => {
    const { args, session, tab, response, signal } = call;
    const target = optionalTarget(args, session);
    if (target === undefined) {
      const { text = '', regex = '' } = args;
      const wanted =
        regex === '' ? { search: text } : { pattern: withinTime(regex, await compileRegex(regexOf(regex))) };
      response.snapshot({
        mode: 'full',
        ...wanted,
        ...(args.filename === undefined ? {} : { filename: args.filename }),
      });
      return;
    }
    response.attempt({ what: 'The search', url: tab.page.url(), ...aimAt(target) });
    const matches = await matchesOf(call, target);
    const first = matches[0];
    const visible = (await first?.isVisible()) ?? false;
    const enabled = (await first?.isEnabled()) ?? false;
    const listed = matches.slice(0, mostRefs);
    const refs = await tab.refs.refsOf(listed, signal);
    const label = labelOf(target);
    const sentences = [
      `Found ${matches.length} element(s) matching: ${oneLine(label)}`,
      `Visible: ${visible}, Enabled: ${enabled}`,
    ];
    if (matches.length === 1 && visible && enabled) sentences.push('Element is visible and enabled');
    const summary = refs.length === 0 ? [] : [`Refs: ${refs.join(', ')}${matches.length > mostRefs ? ', …' : ''}`];
    const refLines = [...summary, ...(await contextLines(tab, listed, refs))];
    response.withoutPage();
    if (args.filename === undefined) {
      for (const line of sentences) response.sentence(line);
      response.foreign();
      for (const line of refLines) response.text(line);
    } else {
      const data = `${[...sentences, ...refLines].join('\n')}\n`;
      const name = args.filename;
      const file = await session.files.save({ kind: 'file', name, data, mimeType: 'text/plain', tab: tab.id });
      response.file(file.artifact);
      response.text(`Written to ${file.shown}`);
    }
    response.data({ count: matches.length, visible, enabled, refs });
  },
});

/** The matches in all frames, those of the page first. */
async function matchesOf({ tab, signal }: FindCall, target: Target): Promise<readonly Locator[]> {
  if (target.kind === 'ref') {
    const { locator } = await tab.refs.locate(target, await tab.observe(signal), signal);
    return locator.all();
  }
  for (const reading of readings(target)) {
    const own = await locateSelector(tab.page, reading).locator.all();
    const found = [...own, ...(await frameMatches(tab.page, reading))];
    if (found.length > 0) return found;
  }
  return [];
}

/** One line per element: what it is, its ref, and the beginning of its text. */
async function contextLines(tab: Tab, found: readonly Locator[], refs: readonly string[]): Promise<readonly string[]> {
  const parts = await Promise.all(
    found.map(async (each) => each.evaluate(partsOf, undefined, { timeout: textLimitMs }).catch(() => undefined)),
  );
  return refs.map((ref, index) => {
    const { tag = 'element', text = '', isHidden = false } = parts[index] ?? {};
    const { role = 'generic', name = '' } = tab.refs.get(ref) ?? {};
    const kind = role === 'generic' ? pageText(tag) : role;
    const named = name === '' ? kind : `${kind} ${JSON.stringify(cut(pageText(name), longestText))}`;
    const rest = text === '' || text === name ? '' : `: ${cut(pageText(text), longestText)}`;
    return `- ${named}${isHidden ? ' [hidden]' : ''} [ref=${ref}]${rest}`;
  });
}

/** Runs in the page. Values of fields are not text. */
function partsOf(element: Element): { readonly tag: string; readonly text: string; readonly isHidden: boolean } {
  const text = element instanceof HTMLElement ? element.innerText : (element.textContent ?? '');
  const isHidden = !element.checkVisibility({ visibilityProperty: true });
  return { tag: element.localName, text: text.slice(0, 1000).replaceAll(/\s+/g, ' ').trim(), isHidden };
}

function labelOf(target: Target): string {
  if (target.kind === 'ref') return target.given;
  const { type, selector, options } = target;
  if (type === 'css') return selector;
  const name = typeof options['name'] === 'string' ? `[name=${JSON.stringify(options['name'])}]` : '';
  return `${type}=${selector}${name}`;
}

interface Search extends TargetArguments {
  readonly text?: string | undefined;
  readonly regex?: string | undefined;
}

function checkSearch(args: Search): void {
  if (checkTarget(args) !== undefined) return;
  const { text = '', regex = '' } = args;
  const accepted = ['text', 'regex', 'selector'];
  if (text === '' && regex === '')
    throw new ToolError('MISSING_PARAMETER', { problems: ['Give text, regex or selector.'], accepted });
  if (text !== '' && regex !== '')
    throw new ToolError('INVALID_ARGUMENT', { problems: ['Give either text or regex, not both.'], accepted });
  if (regex !== '') regexOf(regex);
}

/** A pattern, or one between slashes with flags. */
function regexOf(given: string): Regex {
  const [, body = given, flags = ''] = /^\/(.+)\/([a-z]*)$/.exec(given) ?? [];
  return readRegex(given, body, flags);
}
