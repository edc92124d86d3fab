import { promisify } from 'node:util';
import { crc32, deflateRaw, inflateRaw } from 'node:zlib';

const inflate = promisify(inflateRaw);
const deflate = promisify(deflateRaw);

const endSignature = 0x06_05_4b_50;
const centralSignature = 0x02_01_4b_50;
const localSignature = 0x04_03_4b_50;
const endLength = 22;
const centralLength = 46;
const localLength = 30;
const longestComment = 0xff_ff;
/** The value of a field whose number is in a ZIP64 record. */
const zip64 = 0xff_ff_ff_ff;
const stored = 0;
const deflated = 8;
const utf8Names = 0x08_00;

/** A file in a ZIP archive. */
interface ZipEntry {
  readonly name: string;
  readonly method: number;
  readonly crc: number;
  /** Length of the content. */
  readonly size: number;
  /** DOS time and date. */
  readonly modified: number;
  /** The bytes in the archive, as compressed there. */
  readonly packed: Buffer;
}

/** The content of a file in an archive. */
export type ZipFile = readonly [name: string, content: Buffer];

/** The files of an archive. Archives beyond 4 GiB are refused. */
export async function unzip(archive: Buffer): Promise<readonly ZipFile[]> {
  return Promise.all(entriesOf(archive).map(async (entry) => [entry.name, await contentOf(entry)] as const));
}

/** The archive with the content of some files replaced; `replace` returns undefined for a file that stays. */
export async function rewriteZip(
  archive: Buffer,
  replace: (name: string, content: Buffer) => Promise<Buffer | undefined>,
): Promise<Buffer> {
  const entries: ZipEntry[] = [];
  // One by one: the content of all files may be many times as large as the archive.
  for (const entry of entriesOf(archive)) {
    const content = await replace(entry.name, await contentOf(entry));
    entries.push(content === undefined ? entry : { ...entry, ...(await packed(content)) });
  }
  return archiveOf(entries);
}

function entriesOf(archive: Buffer): readonly ZipEntry[] {
  const end = endRecord(archive);
  const count = archive.readUInt16LE(end + 10);
  const entries: ZipEntry[] = [];
  let place = archive.readUInt32LE(end + 16);
  if (place === zip64 || count === longestComment) throw new Error('the archive is too large');
  for (let index = 0; index < count; index++) {
    if (archive.readUInt32LE(place) !== centralSignature) throw new Error('the directory of the archive is damaged');
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((at) => archive.readUInt16LE(place + at));
    const name = archive.toString('utf8', place + centralLength, place + centralLength + (nameLength ?? 0));
    const packedSize = archive.readUInt32LE(place + 20);
    const local = archive.readUInt32LE(place + 42);
    if (archive.readUInt32LE(local) !== localSignature) throw new Error('an entry of the archive is damaged');
    const start = local + localLength + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
    entries.push({
      name,
      method: archive.readUInt16LE(place + 10),
      modified: archive.readUInt32LE(place + 12),
      crc: archive.readUInt32LE(place + 16),
      size: archive.readUInt32LE(place + 24),
      packed: archive.subarray(start, start + packedSize),
    });
    place += centralLength + (nameLength ?? 0) + (extraLength ?? 0) + (commentLength ?? 0);
  }
  return entries;
}

/** The end record is last, except for a comment of any length. */
function endRecord(archive: Buffer): number {
  const first = Math.max(0, archive.length - endLength - longestComment);
  for (let place = archive.length - endLength; place >= first; place--) {
    if (archive.readUInt32LE(place) === endSignature) return place;
  }
  throw new Error('it is not a ZIP archive');
}

async function contentOf({ method, packed }: ZipEntry): Promise<Buffer> {
  if (method === stored) return packed;
  if (method === deflated) return inflate(packed);
  throw new Error(`the compression method ${method} is not supported`);
}

async function packed(content: Buffer): Promise<Pick<ZipEntry, 'method' | 'crc' | 'size' | 'packed'>> {
  return { method: deflated, crc: crc32(content), size: content.length, packed: await deflate(content) };
}

function archiveOf(entries: readonly ZipEntry[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const entry of entries) {
    const name = Buffer.from(entry.name);
    const facts = factsOf(entry, name.length);
    const local = Buffer.concat([uint32(localSignature), facts, name]);
    const attributes = Buffer.alloc(14);
    attributes.writeUInt32LE(offset, 10);
    const version = Buffer.from([20, 0]);
    directory.push(Buffer.concat([uint32(centralSignature), version, facts, attributes, name]));
    parts.push(local, entry.packed);
    offset += local.length + entry.packed.length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(endLength);
  end.writeUInt32LE(endSignature, 0);
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(listed.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, listed, end]);
}

/** The fields that local and central headers share: from the version to the length of the extra field. */
function factsOf({ method, modified, crc, size, packed }: ZipEntry, nameLength: number): Buffer {
  const facts = Buffer.alloc(26);
  facts.writeUInt16LE(20, 0);
  facts.writeUInt16LE(utf8Names, 2);
  facts.writeUInt16LE(method, 4);
  facts.writeUInt32LE(modified, 6);
  facts.writeUInt32LE(crc, 10);
  facts.writeUInt32LE(packed.length, 14);
  facts.writeUInt32LE(size, 18);
  facts.writeUInt16LE(nameLength, 22);
  return facts;
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
