import { chmod } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { parseUri } from '../../util/resource-uri.ts';
import type { Artifact, ArtifactKind, ArtifactStore } from './artifacts.ts';
import { UploadCopies } from './upload-copies.ts';
import { timestampName } from './workspace.ts';
import type { FileKind, SavedFile, Workspace } from './workspace.ts';

/** A file that a tool writes. */
export interface NewFile {
  readonly kind: ArtifactKind;
  /** The name that the caller chose. */
  readonly name?: string | undefined;
  /** Prefix and extension of the generated name, for a caller that chose none. */
  readonly generated?: { readonly prefix: string; readonly extension: string };
  /** Text is redacted, bytes are written as they are. */
  readonly data: Uint8Array | string;
  readonly mimeType?: string;
  /** The tab that it shows. */
  readonly tab?: string | undefined;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/** A file that something else wrote. */
export interface AddedFile extends Pick<NewFile, 'kind' | 'mimeType' | 'tab' | 'metadata'> {
  /** The caller chose the name: the file outlives its entry. */
  readonly isNamed?: boolean;
}

export interface SavedArtifact extends SavedFile {
  readonly artifact: Artifact;
}

/** Where the files of a session go. */
export interface FilePlace {
  /** Folder for files with generated names, below the output folders; absent for no such folder. */
  readonly folder?: string;
  /** The caller cannot reach the files by path, so all of them are deleted with their entry. */
  readonly isRemote: boolean;
}

export interface SessionFilesDeps extends FilePlace {
  readonly workspace: Workspace;
  readonly artifacts: ArtifactStore;
  readonly owner: string;
  /** The session in URIs. */
  readonly session: string;
  readonly sessionName: string;
  readonly now: () => Date;
}

/** MIME types by extension. */
const typesByExtension: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  gif: 'image/gif',
  gz: 'application/gzip',
  htm: 'text/html',
  html: 'text/html',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  json: 'application/json',
  log: 'text/plain',
  md: 'text/markdown',
  mp4: 'video/mp4',
  pdf: 'application/pdf',
  png: 'image/png',
  svg: 'image/svg+xml',
  txt: 'text/plain',
  webp: 'image/webp',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  xml: 'application/xml',
  yaml: 'text/yaml',
  yml: 'text/yaml',
  zip: 'application/zip',
};

/** The MIME type that the extension of a file name means. */
export function typeOfName(name: string): string | undefined {
  return typesByExtension[extname(name).slice(1).toLowerCase()];
}

/** Writes the files of one session, and adds each to the store that resources are served from. */
export class SessionFiles {
  readonly uploads = new UploadCopies();
  readonly #deps: SessionFilesDeps;

  constructor(deps: SessionFilesDeps) {
    this.#deps = deps;
  }

  /** The caller cannot open paths. */
  get isRemote(): boolean {
    return this.#deps.isRemote;
  }

  async save(file: NewFile): Promise<SavedArtifact> {
    const { workspace, now } = this.#deps;
    const { kind, data, name, generated = { prefix: kind, extension: 'txt' } } = file;
    const own = name ?? this.#inFolder(timestampName(generated.prefix, now(), generated.extension));
    const saved = await workspace.save(folderOf(kind), own, data);
    return { ...saved, artifact: await this.#add(saved, file, name === undefined) };
  }

  /** The content of a file of this session's driver; undefined if there is none of this URI, or it is gone. */
  async read(uri: string): Promise<Buffer | undefined> {
    const { artifacts, owner } = this.#deps;
    const parsed = parseUri(uri);
    const artifact = parsed === undefined ? undefined : artifacts.find(owner, parsed);
    const file = artifact === undefined ? undefined : await artifacts.open(artifact);
    try {
      return await file?.readFile();
    } finally {
      await file?.close();
    }
  }

  /** Checks where a file may be written that something else writes; `added` makes it known. */
  async reserve(
    name: string | undefined,
    generated: { readonly prefix: string; readonly extension: string },
  ): Promise<string> {
    const { workspace, now } = this.#deps;
    const own = name ?? this.#inFolder(timestampName(generated.prefix, now(), generated.extension));
    return workspace.reserve('output', own);
  }

  /** Creates an empty file for a download under a name that a page chose. */
  async claim(name: string): Promise<string> {
    return this.#deps.workspace.claim('download', this.#inFolder(name));
  }

  /** Adds a file that was written to a claimed or reserved path. */
  async added(path: string, { isNamed = false, ...file }: AddedFile): Promise<SavedArtifact> {
    const { workspace } = this.#deps;
    // Another program wrote it, with its own mode.
    await chmod(path, 0o600);
    await workspace.keepWithinLimit(path);
    const saved = { path, shown: workspace.show(path) };
    return { ...saved, artifact: await this.#add(saved, file, !isNamed) };
  }

  async #add(
    { path, shown }: SavedFile,
    { kind, tab, mimeType, metadata }: Pick<NewFile, 'kind' | 'mimeType' | 'tab' | 'metadata'>,
    isAutomatic: boolean,
  ): Promise<Artifact> {
    const { artifacts, owner, session, sessionName, isRemote } = this.#deps;
    return artifacts.add({
      kind,
      owner,
      session,
      sessionName,
      path,
      shown,
      name: basename(path),
      mimeType: mimeType ?? typeOfName(path) ?? 'application/octet-stream',
      isAutomatic: isAutomatic || isRemote,
      ...(tab === undefined ? {} : { page: tab }),
      ...(metadata === undefined ? {} : { metadata }),
    });
  }

  #inFolder(name: string): string {
    const { folder } = this.#deps;
    return folder === undefined ? name : join(folder, name);
  }
}

function folderOf(kind: ArtifactKind): FileKind {
  return kind === 'screenshot' || kind === 'download' ? kind : 'output';
}
