import { dependentDefaults } from '../config/option-rules.ts';
import { variableNames, variablePrefixes } from '../config/sources/environment.ts';
import { flagSpellings, listOptions } from '../config/options.ts';
import type { Option, OptionKind } from '../config/options.ts';
import { code, table } from './markdown.ts';

const introduction = `# Configuration

Options are read from four sources. Each source overrides the ones before it:

1. the built-in default,
2. the configuration file given with \`--config <path>\`,
3. environment variables,
4. command-line flags.

The server does not start with an invalid configuration. Unknown flags and keys, wrong types and unreadable files are
reported together, each with the closest valid name. The file given with \`--storage-state\` is read when a session is
created, so another program may write it later.

Options marked **(not in effect yet)** are accepted and logged as a warning. The server also warns about an option that
another one overrides, such as \`--user-data-dir\` with \`--isolated\`.

## Command line

- \`--flag value\` and \`--flag=value\` are equivalent. Use the second form if the value begins with a dash.
- Flags may be written in camelCase: \`--sessionTimeout=1000\` is \`--session-timeout 1000\`.
- A boolean flag stands alone (\`--headless\`), takes a value (\`--headless=false\`) or is negated (\`--no-headless\`).
- Separate list items with commas or repeat the flag: \`--caps vision,pdf\`, \`--caps vision --caps pdf\`.
- Write headers as \`--cdp-header "Name: value"\` and repeat the flag for more than one.
- An empty value unsets the option: \`--proxy-server=\` overrides a value from the file or the environment.
- Write sizes as \`1280x720\` or \`1280,720\`.

## Environment

The variable for a flag is its name in capitals with the prefix \`PAGEHELM_\`: \`--session-timeout\` is
\`PAGEHELM_SESSION_TIMEOUT\`. The prefix \`PLAYWRIGHT_MCP_\` works too; if both are set, \`PAGEHELM_\` wins. Booleans are
\`true\`, \`1\`, \`false\` or \`0\`. An empty variable counts as unset. An unknown \`PAGEHELM_\` variable is ignored with a
warning. \`PLAYWRIGHT_MCP_PING_TIMEOUT_MS\` is accepted and ignored: a missed ping does not end a session.

## Configuration file

A JSON object with the keys below; dots mean nesting. \`config.schema.json\` is its JSON Schema: name it under \`$schema\` to
get completion in your editor.

\`\`\`json
{
  "browser": { "headless": true, "viewport": { "width": 1280, "height": 720 } },
  "timeouts": { "action": 10000 },
  "capabilities": ["pdf"]
}
\`\`\`

A file with the extension \`.ini\` holds \`key = value\` lines instead: \`browser.headless = true\`, or \`headless = true\` under
\`[browser]\`. \`key[] = value\` appends to a list.

Paths are relative to the server's working directory, except \`browser.initScript\` and \`browser.initPage\`, which are
relative to the file.
`;

/** The page `docs/configuration.md`. */
export function configurationPage(): string {
  const options = listOptions();
  const sections = groupBySection(options);
  const tables = [...sections].map(([title, rows]) => `## ${title}\n\n${optionTable(rows)}`);
  return [introduction, aliasPart(options), dependentPart(), ...tables].join('\n');
}

function groupBySection(options: readonly Option[]): ReadonlyMap<string, readonly Option[]> {
  const sections = new Map<string, Option[]>();
  for (const option of options) sections.set(option.section, [...(sections.get(option.section) ?? []), option]);
  return sections;
}

function optionTable(options: readonly Option[]): string {
  const rows = options.map((option) => [
    option.meta.notInFile === true ? '' : code(option.path),
    flagSpellings(option).map(code).join(', '),
    variableNames(option)
      .map((name) => code(`${variablePrefixes[0]}${name}`))
      .join(', '),
    typeText(option),
    defaultText(option),
    `${option.description.replaceAll('*', '\\*')}${pendingText(option)}`,
  ]);
  return table(['Key', 'Flag', 'Variable', 'Type', 'Default', 'Description'], rows);
}

const plainTypes: Readonly<Record<Exclude<OptionKind, 'choice' | 'list'>, string>> = {
  boolean: 'boolean',
  number: 'number',
  string: 'string',
  pairs: 'object of strings',
  free: 'object',
  size: 'size',
};

function typeText({ kind, choices }: Option): string {
  if (kind === 'choice') return choices.map(code).join(', ');
  if (kind === 'list') return choices.length === 0 ? 'list of strings' : `list of ${choices.map(code).join(', ')}`;
  return plainTypes[kind];
}

function defaultText({ meta, defaultValue }: Option): string {
  if (meta.defaultText !== undefined) return meta.defaultText;
  return defaultValue === undefined ? '' : code(JSON.stringify(defaultValue));
}

function pendingText({ meta }: Option): string {
  if (meta.pending === true) return ' **(not in effect yet)**';
  if (meta.pendingValues === undefined) return '';
  return ` **(${meta.pendingValues.map(code).join(', ')}: not in effect yet)**`;
}

function aliasPart(options: readonly Option[]): string {
  const rows = options.flatMap(({ path, meta }) => (meta.aliases ?? []).map((alias) => [code(alias), code(path)]));
  return `Some keys have an alias. If a file sets both to different values, the more deeply nested key wins (at equal depth, the
one in the second column) and a warning is logged. Values set through an alias are removed from
\`browser.launchOptions\` and \`browser.contextOptions\` before these are passed to Playwright; the options below take
precedence over both.

${table(['Alias', 'Key'], rows)}`;
}

function dependentPart(): string {
  const rows = dependentDefaults.flatMap(({ when, values, copies = {} }) => [
    ...Object.entries(values).map(([path, value]) => [when, code(path), code(JSON.stringify(value))]),
    ...Object.entries(copies).map(([path, from]) => [when, code(path), `value of ${code(from)}`]),
  ]);
  return `## Defaults that depend on other options

They apply only if the option itself is not set.

${table(['When', 'Key', 'Default'], rows)}`;
}
