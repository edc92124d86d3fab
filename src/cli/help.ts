import { flagSpellings, listOptions } from '../config/options.ts';
import type { Option } from '../config/options.ts';
import { nearestTool } from '../call/tool.ts';
import { ConfigError } from '../errors.ts';
import { allTools } from '../tools/all.ts';

export interface CommandSummary {
  readonly name: string;
  readonly summary: string;
}

const lineWidth = 100;
const nameWidth = 34;

/** The text of `--help`: the commands and all options, by section. */
export function helpText(commands: readonly CommandSummary[]): string {
  const shown = listOptions().filter(
    ({ meta }) => meta.flag !== undefined && meta.pending !== true && meta.hidden !== true,
  );
  const sections = [...new Set(shown.map(({ section }) => section))].map((title) =>
    block(
      title,
      shown.filter(({ section }) => section === title).map((option) => [flagText(option), meaning(option)]),
    ),
  );
  return [
    'Usage: pagehelm [command] [options]\n',
    ...(commands.length === 0
      ? []
      : [
          block(
            'Commands',
            commands.map(({ name, summary }) => [name, summary]),
          ),
        ]),
    ...sections,
    block('Other', [
      ['-h, --help', 'Show this text'],
      ['-V, --version', 'Show the version'],
    ]),
    'Options that are accepted but not in effect yet are listed in docs/configuration.md.\n',
  ].join('\n');
}

/** The text of `call <tool> --help`: the tool and its arguments. */
export function toolHelp(name: string): string {
  const tool = allTools.find((each) => each.name === name || each.name === `browser_${name}`);
  if (tool === undefined) {
    const near = nearestTool(
      name,
      allTools.map((each) => each.name),
    );
    throw new ConfigError([`Unknown tool: ${name}.${near === undefined ? '' : ` Did you mean ${near}?`}`]);
  }
  const rows = Object.entries(tool.input.shape).map(([key, field]): readonly [string, string] => {
    return [`--${key}`, `${field.description ?? ''}${field.isOptional() ? '' : ' (required)'}`];
  });
  return [
    `Usage: pagehelm call ${tool.name} [arguments] [options]\n`,
    `${tool.description}\n`,
    ...(rows.length === 0 ? [] : [block('Arguments', rows)]),
  ].join('\n');
}

function block(title: string, rows: readonly (readonly [string, string])[]): string {
  return `${title}:\n${rows.map(([name, text]) => entry(name, text)).join('')}`;
}

/** A name and its text in two columns; a long name is on a line of its own. */
function entry(name: string, text: string): string {
  const lines = wrapped(text, lineWidth - nameWidth);
  const head = `  ${name}`;
  const indent = ' '.repeat(nameWidth);
  if (head.length >= nameWidth) return `${head}\n${lines.map((line) => `${indent}${line}\n`).join('')}`;
  return lines.map((line, index) => `${index === 0 ? head.padEnd(nameWidth) : indent}${line}\n`).join('');
}

function wrapped(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  return [...lines, line];
}

function flagText(option: Option): string {
  const value = option.kind === 'boolean' ? '' : ` <${option.meta.placeholder ?? 'value'}>`;
  return `${flagSpellings(option).join(', ')}${value}`;
}

function meaning(option: Option): string {
  const { description, kind, choices, meta } = option;
  const negated = kind === 'boolean' && option.defaultValue === true;
  const words = choices.length > 0 && meta.words === undefined ? `: ${inEffect(option).join(', ')}` : '';
  return `${negated ? `Do not ${lowerFirst(description)}` : description}${words}${defaultNote(option)}`;
}

function inEffect({ choices, meta }: Option): readonly string[] {
  return choices.filter((choice) => meta.pendingValues?.includes(choice) !== true);
}

function lowerFirst(text: string): string {
  return `${text.slice(0, 1).toLowerCase()}${text.slice(1)}`;
}

function defaultNote({ kind, defaultValue, meta }: Option): string {
  if (meta.defaultText !== undefined) return ` (default: ${meta.defaultText})`;
  const values: readonly unknown[] = Array.isArray(defaultValue) ? defaultValue : [defaultValue];
  const texts = values.flatMap((value) => (typeof value === 'string' || typeof value === 'number' ? [`${value}`] : []));
  return kind === 'boolean' || texts.length === 0 ? '' : ` (default: ${texts.join(',')})`;
}
