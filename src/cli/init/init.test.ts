import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parse as parseJson } from 'jsonc-parser';
import { parse as parseToml } from 'smol-toml';
import { afterAll, describe, expect, test } from 'vitest';
import { runInit } from '../commands/init.ts';
import { clients } from './clients.ts';

const root = mkdtempSync(join(tmpdir(), 'helm-init-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
let count = 0;

function machine() {
  const home = join(root, String(count++));
  mkdirSync(join(home, 'work'), { recursive: true });
  const program = join(home, 'bin.js');
  writeFileSync(program, '');
  const lines: string[] = [];
  const errors: string[] = [];
  const places = { home, cwd: join(home, 'work'), platform: 'linux' as const, env: {} };
  const init = async (...argv: readonly string[]): Promise<number> =>
    runInit({
      ...places,
      argv: ['--no-check', ...argv],
      program,
      stdout: (line) => void lines.push(line),
      stderr: (line) => void errors.push(line),
    });
  return { places, program, lines, errors, init };
}

/** Configuration files as they are found on machines. */
const files: readonly (readonly [client: string, title: string, text: string | undefined])[] = [
  ['claude', 'none', undefined],
  ['claude', 'empty', ''],
  ['claude', 'an empty object', '{}'],
  ['claude', 'other servers', '{\n  "mcpServers": {\n    "other": { "command": "x" }\n  }\n}\n'],
  ['claude', 'an old entry', '{"mcpServers":{"pagehelm":{"command":"old"}}}'],
  ['claude-desktop', 'none', undefined],
  ['claude-desktop', 'other settings', '{"globalShortcut":"","mcpServers":{}}'],
  ['cursor', 'comments', '{\n  // Servers of the team\n  "mcpServers": {\n    /* none yet */\n  }\n}\n'],
  ['cursor', 'tabs', '{\n\t"mcpServers": {\n\t\t"a": {\n\t\t\t"command": "a"\n\t\t}\n\t}\n}'],
  ['vscode', 'CRLF', '{\r\n  "servers": {\r\n    "a": {\r\n      "command": "a"\r\n    }\r\n  }\r\n}\r\n'],
  ['vscode', 'a trailing comma', '{\n  "servers": {\n    "a": { "command": "a" },\n  },\n  "inputs": [],\n}\n'],
  ['gemini', 'settings and a comment', '{\n    "theme": "x", // dark\n    "a": [1, 2]\n}\n'],
  ['gemini', 'four spaces', '{\n    "mcpServers": {}\n}\n'],
  ['opencode', 'a schema', '{\n  "$schema": "https://opencode.ai/config.json"\n}\n'],
  ['opencode', 'other servers', '{"mcp":{"a":{"type":"local","command":["a"]}}}'],
  ['windsurf', 'none', undefined],
  ['windsurf', 'no line break at the end', '{"mcpServers":{"a":{"serverUrl":"x"}}}'],
  ['codex', 'none', undefined],
  ['codex', 'comments and tables', '# mine\nmodel = "x" # best\n\n[mcp_servers.other]\ncommand = "a"\n'],
  ['codex', 'CRLF', 'model = "x"\r\n\r\n[tools]\r\nweb = true\r\n'],
  [
    'codex',
    'an old entry in the middle',
    '[mcp_servers.pagehelm]\ncommand = "old"\n\n[mcp_servers.pagehelm.env]\nA = "b"\n\n[tools]\nweb = true\n',
  ],
];

describe('pagehelm init', () => {
  test.each(files)('for %s with %s: twice is once, and --remove restores the bytes', async (id, _title, text) => {
    const { places, program, init } = machine();
    const client = clients.find((each) => each.id === id);
    const file = client?.file(places) ?? '';
    if (text !== undefined) {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
    expect(await init('--client', id, '--', '--headless')).toBe(0);
    const once = readFileSync(file, 'utf8');
    const data: unknown = client?.format === 'toml' ? parseToml(once) : parseJson(once);
    const entry = client?.path.reduce<unknown>((value, key) => Reflect.get(Object(value), key), data);
    expect(entry).toEqual(client?.entry({ command: 'node', args: [program, '--headless'] }));
    expect(await init('--client', id, '--', '--headless')).toBe(0);
    expect(readFileSync(file, 'utf8')).toBe(once);
    if (text?.includes('\r\n') === true) expect(once.replaceAll('\r\n', '')).not.toContain('\n');
    for (const comment of text?.match(/\/\/.*|\/\*.*?\*\/|#.*/g) ?? []) expect(once).toContain(comment);
    expect(await init('--client', id, '--remove', '--', '--headless')).toBe(0);
    expect(existsSync(file) ? readFileSync(file, 'utf8') : undefined).toBe(text);
    if (existsSync(dirname(file)))
      expect(readdirSync(dirname(file)).filter((name) => name.includes('backup'))).toEqual([]);
  });

  test.each([
    ['claude', '{"mcpServers": ', 'it is not valid JSON (line 1: ValueExpected)'],
    ['claude', '[]', 'it does not contain an object'],
    ['claude', '{"mcpServers": []}', 'mcpServers is not an object'],
    ['codex', 'a = = 1', 'it is not valid TOML'],
    ['codex', 'mcp_servers = { pagehelm = { command = "x" } }', 'it is not valid TOML'],
  ])('for %s leaves the broken file %s as it is', async (id, text, problem) => {
    const { places, errors, init } = machine();
    const file = clients.find((each) => each.id === id)?.file(places) ?? '';
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    expect(await init('--client', id)).toBe(1);
    expect(readFileSync(file, 'utf8')).toBe(text);
    expect(errors.join('\n')).toContain(problem);
  });

  test('keeps what was added later when it removes its entry', async () => {
    const { places, init } = machine();
    const file = join(places.cwd, '.mcp.json');
    writeFileSync(file, '{}');
    await init('--client', 'claude');
    const later = readFileSync(file, 'utf8').replace(
      '"mcpServers": {',
      '"mcpServers": {\n    "later": {"command": "x"},',
    );
    writeFileSync(file, later);
    await init('--client', 'claude', '--remove');
    expect(parseJson(readFileSync(file, 'utf8'))).toEqual({ mcpServers: { later: { command: 'x' } } });
  });

  test('finds the clients of this machine, and shows the change with --print', async () => {
    const { places, program, lines, init } = machine();
    expect(await init()).toBe(1);
    expect(lines.at(-1)).toMatch(/^No client was found\. Name one: pagehelm init --client claude\|/);
    mkdirSync(join(places.home, '.gemini'));
    expect(await init('--print')).toBe(0);
    expect(lines.slice(1)).toEqual([
      `Gemini CLI: ${places.home}/.gemini/settings.json (not written)`,
      '  + {',
      '  +   "mcpServers": {',
      '  +     "pagehelm": {',
      '  +       "command": "node",',
      '  +       "args": [',
      `  +         "${program}"`,
      '  +       ]',
      '  +     }',
      '  +   }',
      '  + }',
    ]);
    expect(existsSync(join(places.home, '.gemini/settings.json'))).toBe(false);
    await expect(init('--client', 'cursr')).rejects.toThrow('Did you mean "cursor"?');
  });
});
