import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { skillCore, skillStub } from '../../src/cli/skill/skill-text.ts';
import { splitWords } from '../../src/cli/verbs/batch.ts';
import { estimateTokens } from '../../src/util/tokens.ts';
import { ensureBuilt } from '../built.ts';
import { CommandLineUser } from './command-line.ts';
import type { Printed } from './command-line.ts';

const html = `<title>Form</title><input aria-label="Name"><input aria-label="Email"><input type="checkbox" aria-label="News">
<select aria-label="Color"><option>Red</option><option>Blue</option></select><button onclick="out.textContent = 'Saved'">Save</button>
<a href="/next">Next</a><p id="out"></p>`;

const server = createServer((request, response) => {
  if (request.url === '/slow') return;
  response.setHeader('Content-Type', 'text/html').end(html);
});
let url = '';
let user: CommandLineUser;

beforeAll(async () => {
  await ensureBuilt();
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  // A TCP server has an address object.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  user = new CommandLineUser();
});

/** Refs begin with e1 in a new session. */
beforeEach(async () => void (await run('close')));

afterAll(async () => {
  await user[Symbol.asyncDispose]();
  server.closeAllConnections();
  await new Promise((resolve) => void server.close(resolve));
});

const run = async (line: string, input?: string): Promise<Printed> =>
  user.run(splitWords(line.replaceAll('URL', url)), input === undefined ? {} : { input });

describe('a command', () => {
  test('extracts data, and runs steps on several URLs', async () => {
    await run('open URL');
    const fields = `'{"text": "a", "url": "a@href"}'`;
    expect((await run(`extract --fields ${fields} --raw`)).stdout).toBe(`[{"text":"Next","url":"${url}next"}]\n`);
    expect((await run(`extract --fields ${fields} --format csv --raw`)).stdout).toBe(`text,url\nNext,${url}next\n`);
    const steps = `'[{"tool": "evaluate", "args": {"function": "() => location.pathname"}}]'`;
    const mapped = await run(`map URLone URLtwo --steps ${steps}`);
    expect(mapped.stdout).toContain(`2 of 2 URLs done.\n1. ${url}one: /one\n2. ${url}two: /two`);
    expect((await run('map URLone')).code).toBe(2);
  });

  test('prints the value with --raw, data with --json, and the schema of it', async () => {
    await run('open URL');
    expect((await run('eval --raw "[1, 2]"')).stdout).toBe('[1,2]\n');
    const answer = JSON.parse((await run('fill e1 Ada then press Tab --json')).stdout);
    expect(answer).toMatchObject({
      ok: true,
      steps: [
        { command: 'fill', tool: 'browser_type', ok: true },
        { command: 'press', tool: 'browser_press_key', ok: true, snapshot: { form: 'diff' } },
      ],
    });
    expect(answer.steps[0].snapshot).toBeUndefined();
    const schema = JSON.parse((await run('--json-schema')).stdout);
    expect(Object.keys(schema.properties)).toEqual(['ok', 'steps']);
  });

  test('takes the names of other command lines, refs with @, and quoted words', async () => {
    await run('goto URL');
    await run("fill @e1 'Grace Hopper'");
    expect((await run('get value @e1')).stdout).toBe('Grace Hopper\n');
    expect((await run('is visible e5')).stdout).toBe('true\n');
    expect((await run('localstorage-set k v then localstorage-get k')).stdout).toMatch(/v\n$/);
    await run('find label Email fill x@y');
    expect((await run('get value e2')).stdout).toBe('x@y\n');
    expect((await run('type e2 z then get value e2')).stdout).toContain('x@yz');
    expect((await run('tab-new URL then tab-list')).stdout).toContain('- 1: (current)');
    expect((await run('tab-close 1')).code).toBe(0);
    expect((await run('wait 5')).code).toBe(0);
    expect(await run('run-code x')).toMatchObject({
      code: 2,
      stderr:
        'pagehelm: "run-code" is not supported. Start the daemon with --server-code to run Playwright code; else use `eval`, or `batch`.\n',
    });
  });

  test('takes the words and options of other command lines', async () => {
    expect((await run('open')).code).toBe(0);
    await run('open URL');
    expect((await run('get count input')).stdout).toBe('3\n');
    expect(JSON.parse((await run('get box e1')).stdout)).toMatchObject({ width: expect.any(Number) });
    expect(JSON.parse((await run('links')).stdout)).toEqual([{ url: `${url}next`, text: 'Next' }]);
    expect((await run('set offline off')).stdout).toBe('{"offline":false}\n');
    await run('eval "() => { document.body.onauxclick = (event) => { document.title = event.button } }"');
    await run('click e5 middle');
    expect((await run('title')).stdout).toBe('1\n');
    expect((await run('find role button click --name Save')).stdout).toContain('Saved');
    await run('eval "() => { document.body.style.height = `5000px` }"');
    await run('scroll down 300');
    expect((await run('eval scrollY')).stdout).toBe('300\n');
    expect((await run('mousewheel 0 100 then mousedown left then mouseup left')).code).toBe(0);
    expect((await run('highlight e5 then highlight --hide')).code).toBe(0);
    expect((await run('wait --load load')).code).toBe(0);
    expect((await run("route '**/api' --body x --header 'X-A: b' then unroute '**/api'")).stdout).toContain(
      'Removed 1 route.',
    );
    expect((await run('cookies set a b then cookies clear')).stdout).toContain('Deleted 1 cookie.');
    expect((await run('recording-start then recording-stop')).code).toBe(0);
    expect((await run('config-print --raw')).stdout).toContain('"toolsets"');
    expect((await run('step-over')).stderr).toContain('[NOT_PAUSED]');
    expect((await run('read e6')).code).toBe(0);
    expect((await run('tab-new URL then tab-close t2')).stdout).toContain('Closed tab 1 (t2).');
    expect((await run('screenshot')).stdout).not.toContain('inline');
  });

  test('reads steps from stdin, as lines or JSON, and stops at the first failure unless it keeps going', async () => {
    await run('open URL');
    const lines = 'fill e1 "Ada L"\n# a comment\n\nget value e1\n';
    expect((await run('batch -', lines)).stdout).toContain('Ada L\n');
    const json = JSON.stringify([['fill', 'e1', 'x'], 'click e99', 'get value e1']);
    expect(await run('batch -', json)).toMatchObject({ code: 1, stderr: expect.stringContaining('[REF_NOT_FOUND]') });
    expect((await run('batch - --keep-going', json)).stdout).toMatch(/x\n$/);
    expect((await run('batch -', '[1')).code).toBe(2);
  });

  test.each([
    ['click e99', 1, '[REF_NOT_FOUND]'],
    ['clik e1', 2, 'Did you mean "click"?'],
    ['click', 2, '[MISSING_PARAMETER]'],
    ['click e1 e2', 2, 'Unexpected word "e2"'],
    ['open file:///etc/passwd', 5, '[SCHEME_BLOCKED]'],
    ['open URLslow --timeout 300', 124, '[NAVIGATION_TIMEOUT]'],
    ['click e1 --buton left', 2, 'did you mean "button"'],
  ])('%s exits with %i', async (line, code, text) => {
    const printed = await run(line);
    expect([printed.code, printed.stdout]).toEqual([code, '']);
    expect(printed.stderr).toContain(text);
  });

  test('exits with 3 without a browser', async () => {
    await using other = new CommandLineUser();
    const printed = await other.run(['open', url, '--executable-path', '/none/chrome']);
    expect(printed).toMatchObject({ code: 3, stdout: '' });
    expect(printed.stderr).toMatch(/^\[BROWSER_/);
  });

  test('writes files relative to its own folder', async () => {
    await run('open URL');
    expect((await run('screenshot -o shot.png')).code).toBe(0);
    expect(readFileSync(join(user.tree, 'shot.png')).subarray(1, 4).toString()).toBe('PNG');
    expect(await run('title -o title.txt')).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(readFileSync(join(user.tree, 'title.txt'), 'utf8')).toBe('Form\n');
    expect(await run('screenshot -o /etc/shot.png')).toMatchObject({ code: 5 });
    expect(existsSync('/etc/shot.png')).toBe(false);
  });

  test('reads and writes the files that its arguments name in the folder where it was called', async () => {
    const cwd = join(user.tree, 'below');
    mkdirSync(cwd);
    writeFileSync(join(cwd, 'note.txt'), 'a note');
    const below = async (line: string): Promise<Printed> => user.run(splitWords(line.replaceAll('URL', url)), { cwd });
    await below('open URL');
    expect((await below('cookies set a b then state-save auth.json')).code).toBe(0);
    expect(JSON.parse(readFileSync(join(cwd, 'auth.json'), 'utf8'))).toMatchObject({ cookies: [{ name: 'a' }] });
    await below('cookies clear');
    expect((await below('state-load auth.json')).stdout).toContain('Restored 1 cookie');
    expect((await below('state save named.json')).code).toBe(0);
    await below('pdf page.pdf then screenshot --filename shot.png');
    expect(readdirSync(cwd).toSorted()).toEqual(['auth.json', 'named.json', 'note.txt', 'page.pdf', 'shot.png']);
    await below('eval "() => { document.body.innerHTML = `<input type=file>` }"');
    expect((await below('upload note.txt')).stdout).toContain('Uploaded "note.txt"');
  });

  test('describes itself', async () => {
    expect((await run('help press')).stdout).toBe(`pagehelm press <key>
Press a key or a combination on the focused element.
  --key  Enter, ArrowLeft, a, Control+a
  --count  Times
  --hold  Milliseconds
`);
    expect((await run('press --help')).stdout).toBe((await run('help press')).stdout);
  });
});

describe('the skill', () => {
  test('is short', () => {
    expect(estimateTokens(skillStub)).toBeLessThanOrEqual(200);
    expect(estimateTokens(skillCore)).toBeLessThanOrEqual(1500);
  });

  test('is printed for the installed version, and its commands work', { timeout: 180_000 }, async () => {
    expect((await run('skill')).stdout).toBe(skillCore);
    expect((await run('skill stub')).stdout).toBe(skillStub);
    expect((await run('skill --install')).code).toBe(0);
    expect(readFileSync(join(user.tree, '.claude/skills/pagehelm/SKILL.md'), 'utf8')).toBe(skillStub);
    let count = 0;
    for (const text of [skillStub, skillCore]) {
      await run('close');
      for (const line of [...text.matchAll(/```sh\n(.*?)```/gs)].flatMap(([, block = '']) =>
        block.trim().split('\n'),
      )) {
        const { code, stderr } = await run(line.replace(/^pagehelm /, '').replaceAll('https://example.com/', 'URL'));
        expect({ line, code, stderr }).toEqual({ line, code: 0, stderr: '' });
        count++;
      }
    }
    expect(count).toBeGreaterThan(20);
  });
});

describe('completion', () => {
  const programs = {
    bash: (script: string) =>
      `source ${script}; COMP_WORDS=(pagehelm "$@"); COMP_CWORD=$#; _pagehelm; printf '%s\\n' "\${COMPREPLY[@]}"`,
    // The builtins of a completion function do not exist outside of one.
    zsh: (script: string) =>
      `compadd() { shift; print -l -- "$@" | grep -- "^$last" }; _describe() { print -l -- \${(P)2} | cut -d: -f1 | grep -- "^$last" }; compdef() { : }; source ${script}; last=\${@[-1]}; words=(pagehelm "$@"); CURRENT=$(( $# + 1 )); _pagehelm`,
    fish: (script: string) => `source ${script}; complete -C "pagehelm $argv"`,
  } as const;
  const installed = (['bash', 'zsh', 'fish'] as const).filter(
    (shell) =>
      shell === 'bash' || ['/bin', '/usr/bin', '/usr/local/bin'].some((folder) => existsSync(join(folder, shell))),
  );

  test.each(installed)('in %s knows commands, second words and options', async (shell) => {
    const script = join(user.home, `completion.${shell}`);
    writeFileSync(script, (await run(`completion ${shell}`)).stdout);
    const complete = (...words: readonly string[]): readonly string[] => {
      const extra = shell === 'fish' ? ['--no-config', '-c'] : shell === 'zsh' ? ['-f', '-c'] : ['--norc', '-c'];
      const name = shell === 'fish' ? [] : [shell];
      const text = execFileSync(shell, [...extra, programs[shell](script), ...name, ...words], { encoding: 'utf8' });
      return text
        .trim()
        .split('\n')
        .map((line) => line.split('\t')[0] ?? '')
        .sort();
    };
    expect(complete('screens')).toEqual(['screenshot']);
    expect(complete('get', 'va')).toEqual(['value']);
    expect(complete('screenshot', '--full')).toEqual(['--full-page']);
  });

  test('names the shells it knows', async () => {
    expect(await run('completion tcsh')).toEqual({
      code: 2,
      stdout: '',
      stderr: 'pagehelm: Which shell? One of bash, zsh, fish.\n',
    });
  });
});

test('init starts the server once to check it', async () => {
  expect(await run('init --client claude -- --headless')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/lists \d+ tools/),
  });
  expect(JSON.parse(readFileSync(join(user.tree, '.mcp.json'), 'utf8'))).toMatchObject({
    mcpServers: { pagehelm: { command: 'node', args: [expect.stringContaining('bin.js'), '--headless'] } },
  });
  expect((await run('init --client claude --remove -- --headless')).code).toBe(0);
  expect(existsSync(join(user.tree, '.mcp.json'))).toBe(false);
});
