import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { Tool } from '../../src/call/tool.ts';
import { loadConfig } from '../../src/config/load.ts';
import { configSchema } from '../../src/config/schema/schema.ts';
import { exceptionTable, layerTable, listedFolders } from '../../src/docs/architecture-page.ts';
import { errorsPage } from '../../src/docs/errors-page.ts';
import { withSection } from '../../src/docs/markdown.ts';
import { resourcesPage } from '../../src/docs/resources-page.ts';
import { promptsPage } from '../../src/docs/prompts-page.ts';
import { readmeTools, toolsPage } from '../../src/docs/tools-page.ts';
import { toolsetsPage } from '../../src/docs/toolsets-page.ts';
import { errorCatalogue, withToolNames } from '../../src/errors.ts';
import { chooseTools } from '../../src/policy/tools.ts';
import { prompts } from '../../src/prompts/catalogue.ts';
import { allTools } from '../../src/tools/all.ts';
import { aliases } from '../../src/tools/vocabularies/index.ts';
import { exceptions, layers } from './layers.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (file: string): string => readFileSync(`${root}${file}`, 'utf8');
/** Toolsets with names or arguments of their own. */
const vocabularies = ['basic', 'design', 'sessions', 'playwright'] as const;

function membersOf(set: (typeof vocabularies)[number]): readonly Tool[] {
  return chooseTools<Tool>(allTools, aliases, configSchema.parse({ toolsets: [set] })).tools;
}

const toolsDocument = toolsPage(allTools);

test('docs/tools.md is generated from the tools', async () => {
  await expect(toolsDocument).toMatchFileSnapshot('../../docs/tools.md');
});

test('docs/toolsets.md is generated from the vocabularies', async () => {
  const members = Object.fromEntries(vocabularies.map((set) => [set, membersOf(set)]));
  await expect(toolsetsPage(members, allTools)).toMatchFileSnapshot('../../docs/toolsets.md');
});

test('docs/errors.md is generated from the catalogue', async () => {
  await expect(errorsPage()).toMatchFileSnapshot('../../docs/errors.md');
});

test('docs/resources.md is generated from the table of resources', async () => {
  await expect(resourcesPage()).toMatchFileSnapshot('../../docs/resources.md');
});

test('docs/prompts.md is generated from the prompts', async () => {
  await expect(promptsPage(prompts)).toMatchFileSnapshot('../../docs/prompts.md');
});

test('the table in README.md lists the tools offered by default', async () => {
  const { config } = loadConfig({ argv: [], env: {}, cwd: '/' });
  const tools = readmeTools(chooseTools(allTools, aliases, config).tools);
  await expect(withSection(read('README.md'), 'tools', tools)).toMatchFileSnapshot('../../README.md');
});

test('the layer tables in docs/architecture.md are generated from tests/contract/layers.ts', async () => {
  const page = withSection(read('docs/architecture.md'), 'layers', layerTable(layers));
  await expect(withSection(page, 'exceptions', exceptionTable(exceptions))).toMatchFileSnapshot(
    '../../docs/architecture.md',
  );
});

test('docs/architecture.md describes every folder of src/', () => {
  const folders = readdirSync(`${root}src`, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ parentPath, name }) => `${parentPath}/${name}`.replaceAll('\\', '/').slice(`${root}src/`.length));
  expect(listedFolders(read('docs/architecture.md'))).toEqual(folders.sort());
});

test('docs/tools.md has every argument of every tool', () => {
  const missing = allTools.flatMap(({ name, input }) => {
    const section = toolsDocument.split(`\n## ${name}\n`)[1]?.split('\n## ')[0] ?? '';
    return Object.keys(input.shape)
      .filter((key) => !section.includes(`| \`${key}\` |`))
      .map((key) => `${name}.${key}`);
  });
  expect(missing).toEqual([]);
});

test('the examples in docs/tools.md are valid calls', () => {
  const examples = [...toolsDocument.matchAll(/```json\n(.*)\n```/g)].map(([, text = '']) => JSON.parse(text));
  expect(examples.map(({ name }) => name)).toEqual(allTools.map(({ name }) => name));
  for (const tool of allTools) {
    const example = examples.find(({ name }) => name === tool.name);
    expect(tool.prepare(example?.arguments).notes).toEqual([]);
  }
});

test('docs/errors.md has every error with its hint', () => {
  const page = errorsPage();
  const missing = Object.entries(errorCatalogue).filter(
    ([kind, { hints }]) => !page.includes(`### ${kind}\n`) || !page.includes(withToolNames(hints, (tool) => tool)),
  );
  expect(missing).toEqual([]);
});

test('docs/architecture.md names only files and folders that exist', () => {
  const text = read('docs/architecture.md').replaceAll(/<!-- (\w+) -->.*?<!-- \/\1 -->/gs, '');
  const paths = [...text.matchAll(/`([\w/-]+\.ts|(?:[\w-]+\/)+)`/g)].map(([, path = '']) => path);
  expect(paths.length).toBeGreaterThan(40);
  const isThere = (path: string): boolean => existsSync(`${root}${path}`) || existsSync(`${root}src/${path}`);
  expect(paths.filter((path) => !isThere(path))).toEqual([]);
});
