import type { Prompt, PromptArgument } from '../prompts/prompt.ts';
import { code, fenced, quote, table } from './markdown.ts';

const introduction = `# Prompts

Prompts are templates for common tasks, which a client offers to its user, for example as slash commands. They are listed with
\`prompts/list\` and rendered with \`prompts/get\`.

- A prompt is rendered with [Handlebars](https://handlebarsjs.com/). Arguments are data: template syntax in them is not
  interpreted, and nothing is HTML-escaped.
- Arguments are strings. An argument that is an object is passed as JSON. An optional argument that is missing or empty gets
  its default. An argument has at most 100,000 characters.
- The first message is the text below. A second message names the tools of this server that fit the task, if they are
  offered.
- The password of \`authenticate\` is not rendered. If it has 4 or more characters, it is also removed from other
  arguments. If it is the name of a [secret](security.md), the second message says how to type it.

Errors have the JSON-RPC code -32602:

| Message | Reason |
| --- | --- |
| \`Prompt not found: <name>\` | There is no prompt of that name. |
| \`Missing required argument: <name>\` | A required argument is missing or empty. |
| \`Invalid argument: <name> must be a JSON object, …\` | The argument is not a JSON object. |
| \`Argument too long: <name> …\` | The argument is too long. |

## Completions

\`completion/complete\` suggests values for arguments of prompts and for variables of
[resource templates](resources.md). It suggests only what belongs to the client's own sessions and files, at most 100 values,
and starts no browser.

| Argument or variable | Values |
| --- | --- |
| \`url\`, \`start_url\` | URLs of open tabs, then URLs visited earlier in them |
| \`baseline_screenshot\` | paths of saved screenshots, the newest first |
| arguments with a default | the default |
| \`sessionId\` | ids of sessions, the active one first; for files, sessions that have some |
| \`pageId\` | ids of tabs, of \`sessionId\` if it is given |
| \`elementId\` | refs that snapshots have shown, of \`pageId\` if it is given |
| \`timestamp\` | times of files of that kind, the newest first |
`;

/** The page `docs/prompts.md`. */
export function promptsPage(prompts: readonly Prompt[]): string {
  return [introduction, ...prompts.map(section)].join('\n');
}

function section(prompt: Prompt): string {
  const rows = prompt.arguments.map((argument) => [
    code(argument.name),
    argument.required ? 'yes' : '',
    argument.default === undefined ? '' : code(argument.default),
    meaningOf(argument),
  ]);
  const guidance = prompt.guidance?.({ nameOf: (tool) => code(tool), args: {}, isSecretName: () => false }) ?? '';
  return [
    `## ${prompt.name}\n`,
    `${prompt.description}.\n`,
    table(['Argument', 'Required', 'Default', 'Description'], rows),
    fenced(prompt.template, 'handlebars'),
    ...(guidance === '' ? [] : [`${quote(guidance)}\n`]),
  ].join('\n');
}

function meaningOf({ description, isSecret }: PromptArgument): string {
  return isSecret === true ? `${description}; not rendered` : description;
}
