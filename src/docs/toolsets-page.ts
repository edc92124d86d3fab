import { sentenceErrorOf } from '../call/sentence-error.ts';
import type { Tool } from '../call/tool.ts';
import { ToolError } from '../errors.ts';
import { describeTool } from '../mcp/describe.ts';
import { code, fenced, table } from './markdown.ts';

type Vocabularies = Readonly<Record<string, readonly Tool[]>>;

function introduction(vocabularies: Vocabularies): string {
  const count = (name: string): number => vocabularies[name]?.length ?? 0;
  return `# Toolsets

\`--toolset\` selects the tools that the server lists. The default is \`core\`. Sets can be combined: \`--toolset core,sessions\`.
If two sets define the same name, the first one wins. \`--caps\`, \`--enable-tool\`, \`--disable-tool\` and \`--read-only\` add
and remove tools; a disabled tool is disabled under all its names. The list does not change while the server runs.

| Set | Tools |
| --- | --- |
| \`core\` | \`viewpoint\` plus \`browser_find\`, \`browser_scroll\`, \`browser_select_text\` and the session tools |
| \`viewpoint\` | exactly 27 tools: navigation, input, snapshots, tabs, contexts |
| \`playwright\` | the tools and arguments of \`@playwright/mcp\`, except the one that runs code in the server |
| \`basic\` | ${count('basic')} tools that take a selector and answer with a sentence |
| \`sessions\` | ${count('sessions')} tools that take a session in every call |
| \`design\` | ${count('design')} tools with short names that answer with data |
| \`all\` | every tool under every name |

With \`core\`, the names \`navigate\`, \`click\`, \`type\`, \`browser_launch\`, \`browser_screenshot\` and \`browser_quit\` can also be
called. They are not listed, because two names for one action confuse models.

The sets below are vocabularies. Each of their tools is an alias: a name, an argument list and an answer form for one of the
[tools](tools.md). An alias accepts all arguments of its tool, not only the listed ones, and \`selector\` may be a ref. There
are three answer forms:

- **sections**: Markdown sections, as described in [tools.md](tools.md).
- **sentences**: plain text and nothing else.
- **data**: \`{"success": true, "data": {…}}\`, as text and as \`structuredContent\`. \`data.notes\` reports side effects, \`data.cut\`
  what did not fit into the token budget.

The structured part of an [error](errors.md) is the same in all forms. With sentences, its text has three lines:

${fenced(sentenceError(vocabularies))}
If no listed tool can answer a dialog, the dialog is dismissed and the answer says so.
`;
}

/** The error of a click that finds nothing, as the first vocabulary with sentences prints it. */
function sentenceError(vocabularies: Vocabularies): string {
  const selector = '#send';
  const click = Object.values(vocabularies)
    .flat()
    .find((tool) => tool.name === 'browser_click' && tool.answer === 'sentences');
  if (click === undefined) throw new Error('No vocabulary answers a click with sentences.');
  const error = new ToolError('ELEMENT_NOT_FOUND', { selector });
  return (sentenceErrorOf(click, { selector }, error.view).sentenceError ?? []).join('\n');
}

/** Notes below the table of a vocabulary. */
const remarks: Readonly<Record<string, string>> = {
  design: `
\`get_value\`, \`get_attribute\`, \`find_element\` and \`find_elements\` return \`[REDACTED]\` instead of the value of a password,
one-time-code or card field. \`evaluate\` is not restricted.
`,
};

/** The tools of each capability. */
function capabilities(tools: readonly Tool[]): string {
  const names = [...new Set(tools.flatMap((tool) => tool.capabilities))].toSorted();
  const rows = names.map((name) => {
    const own = tools.filter((tool) => tool.capabilities.includes(name));
    return [code(name), own.map((tool) => `[${code(tool.name)}](tools.md#${tool.name})`).join(', ')];
  });
  return `## Capabilities

\`--caps\` adds the tools of a capability to any set. \`--toolset all\` has all of them.

${table(['Capability', 'Tools'], rows)}`;
}

/** The page `docs/toolsets.md`. */
export function toolsetsPage(vocabularies: Vocabularies, tools: readonly Tool[]): string {
  const sections = Object.entries(vocabularies).map(
    ([name, tools]) => `## ${name}\n\n${toolTable(tools)}${remarks[name] ?? ''}`,
  );
  return [introduction(vocabularies), capabilities(tools), ...sections].join('\n');
}

function toolTable(tools: readonly Tool[]): string {
  return table(
    ['Tool', 'Description', 'Arguments', 'Alias of', 'Answer'],
    tools.map((tool) => [
      code(tool.name),
      tool.description,
      argumentsOf(tool),
      tool.does === tool.name ? '' : `[${code(tool.does)}](tools.md#${tool.does})`,
      tool.answer,
    ]),
  );
}

function argumentsOf(tool: Tool): string {
  const { properties, required = [] } = describeTool(tool).inputSchema;
  return Object.keys(properties)
    .map((name) => code(required.includes(name) ? name : `${name}?`))
    .join(', ');
}
