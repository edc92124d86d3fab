import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { helpText } from '../../src/cli/help.ts';
import { configJsonSchema } from '../../src/config/json-schema.ts';
import { camelCase, flagSpellings, listOptions } from '../../src/config/options.ts';
import { configurationPage } from '../../src/config/page.ts';
import { getPath } from '../../src/config/paths.ts';

/** What the other server's own help says of its flags: each with its argument, if it takes one. */
const peerHelp = execFileSync(
  process.execPath,
  [join(dirname(createRequire(import.meta.url).resolve('@playwright/mcp/package.json')), 'cli.js'), '--help'],
  { encoding: 'utf8' },
);
const peerFlags = [...peerHelp.matchAll(/^ {2}(?:-\w, )?--([\w-]+)(?: <([^>]+)>)?/gm)]
  .map(([, name = '', argument]) => ({ name, argument }))
  .filter(({ name }) => name !== 'help' && name !== 'version' && name !== 'config');
/** It understands this as well (and --vision, tried with the flags), and does not tell. */
const hiddenThere = 'remote-header';

const options = listOptions();
const flags = new Set(options.flatMap(({ meta }) => (meta.flag === undefined ? [] : [meta.flag])));

describe('the documents', () => {
  test('docs/configuration.md is what the schema says', async () => {
    await expect(configurationPage()).toMatchFileSnapshot('../../docs/configuration.md');
  });

  test('docs/config.schema.json is what the schema says', async () => {
    const text = `${JSON.stringify(configJsonSchema(), null, 2)}\n`;
    await expect(text).toMatchFileSnapshot('../../docs/config.schema.json');
  });

  test('the page names every option with its flag', () => {
    const page = configurationPage();
    const missing = options.filter(
      (option) =>
        (option.meta.notInFile !== true && !page.includes(`| \`${option.path}\` |`)) ||
        flagSpellings(option).some((flag) => !page.includes(`\`${flag}\``)),
    );
    expect(missing.map(({ path }) => path)).toEqual([]);
  });

  test('the page marks exactly the options that are not in effect', () => {
    const rows = configurationPage()
      .split('\n')
      .filter((line) => line.endsWith('**(not in effect yet)** |'));
    expect(rows.map((row) => /`([^`]+)`/.exec(row)?.[1])).toEqual(
      [...new Set(options.map(({ section }) => section))].flatMap((title) =>
        options.filter(({ section, meta }) => section === title && meta.pending === true).map(({ path }) => path),
      ),
    );
  });
});

describe('the editor schema', () => {
  const schema = configJsonSchema();
  const at = (path: string): unknown => getPath(schema, path.replaceAll(/(^|\.)(?=[^.])/g, '$1properties.'));

  test('it describes every key of the file, and nothing that is not one', () => {
    const keys = options.filter(({ meta }) => meta.notInFile !== true).map(({ path }) => path);
    expect(keys.filter((path) => typeof getPath(at(path), 'description') !== 'string')).toEqual([]);
    expect(at('configFile')).toBeUndefined();
  });

  test('it refuses unknown keys at every level but inside free-form objects', () => {
    expect(schema['additionalProperties']).toBe(false);
    expect(getPath(at('browser'), 'additionalProperties')).toBe(false);
    expect(getPath(at('browser.launchOptions'), 'additionalProperties')).toEqual({});
  });

  test('it knows the second names of keys and the key that points to itself', () => {
    expect(getPath(at('port'), 'maximum')).toBe(65_535);
    expect(getPath(at('browser.browserName'), 'enum')).toEqual(['chromium', 'firefox', 'webkit']);
    expect(getPath(at('$schema'), 'type')).toBe('string');
  });

  test('no metadata of ours is left in it', () => {
    expect(JSON.stringify(schema)).not.toMatch(/"(?:flag|pending|section|aliases|words|secret)":/);
  });
});

describe('the option table', () => {
  test('[S0-34] every argument of @playwright/mcp is one here, in the same form', () => {
    const formOf = (flag: string): string | undefined => {
      const option = options.find(({ meta }) => meta.flag === flag);
      if (option === undefined) return undefined;
      return option.kind === 'boolean' ? 'switch' : option.meta.variadic === true ? 'values' : 'value';
    };
    const forms = peerFlags.map(({ name, argument = '' }) => {
      const flag = name.replace(/^no-/, '');
      return [name, formOf(flag), argument === '' ? 'switch' : argument.endsWith('...') ? 'values' : 'value'] as const;
    });
    expect(forms.length).toBeGreaterThan(45);
    expect(forms.filter(([, ours, theirs]) => ours !== theirs)).toEqual([]);
    expect(flags).toContain(hiddenThere);
  });

  test('[S0-34] of those only the ones for network clients, the extension and tools of pages have no effect on stdio', () => {
    const pending = options.filter(({ meta }) => meta.pending === true).map(({ meta }) => meta.flag ?? '');
    const theirs = new Set(peerFlags.map(({ name }) => name.replace(/^no-/, '')));
    expect(pending.filter((flag) => theirs.has(flag)).sort()).toEqual([
      'allowed-hosts',
      'extension',
      'host',
      'port',
      'profile-dir-name',
      'shared-browser-context',
      'webmcp',
    ]);
  });

  test.for([
    ['cdp-timeout', 30_000],
    ['codegen', 'typescript'],
    ['host', 'localhost'],
    ['test-id-attribute', 'data-testid'],
    ['timeout-action', 5000],
    ['timeout-navigation', 60_000],
    ['timeout-settle', 500],
    ['file-paths', 'relative'],
  ] as const)('[S0-34] --%s is %s when it is not given, as there', ([flag, value]) => {
    expect(options.find(({ meta }) => meta.flag === flag)?.defaultValue).toBe(value);
  });

  test('every flag has one meaning in each of its spellings', () => {
    const spellings = options.flatMap(({ kind, meta: { flag } }) =>
      flag === undefined ? [] : kind === 'boolean' ? [flag, `no-${flag}`] : [flag],
    );
    const names = spellings.map(camelCase);
    expect(new Set(names).size).toBe(names.length);
    expect(spellings.filter((name) => !/^[a-z]+(?:-[a-z]+)*$/.test(name))).toEqual([]);
  });

  test('every option is described in one line without a full stop and has a section', () => {
    const odd = options.filter(
      ({ description, section }) => !/^[A-Z][^\n]*[^.\s]$/.test(description) || section === '',
    );
    expect(odd.map(({ path }) => path)).toEqual([]);
  });

  test('second names of keys lead to one option each', () => {
    const keys = options.flatMap(({ path, meta }) => [path, ...(meta.aliases ?? [])]);
    expect(new Set(keys).size).toBe(keys.length);
  });
});

describe('the help text', () => {
  const help = helpText([{ name: 'install-browser', summary: 'Install a browser' }]);

  test('no line is wider than a hundred characters', () => {
    expect(help.split('\n').filter((line) => line.length > 100)).toEqual([]);
  });

  test('it shows the commands and exactly the flags that are in effect', () => {
    expect(help).toContain('  install-browser                 Install a browser\n');
    const shown = options
      .filter(
        ({ meta }) =>
          meta.flag !== undefined && help.match(new RegExp(`^ {2}.*--(?:no-)?${meta.flag}\\b(?!-)`, 'm')) !== null,
      )
      .map(({ path }) => path);
    const inEffect = options
      .filter(({ meta }) => meta.flag !== undefined && meta.pending !== true && meta.hidden !== true)
      .map(({ path }) => path);
    expect(shown).toEqual(inEffect);
  });

  test('it shows defaults and words from the schema', () => {
    expect(help).toMatch(/--timeout-action <ms> +Milliseconds an action may take \(default: 5000\)/);
    expect(help).toMatch(/--transport <value> +How clients connect: stdio \(default: stdio\)/);
    expect(help).toMatch(/^ {2}--headless, --no-headless +Run without a visible window/m);
  });
});

test('the sources of the schema take nothing from the process', () => {
  const names = ['schema', 'options', 'flags', 'environment', 'file', 'setting', 'text-value', 'load'];
  const readers = names.filter((name) =>
    readFileSync(new URL(`../../src/config/${name}.ts`, import.meta.url), 'utf8').match(/\bprocess\.(?:env|cwd\()/),
  );
  expect(readers).toEqual([]);
});
