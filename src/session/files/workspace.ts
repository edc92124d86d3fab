import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { lstat, open, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, extname, isAbsolute, join, parse, relative, resolve, sep } from 'node:path';
import { ToolError } from '../../errors.ts';
import { errorCode } from '../../util/error-code.ts';
import { makeFolder } from '../../util/make-folder.ts';
import { filesInFolder } from './upload-folder.ts';
import { keepWithin } from './output-limit.ts';

export interface WorkspaceOptions {
  readonly cwd: string;
  readonly outputDir?: string;
  readonly screenshotDir?: string;
  readonly downloadDir?: string;
  /** How much the folders may hold before the oldest files that the server named go; no limit without it. */
  readonly maxBytes?: number;
  readonly paths: 'relative' | 'absolute';
  /** The operator lets tools reach every file that the server can. */
  readonly isUnrestricted?: boolean;
  /** Takes out of a text what no file may hold. */
  readonly redact?: (text: string) => string;
}

export interface SavedFile {
  readonly path: string;
  /** The path as answers show it. */
  readonly shown: string;
}

export interface ReadableFile {
  readonly path: string;
  readonly name: string;
}

export type FileKind = 'screenshot' | 'output' | 'download';

const defaultFolders = { screenshot: '.viewpoint-mcp-screenshots', output: '.playwright-mcp' } as const;
const longestName = 200;
const mostNamesakes = 1000;
/** What `timestampName` gives. */
const generatedName = /^[a-z-]+-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z(?:-\d+)?\.\w+$/;
const ignoreFile = '.gitignore';
const privateFile = 0o600;
const largestUpload = 100 * 1024 * 1024;

/** The files a session may write: inside its folders, never through a link, never over a file that is not ours. */
export class Workspace {
  readonly #options: WorkspaceOptions;
  readonly #folders: Readonly<Record<FileKind, string>>;
  /** Files under names that pages chose. */
  readonly #downloads = new Set<string>();

  constructor(options: WorkspaceOptions) {
    this.#options = options;
    const output = options.outputDir === undefined ? undefined : resolve(options.cwd, options.outputDir);
    const screenshot = options.screenshotDir === undefined ? output : resolve(options.cwd, options.screenshotDir);
    const outputFolder = output ?? join(options.cwd, defaultFolders.output);
    this.#folders = {
      output: outputFolder,
      download: options.downloadDir === undefined ? outputFolder : resolve(options.cwd, options.downloadDir),
      screenshot: screenshot ?? join(options.cwd, defaultFolders.screenshot),
    };
  }

  /** Writes a file under a name the caller chose (relative to the folder of its kind) or under a generated one. */
  async save(kind: FileKind, name: string, data: Uint8Array | string): Promise<SavedFile> {
    // Two sessions may name a file in the same millisecond, and neither may replace the other's.
    const isOwn = generatedName.test(name);
    const path = isOwn ? await this.#unused(kind, name) : await this.reserve(kind, name);
    // Two sessions may write a file of one name at the same moment; the later one stays.
    const temporary = join(dirname(path), `.${randomUUID()}.part`);
    try {
      const file = await open(temporary, constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY, privateFile);
      try {
        await file.writeFile(typeof data === 'string' ? (this.#options.redact?.(data) ?? data) : data);
      } finally {
        await file.close();
      }
      await rename(temporary, path);
    } catch (error) {
      await Promise.allSettled([temporary, ...(isOwn ? [path] : [])].map(async (file) => rm(file, { force: true })));
      throw new ToolError('PATH_DENIED', { path: name, reason: reasonOf(error) }, { cause: error });
    }
    await this.keepWithinLimit(path);
    return { path, shown: this.show(path) };
  }

  /** A new, empty file of this name, or of one like it where there is one already: a page must not replace a file. */
  async claim(kind: FileKind, name: string): Promise<string> {
    const path = await this.#unused(kind, name);
    this.#downloads.add(path);
    return path;
  }

  async #unused(kind: FileKind, name: string): Promise<string> {
    for (let count = 1; count <= mostNamesakes; count++) {
      const path = await this.reserve(kind, count === 1 ? name : numbered(name, count));
      try {
        const file = await open(path, constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY, privateFile);
        await file.close();
        return path;
      } catch (error) {
        if (errorCode(error) === 'EEXIST') continue;
        throw new ToolError('PATH_DENIED', { path: name, reason: reasonOf(error) }, { cause: error });
      }
    }
    throw new ToolError('PATH_DENIED', { path: name, reason: `there are ${mostNamesakes} files of that name already` });
  }

  /** After a file was written: makes room by removing the oldest of those that the server named itself. */
  async keepWithinLimit(written: string): Promise<void> {
    const { maxBytes = 0 } = this.#options;
    if (maxBytes === 0) return;
    const isAutomatic = (path: string): boolean => generatedName.test(basename(path)) || this.#downloads.has(path);
    await keepWithin({ maxBytes, folders: Object.values(this.#folders), isAutomatic }, written);
  }

  /** The place a file of this name may be written to; makes its folder. */
  async reserve(kind: FileKind, name: string): Promise<string> {
    const deny = (reason: string): never => {
      throw new ToolError('PATH_DENIED', { path: name.slice(0, longestName), reason });
    };
    if (name.trim() === '' || name.length > longestName) deny('the name is empty or too long');
    if (/[\0-\x1f\x7f]|[/\\]$/.test(name) || name === '.' || name === '..') deny('it does not name a file');
    const folder = this.#folders[kind];
    const path = isAbsolute(name) ? resolve(name) : resolve(folder, name);
    const { isUnrestricted = false } = this.#options;
    const root = isUnrestricted ? parse(path).root : [folder, this.#options.cwd].find((place) => isInside(place, path));
    if (root === undefined) return deny('it is outside of the output directory and the working directory');
    if (path === join(folder, ignoreFile)) deny('it keeps the folder out of repositories');
    if (
      !isUnrestricted &&
      !isInside(folder, path) &&
      relative(this.#options.cwd, path)
        .split(sep)
        .some((part) => part.startsWith('.'))
    ) {
      deny('hidden files and folders are not written to');
    }
    if (isInside(folder, path)) await this.#openFolder(kind);
    // Before anything is made in it: a folder that is a link must not have others made behind it.
    const standing = await deepestFolder(dirname(path));
    if (standing === root || isInside(root, standing)) {
      const [realRoot, realParent] = await Promise.all([realpath(root), realpath(standing)]).catch(() =>
        deny('its folder is a link that leads nowhere'),
      );
      if (realParent !== realRoot && !isInside(realRoot, realParent)) deny('its folder leads outside through a link');
    }
    await makeFolder(dirname(path)).catch((error: unknown) => deny(reasonOf(error)));
    const existing = await lstat(path).catch(() => undefined);
    if (existing !== undefined && !existing.isFile()) deny('something that is not a plain file has that name');
    if (existing !== undefined && !isInside(folder, path)) deny('a file of that name exists already');
    return path;
  }

  /** A file that may be given to a page: a plain one, inside of the working or an output directory, links followed. */
  async readable(path: string): Promise<ReadableFile> {
    const { deny, real } = await this.#allowed(path);
    const stats = await stat(real);
    if (!stats.isFile()) deny('it is not a plain file');
    if (stats.size > largestUpload) deny(`it is larger than ${largestUpload / 1024 / 1024} MiB`);
    return { path: real, name: basename(real) };
  }

  /** Such a file, or a folder with nothing else in it. */
  async givable(path: string): Promise<ReadableFile & { readonly files?: number }> {
    const { deny, real } = await this.#allowed(path);
    if (!(await stat(real)).isDirectory()) return this.readable(path);
    const mayLeadTo = (place: string): boolean => this.#options.isUnrestricted === true || isInside(real, place);
    const found = await filesInFolder(real, { bytes: largestUpload, mayLeadTo }).catch(reasonOf);
    return { path: real, name: basename(real), files: typeof found === 'string' ? deny(found) : found };
  }

  /** Where a path that a caller gave leads, if things there may be read. */
  async #allowed(path: string): Promise<{ readonly real: string; readonly deny: (reason: string) => never }> {
    const deny = (reason: string): never => {
      throw new ToolError('PATH_DENIED', { path: path.slice(0, longestName), reason });
    };
    if (path.trim() === '' || path.includes('\0')) deny('it does not name a file');
    const real = await realpath(resolve(this.#options.cwd, path)).catch(() => deny('there is no such file'));
    const roots = await Promise.all(
      [this.#options.cwd, ...Object.values(this.#folders)].map((root) => realpath(root).catch(() => root)),
    );
    if (this.#options.isUnrestricted !== true && !roots.some((root) => isInside(root, real)))
      deny('it is outside of the working directory and the output directories');
    return { real, deny };
  }

  show(path: string): string {
    const short = relative(this.#options.cwd, path);
    return this.#options.paths === 'absolute' || short.startsWith('..') ? path : short.split(sep).join('/');
  }

  /** The folder of a kind is the operator's choice. One that we make is kept out of the user's repository. */
  async #openFolder(kind: FileKind): Promise<void> {
    const folder = this.#folders[kind];
    try {
      const isNew = (await makeFolder(folder)) !== undefined;
      if (isNew) await writeFile(join(folder, ignoreFile), '*\n', { flag: 'a' });
    } catch (error) {
      const reason = errorCode(error) === 'EEXIST' ? 'it is not a directory' : reasonOf(error);
      const problem = `The ${kind} directory ${folder} cannot be made or used: ${reason}.`;
      throw new ToolError('BAD_CONFIGURATION', { problem }, { cause: error });
    }
  }
}

/** `page-2026-01-31T12-00-00-000Z.png`: sortable, and valid on every file system. */
export function timestampName(prefix: string, now: Date, extension: string): string {
  return `${prefix}-${now.toISOString().replaceAll(/[:.]/g, '-')}.${extension}`;
}

/** A file name that a page or a server proposed, reduced to something harmless. */
export function safeName(proposed: string): string {
  const base = proposed.split(/[/\\]/).at(-1) ?? '';
  const plain = base
    .replaceAll(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2066-\u2069<>:"|?*]/g, '_')
    .replace(/^\.+/, '');
  const extension = extname(plain).slice(0, 20);
  const stem = plain.slice(0, plain.length - extname(plain).length).slice(0, 100);
  // Names that mean a device on Windows, whatever they end in.
  const isDevice = /^(?:con|prn|aux|nul|com\d|lpt\d)$/i.test(stem);
  return `${stem === '' ? 'download' : isDevice ? `_${stem}` : stem}${extension}`;
}

function numbered(name: string, count: number): string {
  const extension = extname(name);
  return `${name.slice(0, name.length - extension.length)}-${count}${extension}`;
}

/** The deepest folder of a path that is there. */
async function deepestFolder(path: string): Promise<string> {
  const isThere = await lstat(path).then(
    () => true,
    () => false,
  );
  return isThere || dirname(path) === path ? path : deepestFolder(dirname(path));
}

function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '' && !way.startsWith(`..${sep}`) && way !== '..' && !isAbsolute(way);
}

function reasonOf(error: unknown): string {
  return error instanceof Error
    ? error.message.replace(/^([A-Z]+): .*$/s, 'the system refused it ($1)')
    : String(error);
}
