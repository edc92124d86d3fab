import { readFileSync, readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { helpText } from '../../src/cli/help.ts';
import { configJsonSchema } from '../../src/config/schema/json-schema.ts';
import { flagSpellings, listOptions } from '../../src/config/options.ts';
import { configurationPage } from '../../src/docs/configuration-page.ts';
import { getPath } from '../../src/config/paths.ts';
import { camelCase } from '../../src/util/text.ts';

/** The command line of `@playwright/mcp`, hidden flags included. */
const peerFlags = `
  --allowed-hosts --allowed-origins --allow-unrestricted-file-access --blocked-origins --block-service-workers --browser
  --caps --cdp-endpoint --cdp-header --cdp-timeout --codegen --config --console-level --device --mobile --executable-path
  --extension --endpoint --file-paths --grant-permissions --headless --host --idle-timeout --ignore-https-errors
  --init-page --init-script --isolated --image-responses --output-dir --output-max-size --port --profile-dir-name
  --proxy-bypass --proxy-server --remote-header --sandbox --save-session --secrets --shared-browser-context
  --snapshot-boxes --snapshot-mode --storage-state --test-id-attribute --timeout-action --timeout-navigation
  --timeout-settle --user-agent --user-data-dir --viewport-size`
  .trim()
  .split(/\s+/);

const options = listOptions();
const flags = new Set(options.flatMap(({ meta }) => (meta.flag === undefined ? [] : [meta.flag])));

describe('the documents', () => {
  test('docs/configuration.md is generated from the schema', async () => {
    await expect(configurationPage()).toMatchFileSnapshot('../../docs/configuration.md');
  });

  test('docs/config.schema.json is generated from the schema', async () => {
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

  test('it describes every key of the file, and not configFile', () => {
    const keys = options.filter(({ meta }) => meta.notInFile !== true).map(({ path }) => path);
    expect(keys.filter((path) => typeof getPath(at(path), 'description') !== 'string')).toEqual([]);
    expect(at('configFile')).toBeUndefined();
  });

  test('it rejects unknown keys, except inside free-form objects', () => {
    expect(schema['additionalProperties']).toBe(false);
    expect(getPath(at('browser'), 'additionalProperties')).toBe(false);
    expect(getPath(at('browser.launchOptions'), 'additionalProperties')).toEqual({});
  });

  test('it knows the aliases of keys and $schema', () => {
    expect(getPath(at('port'), 'maximum')).toBe(65_535);
    expect(getPath(at('browser.browserName'), 'enum')).toEqual(['chromium', 'firefox', 'webkit']);
    expect(getPath(at('$schema'), 'type')).toBe('string');
  });

  test('it contains no internal metadata', () => {
    expect(JSON.stringify(schema)).not.toMatch(/"(?:flag|pending|section|aliases|words|secret)":/);
  });
});

describe('the option table', () => {
  test('every flag of @playwright/mcp is a flag here', () => {
    expect(peerFlags.filter((flag) => !flags.has(flag.slice(2)))).toEqual([]);
  });

  test('every spelling of a flag has one meaning', () => {
    const spellings = options.flatMap(({ kind, meta: { flag } }) =>
      flag === undefined ? [] : kind === 'boolean' ? [flag, `no-${flag}`] : [flag],
    );
    const names = spellings.map(camelCase);
    expect(new Set(names).size).toBe(names.length);
    expect(spellings.filter((name) => !/^[a-z]+(?:-[a-z]+)*$/.test(name))).toEqual([]);
  });

  test('every option has a section and a one-line description without a full stop', () => {
    const odd = options.filter(
      ({ description, section }) => !/^[A-Z][^\n]*[^.\s]$/.test(description) || section === '',
    );
    expect(odd.map(({ path }) => path)).toEqual([]);
  });

  test('every alias of a key belongs to one option', () => {
    const keys = options.flatMap(({ path, meta }) => [path, ...(meta.aliases ?? [])]);
    expect(new Set(keys).size).toBe(keys.length);
  });
});

describe('the help text', () => {
  const help = helpText([{ name: 'install-browser', summary: 'Install a browser' }]);

  test('no line exceeds 100 characters', () => {
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

  test('it shows defaults and choices from the schema', () => {
    expect(help).toMatch(/--timeout-action <ms> +Timeout of an action in milliseconds \(default: 5000\)/);
    expect(help).toMatch(
      /--session-expiry <value> +Whether each call extends the lifetime of its session: sliding,\s+fixed/,
    );
    expect(help).toMatch(/^ {2}--headless, --no-headless +Run the browser invisibly \(headless\)/m);
  });
});

test('src/config/ reads neither process.env nor process.cwd()', () => {
  const folder = new URL('../../src/config/', import.meta.url);
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  expect(files.length).toBeGreaterThan(15);
  const readers = files.filter((name) => readFileSync(new URL(name, folder), 'utf8').match(/\bprocess\.(?:env|cwd\()/));
  expect(readers).toEqual([]);
});
