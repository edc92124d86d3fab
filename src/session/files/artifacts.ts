import { constants } from 'node:fs';
import { open, rm, stat } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { formatUri } from '../../util/resource-uri.ts';
import type { ResourceUri } from '../../util/resource-uri.ts';

export const artifactKinds = [
  'screenshot',
  'snapshot',
  'console-log',
  'network-log',
  'download',
  'pdf',
  'storage-state',
  'trace',
  'file',
] as const;
export type ArtifactKind = (typeof artifactKinds)[number];

/** A file that a session made. */
export interface Artifact {
  readonly uri: string;
  readonly kind: ArtifactKind;
  /** The driver of the session, the only one that finds the file. */
  readonly owner: string;
  readonly session: string;
  /** Callers may name the session instead of its id. */
  readonly sessionName: string;
  readonly page?: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly path: string;
  /** The path as answers show it. */
  readonly shown: string;
  readonly name: string;
  readonly mimeType: string;
  readonly size: number;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** A file to add. */
export interface NewArtifact extends Pick<
  Artifact,
  'kind' | 'owner' | 'session' | 'sessionName' | 'path' | 'shown' | 'name'
> {
  readonly page?: string;
  readonly mimeType: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** The server chose the place: the file is deleted with its entry. Other files belong to the caller. */
  readonly isAutomatic: boolean;
}

/** Limits of one driver; 0 means no limit. */
export interface ArtifactLimits {
  readonly maxBytes: number;
  readonly maxCount: number;
  readonly maxAgeMs: number;
}

export interface ArtifactOptions {
  readonly limits: ArtifactLimits;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly after: (ms: number, run: () => void) => Disposable;
  /** Files were added or removed. */
  readonly onChange?: (owner: string, files: readonly Artifact[]) => void;
}

interface Entry {
  readonly artifact: Artifact;
  readonly isAutomatic: boolean;
  /** Which file it was: another file at the same path is not served. */
  readonly inode: number;
  readonly writtenAt: number;
}

/** The files of one driver, oldest first. */
interface Shelf {
  readonly entries: Map<string, Entry>;
  /** URIs by path. */
  readonly paths: Map<string, string>;
  bytes: number;
  /** When the newest one was added. */
  last: number;
}

const longestTimer = 2 ** 31 - 1;

/** All files that sessions made, by driver. The oldest are removed when a driver has too many or they are too old. */
export class ArtifactStore implements Disposable {
  readonly #options: ArtifactOptions;
  readonly #shelves = new Map<string, Shelf>();
  #timer: Disposable | undefined;

  constructor(options: ArtifactOptions) {
    this.#options = options;
  }

  /** Adds a file that was written. Removes the oldest ones first if the limits require it. */
  async add(file: NewArtifact): Promise<Artifact> {
    const { isAutomatic, metadata = {}, ...rest } = file;
    const { ino: inode, mtimeMs: writtenAt, size } = await stat(file.path);
    const shelf = this.#shelfOf(file.owner);
    await this.#forgetPath(shelf, file.path);
    // Times are unique, so that no URI ever means a second file.
    const createdAt = Math.max(this.#options.now(), shelf.last + 1);
    shelf.last = createdAt;
    const { kind, session, page } = file;
    const uri = formatUri(kind, [session, ...(page === undefined ? [] : [page]), new Date(createdAt).toISOString()]);
    const artifact: Artifact = { ...rest, uri, createdAt, size, metadata };
    shelf.entries.set(uri, { artifact, isAutomatic, inode, writtenAt });
    shelf.paths.set(file.path, uri);
    shelf.bytes += size;
    const evicted = await this.#evict(shelf, uri);
    this.#schedule();
    this.#options.onChange?.(file.owner, [artifact, ...evicted]);
    return artifact;
  }

  /** The files of a driver, oldest first. */
  list(owner: string): readonly Artifact[] {
    return [...(this.#shelves.get(owner)?.entries.values() ?? [])].map(({ artifact }) => artifact);
  }

  /** Another driver's files are not found. */
  find(owner: string, { kind, path }: Pick<ResourceUri, 'kind' | 'path'>): Artifact | undefined {
    return this.#shelves.get(owner)?.entries.get(formatUri(kind, path))?.artifact;
  }

  /** Opens the file. Undefined if it is gone, or if another file took its place. */
  async open({ owner, uri }: Artifact): Promise<FileHandle | undefined> {
    const entry = this.#shelves.get(owner)?.entries.get(uri);
    if (entry === undefined) return undefined;
    // Not through a link that replaced it, and not waiting for the writer of a pipe.
    const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
    const file = await open(entry.artifact.path, flags).catch(() => undefined);
    if (file === undefined) return undefined;
    const { ino, mtimeMs, size } = await file.stat();
    if (ino === entry.inode && mtimeMs === entry.writtenAt && size === entry.artifact.size) return file;
    await file.close();
    return undefined;
  }

  /** Removes what is too old. */
  async expire(): Promise<void> {
    const { now, limits, onChange } = this.#options;
    if (limits.maxAgeMs === 0) return;
    const oldest = now() - limits.maxAgeMs;
    for (const [owner, shelf] of this.#shelves) {
      const old = [...shelf.entries.values()].filter(({ artifact }) => artifact.createdAt <= oldest);
      await Promise.all(old.map(async (entry) => this.#remove(shelf, entry)));
      if (old.length > 0)
        onChange?.(
          owner,
          old.map(({ artifact }) => artifact),
        );
      if (shelf.entries.size === 0) this.#shelves.delete(owner);
    }
    this.#schedule();
  }

  [Symbol.dispose](): void {
    this.#timer?.[Symbol.dispose]();
    this.#timer = undefined;
  }

  #shelfOf(owner: string): Shelf {
    const known = this.#shelves.get(owner) ?? newShelf();
    this.#shelves.set(owner, known);
    return known;
  }

  /** A file that was written again has one entry. */
  async #forgetPath(shelf: Shelf, path: string): Promise<void> {
    const before = shelf.entries.get(shelf.paths.get(path) ?? '');
    if (before !== undefined) await this.#remove(shelf, { ...before, isAutomatic: false });
  }

  async #evict(shelf: Shelf, newest: string): Promise<readonly Artifact[]> {
    const { maxBytes, maxCount } = this.#options.limits;
    const isOver = (): boolean =>
      (maxBytes > 0 && shelf.bytes > maxBytes) || (maxCount > 0 && shelf.entries.size > maxCount);
    const evicted: Artifact[] = [];
    for (const [uri, entry] of shelf.entries) {
      if (!isOver()) break;
      if (uri === newest) continue;
      await this.#remove(shelf, entry);
      evicted.push(entry.artifact);
    }
    return evicted;
  }

  async #remove(shelf: Shelf, { artifact, isAutomatic }: Entry): Promise<void> {
    if (!shelf.entries.delete(artifact.uri)) return;
    shelf.paths.delete(artifact.path);
    shelf.bytes -= artifact.size;
    if (isAutomatic) await rm(artifact.path, { force: true }).catch(() => undefined);
  }

  #schedule(): void {
    const { limits, now, after } = this.#options;
    if (limits.maxAgeMs === 0 || this.#timer !== undefined) return;
    const first = [...this.#shelves.values()].flatMap(({ entries }) => {
      const [oldest] = entries.values();
      return oldest === undefined ? [] : [oldest.artifact.createdAt];
    });
    if (first.length === 0) return;
    const left = Math.min(...first) + limits.maxAgeMs - now();
    this.#timer = after(Math.min(Math.max(left, 0), longestTimer), () => {
      this.#timer = undefined;
      void this.expire();
    });
  }
}

function newShelf(): Shelf {
  return { entries: new Map(), paths: new Map(), bytes: 0, last: 0 };
}
