import { dependentDefaults } from '../config/dependent-defaults.ts';
import { variableNames, variablePrefixes } from '../config/sources/environment.ts';
import { flagSpellings, listOptions } from '../config/options.ts';
import type { Option, OptionKind } from '../config/options.ts';

const introduction = `# Configuration

An option takes its value from the strongest place that sets it. From weakest to strongest:

1. the built-in default,
2. the configuration file, named with \`--config <path>\`,
3. the environment,
4. the command line.

A mistake stops the start: unknown flags and keys, wrong types and unreadable files are all reported at once, each with
the nearest right name. \`--storage-state\` is read when a session is made, as another program may write it until then. Options marked **(not in effect yet)** are accepted, and a warning says that they do nothing;
so does one about an option that another keeps from having an effect, such as \`--user-data-dir\` with \`--isolated\`.

## Command line

- \`--flag value\` and \`--flag=value\` are the same. A value that begins with dashes needs the second form.
- Every flag can also be written in camelCase: \`--session-timeout 1000\`, \`--sessionTimeout=1000\`.
- A boolean stands alone (\`--headless\`), takes a value (\`--headless=false\`), or is denied (\`--no-headless\`).
- A list is separated by commas, or the flag is repeated: \`--caps vision,pdf\`, \`--caps vision --caps pdf\`.
- A header is written \`--cdp-header "Name: value"\`, once for each.
- An empty value counts as not given: \`--proxy-server=\` also takes back what a file or a variable says.
- A size is written \`1280x720\` or \`1280,720\`.

## Environment

The variable of a flag is its name in capitals after \`PAGEHELM_\`: \`--session-timeout\` is \`PAGEHELM_SESSION_TIMEOUT\`.
The same names after \`PLAYWRIGHT_MCP_\` are read too; where both are set, the first counts. Booleans are \`true\`, \`1\`,
\`false\` or \`0\`. An empty variable counts as not set. An unknown \`PAGEHELM_\` variable is ignored with a warning.
\`PLAYWRIGHT_MCP_PING_TIMEOUT_MS\` is accepted and has no effect by design: a missed ping ends nothing.

## Configuration file

A JSON object with the keys below; dots mean nesting. Editors find its schema in \`config.schema.json\`, which a file may
name under \`$schema\`.

\`\`\`json
{
  "browser": { "headless": true, "viewport": { "width": 1280, "height": 720 } },
  "timeouts": { "action": 10000 },
  "capabilities": ["pdf"]
}
\`\`\`

A file whose name ends in \`.ini\` holds lines of \`key = value\` instead: \`browser.headless = true\`, or \`headless = true\`
under \`[browser]\`; \`key[] = value\` adds one item to a list.

Paths are relative to the working directory of the server, but those of \`browser.initScript\` and \`browser.initPage\`
to the folder of the file.
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

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return `${[line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')}\n`;
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
  return table(['Key', 'Flag', 'Variable', 'Type', 'Default', 'Meaning'], rows);
}

function code(text: string): string {
  return `\`${text}\``;
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
  return `Some things have a second key. Where a file has both and they differ, the deeper key is used (at the same depth the
second column) and a warning says so. A value found under a second key is moved: \`browser.launchOptions\` and
\`browser.contextOptions\` reach Playwright without it, and what the options below say is applied over them.

${table(['Key', 'Same as'], rows)}`;
}

function dependentPart(): string {
  const rows = dependentDefaults.flatMap(({ when, values }) =>
    Object.entries(values).map(([path, value]) => [when, code(path), code(JSON.stringify(value))]),
  );
  return `## Defaults that depend on other options

They hold only where the option itself is not set.

${table(['When', 'Key', 'Default'], rows)}`;
}
