import * as z from 'zod';
import { defineTool } from '../../call/tool.ts';
import { ToolError } from '../../errors.ts';
import { readAttribute, readTexts, readValue } from '../../page/reads/element.ts';
import { readLinks } from '../../page/reads/links.ts';
import { readMetadata } from '../../page/reads/metadata.ts';
import { readTable } from '../../page/reads/table.ts';
import { secretFields } from '../../page/aria/secret-fields.ts';
import { elementToRead, elementsToRead, locateToRead, readAll } from '../lib/reading.ts';
import { optionalSelectorShape, optionalTarget, selectorShape, timeoutShape } from '../lib/argument-shapes.ts';
import { tableData } from '../lib/table-data.ts';

// Results of page functions are validated: a page can change what its functions return.
const texts = z.array(z.string());
const attribute = z.object({ value: z.string().nullable(), resolved: z.string().optional() });
const fieldValue = z.object({
  value: z.string(),
  values: z.array(z.string()).optional(),
  checked: z.boolean().optional(),
});
const links = z.object({
  links: z.array(z.object({ url: z.string(), text: z.string(), rel: z.string().optional() })),
  repeated: z.number(),
  scripts: z.number(),
});
const rawCell = z.object({ text: z.string(), isHeader: z.boolean(), columns: z.number(), rows: z.number() });
const rawTable = z.object({
  caption: z.string(),
  rows: z.array(z.object({ isHead: z.boolean(), cells: z.array(rawCell) })),
});

const reads = { toolsets: ['design'], effect: 'read', scope: 'tab', answer: 'data' } as const;

export const getText = defineTool({
  ...reads,
  name: 'get_text',
  title: 'Get text',
  description: 'Get the text of the first matching element.',
  input: { ...selectorShape, ...timeoutShape },
  run: async (call) => {
    const element = await elementToRead(call, 'Reading the text');
    const [text = ''] = texts.parse(await readAll(call, { locator: element, isOne: true }, readTexts, undefined));
    call.response.data({ text });
  },
});

export const getAllText = defineTool({
  ...reads,
  name: 'get_all_text',
  title: 'Get all texts',
  description: 'Get the text of every matching element.',
  input: { ...selectorShape },
  run: async (call) => {
    const elements = await elementsToRead(call, 'Reading the texts');
    const found = texts.parse(await readAll(call, elements, readTexts, undefined));
    call.response.data({ count: found.length, texts: found });
  },
});

export const getAttribute = defineTool({
  ...reads,
  name: 'get_attribute',
  title: 'Get an attribute',
  description: 'Get an attribute of an element; null if it does not have it.',
  input: { ...selectorShape, attribute: z.string().describe('Name of the attribute'), ...timeoutShape },
  synonyms: { name: 'attribute' },
  run: async (call) => {
    const element = await elementToRead(call, 'Reading the attribute');
    const { attribute: name } = call.args;
    const read = await element.evaluate(readAttribute, { name, secret: secretFields });
    call.response.data({ attribute: name, ...attribute.parse(read) });
  },
});

export const getValue = defineTool({
  ...reads,
  name: 'get_value',
  title: 'Get a value',
  description: 'Get the value of an input, textarea or select. Passwords are redacted.',
  input: { ...selectorShape, ...timeoutShape },
  run: async (call) => {
    const element = await elementToRead(call, 'Reading the value');
    const read = await element.evaluate(readValue, secretFields);
    if (read === null) {
      const target = String(call.args.selector ?? call.args.ref ?? call.args.target);
      throw new ToolError('ELEMENT_NOT_EDITABLE', { target, reason: 'it is not an input field' });
    }
    call.response.data(fieldValue.parse(read));
  },
});

export const extractTable = defineTool({
  ...reads,
  name: 'extract_table',
  title: 'Extract a table',
  description: 'Get a table as data: its headers, and its rows as objects. Tables made of roles too.',
  input: { ...selectorShape, ...timeoutShape },
  run: async (call) => {
    const element = await elementToRead(call, 'Reading the table');
    const read = await element.evaluate(readTable);
    if (read === null) {
      const selector = `${String(call.args.selector ?? call.args.ref ?? call.args.target)} table`;
      throw new ToolError('ELEMENT_NOT_FOUND', { selector, page: call.tab.page.url() });
    }
    const table = rawTable.parse(read);
    const data = tableData(table);
    const caption = table.caption === '' ? {} : { caption: table.caption };
    call.response.data({ ...caption, rowCount: data.rows.length, ...data });
  },
});

export const extractLinks = defineTool({
  ...reads,
  name: 'extract_links',
  title: 'Extract links',
  description: 'Get all links of the page or of a part of it: absolute URL, text and rel, each URL once.',
  input: { ...optionalSelectorShape },
  run: async (call) => {
    const target = optionalTarget(call.args, call.session);
    const whole = { kind: 'selector', selector: ':root', type: 'css', options: {}, given: ':root' } as const;
    const part = await locateToRead(call, target ?? whole, 'Reading the links');
    if (target !== undefined && (await part.locator.count()) === 0) {
      throw new ToolError('ELEMENT_NOT_FOUND', { selector: target.given, page: call.tab.page.url() });
    }
    const found = links.parse(await readAll(call, part, readLinks, undefined));
    call.response.data({ count: found.links.length, links: found.links });
    const leftOut = [
      ...(found.repeated === 0 ? [] : [`${found.repeated} more to these URLs`]),
      ...(found.scripts === 0 ? [] : [`${found.scripts} with javascript: URLs`]),
    ];
    if (leftOut.length > 0) call.response.note(`Links not listed: ${leftOut.join(', ')}.`);
  },
});

export const getPageMetadata = defineTool({
  ...reads,
  name: 'get_page_metadata',
  title: 'Get page metadata',
  description:
    'Get the metadata of the page: title, description, canonical URL, language, Open Graph, Twitter card, ' +
    'JSON-LD, icons and headings.',
  input: {},
  run: async ({ tab, response }) => {
    response.attempt({ what: 'Reading the metadata', url: tab.page.url() });
    response.data(z.record(z.string(), z.unknown()).parse(await tab.page.evaluate(readMetadata)));
  },
});
