import { describe, expect, test } from 'vitest';
import { fakeMachine, type FakeMachineOptions } from '../../../tests/fake-machine.ts';
import type { BrowserWanted } from './discover.ts';
import { ensureBrowser, installCommand } from './install.ts';
import type { Probe } from './probe.ts';
import type { Command, CommandResult } from '../process/run-command.ts';

const headless: BrowserWanted = { type: 'chromium', headless: true };
const shell = '/usr/lib/chromium/chromium-headless-shell';
const chromium = '/usr/lib/chromium/chromium';
const done: CommandResult = { exitCode: 0, output: '' };
const failed = (output: string): CommandResult => ({ exitCode: 1, output });

/** A machine whose files change as commands are run, and what was run and said. */
function setting(options: FakeMachineOptions, run: (words: string, files: Record<string, string>) => CommandResult) {
  const files: Record<string, string> = {};
  const machine = fakeMachine({ arch: 'arm64', ...options, files: Object.assign(files, options.files) });
  const ran: string[] = [];
  const said: string[] = [];
  const probe: Probe = async ({ executablePath }) =>
    files[executablePath] === 'broken'
      ? { starts: false, reason: 'a library is missing' }
      : { starts: true, version: '1', tookMs: 1 };
  return {
    ran,
    said,
    options: {
      machine,
      probe,
      say: (line: string) => void said.push(line),
      run: async ({ command, args, env }: Command): Promise<CommandResult> => {
        const name = command === process.execPath ? 'playwright' : command;
        const words = [name, ...args.filter((arg) => !/cli\.js$|^-o$|=/.test(arg))].join(' ');
        ran.push(env['DEBIAN_FRONTEND'] === undefined ? words : `${words} (${env['DEBIAN_FRONTEND']})`);
        return run(words, files);
      },
    },
  };
}

const apt = { '/usr/bin/apt-get': '' };

describe('ensureBrowser', () => {
  test('a browser that is installed and starts is used', async () => {
    const { ran, said, options } = setting({ files: { [shell]: 'elf' } }, () => done);
    expect((await ensureBrowser({ wanted: headless, ...options })).executablePath).toBe(shell);
    expect([ran, said]).toEqual([[], []]);
  });

  test('a browser that does not start is skipped', async () => {
    const { ran, said, options } = setting({ files: { [shell]: 'broken', [chromium]: 'elf' } }, () => done);
    expect((await ensureBrowser({ wanted: headless, ...options })).executablePath).toBe(chromium);
    expect(ran).toEqual([]);
    expect(said).toEqual([`${shell} (system package) does not start: a library is missing`]);
  });

  test("Playwright's download comes first", async () => {
    const folder = '/home/ada/.cache/ms-playwright/chromium_headless_shell-1254';
    const path = `${folder}/chrome-headless-shell-linux64/chrome-headless-shell`;
    const { ran, options } = setting({ uid: 0, files: apt }, (_, files) => {
      files[path] = 'elf';
      files[`${folder}/INSTALLATION_COMPLETE`] = '';
      return done;
    });
    expect((await ensureBrowser({ wanted: headless, ...options })).executablePath).toBe(path);
    expect(ran).toEqual(['playwright install chromium-headless-shell --no-remove']);
  });

  test('as root the system package comes next, and full Chromium if there is no headless shell', async () => {
    const { ran, said, options } = setting({ uid: 0, files: apt }, (words, files) => {
      if (words.startsWith('playwright'))
        return failed('Error: getaddrinfo ENOTFOUND\nError: Download failure, code=1');
      if (words.includes('chromium-headless-shell')) return failed('E: Unable to locate package');
      if (words.includes('install')) files[chromium] = 'elf';
      return done;
    });
    expect((await ensureBrowser({ wanted: headless, ...options })).executablePath).toBe(chromium);
    expect(ran).toEqual([
      'playwright install chromium-headless-shell --no-remove',
      '/usr/bin/apt-get update -qq (noninteractive)',
      '/usr/bin/apt-get install -y -qq --no-install-recommends chromium-headless-shell fonts-liberation (noninteractive)',
      '/usr/bin/apt-get install -y -qq --no-install-recommends chromium fonts-liberation (noninteractive)',
    ]);
    expect(said).toEqual([
      'downloading chromium-headless-shell with Playwright',
      "Playwright's download failed: Error: getaddrinfo ENOTFOUND",
      'updating the package lists with apt-get',
      'installing the system package chromium-headless-shell with apt-get',
      'apt-get install chromium-headless-shell failed: E: Unable to locate package',
      'installing the system package chromium with apt-get',
    ]);
  });

  test('a build that did not start is tried again after a system package installed its libraries', async () => {
    const { options } = setting({ uid: 0, files: { ...apt, [shell]: 'broken' } }, (words, files) => {
      if (words.includes('apt-get install')) files[shell] = 'elf';
      return words.startsWith('playwright') ? failed('Error: no') : done;
    });
    expect((await ensureBrowser({ wanted: headless, ...options })).executablePath).toBe(shell);
  });

  test('headed mode installs a full browser', async () => {
    const { ran, options } = setting({ uid: 0, files: apt }, (words, files) => {
      if (words.includes('apt-get install')) files[chromium] = 'elf';
      return words.startsWith('playwright') ? failed('Error: no') : done;
    });
    await ensureBrowser({ wanted: { type: 'chromium', headless: false }, ...options });
    expect(ran).toEqual([
      'playwright install chromium --no-remove --no-shell',
      '/usr/bin/apt-get update -qq (noninteractive)',
      '/usr/bin/apt-get install -y -qq --no-install-recommends chromium fonts-liberation (noninteractive)',
    ]);
  });

  test('[S2-85] without root the package manager is not used; the error says what failed and names the command', async () => {
    const { ran, options } = setting({ files: apt }, () => failed('Error: no'));
    await expect(ensureBrowser({ wanted: headless, ...options })).rejects.toMatchObject({
      code: 'BROWSER_INSTALL_FAILED',
      message:
        "The chromium browser could not be installed: Playwright's download failed: Error: no. The operator can run: sudo apt-get install -y chromium",
    });
    expect(ran).toEqual(['playwright install chromium-headless-shell --no-remove']);
  });

  test('a missing configured path is named, and nothing is installed', async () => {
    const { ran, options } = setting({ files: { [shell]: 'elf' } }, () => done);
    const wanted = { ...headless, executablePath: '/opt/gone' };
    await expect(ensureBrowser({ wanted, ...options })).rejects.toMatchObject({
      code: 'BROWSER_LAUNCH_FAILED',
      details: { path: '/opt/gone', reason: 'there is no program at this path' },
    });
    expect(ran).toEqual([]);
  });

  test('a canceled call stops before the next step', async () => {
    const controller = new AbortController();
    const { ran, options } = setting({ uid: 0, files: apt }, () => {
      controller.abort();
      return { exitCode: undefined, output: '', stopped: 'aborted' };
    });
    const call = ensureBrowser({ wanted: headless, signal: controller.signal, ...options });
    await expect(call).rejects.toMatchObject({ code: 'CANCELLED' });
    expect(ran).toHaveLength(1);
  });
});

describe('installCommand', () => {
  test.each<[string, Partial<BrowserWanted>, FakeMachineOptions, string]>([
    ['macOS', {}, { platform: 'darwin' }, 'brew install --cask google-chrome'],
    ['Windows', {}, { platform: 'win32' }, 'winget install --id Google.Chrome'],
    ['Debian as root', {}, { uid: 0, files: apt }, 'apt-get install -y chromium'],
    ['Fedora', {}, { files: { '/usr/bin/dnf': '' } }, 'sudo dnf install -y chromium'],
    ['Alpine', {}, { uid: 0, files: { '/sbin/apk': '' } }, 'apk add chromium'],
    [
      'Ubuntu, whose package is a stub',
      {},
      { files: { ...apt, '/etc/os-release': 'NAME="Ubuntu"\nID=ubuntu\n' } },
      'npx playwright install --with-deps chromium-headless-shell',
    ],
    ['Firefox', { type: 'firefox' }, { files: apt }, 'npx playwright install --with-deps firefox'],
    ['a channel', { channel: 'msedge' }, { files: apt }, 'npx playwright install --with-deps msedge'],
  ])('%s', (_, wanted, options, command) => {
    expect(installCommand({ ...headless, ...wanted }, fakeMachine(options))).toBe(command);
  });
});
