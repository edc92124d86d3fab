import type { InstalledKind } from './known-paths.ts';
import { channelPaths, installedPaths, playwrightOnlyTail, playwrightTails } from './known-paths.ts';
import type { Machine } from './machine.ts';
import { filled, isExecutable, localMachine, ownBrowsersFolder, pathsOf, userCacheFolder } from './machine.ts';
import { runCommand } from '../process/run-command.ts';

export type BrowserType = 'chromium' | 'firefox' | 'webkit';

/** The part of the configuration that selects a browser. */
export interface BrowserWanted {
  readonly type: BrowserType;
  readonly channel?: string | undefined;
  readonly executablePath?: string | undefined;
  readonly headless: boolean;
}

/** A browser on this machine that can be launched. */
export interface FoundBrowser {
  readonly executablePath: string;
  readonly kind: InstalledKind | 'firefox' | 'webkit';
  /** Its origin, for the operator: "system package". */
  readonly source: string;
  /** Variables that it needs to start. */
  readonly env?: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
}

/** The best matching browser, if any. Starts no process. */
export async function findBrowser(
  wanted: BrowserWanted,
  machine: Machine = localMachine(),
): Promise<FoundBrowser | undefined> {
  return candidates(wanted, machine).next().value ?? undefined;
}

/** All matching browsers, best first; if the first does not start, the next is tried. */
export async function findBrowsers(
  wanted: BrowserWanted,
  machine: Machine = localMachine(),
): Promise<readonly FoundBrowser[]> {
  const seen = new Map<string, FoundBrowser>();
  for (const found of candidates(wanted, machine)) {
    const real = machine.realPath(found.executablePath);
    if (!seen.has(real)) seen.set(real, found);
  }
  return [...seen.values()];
}

/** A generator, so that usually only a few paths are checked. */
function* candidates(wanted: BrowserWanted, machine: Machine): Generator<FoundBrowser, undefined> {
  const configured = filled(wanted.executablePath);
  if (configured !== undefined) {
    if (isExecutable(machine, configured)) {
      const kind = wanted.type === 'chromium' ? kindOfProgram(configured, machine) : wanted.type;
      yield { executablePath: configured, kind, source: 'configured path' };
    }
    return;
  }
  if (wanted.type !== 'chromium') {
    yield* playwrightOnlyBuilds(wanted.type, machine);
    return;
  }
  const channel = filled(wanted.channel);
  if (channel !== undefined && channel !== 'chromium' && channel !== 'chromium-headless-shell') {
    const known = channelPaths(channel, machine);
    if (known !== undefined) yield* installedAt(known.kind, known.paths, machine, `channel ${channel}`);
    return;
  }
  const kinds = kindsFor(channel, wanted.headless);
  for (const kind of kinds) {
    if (kind === 'headless-shell' || kind === 'chromium') yield* playwrightBuilds(kind, machine);
  }
  for (const kind of kinds) yield* installedAt(kind, installedPaths(kind, machine), machine, 'system package');
  if (kinds.includes('headless-shell')) yield* npmBrowser(machine);
}

/** A headless shell is never used for headed mode, and preferred for headless mode. */
function kindsFor(channel: string | undefined, headless: boolean): readonly InstalledKind[] {
  if (channel === 'chromium') return ['chromium'];
  if (channel === 'chromium-headless-shell') return headless ? ['headless-shell'] : [];
  return headless ? ['headless-shell', 'chromium', 'chrome', 'edge'] : ['chromium', 'chrome', 'edge'];
}

function kindOfProgram(path: string, machine: Machine): InstalledKind {
  const name = pathsOf(machine).basename(path).toLowerCase();
  if (/headless[-_]shell/.test(name)) return 'headless-shell';
  if (name.includes('edge')) return 'edge';
  return name.includes('chrome') ? 'chrome' : 'chromium';
}

function* playwrightBuilds(kind: 'headless-shell' | 'chromium', machine: Machine): Generator<FoundBrowser, undefined> {
  const paths = pathsOf(machine);
  const pattern = kind === 'chromium' ? /^chromium-(\d+)$/ : /^chromium_headless_shell-(\d+)$/;
  for (const build of buildFolders(pattern, machine)) {
    for (const folder of machine.list(build).filter((name) => name.startsWith('chrome'))) {
      for (const tail of playwrightTails(kind, machine.platform)) {
        const executablePath = paths.join(build, folder, tail);
        if (isExecutable(machine, executablePath)) yield { executablePath, kind, source: "Playwright's build" };
      }
    }
  }
}

function* playwrightOnlyBuilds(type: 'firefox' | 'webkit', machine: Machine): Generator<FoundBrowser, undefined> {
  const pattern = type === 'firefox' ? /^firefox-(\d+)$/ : /^webkit(?:_\w+_special)?-(\d+)$/;
  for (const build of buildFolders(pattern, machine)) {
    const executablePath = pathsOf(machine).join(build, playwrightOnlyTail(type, machine.platform));
    if (isExecutable(machine, executablePath)) yield { executablePath, kind: type, source: "Playwright's build" };
  }
}

/** Build folders of any revision, newest first. A folder without its marker is an incomplete download. */
function buildFolders(pattern: RegExp, machine: Machine): readonly string[] {
  const paths = pathsOf(machine);
  const root = playwrightRoot(machine);
  if (root === undefined) return [];
  return machine
    .list(root)
    .map((name) => ({ name, revision: Number(pattern.exec(name)?.[1] ?? Number.NaN) }))
    .filter(({ revision }) => !Number.isNaN(revision))
    .sort((a, b) => b.revision - a.revision)
    .map(({ name }) => paths.join(root, name))
    .filter((folder) => machine.fileMode(paths.join(folder, 'INSTALLATION_COMPLETE')) !== undefined);
}

function playwrightRoot(machine: Machine): string | undefined {
  const paths = pathsOf(machine);
  const configured = filled(machine.env['PLAYWRIGHT_BROWSERS_PATH']);
  if (configured === undefined) return paths.join(userCacheFolder(machine), 'ms-playwright');
  if (configured !== '0') return paths.resolve(configured);
  const folder = machine.playwrightFolder();
  return folder === undefined ? undefined : paths.join(folder, '.local-browsers');
}

function* installedAt(
  kind: InstalledKind,
  places: readonly string[],
  machine: Machine,
  source: string,
): Generator<FoundBrowser, undefined> {
  for (const path of places) {
    if (!isExecutable(machine, path)) continue;
    const executablePath = realProgram(path, machine);
    if (executablePath !== undefined) yield { executablePath, kind, source };
  }
}

/**
 * The program behind a start script, or the path itself. Undefined for snaps: a stub only prints how to install one, and
 * real ones cannot access the profile and download folders.
 */
function realProgram(path: string, machine: Machine): string | undefined {
  if (machine.platform !== 'linux') return path;
  const target = machine.realPath(path);
  if (target === '/usr/bin/snap' || target.startsWith('/snap/')) return undefined;
  const script = machine.read(target);
  if (script?.startsWith('#!') !== true) return path;
  if (/\/snap\/bin\/|snap install|requires the \S+ snap/.test(script)) return undefined;
  return programStartedBy(script, machine) ?? path;
}

/** The last absolute path that a start script hands its arguments to. */
function programStartedBy(script: string, machine: Machine): string | undefined {
  const starts = /^[ \t]*(?:exec[ \t]+(?:-a[ \t]+\S+[ \t]+)?)?"?(\/[^\s"'$]+)"?[ \t][^\n]*"\$@"/gm;
  const programs = [...script.matchAll(starts)].map((match) => match[1] ?? '');
  return programs.findLast((program) => isExecutable(machine, program));
}

/** The marker of a complete npm browser; it lists what the browser needs to start. */
export const npmBrowserMarker = 'ready.json';
export const npmBrowserFolder = 'npm-chromium';

function* npmBrowser(machine: Machine): Generator<FoundBrowser, undefined> {
  const paths = pathsOf(machine);
  const folder = paths.join(ownBrowsersFolder(machine), npmBrowserFolder);
  const marker = machine.read(paths.join(folder, npmBrowserMarker));
  const executablePath = paths.join(folder, 'chromium');
  if (marker === undefined || !isExecutable(machine, executablePath)) return;
  yield { executablePath, kind: 'headless-shell', source: 'npm package', env: environmentIn(marker) };
}

function environmentIn(marker: string): Readonly<Record<string, string>> {
  try {
    const content: unknown = JSON.parse(marker);
    if (typeof content !== 'object' || content === null || !('env' in content)) return {};
    const { env } = content;
    if (typeof env !== 'object' || env === null) return {};
    return Object.fromEntries(
      Object.entries(env).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    );
  } catch {
    return {};
  }
}

const versionTimeoutMs = 5000;

/** The version a browser reports, for example "Chromium 156.0.8078.79", if it does. */
export async function browserVersion(
  executablePath: string,
  machine: Machine = localMachine(),
): Promise<string | undefined> {
  if (machine.platform === 'win32') {
    // On Windows --version opens a window; a folder beside the program is named after the version.
    const names = machine.list(pathsOf(machine).dirname(executablePath));
    return names.findLast((name) => /^\d+(\.\d+){3}$/.test(name));
  }
  const result = await runCommand({
    command: executablePath,
    args: ['--version'],
    env: machine.env,
    timeoutMs: versionTimeoutMs,
  });
  const line = result.output.split('\n').find((text) => /\d+\.\d+/.test(text));
  return result.exitCode === 0 ? line?.trim() : undefined;
}
