import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { verbHelp } from '../../src/cli/verbs/command-help.ts';
import { localCommands } from '../../src/cli/verbs/unknown-verb.ts';
import { refusedVerbs } from '../../src/cli/verbs/peers/unsupported.ts';
import { verbTable } from '../../src/cli/verbs/verb-table.ts';
import { code, table, withSection } from '../../src/docs/markdown.ts';
import { allTools } from '../../src/tools/all.ts';
import { estimateTokens } from '../../src/util/tokens.ts';
import { root } from '../built.ts';
import { agentBrowser, playwrightCli } from './peer-verbs.ts';

const verbs = verbTable(allTools);
const unsupportedVerbs = refusedVerbs(verbs);
const read = (file: string): string => readFileSync(`${root}${file}`, 'utf8');

test('docs/cli.md lists every command, and those of other programs that have none', async () => {
  const names = new Map<string, string[]>();
  for (const verb of verbs.values()) {
    const words = verbHelp(verb, allTools).split('\n')[0]?.slice('pagehelm '.length) ?? verb.name;
    names.set(verb.tool, [...(names.get(verb.tool) ?? []), words]);
  }
  const rows = [...names].map(([tool, all]) => [code(tool), all.toSorted().map(code).join(', ')]);
  const reasons = new Map<string, string[]>();
  for (const { name, of, reason } of unsupportedVerbs) {
    const key = `${of}\n${reason}`;
    reasons.set(key, [...(reasons.get(key) ?? []), name]);
  }
  const refused = [...reasons].map(([key, all]) => {
    const [of = '', reason = ''] = key.split('\n');
    return [of, all.map(code).join(', '), reason];
  });
  const page = withSection(
    read('docs/cli.md'),
    'commands',
    table(
      ['Tool', 'Commands'],
      rows.toSorted(([a = ''], [b = '']) => a.localeCompare(b)),
    ),
  );
  const whole = withSection(page, 'unsupported', table(['Program', 'Commands', 'Instead'], refused));
  await expect(whole).toMatchFileSnapshot('../../docs/cli.md');
});

describe('every command of', () => {
  test.each([
    ['playwright-cli', playwrightCli, 102],
    ['agent-browser', agentBrowser, 110],
  ] as const)('%s works, or is refused with a reason', (of, names, least) => {
    expect(names.length).toBeGreaterThanOrEqual(least - 5);
    const known = new Set<string>([...verbs.keys(), ...localCommands, 'install', 'batch', 'read']);
    const refused = new Set(unsupportedVerbs.filter((each) => each.of === of).map(({ name }) => name));
    expect(names.filter((name) => !known.has(name) && !refused.has(name))).toEqual([]);
  });
});

test('only commands of other programs are refused', () => {
  const peers = { 'playwright-cli': new Set(playwrightCli), 'agent-browser': new Set(agentBrowser) };
  const unknown = unsupportedVerbs.filter(({ of, name }) => !peers[of].has(name));
  // Commands of later versions.
  expect(unknown.map(({ name }) => name)).toEqual(['tray']);
});

test('the help of a command is short', () => {
  const long = [...verbs.values()].filter((verb) => estimateTokens(verbHelp(verb, allTools)) > 160);
  expect(long.map(({ name }) => name)).toEqual([]);
});

test('the executable sends every word that is not a command of its own to the daemon', () => {
  const source = read('src/bin.ts');
  for (const name of localCommands.filter((each) => each !== 'help'))
    expect(source).toMatch(new RegExp(`[(|:]${name}\\|`));
});
