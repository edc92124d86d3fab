import { createHash } from 'node:crypto';
import * as z from 'zod';
import { defineTool } from '../../call/tool.ts';
import type { Response } from '../../call/answer/response.ts';
import { ToolError } from '../../errors.ts';
import type { Tab } from '../../session/tab.ts';
import { cut, pageText, visible } from '../../util/text.ts';
import { hidden, optionalTarget, optionalTargetShape } from '../lib/argument-shapes.ts';
import { contentOfDownload, contentOfFile, contentOfPage } from './content.ts';
import type { Content } from './content.ts';
import { headingsOf, partFrom, search, sectionOf } from './markdown-parts.ts';

/** A text that is read in parts. Later parts are of the same text, even if the page has changed. */
interface Reading extends Content {
  readonly id: string;
}

const readings = new WeakMap<Tab, Reading>();
/** Tokens for the page header and the line about the next part. */
const otherSections = 350;
const leastTokens = 100;
/** The estimate of tokens is not exact. */
const certainty = 0.85;
const mostHeadings = 100;

export const read = defineTool({
  name: 'browser_read',
  title: 'Read',
  description: 'Read the main content as markdown with refs for links; better than a snapshot for long texts.',
  toolsets: ['core'],
  effect: 'read',
  scope: 'tab',
  positional: ['ref'],
  input: {
    ...optionalTargetShape,
    section: z.string().optional().describe('Heading of the section'),
    search: z.string().optional().describe('Only paragraphs with this text'),
    outline: z.boolean().optional().describe('List the headings'),
    cursor: z.string().optional().describe('Next part'),
    file: z.string().optional().describe('A downloaded PDF or text file'),
    all: hidden(z.boolean().optional().describe('Read the whole page, not only its main content')),
  },
  synonyms: { query: 'search', heading: 'section' },
  run: async (call) => {
    const { args, session, tab, response, maxTokens } = call;
    const budget = Math.max(leastTokens, (maxTokens - otherSections) * certainty);
    if (args.cursor !== undefined) return showPart(response, ...atCursor(tab, args.cursor), budget);
    const target = optionalTarget(args, session);
    const download = args.file === undefined && target === undefined ? await contentOfDownload(call) : undefined;
    const whole =
      args.file === undefined
        ? (download ?? (await contentOfPage(call, target, args.all === true)))
        : await contentOfFile(session, args.file);
    if (args.outline === true) return showOutline(response, whole);
    const content = args.section === undefined ? whole : inSection(whole, args.section);
    if (args.search !== undefined) return showHits(response, content, args.search, budget);
    const id = createHash('sha256').update(content.text).digest('base64url').slice(0, 6);
    const reading = { ...content, id };
    readings.set(tab, reading);
    return showPart(response, reading, 0, budget);
  },
});

function atCursor(tab: Tab, cursor: string): readonly [Reading, number] {
  const [, id, offset] = /^([\w-]{6})\.(\d+)$/.exec(cursor) ?? [];
  const reading = readings.get(tab);
  if (reading === undefined || id !== reading.id || Number(offset) > reading.text.length) {
    throw new ToolError('STALE_CURSOR', { cursor: cut(cursor, 60) });
  }
  return [reading, Number(offset)];
}

function inSection(content: Content, section: string): Content {
  const text = sectionOf(content.text, section);
  if (text !== undefined) return { ...content, text };
  const headings = headingsOf(content.text).map((heading) => heading.text);
  throw new ToolError('NO_SUCH_SECTION', { section, headings: headings.slice(0, 20), count: headings.length });
}

function showPart(response: Response, reading: Reading, from: number, budget: number): void {
  const { text, id } = reading;
  if (text === '') return response.text('There is no text to read.');
  const part = partFrom(text, from, budget);
  const end = from + part.length;
  show(response, reading, part.split('\n'));
  if (from === 0 && end === text.length) return;
  const next = end < text.length ? ` Continue with cursor "${id}.${end}".` : ' This is the last part.';
  response.note(`Characters ${from + 1} to ${end} of ${text.length}.${next}`);
}

function showOutline(response: Response, { text }: Content): void {
  const headings = headingsOf(text);
  if (headings.length === 0) return response.text('There are no headings.');
  const highest = Math.min(...headings.map(({ level }) => level));
  const lines = headings.slice(0, mostHeadings).map((heading, index) => {
    const length = (headings[index + 1]?.at ?? text.length) - heading.at;
    return `${'  '.repeat(heading.level - highest)}- ${pageText(heading.text)} (${length} characters)`;
  });
  response.foreign();
  for (const line of lines) response.text(line);
  if (headings.length > mostHeadings) response.note(`${headings.length - mostHeadings} more headings are not shown.`);
}

function showHits(response: Response, content: Content, wanted: string, budget: number): void {
  const needle = wanted.toLowerCase();
  const hits = search(content.text, (text) => text.toLowerCase().includes(needle));
  const count = hits.length === 1 ? '1 paragraph contains' : `${hits.length} paragraphs contain`;
  response.note(`${count} ${JSON.stringify(wanted)}.`);
  if (hits.length === 0) return;
  const blocks = hits.map(({ under, text }) =>
    [...(under.length === 0 ? [] : [`(${under.join(' > ')})`]), text].join('\n'),
  );
  const all = blocks.join('\n\n');
  const shown = partFrom(all, 0, budget);
  show(response, content, shown.split('\n'));
  if (shown.length < all.length)
    response.note('Not all of them are shown: search for a longer text, or read a section.');
}

/** A fence that no text inside can close, and no line that looks like a heading of the answer. */
function show(response: Response, { form }: Content, lines: readonly string[]): void {
  response.foreign();
  const safe = lines.map((line) =>
    visible(line)
      .replaceAll(/`{4,}/g, '```')
      .replace(/^(?=\s{0,3}###(?:\s|$))/, '\\'),
  );
  for (const line of [`\`\`\`\`${form}`, ...safe, '````']) response.text(line);
}
