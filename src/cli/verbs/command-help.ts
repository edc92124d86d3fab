import type { Tool } from '../../call/tool.ts';
import { isHidden } from '../../call/arguments/arguments.ts';
import type { CommandLine } from './command-line.ts';
import { answerSchema } from './json-answer.ts';
import type { Verb } from './verb.ts';

/** The text of a command line that calls nothing: help, or the schema of `--json`. */
export function textWithoutCall(line: CommandLine, tools: readonly Tool[]): string | undefined {
  if (line.switches.schema) return `${JSON.stringify(answerSchema, undefined, 2)}\n`;
  if (line.helpFor !== undefined) return verbHelp(line.helpFor, tools);
  return line.switches.help ? commandHelp : undefined;
}

/** The help of one verb, from the declaration of its tool. */
export function verbHelp(verb: Verb, tools: readonly Tool[]): string {
  const tool = tools.find(({ name }) => name === verb.tool);
  if (tool === undefined) return '';
  const words = verb.positional ?? tool.positional;
  const preset = new Set(Object.keys(verb.args ?? {}));
  const shown = Object.entries(tool.input.shape).filter(
    ([name, field]) => !isHidden(field) && name !== 'element' && !preset.has(name),
  );
  const usage = words.map((name) => (isOptional(tool, name) ? `[${name}]` : `<${name}>`)).join(' ');
  const rows = shown.map(([name, field]) => `  --${kebab(name)}  ${field.description ?? ''}`);
  return `${[`pagehelm ${verb.name}${usage === '' ? '' : ` ${usage}`}`, tool.description, ...rows].join('\n')}\n`;
}

function isOptional(tool: Tool, name: string): boolean {
  return tool.input.shape[name]?.isOptional() === true && !tool.positional.slice(0, 1).includes(name);
}

/** `fullPage` as `full-page`. */
export function kebab(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** The verbs that most tasks need, with their words. */
export const commonVerbs: readonly (readonly [group: string, verbs: readonly string[]])[] = [
  ['Pages', ['open <url>', 'back', 'forward', 'reload', 'tabs', 'tab-new [url]', 'tab-select <index>', 'close']],
  ['Read', ['snapshot [ref]', 'find <text>', 'get text <ref>', 'url', 'title', 'links', 'screenshot [ref]', 'pdf']],
  ['Act', ['click <ref>', 'fill <ref> <text>', 'fields <ref=value>...', 'select <ref> <option>', 'check <ref>']],
  ['', ['press <key>', 'hover <ref>', 'drag <from> <to>', 'upload [ref] <file>...', 'dialog accept|dismiss']],
  ['Wait', ['wait <text|ref|ms>']],
  ['Debug', ['eval <code>', 'console', 'requests', 'request <index>']],
  [
    'Daemon',
    ['ps', 'stop [--all]', 'dashboard', 'doctor', 'install-browser', 'serve', 'init', 'skill', 'completion <shell>'],
  ],
];

/** The text of `--help`. */
export const commandHelp = `${[
  'Usage: pagehelm [options] <command> [words] [then <command> ...]',
  '',
  ...commonVerbs.map(([group, verbs]) => `${group.padEnd(8)}${verbs.join(', ')}`),
  '',
  'A ref (e5) comes from a snapshot; a selector works too. Commands run in a daemon that keeps the browser open.',
  '  -s, --session <name>  Session to use, default "default"; a new name opens one',
  '  -o, --output <file>   Write the answer to a file',
  '  --json, --raw         Print JSON, or the value alone; --json-schema prints the schema',
  '  --keep-going          Go on after a step that failed',
  '',
  'pagehelm help <command> describes a command, pagehelm serve --help lists the options,',
  'docs/cli.md all commands. Exit codes: 0 ok, 1 failed, 2 usage, 3 no browser, 4 a person has control,',
  '5 refused by policy, 124 timed out.',
].join('\n')}\n`;
