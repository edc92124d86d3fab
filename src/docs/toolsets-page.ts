import type { Tool } from '../call/tool.ts';
import { describeTool } from '../mcp/describe.ts';
import { code, table } from './markdown.ts';

const introduction = `# Toolsets

\`--toolset\` chooses which tools a server lists. The default is \`core\`. Sets combine: \`--toolset core,sessions\`. Where two
of them have one name, the one that is named first says how it looks. \`--caps\`, \`--enable-tool\`, \`--disable-tool\` and
\`--read-only\` add and take away; what is disabled is disabled under all its names. The list is fixed when the server starts.

| Set | What it lists |
| --- | --- |
| \`core\` | the tools of \`viewpoint\`, then \`browser_find\`, \`browser_scroll\` and the session tools |
| \`viewpoint\` | exactly 27 tools: navigation, input, snapshots, tabs, contexts |
| \`playwright\` | what \`@playwright/mcp\` lists, argument by argument, but for the tool that runs code in the server |
| \`basic\` | seven tools that take a selector and answer with a sentence |
| \`sessions\` | five tools that take a session in each call |
| \`design\` | 44 tools with short names whose answers are data |
| \`all\` | every tool under every name |

Beside \`core\` the names \`navigate\`, \`click\`, \`type\`, \`browser_launch\`, \`browser_screenshot\` and \`browser_quit\` can be
called too. They are not listed: two names for one thing confuse a model.

The sets below are vocabularies: each tool is a name, a list of arguments and a form of answer for what one of the
[tools](tools.md) does. Under each name all arguments of that tool are accepted, not only the listed ones; \`selector\` may be
a ref. Answers come in three forms: **sections** of text, as [tools.md](tools.md) shows them; **sentences**, which are the
whole text; **data**, which is \`{"success": true, "data": {…}}\` as text and as \`structuredContent\`, where \`data.notes\` tells
what else happened and \`data.cut\` what did not fit. An [error](errors.md) is the same object everywhere; its text is
three lines where answers are sentences:

\`\`\`
Error clicking element: No element found matching selector "#send"
Selector: #send
Hint: Check if element exists and is actionable
\`\`\`

Dialogs that no listed tool can answer are dismissed, and the answer says so.
`;

/** The page `docs/toolsets.md`. */
export function toolsetsPage(vocabularies: Readonly<Record<string, readonly Tool[]>>): string {
  const sections = Object.entries(vocabularies).map(([name, tools]) => `## ${name}\n\n${toolTable(tools)}`);
  return [introduction, ...sections].join('\n');
}

function toolTable(tools: readonly Tool[]): string {
  return table(
    ['Tool', 'What it does', 'Arguments', 'Done by', 'Answer'],
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
