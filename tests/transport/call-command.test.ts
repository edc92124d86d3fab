import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeAll, describe, expect, test as base } from 'vitest';
import { estimateTokens } from '../../src/util/tokens.ts';
import { ensureBuilt } from '../built.ts';
import { ServerProcess } from './server-process.ts';

beforeAll(ensureBuilt);

const html = `<title>Form</title><h1>Hello</h1><button onclick="this.textContent = [event.altKey, event.shiftKey]">Go</button>`;

const test = base.extend<{ url: string }>({
  // oxlint-disable-next-line no-empty-pattern
  url: async ({}, use) => {
    const server = createServer((_, response) => response.setHeader('Content-Type', 'text/html').end(html));
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    // A TCP server has an address object.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    server.closeAllConnections();
    await new Promise((resolve) => void server.close(resolve));
  },
});

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

async function run(...args: readonly string[]): Promise<Ended> {
  await using program = new ServerProcess({ args });
  const code = await program.exit(30_000);
  return { code, stdout: program.lines.join('\n'), stderr: program.stderr };
}

describe('call', () => {
  test('calls tools in order in one browser and prints their answers', async ({ url }) => {
    const { code, stdout } = await run(
      'call',
      'browser_navigate',
      '--url',
      url,
      '--headless',
      'then',
      'browser_snapshot',
    );
    expect(code).toBe(0);
    expect(stdout.replaceAll(url, 'URL')).toMatch(/^### Result\nSuccessfully navigated to URL\nTitle: Form\n/);
    expect(stdout.split('heading "Hello"')).toHaveLength(3);
  });

  test('accepts a JSON object, names without prefix, flags in both spellings, and repeated flags as a list', async ({
    url,
  }) => {
    const click = ['click', '--selector=button', '--modifiers', 'Alt', '--modifiers', 'Shift'];
    const { code, stdout } = await run('call', 'navigate', JSON.stringify({ url }), 'then', ...click, '--headless');
    expect(code).toBe(0);
    expect(stdout).toContain('button "true,true"');
  });

  test('stops at the first failure with exit code 1', async ({ url }) => {
    const missing = ['browser_click', '--ref', 'e99'];
    const { code, stdout } = await run(
      'call',
      '--headless',
      'navigate',
      '--url',
      url,
      'then',
      ...missing,
      'then',
      'browser_tabs',
    );
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /### Error\n\[REF_NOT_FOUND\] .*"e99".*\nTake a new browser_snapshot and use a ref from it\.$/,
    );
  });

  test.for([
    [['call'], 'pagehelm: Which tool? For example: pagehelm call browser_navigate --url https://example.com\n'],
    [['call', 'browser_clik'], 'pagehelm: Unknown tool: browser_clik. Did you mean browser_click?\n'],
    [['call', 'nope'], 'pagehelm: Unknown tool: nope.\n'],
    [['call', 'browser_navigate', '{"url"'], 'pagehelm: Not a JSON object: {"url"\n'],
    [
      ['call', 'browser_navigate', 'here'],
      'pagehelm: Unexpected word "here". Arguments are written as --name value.\n',
    ],
  ] as const)('%s says what is wrong on stderr', async ([args, stderr]) => {
    expect(await run(...args)).toEqual({ code: 2, stdout: '', stderr });
  });

  test('a misspelled argument is rejected by the tool without a browser', async () => {
    const { code, stdout, stderr } = await run('call', 'browser_navigate', '--urll', 'x');
    expect([code, stderr]).toEqual([1, '']);
    expect(stdout).toMatch(/^### Error\n\[INVALID_ARGUMENT\] Unknown argument "urll": did you mean "url"\?/);
  });

  test('--help after a tool describes the tool', async () => {
    const { code, stdout } = await run('call', 'browser_press_key', '--help');
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^Usage: pagehelm call browser_press_key \[arguments\] \[options\]\n\n.+\n\nArguments:\n {2}--key /,
    );
  });
});

describe('the program', () => {
  test.each(['--version', '-V'])('%s prints only the version', async (flag) => {
    const { code, stdout, stderr } = await run(flag);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^\d+\.\d+\.\d+$/);
  });

  test.each(['--help', '-h', 'help'])('%s prints the commands', async (flag) => {
    const { code, stdout, stderr } = await run(flag);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(
      /^Usage: pagehelm \[options\] <command> \[words\] \[then <command> \.\.\.\]\n\nPages {3}open <url>, /,
    );
    expect(estimateTokens(stdout)).toBeLessThan(600);
  });

  test('serve --help prints the options', async () => {
    const { code, stdout, stderr } = await run('serve', '--help');
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^Usage: pagehelm \[command\] \[options\]\n\nCommands:\n {2}serve /);
  });

  test.for([
    [['docter'], 'pagehelm: Unknown command "docter". Did you mean "doctor"?\n'],
    [['make-coffee'], 'pagehelm: Unknown command "make-coffee". See: pagehelm help\n'],
    [['serve', 'now'], 'pagehelm: Unexpected argument "now".\n'],
  ] as const)('%s is rejected', async ([args, stderr]) => {
    expect(await run(...args)).toEqual({ code: 2, stdout: '', stderr });
  });
});
