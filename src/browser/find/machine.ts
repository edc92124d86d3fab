import { closeSync, openSync, readSync, readdirSync, realpathSync, statSync, statfsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { dirname, posix, win32, type PlatformPath } from 'node:path';

/** Access to the machine: a few synchronous reads, so that discovery takes milliseconds. */
export interface Machine {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  readonly arch: string;
  readonly homedir: string;
  /** Undefined where the system has no user ids. */
  readonly uid: number | undefined;
  /** The permission bits of a file; undefined when there is no file (a folder is none). */
  fileMode(path: string): number | undefined;
  /** The names in a folder; empty when there is none. */
  list(folder: string): readonly string[];
  /** The beginning of a text file; undefined when it cannot be read. */
  read(path: string): string | undefined;
  /** The path behind symbolic links; the path itself when it cannot be followed. */
  realPath(path: string): string;
  /** The size of the file system a path is on. */
  diskBytes(path: string): number | undefined;
  /** The folder of the installed playwright-core, without importing it. */
  playwrightFolder(): string | undefined;
}

/** The machine this process runs on. */
export function localMachine(env: Machine['env'] = process.env): Machine {
  return {
    env,
    platform: process.platform,
    arch: process.arch,
    homedir: homedir(),
    uid: process.getuid?.(),
    fileMode: (path) => {
      const stats = attempt(() => statSync(path, { throwIfNoEntry: false }));
      return stats?.isFile() === true ? stats.mode : undefined;
    },
    list: (folder) => attempt(() => readdirSync(folder)) ?? [],
    read: (path) => attempt(() => beginning(path)),
    realPath: (path) => attempt(() => realpathSync(path)) ?? path,
    diskBytes: (path) => {
      const stats = attempt(() => statfsSync(path));
      return stats === undefined ? undefined : stats.blocks * stats.bsize;
    },
    playwrightFolder: () =>
      attempt(() => dirname(createRequire(import.meta.url).resolve('playwright-core/package.json'))),
  };
}

/** The path rules of the machine, which may be a fake one in tests. */
export function pathsOf(machine: Pick<Machine, 'platform'>): PlatformPath {
  return machine.platform === 'win32' ? win32 : posix;
}

/** Whether the file exists and is executable. */
export function isExecutable(machine: Machine, path: string): boolean {
  const mode = machine.fileMode(path);
  return mode !== undefined && (machine.platform === 'win32' || (mode & 0o111) !== 0);
}

/** The cache folder of the user. */
export function userCacheFolder(machine: Machine): string {
  const paths = pathsOf(machine);
  const { env, homedir: home } = machine;
  if (machine.platform === 'darwin') return paths.join(home, 'Library', 'Caches');
  if (machine.platform === 'win32') return filled(env['LOCALAPPDATA']) ?? paths.join(home, 'AppData', 'Local');
  return filled(env['XDG_CACHE_HOME']) ?? paths.join(home, '.cache');
}

/** The folder of browsers that this server installed. */
export function ownBrowsersFolder(machine: Machine): string {
  return pathsOf(machine).join(userCacheFolder(machine), 'pagehelm', 'browsers');
}

/** Treats an empty variable as unset. */
export function filled(value: string | undefined): string | undefined {
  return value === '' ? undefined : value;
}

const longestRead = 64 * 1024;

/** Scripts are recognised by their first bytes; programs are too large to read whole. */
function beginning(path: string): string {
  const file = openSync(path, 'r');
  try {
    const buffer = Buffer.alloc(longestRead);
    return buffer.toString('utf8', 0, readSync(file, buffer, 0, longestRead, 0));
  } finally {
    closeSync(file);
  }
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
