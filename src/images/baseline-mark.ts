import { crc32 } from 'node:zlib';

/** A PNG file begins with 8 bytes and the chunk IHDR, which has 25. */
const endOfHeader = 33;
const keyword = 'pagehelm';
const text = 'baseline';

/**
 * Marks a PNG file as a baseline of this tool. Without the mark, an update would have to replace any image that a caller
 * names, or none that an earlier server wrote.
 */
export function withBaselineMark(png: Buffer): Buffer {
  return Buffer.concat([png.subarray(0, endOfHeader), markChunk(), png.subarray(endOfHeader)]);
}

export function hasBaselineMark(png: Buffer): boolean {
  const mark = markChunk();
  return png.subarray(endOfHeader, endOfHeader + mark.length).equals(mark);
}

/** The file as the browser wrote it. */
export function withoutBaselineMark(png: Buffer): Buffer {
  if (!hasBaselineMark(png)) return png;
  return Buffer.concat([png.subarray(0, endOfHeader), png.subarray(endOfHeader + markChunk().length)]);
}

/** A chunk tEXt: length, type, data, checksum. */
function markChunk(): Buffer {
  const body = Buffer.from(`tEXt${keyword}\0${text}`, 'latin1');
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(body.length - 4);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}
