import * as z from 'zod';
import { isHidden } from '../call/arguments/arguments.ts';
import { effects } from '../call/tool.ts';
import type { Tool } from '../call/tool.ts';
import { describeTool } from '../mcp/describe.ts';
import { code, table } from './markdown.ts';

type DocumentedTool = Tool & { readonly synonyms?: Readonly<Record<string, string>> };

type Schema = z.core.JSONSchema.BaseSchema;

const introduction = `# Tools

All tools of the server with all their arguments. [Toolsets](toolsets.md) decide which tools a client sees, and list their
names in other vocabularies.

Arguments marked **also accepted** work but are not listed, because every listed word costs tokens in every conversation.
They are rarely needed, or are other servers' names for the same thing. An unknown argument is ignored with a note; one that
looks like a misspelled name is an error.

Every tool also accepts \`sessionId\` (the id or name of a session; default: the active one), \`tab\` (the id or index of a tab,
for this call only), \`maxTokens\` (the token budget of the answer), \`snapshotMode\` and \`detail\` (\`terse\`, \`normal\` or \`full\`).

\`ref\` identifies an element: a ref from a snapshot, such as \`e12\`, or a selector.
`;

/** Example values by argument name. */
const samples: Readonly<Record<string, unknown>> = {
  url: 'https://example.com/',
  baseline: 'home.png',
  ref: 'e12',
  element: 'the Save button',
  text: 'Hello',
  key: 'Enter',
  function: '() => document.title',
  accept: true,
  fields: [
    { ref: 'e3', value: 'ada@example.com' },
    { name: 'Country', value: 'Norway' },
  ],
  steps: [
    { tool: 'browser_type', args: { ref: 'e3', text: 'Ada' } },
    { tool: 'browser_click', args: { ref: 'button "Next"' }, if: { text: 'Step 1 of 2' } },
  ],
  values: ['Norway'],
  selector: '#price',
  attribute: 'href',
  cookies: [{ name: 'theme', value: 'dark' }],
  response: { status: 200, body: { id: 7 } },
  state: { cookies: [], origins: [] },
  downloadSpeed: 200,
  uploadSpeed: 50,
  latency: 100,
  startRef: 'e4',
  endRef: 'e9',
  width: 1280,
  height: 720,
  name: 'clean',
  path: 'state.json',
  paths: ['report.pdf'],
  urls: ['https://example.com/1', 'https://example.com/2'],
  x: 100,
  y: 200,
  startX: 100,
  startY: 200,
  endX: 300,
  endY: 200,
};

/** Optional arguments to include in examples. */
const shownToo: Readonly<Record<string, readonly string[]>> = {
  browser_wait_for: ['text'],
  browser_take_screenshot: ['fullPage'],
  browser_compare_screenshot: ['fullPage'],
  browser_find: ['text'],
  browser_file_upload: ['paths'],
  browser_drag: ['endRef'],
  browser_extract: ['kind'],
};

/** The page `docs/tools.md`. */
export function toolsPage(tools: readonly DocumentedTool[]): string {
  const summary = table(
    ['Tool', 'Description'],
    tools.map(({ name, description }) => [`[${code(name)}](#${name})`, description]),
  );
  return [introduction, summary, ...tools.map(section)].join('\n');
}

function section(tool: DocumentedTool): string {
  const rows = argumentRows(tool);
  const args = rows.length === 0 ? 'No arguments.\n' : table(['Argument', 'Type', 'Required', 'Description'], rows);
  const example = `\`\`\`json\n${JSON.stringify({ name: tool.name, arguments: exampleArguments(tool) })}\n\`\`\`\n`;
  return [`## ${tool.name}\n`, `${tool.description}\n`, `${hintText(tool)}\n`, args, example].join('\n');
}

function hintText({ effect }: Tool): string {
  const { readOnlyHint, destructiveHint, openWorldHint } = effects[effect];
  const words = [
    readOnlyHint ? 'read-only' : 'changes state',
    ...(destructiveHint ? ['may be destructive'] : []),
    openWorldHint ? 'reaches the web' : 'local',
  ];
  return `*${words.join(', ')}*`;
}

function argumentRows(tool: DocumentedTool): readonly (readonly string[])[] {
  const { required = [] } = describeTool(tool).inputSchema;
  const fields = Object.entries(tool.input.shape).map(([name, field]) => {
    const schema: Schema = field instanceof z.ZodType ? z.toJSONSchema(field, { io: 'input' }) : {};
    const mark = isHidden(field) ? ' **(also accepted)**' : '';
    const meaning = `${escaped(schema.description ?? '')}${mark}`;
    return [code(name), typeText(schema), required.includes(name) ? 'yes' : '', meaning];
  });
  const synonyms = Object.entries(tool.synonyms ?? {}).map(([other, name]) => {
    return [code(other), '', '', `Alias of ${code(name)} **(also accepted)**`];
  });
  // Listed arguments first; the sort is stable, so each group keeps its declaration order.
  const isListed = ([, , , meaning = '']: readonly string[]): boolean => !meaning.endsWith('**(also accepted)**');
  return [...fields, ...synonyms].sort((a, b) => Number(isListed(b)) - Number(isListed(a)));
}

function typeText(schema: Schema): string {
  if (schema.enum !== undefined) return schema.enum.map((value) => code(String(value))).join(', ');
  if (schema.type !== 'array') return String(schema.type ?? 'any');
  const { items } = schema;
  return typeof items === 'object' && !Array.isArray(items) ? `list of ${typeText(items)}` : 'list';
}

/** The table of tools in the README. */
export function readmeTools(tools: readonly Pick<DocumentedTool, 'name' | 'title' | 'description'>[]): string {
  const rows = tools.map(({ name, title, description }) => `| ${code(name)} | ${title} | ${description} |`);
  return ['| Tool | Title | Description |', '| --- | --- | --- |', ...rows].join('\n');
}

function escaped(text: string): string {
  return text.replaceAll(/[*_<]/g, String.raw`\$&`);
}

function exampleArguments(tool: DocumentedTool): Readonly<Record<string, unknown>> {
  const { properties, required = [] } = describeTool(tool).inputSchema;
  const names = [...required, ...(shownToo[tool.name] ?? [])];
  return Object.fromEntries(names.map((name) => [name, sample(name, properties[name] ?? {})]));
}

function sample(name: string, schema: Readonly<Record<string, unknown>>): unknown {
  const { type, enum: choices, items } = schema;
  if (Array.isArray(choices)) return choices[0];
  if (samples[name] !== undefined) return samples[name];
  if (type === 'array') return [sample('', typeof items === 'object' && items !== null ? { ...items } : {})];
  return type === 'boolean' ? true : type === 'number' ? 1 : type === 'object' ? {} : name;
}
