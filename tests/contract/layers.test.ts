import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { cycles, exceptionFor, exceptions, importsOf, layers, problemWith } from './layers.ts';

const src = fileURLToPath(new URL('../../src', import.meta.url));
const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => /(?<!\.test|\.d)\.ts$/.test(file))
  .sort();
const imports = files.flatMap((file) => importsOf(file, readFileSync(join(src, file), 'utf8')));

function problemsIn(file: string, text: string): readonly (string | undefined)[] {
  return importsOf(file, text)
    .map(problemWith)
    .filter((problem) => problem !== undefined);
}

describe('layers', () => {
  test('every import goes down the layer table', () => {
    expect(imports.length).toBeGreaterThan(files.length);
    expect(imports.map(problemWith).filter((problem) => problem !== undefined)).toEqual([]);
  });

  test('only three files evaluate in the page’s main world, where refs do not resolve', () => {
    const asking = /\.(?:evaluateAll|allInnerTexts|allTextContents|dispatchEvent)\(/;
    const found = files.filter(
      (file) => !file.startsWith('page/') && asking.test(readFileSync(join(src, file), 'utf8')),
    );
    expect(found).toEqual(['resources/live.ts', 'tools/forms/fields.ts', 'tools/lib/reading.ts']);
  });

  test('there are no import cycles', () => {
    expect(cycles(imports)).toEqual([]);
  });

  test('every row and every exception of the table is used', () => {
    const units = new Set(files.map((file) => file.split('/')[0]?.replace(/\.ts$/, '')));
    expect(Object.keys(layers).filter((name) => !units.has(name))).toEqual([]);
    const used = new Set(imports.filter(({ isLocal, to }) => isLocal || to === '').map(exceptionFor));
    expect(exceptions.filter((edge) => !used.has(edge))).toEqual([]);
  });
});

describe('checking an import', () => {
  test.each([
    ['session/x.ts', "import { click } from '../tools/input.ts';", 'session/x.ts: may not import tools/input.ts'],
    ['session/x.ts', "import type { App } from '../app.ts';", 'session/x.ts: may not import app.ts'],
    ['mcp/x.ts', "const { allTools } = await import('../tools/index.ts');", 'mcp/x.ts: may not import tools/index.ts'],
    ['call/x.ts', "import {\n  launch,\n} from '../browser/launch.ts';", 'call/x.ts: may not import browser/launch.ts'],
    ['util/x.ts', "import '../errors.ts';", 'util/x.ts: may not import errors.ts'],
    ['page/x.ts', "import { join } from 'node:path';", 'page/x.ts: runs in a page, where node:path is not available'],
    ['util/x.ts', "import { z } from 'zod';", 'util/x.ts: may not import value of zod'],
    [
      'tools/x.ts',
      "import { chromium } from 'playwright-core';",
      'tools/x.ts: may not import value of playwright-core',
    ],
    [
      'tools/x.ts',
      "import { Page, type Frame } from 'playwright-core';",
      'tools/x.ts: may not import value of playwright-core',
    ],
    [
      'transport/x.ts',
      "import type { Page } from 'playwright-core';",
      'transport/x.ts: may not import type of playwright-core',
    ],
    [
      'browser/x.ts',
      "import { chromium } from 'playwright-core';",
      'browser/x.ts: playwright-core is loaded when it is needed',
    ],
    [
      'browser/x.ts',
      "const { chromium } = await import('playwright-core');",
      'browser/x.ts: playwright-core is loaded by browser/playwright.ts',
    ],
    [
      'session/x.ts',
      "const { chromium } = require('playwright-core');",
      'session/x.ts: may not import dynamic of playwright-core',
    ],
    ['browser/x.ts', 'await import(name);', 'browser/x.ts: may not import dynamic of a computed name'],
    ['call/x.ts', "export { cut } from './y.ts';", 'call/x.ts: re-exports call/y.ts; import the file that defines it'],
    ['extra/x.ts', "import { cut } from '../util/text.ts';", 'extra/x.ts: extra is not in the layer table'],
  ])('rejects in %s: %s', (file, text, problem) => {
    expect(problemsIn(file, text)).toEqual([problem]);
  });

  test.each([
    ['tools/x.ts', "import type { Page } from 'playwright-core';"],
    ['tools/x.ts', "import { type Page, type Frame } from 'playwright-core';"],
    ['browser/playwright.ts', "const { chromium } = require('playwright-core');"],
    ['call/x.ts', "import { toToolError } from '../browser/failure.ts';"],
    ['mcp/x.ts', "import { serveStdio } from '@modelcontextprotocol/server/stdio';"],
  ])('accepts in %s: %s', (file, text) => {
    expect(problemsIn(file, text)).toEqual([]);
  });

  test('a cycle of value imports is reported, one closed by a type import is not', () => {
    const a = importsOf('util/a.ts', "import { b } from './b.ts';");
    const back = importsOf('util/b.ts', "import { a } from './a.ts';");
    const typeBack = importsOf('util/b.ts', "import type { A } from './a.ts';");
    expect(cycles([...a, ...back])).toEqual(['util/a.ts → util/b.ts → util/a.ts']);
    expect(cycles([...a, ...typeBack])).toEqual([]);
  });
});
