import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { differences } from '../../bench/compat/differences.ts';
import { table, withSection } from '../../src/docs/markdown.ts';
import { playwrightNames } from '../../src/tools/compat/playwright-answers.ts';
import { root } from '../built.ts';
import { listedByPeer } from './peer.ts';

test('docs/compatibility.md has the table of differences', async () => {
  const page = readFileSync(`${root}/docs/compatibility.md`, 'utf8');
  const rows = differences.map(({ what, reason }) => [what, `${reason[0]?.toUpperCase()}${reason.slice(1)}`]);
  const shown = withSection(page, 'differences', table(['Difference', 'Reason'], rows));
  await expect(shown).toMatchFileSnapshot('../../docs/compatibility.md');
});

test('at most ten differences from @playwright/mcp are explained', () => {
  expect(differences.length).toBeLessThanOrEqual(10);
  expect(new Set(differences.map(({ id }) => id)).size).toBe(differences.length);
});

test('the names of the compatibility mode are those of @playwright/mcp with all capabilities', async () => {
  const theirs = await listedByPeer(['--caps=config,devtools,network,pdf,storage,testing,vision']);
  expect(theirs).toHaveLength(72);
  expect([...playwrightNames].sort()).toEqual(theirs.map(({ name }) => name).sort());
});
