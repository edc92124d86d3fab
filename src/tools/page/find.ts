import * as z from 'zod';
import { defineTool } from '../../call/tool.ts';
import { ToolError } from '../../errors.ts';
import type { Target } from '../../session/snapshot/target.ts';
import type { Pattern } from '../../util/pattern.ts';
import { oneLine } from '../../util/text.ts';
import { aimAt, hidden, optionalTarget, optionalTargetShape } from '../lib/argument-shapes.ts';
import { compileRegex, readRegex, withinTime } from '../lib/regex.ts';

const mostRefs = 20;

export const find = defineTool({
  name: 'browser_find',
  title: 'Find',
  description: 'Find text on the page, or elements by selector, with their refs.',
  toolsets: ['core'],
  effect: 'read',
  scope: 'tab',
  input: {
    text: z.string().optional().describe('Text to find'),
    regex: z.string().optional().describe('Regular expression'),
    ...optionalTargetShape,
    ref: hidden(optionalTargetShape.ref),
    selector: z.string().optional().describe('Selector'),
    filename: hidden(z.string().optional().describe('Save to this file')),
  },
  sentenceError: { doing: 'finding element', about: ['Selector', 'selector'] },
  run: async (call) => {
    const { args, session, tab, response, signal } = call;
    const target = optionalTarget(args, session);
    if (target === undefined) {
      const { text, regex } = args;
      if (text === undefined && regex === undefined) {
        const problems = ['Give text, regex or selector.'];
        throw new ToolError('MISSING_PARAMETER', { problems, accepted: ['text', 'regex', 'selector'] });
      }
      const wanted = regex === undefined ? { search: text ?? '' } : { pattern: await patternOf(regex) };
      response.snapshot({
        mode: 'full',
        ...wanted,
        ...(args.filename === undefined ? {} : { filename: args.filename }),
      });
      return;
    }
    const { locator } = await tab.refs.locate(target, await tab.observe(signal), signal);
    response.attempt({ what: 'The search', url: tab.page.url(), ...aimAt(target) });
    const matches = await locator.all();
    const first = matches[0];
    const visible = (await first?.isVisible()) ?? false;
    const enabled = (await first?.isEnabled()) ?? false;
    const refs = await tab.refs.refsOf(matches.slice(0, mostRefs), signal);
    const label = labelOf(target);
    const sentences = [
      `Found ${matches.length} element(s) matching: ${oneLine(label)}`,
      `Visible: ${visible}, Enabled: ${enabled}`,
    ];
    if (matches.length === 1 && visible && enabled) sentences.push('Element is visible and enabled');
    const refLines = refs.length === 0 ? [] : [`Refs: ${refs.join(', ')}${matches.length > mostRefs ? ', …' : ''}`];
    response.withoutPage();
    if (args.filename === undefined) {
      for (const line of sentences) response.sentence(line);
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

function labelOf(target: Target): string {
  if (target.kind === 'ref') return target.given;
  const { type, selector, options } = target;
  if (type === 'css') return selector;
  const name = typeof options['name'] === 'string' ? `[name=${JSON.stringify(options['name'])}]` : '';
  return `${type}=${selector}${name}`;
}

async function patternOf(regex: string): Promise<Pattern> {
  const [, body = regex, flags = 'i'] = /^\/(.+)\/([a-z]*)$/.exec(regex) ?? [];
  return withinTime(regex, await compileRegex(readRegex(regex, body, flags)));
}
