import { describe, expect, test } from 'vitest';
import { fakeMachine } from '../../../tests/fake-machine.ts';
import type { BrowserWanted } from './discover.ts';
import { browserVersion, findBrowser, findBrowsers } from './discover.ts';
import { browserMode, sandboxFact } from './environment.ts';
import { localMachine } from './machine.ts';

const headless: BrowserWanted = { type: 'chromium', headless: true };
const headed: BrowserWanted = { type: 'chromium', headless: false };
const elf = '\u007fELF';

const cache = '/home/ada/.cache/ms-playwright';
const build = (name: string, tail: string): Record<string, string> => ({
  [`${cache}/${name}/INSTALLATION_COMPLETE`]: '',
  [`${cache}/${name}/${tail}`]: elf,
});
const shell1254 = `${cache}/chromium_headless_shell-1254/chrome-headless-shell-linux64/chrome-headless-shell`;
const chromium1254 = `${cache}/chromium-1254/chrome-linux64/chrome`;
const ownFolder = '/home/ada/.cache/pagehelm/browsers/npm-chromium';

/** Everything at once: what is found last is what is left when the others are taken away. */
const everything: Record<string, string> = {
  ...build('chromium_headless_shell-1254', 'chrome-headless-shell-linux64/chrome-headless-shell'),
  ...build('chromium-1254', 'chrome-linux64/chrome'),
  '/usr/lib/chromium/chromium-headless-shell': elf,
  '/usr/lib/chromium/chromium': elf,
  '/opt/google/chrome/chrome': elf,
  '/opt/microsoft/msedge/msedge': elf,
  [`${ownFolder}/chromium`]: elf,
  [`${ownFolder}/ready.json`]: '{"env":{"FONTCONFIG_FILE":"/fonts.conf"}}',
};

describe('the order of discovery', () => {
  test('headless prefers headless shells, then Playwright’s builds to system packages, and the npm package last', async () => {
    const found = await findBrowsers(headless, fakeMachine({ files: everything }));
    expect(found.map(({ executablePath, kind, source }) => [executablePath, kind, source])).toEqual([
      [shell1254, 'headless-shell', "Playwright's build"],
      [chromium1254, 'chromium', "Playwright's build"],
      ['/usr/lib/chromium/chromium-headless-shell', 'headless-shell', 'system package'],
      ['/usr/lib/chromium/chromium', 'chromium', 'system package'],
      ['/opt/google/chrome/chrome', 'chrome', 'system package'],
      ['/opt/microsoft/msedge/msedge', 'edge', 'system package'],
      [`${ownFolder}/chromium`, 'headless-shell', 'npm package'],
    ]);
  });

  test('headed never uses a headless shell', async () => {
    const found = await findBrowsers(headed, fakeMachine({ files: everything }));
    expect(found.map(({ kind }) => kind)).toEqual(['chromium', 'chromium', 'chrome', 'edge']);
  });

  test('findBrowser returns the first one', async () => {
    const machine = fakeMachine({ files: everything });
    expect((await findBrowser(headless, machine))?.executablePath).toBe(shell1254);
    expect((await findBrowser(headed, machine))?.executablePath).toBe(chromium1254);
  });

  test.each([
    '/opt/google/chrome/chrome',
    '/opt/microsoft/msedge/msedge',
    '/usr/lib/chromium/chromium',
    '/usr/lib/chromium/chromium-headless-shell',
  ])('[C5-15] %s is enough for root, in a container, without a display', async (path) => {
    const machine = fakeMachine({ uid: 0, env: { container: 'docker' }, files: { [path]: elf } });
    const mode = browserMode(undefined, machine);
    expect(mode).toEqual({ headless: true, reason: 'there is no display' });
    expect((await findBrowser({ type: 'chromium', ...mode }, machine))?.executablePath).toBe(path);
    expect(sandboxFact(machine, path)).toEqual({ works: false, reason: 'the server runs as root' });
  });

  test('without an installed browser none is found', async () => {
    expect(await findBrowser(headless, fakeMachine())).toBeUndefined();
  });

  test('the npm package comes with its environment variables', async () => {
    const files = Object.fromEntries(Object.entries(everything).filter(([path]) => path.startsWith(ownFolder)));
    expect(await findBrowser(headless, fakeMachine({ files }))).toEqual({
      executablePath: `${ownFolder}/chromium`,
      kind: 'headless-shell',
      source: 'npm package',
      env: { FONTCONFIG_FILE: '/fonts.conf' },
    });
  });

  test('an incompletely unpacked npm package is ignored', async () => {
    const files = { [`${ownFolder}/chromium`]: elf };
    expect(await findBrowser(headless, fakeMachine({ files }))).toBeUndefined();
  });
});

describe('configuration', () => {
  test('a configured path is used as is', async () => {
    const machine = fakeMachine({ files: { ...everything, '/opt/mine/chrome': elf } });
    expect(await findBrowsers({ ...headless, executablePath: '/opt/mine/chrome' }, machine)).toEqual([
      { executablePath: '/opt/mine/chrome', kind: 'chrome', source: 'configured path' },
    ]);
  });

  test('a missing configured path is not replaced by another browser', async () => {
    const machine = fakeMachine({ files: everything });
    expect(await findBrowser({ ...headless, executablePath: '/opt/gone/chrome' }, machine)).toBeUndefined();
  });

  test('a configured file that is not executable is ignored', async () => {
    const machine = fakeMachine({ files: { '/opt/mine/chrome': { text: elf, mode: 0o644 } } });
    expect(await findBrowser({ ...headless, executablePath: '/opt/mine/chrome' }, machine)).toBeUndefined();
  });

  test.each([
    ['chrome', '/opt/google/chrome/chrome'],
    ['msedge', '/opt/microsoft/msedge/msedge'],
    ['chromium', chromium1254],
    ['chromium-headless-shell', shell1254],
    ['chrome-beta', undefined],
    ['no-such-channel', undefined],
    ['constructor', undefined],
  ])('channel %s is %s', async (channel, path) => {
    const found = await findBrowser({ ...headless, channel }, fakeMachine({ files: everything }));
    expect(found?.executablePath).toBe(path);
  });

  test('an empty channel or path counts as not set', async () => {
    const found = await findBrowser(
      { ...headless, channel: '', executablePath: '' },
      fakeMachine({ files: everything }),
    );
    expect(found?.executablePath).toBe(shell1254);
  });
});

describe("Playwright's builds", () => {
  test('any revision is found, the newest first, in numeric order', async () => {
    const files = {
      ...build('chromium_headless_shell-999', 'chrome-linux/headless_shell'),
      ...build('chromium_headless_shell-1100', 'chrome-linux/headless_shell'),
    };
    const found = await findBrowsers(headless, fakeMachine({ files }));
    expect(found.map(({ executablePath }) => executablePath)).toEqual([
      `${cache}/chromium_headless_shell-1100/chrome-linux/headless_shell`,
      `${cache}/chromium_headless_shell-999/chrome-linux/headless_shell`,
    ]);
  });

  test('folders without a program and incomplete downloads are skipped', async () => {
    const files = {
      [`${cache}/chromium_headless_shell-1300/INSTALLATION_COMPLETE`]: '',
      [`${cache}/chromium_headless_shell-1299/chrome-headless-shell-linux64/chrome-headless-shell`]: elf,
      [`${cache}/chromium_tip_of_tree-1400/INSTALLATION_COMPLETE`]: '',
      [`${cache}/chromium_tip_of_tree-1400/chrome-linux64/chrome`]: elf,
      ...build('chromium_headless_shell-1254', 'chrome-headless-shell-linux64/chrome-headless-shell'),
    };
    const found = await findBrowsers(headless, fakeMachine({ files }));
    expect(found.map(({ executablePath }) => executablePath)).toEqual([shell1254]);
  });

  test.each([
    ['/srv/browsers', '/srv/browsers'],
    ['0', '/app/node_modules/playwright-core/.local-browsers'],
  ])('PLAYWRIGHT_BROWSERS_PATH=%s looks in %s', async (value, root) => {
    const path = `${root}/chromium-1254/chrome-linux64/chrome`;
    const files = { [path]: elf, [`${root}/chromium-1254/INSTALLATION_COMPLETE`]: '', ...everything };
    const machine = fakeMachine({ files, env: { PLAYWRIGHT_BROWSERS_PATH: value } });
    expect((await findBrowser(headless, machine))?.executablePath).toBe(path);
  });

  test('Firefox and WebKit are found there and nowhere else', async () => {
    const files = {
      ...build('firefox-1572', 'firefox/firefox'),
      ...build('webkit-2388', 'pw_run.sh'),
      '/usr/bin/firefox': elf,
    };
    const machine = fakeMachine({ files });
    expect(await findBrowsers({ type: 'firefox', headless: true }, machine)).toEqual([
      { executablePath: `${cache}/firefox-1572/firefox/firefox`, kind: 'firefox', source: "Playwright's build" },
    ]);
    expect((await findBrowser({ type: 'webkit', headless: false }, machine))?.executablePath).toBe(
      `${cache}/webkit-2388/pw_run.sh`,
    );
  });
});

describe('scripts on PATH', () => {
  test.each([
    ['a script that starts a child', '#!/bin/sh -e\n\n/opt/b/chromium-headless-shell "$@"\n'],
    ['a script that uses exec', '#!/bin/bash\nFLAGS="-x"\nexec /opt/b/chromium-headless-shell $FLAGS "$@"\n'],
    ['a script that uses exec -a', '#!/bin/bash\nexec -a "$0" "/opt/b/chromium-headless-shell" --flag "$@"\n'],
  ])('%s is resolved to its program', async (_, script) => {
    const files = { '/usr/bin/chromium-headless-shell': script, '/opt/b/chromium-headless-shell': elf };
    const found = await findBrowser(headless, fakeMachine({ files }));
    expect(found).toEqual({
      executablePath: '/opt/b/chromium-headless-shell',
      kind: 'headless-shell',
      source: 'system package',
    });
  });

  test('a script whose program cannot be determined is used itself', async () => {
    const files = { '/usr/local/bin/chromium': '#!/bin/sh\nexec $LIBDIR/chromium "$@"\n' };
    expect((await findBrowser(headed, fakeMachine({ files })))?.executablePath).toBe('/usr/local/bin/chromium');
  });

  test('snap stubs are skipped', async () => {
    const stub = '#!/bin/sh\nif ! [ -x /snap/bin/chromium ]; then\n  echo "requires the chromium snap" >&2\nfi\n';
    const files = {
      '/usr/bin/chromium-browser': stub,
      '/usr/bin/chromium': elf,
      '/usr/bin/snap': elf,
      '/opt/google/chrome/chrome': elf,
    };
    const machine = fakeMachine({ files, links: { '/usr/bin/chromium': '/usr/bin/snap' } });
    expect((await findBrowsers(headed, machine)).map(({ kind }) => kind)).toEqual(['chrome']);
  });

  test('one program under several names is listed once', async () => {
    const files = {
      '/usr/lib/chromium/chromium': elf,
      '/usr/bin/chromium': '#!/bin/sh\n/usr/lib/chromium/chromium "$@"\n',
    };
    expect(await findBrowsers(headed, fakeMachine({ files }))).toHaveLength(1);
  });
});

describe('other systems', () => {
  test('macOS: application folders of the machine and of the user', async () => {
    const files = {
      '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome': elf,
      '/Users/ada/Applications/Chromium.app/Contents/MacOS/Chromium': elf,
      '/Users/ada/Library/Caches/ms-playwright/chromium-1254/INSTALLATION_COMPLETE': '',
      '/Users/ada/Library/Caches/ms-playwright/chromium-1254/chrome-mac-arm64/Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing':
        elf,
    };
    const found = await findBrowsers(
      headed,
      fakeMachine({ platform: 'darwin', homedir: '/Users/ada', env: {}, files }),
    );
    expect(found.map(({ kind, source }) => `${kind}, ${source}`)).toEqual([
      "chromium, Playwright's build",
      'chromium, system package',
      'chrome, system package',
    ]);
  });

  test('Windows: program folders and local application data', async () => {
    const env = { LOCALAPPDATA: 'C:\\Users\\ada\\AppData\\Local', 'PROGRAMFILES(X86)': 'C:\\Program Files (x86)' };
    const root = `${env.LOCALAPPDATA}\\ms-playwright\\chromium_headless_shell-1254`;
    const edge = 'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe';
    const shell = `${root}\\chrome-headless-shell-win64\\chrome-headless-shell.exe`;
    const files = { [edge]: 'MZ', [`${root}\\INSTALLATION_COMPLETE`]: '', [shell]: 'MZ' };
    const machine = fakeMachine({ platform: 'win32', homedir: 'C:\\Users\\ada', uid: undefined, env, files });
    expect((await findBrowsers(headless, machine)).map(({ executablePath }) => executablePath)).toEqual([shell, edge]);
  });

  test('Windows: the version is read from the folder beside the program', async () => {
    const folder = 'C:\\Program Files\\Google\\Chrome\\Application';
    const files = { [`${folder}\\chrome.exe`]: 'MZ', [`${folder}\\156.0.8078.79\\chrome.dll`]: 'MZ' };
    const machine = fakeMachine({ platform: 'win32', files });
    expect(await browserVersion(`${folder}\\chrome.exe`, machine)).toBe('156.0.8078.79');
  });
});

describe('browserVersion', () => {
  test('is read from the program', async () => {
    expect(await browserVersion(process.execPath)).toBe(process.version);
  });

  test('is undefined for a missing program', async () => {
    expect(await browserVersion('/no/such/browser')).toBeUndefined();
  });
});

test('the local machine is searched in less than 250 ms', async () => {
  const machine = localMachine({ PATH: '/usr/local/bin:/usr/bin:/bin' });
  const started = performance.now();
  await findBrowsers(headless, machine);
  expect(performance.now() - started).toBeLessThan(250);
});
