import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadConfig } from '../../src/config/load.ts';
import { listOptions } from '../../src/config/options.ts';
import { root } from '../built.ts';

const help = execFileSync(process.execPath, [join(root, 'node_modules/@playwright/mcp/cli.js'), '--help'], {
  encoding: 'utf8',
});
/** Flags of @playwright/mcp, and whether they take a value. */
const flags = [...help.matchAll(/^ {2}(--[a-z-]+)( <[^>]+>)?/gm)]
  .map(([, flag = '', value]) => ({ flag, takesValue: value !== undefined }))
  .filter(({ flag }) => flag !== '--help' && flag !== '--version');

/** Valid values for flags that do not accept any text. */
const values: Readonly<Record<string, string>> = {
  '--browser': 'msedge',
  '--caps': 'vision,pdf,devtools',
  '--cdp-endpoint': 'http://localhost:9222',
  '--cdp-header': 'Name: value',
  '--cdp-timeout': '1000',
  '--codegen': 'csharp',
  '--console-level': 'debug',
  '--device': 'iPhone 15',
  '--file-paths': 'absolute',
  '--idle-timeout': '1000',
  '--image-responses': 'omit',
  '--output-max-size': '1000',
  '--port': '8931',
  '--proxy-server': 'http://proxy:3128',
  '--snapshot-mode': 'none',
  '--timeout-action': '1000',
  '--timeout-navigation': '1000',
  '--timeout-settle': '1000',
  '--viewport-size': '1280x720',
};
/** Flags that need another flag. */
const companions: Readonly<Record<string, string>> = {
  '--cdp-header': '--cdp-endpoint=http://localhost:9222',
  '--proxy-bypass': '--proxy-server=http://proxy:3128',
};
const files: Readonly<Record<string, string>> = { '/config.json': '{}', '/secrets.env': 'A=b' };

function problemsWith(argv: readonly string[]): readonly string[] {
  const readFile = (path: string): string => files[path] ?? '{}';
  const { warnings } = loadConfig({ argv, env: {}, cwd: '/', readFile });
  return warnings.filter((warning) => !/ has no effect in this version\.$| is not offered\. /.test(warning));
}

test('the flags of @playwright/mcp were found', () => {
  expect(flags.length).toBeGreaterThanOrEqual(50);
  expect(flags).toContainEqual({ flag: '--user-data-dir', takesValue: true });
  expect(flags).toContainEqual({ flag: '--isolated', takesValue: false });
});

test.each(flags)(
  '[S0-34] $flag of @playwright/mcp is accepted, in both ways to give a value',
  ({ flag, takesValue }) => {
    const value =
      values[flag] ?? (flag === '--config' ? '/config.json' : flag === '--secrets' ? '/secrets.env' : 'text');
    const companion = companions[flag];
    const needed = companion === undefined ? [] : [companion];
    if (!takesValue) {
      expect(problemsWith([flag])).toEqual([]);
      return;
    }
    expect(problemsWith([...needed, flag, value])).toEqual([]);
    expect(problemsWith([...needed, `${flag}=${value}`])).toEqual([]);
  },
);

const options = listOptions();

test('[S0-34] only flags for the extension and WebMCP have no effect', () => {
  const pending = options.filter(({ meta }) => meta.pending === true).map(({ meta }) => `--${meta.flag}`);
  const names = new Set(flags.map(({ flag }) => flag.replace('--no-', '--')));
  expect(pending.filter((flag) => names.has(flag)).sort()).toEqual(['--extension', '--profile-dir-name', '--webmcp']);
});

test.each([
  ['cdp-timeout', 30_000],
  ['codegen', 'typescript'],
  ['file-paths', 'relative'],
  ['host', 'localhost'],
  ['test-id-attribute', 'data-testid'],
  ['timeout-action', 5000],
  ['timeout-navigation', 60_000],
  ['timeout-settle', 500],
])('[S0-34] --%s defaults to %s, as in @playwright/mcp', (flag, value) => {
  expect(options.find(({ meta }) => meta.flag === flag)?.defaultValue).toBe(value);
});
