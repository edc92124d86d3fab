/** A ZIP file of uncompressed programs, enough for an installer to unpack. */
export function zipOf(files: Readonly<Record<string, string>>): Buffer {
  const parts: Buffer[] = [];
  const entries: Buffer[] = [];
  let offset = 0;
  for (const [path, text] of Object.entries(files)) {
    const [name, data] = [Buffer.from(path), Buffer.from(text)];
    // Version, flags, method, time, date, checksum, both sizes, and the lengths of the name and of what may follow it.
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(0x21, 8);
    common.writeUInt32LE(checksum(data), 10);
    common.writeUInt32LE(data.length, 14);
    common.writeUInt32LE(data.length, 18);
    common.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from('PK\u0003\u0004', 'latin1'), common, name, data]);
    const rest = Buffer.alloc(14);
    // A regular executable file, in Unix mode bits.
    rest.writeUInt32LE((0o100755 << 16) >>> 0, 6);
    rest.writeUInt32LE(offset, 10);
    const made = Buffer.from([20, 3]);
    entries.push(Buffer.concat([Buffer.from('PK\u0001\u0002', 'latin1'), made, common, rest, name]));
    parts.push(local);
    offset += local.length;
  }
  const directory = Buffer.concat(entries);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(entries.length, 4);
  end.writeUInt16LE(entries.length, 6);
  end.writeUInt32LE(directory.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...parts, directory, Buffer.from('PK\u0005\u0006', 'latin1'), end]);
}

/** CRC-32, which Node 20 does not offer. */
function checksum(data: Buffer): number {
  let crc = ~0;
  for (const byte of data) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xed_b8_83_20 : 0);
  }
  return ~crc >>> 0;
}
