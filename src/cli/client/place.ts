import { existsSync, lstatSync, mkdirSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

/** Where the daemon of a working tree and a configuration listens, and the files beside its socket. */
export interface DaemonPlace {
  /** Only its user can open it. */
  readonly folder: string;
  /** The same for every command in the same working tree with the same configuration file. */
  readonly key: string;
  readonly tree: string;
  readonly configFile: string | undefined;
  /** A path, or a named pipe on Windows. */
  readonly socket: string;
  readonly state: string;
  readonly lock: string;
  readonly log: string;
}

export interface PlaceSources {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
}

/** The kernel's limit for the path of a socket is 104 to 108 bytes. */
const longestSocket = 103;
const privateFolder = 0o700;

export function placeOf({ argv, env, cwd }: PlaceSources): DaemonPlace {
  const folder = daemonFolder(env);
  const tree = workingTree(realpathSync(cwd));
  const configFile = configFileOf(argv, env, cwd);
  const key = digest(`${tree}\n${configFile ?? ''}`);
  return { tree, configFile, ...filesOf(folder, key) };
}

/** The files of a daemon. */
export function filesOf(folder: string, key: string): Omit<DaemonPlace, 'tree' | 'configFile'> {
  const base = join(folder, key);
  const socket = process.platform === 'win32' ? `\\\\.\\pipe\\${digest(folder)}-${key}` : `${base}.sock`;
  return { folder, key, socket, state: `${base}.json`, lock: `${base}.lock`, log: `${base}.log` };
}

/** Sockets belong to the run-time folder of the user, else to a folder of the user in the temporary directory. */
export function daemonFolder(env: PlaceSources['env']): string {
  const runtime = env['XDG_RUNTIME_DIR'];
  if (runtime !== undefined && runtime !== '' && existsSync(runtime)) return join(runtime, 'pagehelm');
  return join(tmpdir(), `pagehelm-daemon-${process.getuid?.() ?? env['USERNAME'] ?? 'user'}`);
}

/** Creates the folder of the sockets, and checks that no other user can put a socket into it. */
export function makePrivateFolder(place: Pick<DaemonPlace, 'folder' | 'socket'>): void {
  if (process.platform !== 'win32' && Buffer.byteLength(place.socket) > longestSocket)
    throw new PlaceError(
      `The path of the socket is too long (${place.socket}). Set XDG_RUNTIME_DIR to a folder with a shorter path.`,
    );
  mkdirSync(place.folder, { recursive: true, mode: privateFolder });
  const problem = folderProblem(place.folder);
  if (problem !== undefined) throw new PlaceError(problem);
}

/** Why a socket in this folder cannot be trusted; undefined if it can. */
export function folderProblem(folder: string): string | undefined {
  const uid = process.getuid?.();
  if (uid === undefined) return undefined;
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (found === undefined) return undefined;
  if (!found.isDirectory()) return `${folder} is not a folder. Remove it.`;
  if (found.uid !== uid) return `${folder} belongs to another user. Set XDG_RUNTIME_DIR to a folder of your own.`;
  if ((found.mode & 0o077) !== 0) return `Other users can open ${folder}. Run: chmod 700 ${folder}`;
  return undefined;
}

/** The folder or its path cannot be used. */
export class PlaceError extends Error {}

/** The nearest folder with a `.git`, else the folder itself. */
function workingTree(folder: string): string {
  for (let place = folder; ; place = dirname(place)) {
    if (existsSync(join(place, '.git'))) return place;
    if (dirname(place) === place) return folder;
  }
}

function configFileOf(argv: readonly string[], env: PlaceSources['env'], cwd: string): string | undefined {
  const at = argv.findLastIndex((word) => word === '--config' || word.startsWith('--config='));
  const word = at === -1 ? undefined : argv[at];
  const flag = word?.includes('=') === true ? word.slice(word.indexOf('=') + 1) : argv[at + 1];
  const given = word === undefined ? (env['PAGEHELM_CONFIG'] ?? env['PLAYWRIGHT_MCP_CONFIG']) : flag;
  return given === undefined || given === '' ? undefined : resolve(cwd, given);
}

/** 64 bits in hexadecimal: two FNV-1a hashes. node:crypto would take longer to load. */
function digest(text: string): string {
  return [0x81_1c_9d_c5, 0x9d_c5_81_1c]
    .map((seed) => {
      let hash = seed;
      for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01_00_01_93);
      // A last mix: similar paths must differ in all digits.
      hash = Math.imul(hash ^ (hash >>> 15), 0x2c_1b_3c_6d);
      return ((hash ^ (hash >>> 13)) >>> 0).toString(16).padStart(8, '0');
    })
    .join('');
}
