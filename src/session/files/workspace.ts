import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { lstat, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { basename, dirname, extname, isAbsolute, join, parse, relative, resolve, sep } from 'node:path';
import { ToolError } from '../../errors.ts';
import { errorCode } from '../../util/error-code.ts';
import { makeFolder } from '../../util/make-folder.ts';
import { openChecked } from './checked-file.ts';
import { filesInFolder } from './upload-folder.ts';
import { keepWithin } from './output-limit.ts';

export interface WorkspaceOptions {
  readonly cwd: string;
  readonly outputDir?: string;
  readonly screenshotDir?: string;
  readonly downloadDir?: string;
  /** Total size of the folders above which the oldest files that the server named are removed; no limit without it. */
  readonly maxBytes?: number;
  readonly paths: 'relative' | 'absolute';
  /** The operator lets tools reach every file that the server can. */
  readonly isUnrestricted?: boolean;
  /** A further folder that tools may write to by absolute path. */
  readonly temporaryDir?: string;
  /** The operator lets tools upload hidden files of the working directory. */
  readonly uploadsHidden?: boolean;
  /** Folders that the client declared; files outside of them are not read. Default: the working directory. */
  readonly roots?: readonly string[];
  /** The only folder that uploads may come from. */
  readonly uploadRoot?: string;
  /** Removes secrets from a text before it is written. */
  readonly redact?: (text: string) => string;
  /** Replaces secrets in a file name: answers could not show a name with one. */
  readonly redactName?: (name: string) => string;
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
/** The form of `timestampName`. */
const generatedName = /^[a-z-]+-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z(?:-\d+)?\.\w+$/;
const ignoreFile = '.gitignore';
const privateFile = 0o600;
const unlessFlag = ', which needs --allow-unrestricted-file-access';
const leavesByLink = 'its folder leads outside through a link';
const noSuchFile = 'there is no such file';
const largestUpload = 100 * 1024 * 1024;

/**
 * The files that tools may read and write. A relative path names a file in the folder of its kind, whether it is written
 * or read; `./name` starts at the working directory. Reading falls back to the working directory. Files are never
 * written through a link, and never over a file of the user.
 */
export class Workspace {
  readonly #options: WorkspaceOptions;
  readonly #folders: Readonly<Record<FileKind, string>>;
  /** Downloads: their names were chosen by pages. */
  readonly downloads: Set<string>;
  /** Files that tools wrote: writing them again replaces them. */
  readonly written: Set<string>;

  constructor(options: WorkspaceOptions, known: Pick<Workspace, 'downloads' | 'written'> = noFiles()) {
    this.#options = options;
    this.downloads = known.downloads;
    this.written = known.written;
    const output = options.outputDir === undefined ? undefined : resolve(options.cwd, options.outputDir);
    const screenshot = options.screenshotDir === undefined ? output : resolve(options.cwd, options.screenshotDir);
    const outputFolder = output ?? join(options.cwd, defaultFolders.output);
    this.#folders = {
      output: outputFolder,
      download: options.downloadDir === undefined ? outputFolder : resolve(options.cwd, options.downloadDir),
      screenshot: screenshot ?? join(options.cwd, defaultFolders.screenshot),
    };
  }

  /** The same workspace for a client that has declared roots. */
  heldTo(roots: readonly string[]): Workspace {
    return new Workspace({ ...this.#options, roots }, this);
  }

  /** Writes a file under a name that the caller chose, or under a generated one. */
  async save(kind: FileKind, name: string, data: Uint8Array | string): Promise<SavedFile> {
    // Two sessions may generate the same name in one millisecond; neither may replace the file of the other.
    const isOwn = generatedName.test(basename(name));
    const place = isOwn ? await this.#unused(kind, name) : await this.#place(kind, name);
    const { path } = place;
    // Sessions may write the same file concurrently; the last rename wins.
    const temporary = join(dirname(path), `.${randomUUID()}.part`);
    try {
      const file = await openNew({ ...place, path: temporary });
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
    this.written.add(path);
    return { path, shown: this.show(path) };
  }

  /** Creates an empty file of this name, or of a numbered one if it exists: a page must not replace a file. */
  async claim(kind: FileKind, name: string): Promise<string> {
    const { path } = await this.#unused(kind, name);
    this.downloads.add(path);
    return path;
  }

  async #unused(kind: FileKind, name: string): Promise<Place> {
    for (let count = 1; count <= mostNamesakes; count++) {
      const place = await this.#place(kind, count === 1 ? name : numbered(name, count));
      try {
        const file = await openNew(place);
        await file.close();
        return place;
      } catch (error) {
        if (errorCode(error) === 'EEXIST') continue;
        throw new ToolError('PATH_DENIED', { path: name, reason: reasonOf(error) }, { cause: error });
      }
    }
    throw new ToolError('PATH_DENIED', { path: name, reason: `there are ${mostNamesakes} files with that name` });
  }

  /** After a write: removes the oldest files that the server named itself until the folders are within the limit. */
  async keepWithinLimit(written: string): Promise<void> {
    const { maxBytes = 0 } = this.#options;
    if (maxBytes === 0) return;
    const isAutomatic = (path: string): boolean => generatedName.test(basename(path)) || this.downloads.has(path);
    await keepWithin({ maxBytes, folders: Object.values(this.#folders), isAutomatic }, written);
  }

  /** Checks where a file of this name may be written, and creates its folder. */
  async reserve(kind: FileKind, name: string): Promise<string> {
    return (await this.#place(kind, name)).path;
  }

  async #place(kind: FileKind, given: string): Promise<Place> {
    const name = this.#publicName(given);
    const deny = (reason: string): never => {
      throw new ToolError('PATH_DENIED', { path: name.slice(0, longestName), reason });
    };
    if (name.trim() === '' || name.length > longestName) deny('the name is empty or too long');
    if (/[\0-\x1f\x7f]|[/\\]$/.test(name) || name === '.' || name === '..') deny('it does not name a file');
    const folder = this.#folders[kind];
    const path = resolve(isOfWorkingDirectory(name) ? this.#options.cwd : folder, name);
    const { isUnrestricted = false, cwd, temporaryDir } = this.#options;
    const places = [folder, ...withoutRoot([cwd]), ...(temporaryDir === undefined ? [] : [temporaryDir])];
    const root = isUnrestricted ? parse(path).root : places.find((place) => isInside(place, path));
    if (root === undefined) return deny(`it is outside of the output directory and the working directory${unlessFlag}`);
    if (path === join(folder, ignoreFile)) deny('it keeps the folder out of repositories');
    if (!isUnrestricted && !isInside(folder, path) && hasHiddenPart(relative(root, path))) {
      deny('hidden files and folders are not written to');
    }
    if (isInside(folder, path)) await this.#openFolder(kind);
    // Checked before any folder is created: nothing may be created behind a link.
    const standing = await deepestFolder(dirname(path));
    if (standing === root || isInside(root, standing)) {
      const [realRoot, realParent] = await Promise.all([realpath(root), realpath(standing)]).catch(() =>
        deny('its folder is a link that leads nowhere'),
      );
      if (realParent !== realRoot && !isInside(realRoot, realParent)) deny(leavesByLink);
    }
    await makeFolder(dirname(path)).catch((error: unknown) => deny(reasonOf(error)));
    const existing = await lstat(path).catch(() => undefined);
    if (existing !== undefined && !existing.isFile()) deny('something that is not a plain file has that name');
    if (existing !== undefined && !isInside(folder, path) && !this.written.has(path))
      deny('a file of that name exists already');
    return { path, root };
  }

  /** A plain file that a tool may read: inside the working directory or an output directory, links followed. */
  async readable(path: string): Promise<ReadableFile> {
    return plainFile(await this.#allowed(path));
  }

  /** As `readable`, but undefined if there is no such file. */
  async find(path: string): Promise<ReadableFile | undefined> {
    try {
      return await this.readable(path);
    } catch (error) {
      if (error instanceof ToolError && error.message.includes(noSuchFile)) return undefined;
      throw error;
    }
  }

  /** The name under which `save` replaces a file that was found. `isOwn`: an earlier server wrote it. */
  async nameOf(found: ReadableFile, given: string, isOwn: boolean): Promise<string> {
    const path = resolve(this.#options.cwd, given);
    if ((await realOr(path)) !== found.path) return given;
    if (isOwn) this.written.add(path);
    return isAbsolute(given) || isOfWorkingDirectory(given) ? given : `./${given}`;
  }

  /** A plain file that a tool may upload to a page: not a hidden one, and inside the upload root if there is one. */
  async uploadable(path: string): Promise<ReadableFile> {
    return plainFile(await this.#allowedUpload(path));
  }

  /** Such a file, or a folder that contains only such files. */
  async resolveUpload(path: string): Promise<ReadableFile & { readonly files?: number }> {
    const allowed = await this.#allowedUpload(path);
    const { deny, real } = allowed;
    if (!(await stat(real)).isDirectory()) return plainFile(allowed);
    const { isUnrestricted = false, uploadsHidden = isUnrestricted } = this.#options;
    const mayLeadTo = (place: string): boolean => isUnrestricted || isInside(real, place);
    const found = await filesInFolder(real, { bytes: largestUpload, mayLeadTo, hidden: uploadsHidden }).catch(reasonOf);
    return { path: real, name: basename(real), files: typeof found === 'string' ? deny(found) : found };
  }

  /** Throws if a file or folder that another checks is hidden, or outside of the upload root. */
  async refuseUpload(path: string): Promise<void> {
    const deny = (reason: string): never => {
      throw new ToolError('PATH_DENIED', { path: path.slice(0, longestName), reason });
    };
    const { isUnrestricted = false, uploadsHidden = isUnrestricted } = this.#options;
    const real = await realpath(path).catch(() => undefined);
    if (real === undefined) return;
    await this.#checkUpload({ real, deny });
    if (uploadsHidden || !(await stat(real)).isDirectory()) return;
    const checks = { bytes: Number.POSITIVE_INFINITY, mayLeadTo: () => true, hidden: false };
    const found = await filesInFolder(real, checks).catch(reasonOf);
    if (typeof found === 'string') deny(found);
  }

  async #allowedUpload(path: string): Promise<Allowed> {
    const allowed = await this.#allowed(path);
    await this.#checkUpload(allowed);
    return allowed;
  }

  async #checkUpload({ real, deny }: Allowed): Promise<void> {
    const { cwd, isUnrestricted = false, uploadsHidden = isUnrestricted, uploadRoot } = this.#options;
    if (uploadRoot !== undefined) {
      const root = await realOr(resolve(cwd, uploadRoot));
      if (real !== root && !isInside(root, real)) deny('it is outside of the upload directory (--upload-root)');
    }
    if (uploadsHidden) return;
    const folders = await Promise.all(Object.values(this.#folders).map(realOr));
    const root = [...folders, await realOr(cwd)].find((each) => isInside(each, real)) ?? parse(real).root;
    if (hasHiddenPart(relative(root, real))) deny('hidden files are not uploaded unless --allow-hidden-files is set');
  }

  /** Resolves a path that a caller gave, if files there may be read. */
  async #allowed(path: string): Promise<Allowed> {
    const deny = (reason: string): never => {
      throw new ToolError('PATH_DENIED', { path: path.slice(0, longestName), reason });
    };
    if (path.trim() === '' || path.includes('\0')) deny('it does not name a file');
    const { cwd, isUnrestricted = false } = this.#options;
    const folders = [...new Set(Object.values(this.#folders))];
    const bases = isAbsolute(path) || isOfWorkingDirectory(path) ? [cwd] : [...folders, cwd];
    const [real, other] = await placesOf(path, bases, this.#publicName(path));
    if (real === undefined) return deny(noSuchFile);
    if (other !== undefined) {
      // Without this, a download of that name would silently replace a file of the user, or the reverse.
      deny(
        `it is ambiguous: write ${JSON.stringify(`./${this.show(real)}`)} or ${JSON.stringify(`./${this.show(other)}`)}`,
      );
    }
    const { roots: declared } = this.#options;
    const readable = withoutRoot(await Promise.all((declared ?? [cwd]).map(realOr)));
    const roots = [...readable, ...(await Promise.all(folders.map(realOr)))];
    if (!isUnrestricted && !roots.some((root) => isInside(root, real))) {
      const place = declared === undefined ? 'the working directory' : 'the roots of the client';
      const named =
        readable.length === 0
          ? `the output directories, and ${place} is that of all files`
          : `${place} and the output directories`;
      deny(`it is outside of ${named}${unlessFlag}`);
    }
    return { real, deny };
  }

  /** The name without secrets. The folders of an absolute path exist already. */
  #publicName(name: string): string {
    const { redactName } = this.#options;
    if (redactName === undefined) return name;
    return isAbsolute(name) ? join(dirname(name), redactName(basename(name))) : redactName(name);
  }

  show(path: string): string {
    const short = relative(this.#options.cwd, path);
    return this.#options.paths === 'absolute' || short.startsWith('..') ? path : short.split(sep).join('/');
  }

  /** Creates the folder of a kind; a new one gets a .gitignore, which keeps it out of the user's repository. */
  async #openFolder(kind: FileKind): Promise<void> {
    const folder = this.#folders[kind];
    try {
      const isNew = (await makeFolder(folder)) !== undefined;
      if (isNew) await writeFile(join(folder, ignoreFile), '*\n', { flag: 'a' });
    } catch (error) {
      const reason = errorCode(error) === 'EEXIST' ? 'it is not a directory' : reasonOf(error);
      const problem = `The ${kind} directory ${folder} cannot be created or used: ${reason}.`;
      throw new ToolError('BAD_CONFIGURATION', { problem }, { cause: error });
    }
  }
}

function noFiles(): Pick<Workspace, 'downloads' | 'written'> {
  return { downloads: new Set(), written: new Set() };
}

/** `page-2026-01-31T12-00-00-000Z.png`: sortable, and valid on every file system. */
export function timestampName(prefix: string, now: Date, extension: string): string {
  return `${prefix}-${now.toISOString().replaceAll(/[:.]/g, '-')}.${extension}`;
}

/** Sanitises a file name that a page or a server proposed. */
export function safeName(proposed: string): string {
  const base = proposed.split(/[/\\]/).at(-1) ?? '';
  const plain = base
    .replaceAll(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2066-\u2069<>:"|?*]/g, '_')
    .replace(/^\.+/, '');
  const extension = extname(plain).slice(0, 20);
  const stem = plain.slice(0, plain.length - extname(plain).length).slice(0, 100);
  // Device names on Windows, with any extension.
  const isDevice = /^(?:con|prn|aux|nul|com\d|lpt\d)$/i.test(stem);
  return `${stem === '' ? 'download' : isDevice ? `_${stem}` : stem}${extension}`;
}

function numbered(name: string, count: number): string {
  const extension = extname(name);
  return `${name.slice(0, name.length - extension.length)}-${count}${extension}`;
}

/** Where a file may be written, and the folder that it may not leave. */
interface Place {
  readonly path: string;
  readonly root: string;
}

/** Creates a file where the path was checked, not where a folder that was replaced since leads to. */
async function openNew({ path, root }: Place): Promise<FileHandle> {
  const [folder, inside] = await Promise.all([realpath(dirname(path)), realpath(root)]);
  if (folder !== inside && !isInside(inside, folder)) throw new Error(leavesByLink);
  const flags = constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY;
  return openChecked(join(folder, basename(path)), flags, privateFile);
}

/** The deepest existing folder of a path. */
async function deepestFolder(path: string): Promise<string> {
  const isThere = await lstat(path).then(
    () => true,
    () => false,
  );
  return isThere || dirname(path) === path ? path : deepestFolder(dirname(path));
}

/** The files of a name in several folders; those of its name without secrets if there are none. */
async function placesOf(path: string, bases: readonly string[], publicName: string): Promise<readonly string[]> {
  const found = await Promise.all(bases.map(async (base) => realpath(resolve(base, path)).catch(() => undefined)));
  const places = [...new Set(found.filter((each) => each !== undefined))];
  return places.length > 0 || publicName === path ? places : placesOf(publicName, bases, publicName);
}

interface Allowed {
  readonly real: string;
  readonly deny: (reason: string) => never;
}

async function plainFile({ real, deny }: Allowed): Promise<ReadableFile> {
  const stats = await stat(real);
  if (!stats.isFile()) deny('it is not a plain file');
  if (stats.size > largestUpload) deny(`it is larger than ${largestUpload / 1024 / 1024} MiB`);
  return { path: real, name: basename(real) };
}

/** Without the folder of all files: a server that was started there, or a client that names it, gets no access to all. */
function withoutRoot(folders: readonly string[]): readonly string[] {
  return folders.filter((folder) => folder !== parse(folder).root);
}

async function realOr(path: string): Promise<string> {
  return realpath(path).catch(() => path);
}

/** `./name`: the only relative paths that do not start in the folder of their kind. */
function isOfWorkingDirectory(path: string): boolean {
  return /^\.(?:[/\\]|$)/.test(path);
}

function hasHiddenPart(path: string): boolean {
  return path.split(sep).some((part) => part.startsWith('.'));
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
