import { isUtf8 } from 'node:buffer';
import type { FileHandle } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import type { Secrets } from '../policy/secrets.ts';
import type { Artifact, ArtifactStore } from '../session/files/artifacts.ts';
import type { ResourceUri } from '../util/resource-uri.ts';
import { BadResourceRequest } from './entry.ts';
import type { ResourceContent } from './entry.ts';

/** A part of a resource, in bytes. */
export interface Range {
  readonly offset: number;
  /** Absent for all bytes to the end. */
  readonly length?: number;
}

/** Bytes of one answer. A larger resource is read in parts. */
export const largestRead = 16 * 1024 * 1024;
/** Formats that cannot contain secrets as text, or only compressed. */
const binary = /^(?:image\/(?!svg)|audio\/|video\/|font\/|application\/(?:pdf|zip|gzip)$)/;

/** The range in a URI; undefined without one. */
export function rangeOf({ query }: Pick<ResourceUri, 'query'>): Range | undefined {
  if (!query.has('offset') && !query.has('length')) return undefined;
  const number = (key: string): number | undefined => {
    const value = query.get(key);
    if (value === undefined) return undefined;
    if (!/^\d{1,15}$/.test(value)) throw new BadResourceRequest(`${key} must be a number of bytes`);
    return Number(value);
  };
  const length = number('length');
  return { offset: number('offset') ?? 0, ...(length === undefined ? {} : { length }) };
}

/** The content of a file; undefined if it is gone. */
export async function readArtifact(
  store: ArtifactStore,
  artifact: Artifact,
  range: Range | undefined,
  secrets: Secrets,
): Promise<Omit<ResourceContent, 'uri'> | undefined> {
  const file = await store.open(artifact);
  if (file === undefined) return undefined;
  try {
    const { mimeType, size } = artifact;
    const meta = { ...artifact.metadata, capturedAt: artifact.createdAt };
    const isBinary = binary.test(mimeType);
    if (isBinary || (range !== undefined && secrets.isEmpty)) {
      const { offset, length } = within(range, size);
      const bytes = await bytesOf(file, offset, length);
      const content = !isBinary && isUtf8(bytes) ? { text: bytes.toString() } : { bytes };
      return { mimeType, ...content, _meta: { ...meta, ...rangeFacts(range, offset, length, size) } };
    }
    // Redacted as a whole: a range could begin inside a secret.
    if (range === undefined) checkSize(size);
    const whole = await bytesOf(file, 0, size);
    const isText = isUtf8(whole);
    return {
      mimeType,
      ...contentOf(secrets.redactBytes(whole), isText, range, meta),
    };
  } finally {
    await file.close();
  }
}

/** A whole file, with its size. */
export interface FileBody extends Pick<Artifact, 'name' | 'mimeType' | 'size'> {
  readonly body: Buffer | Readable;
}

/** The file as it is, except that secrets are redacted in text; undefined if it is gone. */
export async function bodyOf(
  store: ArtifactStore,
  artifact: Artifact,
  secrets: Secrets,
): Promise<FileBody | undefined> {
  const { name, mimeType, size } = artifact;
  const file = await store.open(artifact);
  if (file === undefined) return undefined;
  // The stream closes the file.
  if (secrets.isEmpty || binary.test(mimeType)) return { name, mimeType, size, body: file.createReadStream() };
  try {
    const whole = await bytesOf(file, 0, size);
    const body = secrets.redactBytes(whole);
    return { name, mimeType, size: body.length, body };
  } finally {
    await file.close();
  }
}

/** A part of a text, or all of it. */
export function contentOf(
  data: Buffer,
  isText: boolean,
  range: Range | undefined,
  meta: Readonly<Record<string, unknown>>,
): Pick<ResourceContent, 'text' | 'bytes' | '_meta'> {
  const { offset, length } = within(range, data.length);
  const part = range === undefined ? data : data.subarray(offset, offset + length);
  const facts = { ...meta, ...rangeFacts(range, offset, length, data.length) };
  // A range may cut a character in half; then only bytes are exact.
  return isText && isUtf8(part) ? { text: part.toString(), _meta: facts } : { bytes: part, _meta: facts };
}

function within(range: Range | undefined, size: number): Required<Range> {
  const offset = Math.min(range?.offset ?? 0, size);
  const length = Math.min(range?.length ?? size - offset, size - offset);
  checkSize(length);
  return { offset, length };
}

function checkSize(bytes: number): void {
  if (bytes <= largestRead) return;
  throw new BadResourceRequest(
    `The resource has ${bytes} bytes; read it in parts of at most ${largestRead} bytes with ?offset=&length=`,
  );
}

function rangeFacts(range: Range | undefined, offset: number, length: number, size: number): object {
  return range === undefined ? {} : { offset, length, size };
}

async function bytesOf(file: FileHandle, offset: number, length: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(length);
  let done = 0;
  while (done < length) {
    const { bytesRead } = await file.read(buffer, done, length - done, offset + done);
    if (bytesRead === 0) break;
    done += bytesRead;
  }
  return buffer.subarray(0, done);
}
