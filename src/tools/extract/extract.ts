import * as z from 'zod';
import { defineTool } from '../../call/tool.ts';
import { ToolError } from '../../errors.ts';
import type { ExtractRequest } from '../../page/extract/request.ts';
import { hidden, optionalTargetShape, wholeWithin } from '../lib/argument-shapes.ts';
import { answerWith } from './answer.ts';
import { planOfFields, planOfSchema } from './plan.ts';
import type { PlannedPart } from './plan.ts';
import { readPages } from './read-pages.ts';
import { metadataOf, noteEnd, recordsOf, tablesOf } from './results.ts';

const mostPages = 50;
const mostItems = 5000;
const name = 'browser_extract';

export const extract = defineTool({
  name,
  title: 'Extract data',
  description:
    'Extract data as JSON or CSV: repeated items by selectors or by a JSON schema, a table, or metadata. Can follow "next" links.',
  effect: 'navigate',
  // Without pages it only reads. Each next page is checked as a navigation.
  checkedAs: 'read',
  scope: 'tab',
  positional: ['ref'],
  input: {
    fields: z
      .record(z.string(), z.unknown())
      .optional()
      .describe('Name to CSS selector: "h2", "a@href", ["li"] for all'),
    schema: z.record(z.string(), z.unknown()).optional().describe('JSON schema of an object or a list'),
    items: z.string().optional().describe('CSS selector of each item, default automatic'),
    kind: z.enum(['table', 'metadata']).optional().describe('Instead of fields; metadata is JSON-LD, microdata'),
    ...optionalTargetShape,
    format: z.enum(['json', 'csv']).optional().describe('Default json'),
    pages: wholeWithin(1, mostPages).optional().describe('Most pages, default 1'),
    next: hidden(z.string().optional().describe('CSS selector of the link to the next page')),
    limit: hidden(wholeWithin(1, mostItems).optional().describe('Most items of all pages, default 1000')),
    filename: z.string().optional().describe('Save to this file'),
  },
  synonyms: { itemSelector: 'items', maxPages: 'pages', nextSelector: 'next' },
  check: (args) => void planOf(args),
  run: async (call) => {
    const { args, session, response, maxTokens } = call;
    const parts = planOf(args);
    const { limit = 1000, format = 'json', filename } = args;
    const request: ExtractRequest = {
      kind: args.kind ?? 'fields',
      parts: parts.map(({ name: _name, ...part }) => part),
      next: args.next ?? '',
      mostItems: limit,
    };
    const read = await readPages(call, request, args.pages ?? 1, name);
    const { pages } = read;
    const extraction = {
      fields: () => recordsOf(parts, pages, limit, response),
      table: () => tablesOf(pages, response),
      metadata: () => metadataOf(pages),
    }[request.kind]();
    await answerWith(session, response, extraction, { format, filename, maxTokens });
    noteEnd(response, read, args.pages !== undefined);
  },
});

type Arguments = Partial<
  Record<'fields' | 'schema', Readonly<Record<string, unknown>> | undefined> & {
    readonly items: string | undefined;
    readonly kind: 'table' | 'metadata' | undefined;
  }
>;

/** The parts to extract; none for a table or metadata. */
function planOf({ fields, schema, items, kind }: Arguments): readonly PlannedPart[] {
  const given = Object.entries({ fields, schema, kind }).filter(([, value]) => value !== undefined);
  if (given.length !== 1) {
    const names = given.map(([key]) => key).join(' and ');
    const problem = `Give one of fields, schema and kind${names === '' ? '' : `, not ${names}`}.`;
    throw new ToolError('INVALID_ARGUMENT', { problems: [problem], accepted: ['fields', 'schema', 'kind'] });
  }
  if (fields !== undefined) return planOfFields(fields, items);
  return schema === undefined ? [] : planOfSchema(schema, items);
}
