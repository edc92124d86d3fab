import * as z from 'zod';
import { isHidden } from '../call/arguments.ts';
import { effects } from '../call/tool.ts';
import type { Tool } from '../call/tool.ts';
import { describeTool } from '../mcp/describe.ts';
import { code, table } from './markdown.ts';

/** A tool as its page shows it; other names for arguments are shown where a tool tells them. */
type DocumentedTool = Tool & { readonly synonyms?: Readonly<Record<string, string>> };

type Schema = z.core.JSONSchema.BaseSchema;

const introduction = `# Tools

Every tool of the server, with all arguments it takes. A client sees each tool’s description and the arguments that are
not marked. Those marked **also accepted** are other servers’ ways to say the same, or rarely needed: they work, but are
left out of the list, where every word is paid for in each conversation. An argument that no tool knows is ignored with
a note; one that looks like a misspelt name is an error.

Which of them are listed is decided by [toolsets](toolsets.md); the names that other specifications have for them are there too.

Every tool also takes \`sessionId\` (the id or name of a session, instead of the active one), \`tab\` (a tab’s id or place, for
this call alone), \`maxTokens\` (the longest answer) and \`snapshotMode\`.

An element is named with \`ref\`: a ref from a snapshot, such as \`e12\`, or a selector.
`;

/** Values that read well in an example, by the argument’s name. */
const samples: Readonly<Record<string, unknown>> = {
  url: 'https://example.com/',
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
  x: 100,
  y: 200,
  startX: 100,
  startY: 200,
  endX: 300,
  endY: 200,
};

/** Arguments that an example shows although they are optional. */
const shownToo: Readonly<Record<string, readonly string[]>> = {
  browser_wait_for: ['text'],
  browser_take_screenshot: ['fullPage'],
  browser_find: ['text'],
  browser_file_upload: ['paths'],
};

/** The page `docs/tools.md`. */
export function toolsPage(tools: readonly DocumentedTool[]): string {
  const summary = table(
    ['Tool', 'What it does'],
    tools.map(({ name, description }) => [`[${code(name)}](#${name})`, description]),
  );
  return [introduction, summary, ...tools.map(section)].join('\n');
}

function section(tool: DocumentedTool): string {
  const rows = argumentRows(tool);
  const args =
    rows.length === 0 ? 'It takes no arguments.\n' : table(['Argument', 'Type', 'Required', 'Meaning'], rows);
  const example = `\`\`\`json\n${JSON.stringify({ name: tool.name, arguments: exampleArguments(tool) })}\n\`\`\`\n`;
  return [`## ${tool.name}\n`, `${tool.description}\n`, `${hintText(tool)}\n`, args, example].join('\n');
}

function hintText({ effect }: Tool): string {
  const { readOnlyHint, destructiveHint, openWorldHint } = effects[effect];
  const words = [
    readOnlyHint ? 'read-only' : 'changes things',
    ...(destructiveHint ? ['may be destructive'] : []),
    openWorldHint ? 'reaches the web' : 'stays in the browser',
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
    return [code(other), '', '', `The same as ${code(name)} **(also accepted)**`];
  });
  // Array.prototype.sort keeps the order of equals: what is listed comes first, otherwise as declared.
  const isListed = ([, , , meaning = '']: readonly string[]): boolean => !meaning.endsWith('**(also accepted)**');
  return [...fields, ...synonyms].sort((a, b) => Number(isListed(b)) - Number(isListed(a)));
}

function typeText(schema: Schema): string {
  if (schema.enum !== undefined) return schema.enum.map((value) => code(String(value))).join(', ');
  if (schema.type !== 'array') return String(schema.type ?? 'anything');
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
