import type { Machine } from './machine.ts';
import { filled, pathsOf } from './machine.ts';

export type InstalledKind = 'headless-shell' | 'chromium' | 'chrome' | 'edge';

interface KnownPlaces {
  /** Full paths on Linux, and names looked up on PATH there. */
  readonly linux: readonly string[];
  readonly commands: readonly string[];
  /** The name of the application bundle on macOS. */
  readonly darwin: string | undefined;
  /** The path below Program Files or the local application data on Windows. */
  readonly win32: string | undefined;
}

/** Linux paths name the program itself: scripts on PATH start it as a child, which survives a kill of the script. */
const installed: Readonly<Record<InstalledKind, KnownPlaces>> = {
  'headless-shell': {
    linux: [
      '/usr/lib/chromium/chromium-headless-shell',
      '/usr/lib64/chromium-browser/headless_shell',
      '/usr/lib/chromium-browser/headless_shell',
      '/headless-shell/headless-shell',
    ],
    commands: ['chrome-headless-shell', 'chromium-headless-shell', 'headless-shell', 'headless_shell'],
    darwin: undefined,
    win32: undefined,
  },
  chromium: {
    linux: [
      '/usr/lib/chromium/chromium',
      '/usr/lib/chromium-browser/chromium-browser',
      '/usr/lib64/chromium-browser/chromium-browser',
      '/usr/lib64/chromium/chromium',
    ],
    commands: ['chromium', 'chromium-browser'],
    darwin: 'Chromium',
    win32: 'Chromium\\Application\\chrome.exe',
  },
  chrome: {
    linux: ['/opt/google/chrome/chrome'],
    commands: ['google-chrome-stable', 'google-chrome', 'chrome'],
    darwin: 'Google Chrome',
    win32: 'Google\\Chrome\\Application\\chrome.exe',
  },
  edge: {
    linux: ['/opt/microsoft/msedge/msedge'],
    commands: ['microsoft-edge-stable', 'microsoft-edge'],
    darwin: 'Microsoft Edge',
    win32: 'Microsoft\\Edge\\Application\\msedge.exe',
  },
};

/** Channels that name one release line of an installed browser. */
const channels: Readonly<Record<string, { readonly kind: InstalledKind } & KnownPlaces>> = {
  chrome: { kind: 'chrome', ...installed.chrome },
  'chrome-beta': releaseLine('chrome', 'Google', 'Chrome Beta', '/opt/google/chrome-beta/chrome'),
  'chrome-dev': releaseLine('chrome', 'Google', 'Chrome Dev', '/opt/google/chrome-unstable/chrome'),
  'chrome-canary': releaseLine('chrome', 'Google', 'Chrome Canary', '/opt/google/chrome-canary/chrome', 'Chrome SxS'),
  msedge: { kind: 'edge', ...installed.edge },
  'msedge-beta': releaseLine('edge', 'Microsoft', 'Edge Beta', '/opt/microsoft/msedge-beta/msedge'),
  'msedge-dev': releaseLine('edge', 'Microsoft', 'Edge Dev', '/opt/microsoft/msedge-dev/msedge'),
  'msedge-canary': releaseLine('edge', 'Microsoft', 'Edge Canary', '/opt/microsoft/msedge-canary/msedge', 'Edge SxS'),
};

function releaseLine(
  kind: 'chrome' | 'edge',
  vendor: string,
  name: string,
  linux: string,
  windowsName = name,
): { readonly kind: InstalledKind } & KnownPlaces {
  const program = kind === 'edge' ? 'msedge.exe' : 'chrome.exe';
  return {
    kind,
    linux: [linux],
    commands: [],
    darwin: `${vendor} ${name}`,
    win32: `${vendor}\\${windowsName}\\Application\\${program}`,
  };
}

/** Where a browser of this kind may be installed, best first. */
export function installedPaths(kind: InstalledKind, machine: Machine): readonly string[] {
  return placesOf(installed[kind], machine);
}

/** Where the browser of a channel may be installed; undefined for an unknown channel. */
export function channelPaths(
  channel: string,
  machine: Machine,
): { readonly kind: InstalledKind; readonly paths: readonly string[] } | undefined {
  const entry = Object.hasOwn(channels, channel) ? channels[channel] : undefined;
  return entry === undefined ? undefined : { kind: entry.kind, paths: placesOf(entry, machine) };
}

function placesOf(places: KnownPlaces, machine: Machine): readonly string[] {
  const paths = pathsOf(machine);
  const { env } = machine;
  if (machine.platform === 'win32') {
    const suffix = places.win32;
    if (suffix === undefined) return [];
    const roots = [env['LOCALAPPDATA'], env['PROGRAMFILES'], env['PROGRAMFILES(X86)'], 'C:\\Program Files'];
    return [...new Set(roots.map(filled).filter((root) => root !== undefined))].map((root) => paths.join(root, suffix));
  }
  const onPath = places.commands.flatMap((command) => searchPath(machine).map((folder) => paths.join(folder, command)));
  if (machine.platform !== 'darwin') return [...places.linux, ...onPath];
  const app = places.darwin;
  if (app === undefined) return onPath;
  const inside = paths.join('Applications', `${app}.app`, 'Contents', 'MacOS', app);
  return [paths.join('/', inside), paths.join(machine.homedir, inside), ...onPath];
}

function searchPath(machine: Machine): readonly string[] {
  const paths = pathsOf(machine);
  return (machine.env['PATH'] ?? '').split(paths.delimiter).filter((folder) => paths.isAbsolute(folder));
}

/** The program inside one of Playwright's build folders, below the folder named after platform and architecture. */
export function playwrightTails(kind: 'headless-shell' | 'chromium', platform: NodeJS.Platform): readonly string[] {
  if (kind === 'headless-shell') {
    return platform === 'win32'
      ? ['chrome-headless-shell.exe', 'headless_shell.exe']
      : ['chrome-headless-shell', 'headless_shell'];
  }
  if (platform === 'win32') return ['chrome.exe'];
  if (platform !== 'darwin') return ['chrome'];
  return ['Google Chrome for Testing', 'Chromium'].map((app) => `${app}.app/Contents/MacOS/${app}`);
}

/** The program of the browsers that only Playwright builds, below the build's folder. */
export function playwrightOnlyTail(type: 'firefox' | 'webkit', platform: NodeJS.Platform): string {
  if (type === 'webkit') return platform === 'win32' ? 'Playwright.exe' : 'pw_run.sh';
  if (platform === 'win32') return 'firefox\\firefox.exe';
  return platform === 'darwin' ? 'firefox/Nightly.app/Contents/MacOS/firefox' : 'firefox/firefox';
}
