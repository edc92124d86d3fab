import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { helpText } from '../../src/cli/help.ts';
import { listOptions } from '../../src/config/options.ts';
import { errorsPage } from '../../src/docs/errors-page.ts';
import { allTools } from '../../src/tools/all.ts';
import { vocabularies } from '../../src/tools/vocabularies/index.ts';
import { problemsInComments, problemsInProse, problemsInTitles } from './glossary.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (file: string): string => readFileSync(`${root}${file}`, 'utf8');

function filesBelow(folder: string, ending: RegExp): readonly string[] {
  return readdirSync(`${root}${folder}`, { recursive: true, encoding: 'utf8' })
    .map((file) => `${folder}/${file.replaceAll('\\', '/')}`)
    .filter((file) => ending.test(file))
    .sort();
}

describe('wording', () => {
  const documents = [
    ...readdirSync(root).filter((file) => file.endsWith('.md')),
    ...filesBelow('docs', /\.md$/),
    ...filesBelow('bench', /\.md$/),
  ];

  test.each(documents)('%s uses the terms of the glossary', (file) => {
    // Generated sections are checked at their source.
    const text = read(file).replaceAll(/<!-- (\w+) -->.*?<!-- \/\1 -->/gs, '');
    expect(problemsInProse(text)).toEqual([]);
  });

  /** Everything the server says, by where it is declared. */
  const texts: Readonly<Record<string, () => readonly string[]>> = {
    tools: () =>
      [...allTools, ...Object.values(vocabularies).flat()].flatMap(({ name, title, description, input }) => {
        const fields = Object.values(input.shape).map((field) => field.description ?? '');
        return [title, description, ...fields].map((text) => `${name}: ${text}`);
      }),
    options: () => [helpText([]), ...listOptions().map(({ description }) => description)],
    errors: () => [errorsPage()],
  };

  test.each(Object.keys(texts))('%s use the terms of the glossary', (name) => {
    expect(texts[name]?.().flatMap(problemsInProse)).toEqual([]);
  });
});

describe('sources', () => {
  const files = ['src', 'tests', 'bench'].flatMap((folder) => filesBelow(folder, /\.ts$/));

  test('comments use the terms of the glossary', () => {
    const problems = files.flatMap((file) => problemsInComments(read(file)).map((problem) => `${file}:${problem}`));
    expect(problems).toEqual([]);
  });

  test('titles of tests use the terms of the glossary', () => {
    const problems = files
      .filter((file) => file.endsWith('.test.ts') && file !== 'tests/contract/language.test.ts')
      .flatMap((file) => problemsInTitles(read(file)).map((problem) => `${file}: ${problem}`));
    expect(problems).toEqual([]);
  });

  test('a metaphor, an old-fashioned word and a paraphrase are found', () => {
    const text = ['const x = 1; ', '/ Asks the page anew.\n/** What is told of it. */\n'].join('/');
    expect(problemsInComments(text)).toEqual(['1: "anew": use "again" or re-', '2: "told": use "reported"']);
    expect(problemsInProse('The window has a picture.')).toEqual([
      '"window": use "viewport"',
      '"picture": use "screenshot" or "image"',
    ]);
    expect(problemsInTitles("test.each([[1]])('one', f); test('it is told', f);")).toEqual([
      'it is told: "told": use "reported"',
    ]);
  });
});
