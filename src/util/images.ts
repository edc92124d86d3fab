export interface Size {
  readonly width: number;
  readonly height: number;
}

/** The largest image that vision models accept without scaling. */
const longestSide = 1568;
const mostPixels = 1_150_000;

/** Offset of the size in the longest supported header. */
const longestHeader = 30;

/** The scale factor, at most 1, at which an image fits. */
export function modelFit({ width, height }: Size): number {
  return Math.min(1, longestSide / Math.max(width, height), Math.sqrt(mostPixels / (width * height)));
}

/** Width and height from the header of a PNG, JPEG or WebP file; zeros for other data. */
export function imageSize(data: Buffer): Size {
  if (data.length < longestHeader) return { width: 0, height: 0 };
  if (data.toString('latin1', 1, 4) === 'PNG') {
    return { width: data.readUInt32BE(16), height: data.readUInt32BE(20) };
  }
  if (data.toString('latin1', 0, 4) === 'RIFF' && data.toString('latin1', 8, 12) === 'WEBP') return webpSize(data);
  return data.readUInt16BE(0) === 0xffd8 ? jpegSize(data) : { width: 0, height: 0 };
}

function jpegSize(data: Buffer): Size {
  let at = 2;
  while (at + 9 < data.length && data[at] === 0xff) {
    const marker = data[at + 1] ?? 0;
    // Start-of-frame markers are c0 to cf, without the tables c4, c8 and cc.
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
    if (isFrame) return { width: data.readUInt16BE(at + 7), height: data.readUInt16BE(at + 5) };
    at += 2 + data.readUInt16BE(at + 2);
  }
  return { width: 0, height: 0 };
}

function webpSize(data: Buffer): Size {
  const kind = data.toString('latin1', 12, 16);
  if (kind === 'VP8X') return { width: data.readUIntLE(24, 3) + 1, height: data.readUIntLE(27, 3) + 1 };
  if (kind === 'VP8L') {
    const bits = data.readUInt32LE(21);
    return { width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 };
  }
  return { width: data.readUInt16LE(26) & 0x3fff, height: data.readUInt16LE(28) & 0x3fff };
}
