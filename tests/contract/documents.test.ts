import { expect, test } from 'vitest';
import { errorsPage } from '../../src/docs/errors-page.ts';
import { readFileSync } from 'node:fs';
import { loadConfig } from '../../src/config/load.ts';
import { readmeTools, toolsPage } from '../../src/docs/tools-page.ts';
import { toolsetsPage } from '../../src/docs/toolsets-page.ts';
import { errorCatalogue } from '../../src/errors.ts';
import { chooseTools } from '../../src/policy/tools.ts';
import { allTools } from '../../src/tools/index.ts';
import { vocabularies } from '../../src/tools/vocabularies/index.ts';

const toolsDocument = toolsPage(allTools);

test('docs/tools.md is what the tools say', async () => {
  await expect(toolsDocument).toMatchFileSnapshot('../../docs/tools.md');
});

test('docs/toolsets.md is what the vocabularies say', async () => {
  await expect(toolsetsPage(vocabularies)).toMatchFileSnapshot('../../docs/toolsets.md');
});

test('the table in the README has the tools that are offered by default', () => {
  const { config } = loadConfig({ argv: [], env: {}, cwd: '/' });
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
  const [, between = ''] = readme.split(/<!-- \/?tools -->\n/);
  expect(between.trim()).toBe(readmeTools(chooseTools(allTools, config).tools));
});

test('docs/errors.md is what the catalogue says', async () => {
  await expect(errorsPage()).toMatchFileSnapshot('../../docs/errors.md');
});

test('the page of the tools has every tool with every argument', () => {
  const missing = allTools.flatMap(({ name, input }) => {
    const section = toolsDocument.split(`\n## ${name}\n`)[1]?.split('\n## ')[0] ?? '';
    return Object.keys(input.shape)
      .filter((key) => !section.includes(`| \`${key}\` |`))
      .map((key) => `${name}.${key}`);
  });
  expect(missing).toEqual([]);
});

test('the examples of the tools are calls they accept', () => {
  const examples = [...toolsDocument.matchAll(/```json\n(.*)\n```/g)].map(([, text = '']) => JSON.parse(text));
  expect(examples.map(({ name }) => name)).toEqual(allTools.map(({ name }) => name));
  for (const tool of allTools) {
    const example = examples.find(({ name }) => name === tool.name);
    expect(tool.prepare(example?.arguments).notes).toEqual([]);
  }
});

test('the page of the errors has every error', () => {
  const page = errorsPage();
  const missing = Object.entries(errorCatalogue).filter(
    ([kind, { hint }]) => !page.includes(`### ${kind}\n`) || !page.includes(hint),
  );
  expect(missing).toEqual([]);
});
