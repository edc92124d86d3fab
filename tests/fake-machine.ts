import type { Machine } from '../src/browser/find/machine.ts';

export interface FakeMachineOptions extends Partial<Omit<Machine, 'fileMode' | 'list' | 'read' | 'realPath'>> {
  /** Files by path: their text, or their text and permission bits. */
  readonly files?: Readonly<Record<string, string | { readonly text: string; readonly mode: number }>>;
  readonly links?: Readonly<Record<string, string>>;
  readonly shmBytes?: number;
}

/** A machine described by a table of files; by default a non-root user on 64-bit Linux. */
export function fakeMachine(options: FakeMachineOptions = {}): Machine {
  const { files = {}, links = {}, shmBytes, ...rest } = options;
  const at = (path: string): { text: string; mode: number } | undefined => {
    const entry = files[links[path] ?? path];
    return typeof entry === 'string' ? { text: entry, mode: 0o755 } : entry;
  };
  const separator = rest.platform === 'win32' ? '\\' : '/';
  return {
    env: { PATH: '/usr/local/bin:/usr/bin:/bin' },
    platform: 'linux',
    arch: 'x64',
    homedir: '/home/ada',
    uid: 1000,
    diskBytes: () => shmBytes,
    playwrightFolder: () => '/app/node_modules/playwright-core',
    ...rest,
    fileMode: (path) => at(path)?.mode,
    read: (path) => at(path)?.text,
    realPath: (path) => links[path] ?? path,
    list: (folder) => {
      const prefix = `${folder}${separator}`;
      const inside = Object.keys(files).filter((path) => path.startsWith(prefix));
      return [...new Set(inside.map((path) => path.slice(prefix.length).split(separator)[0] ?? ''))];
    },
  };
}
