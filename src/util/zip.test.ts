import { describe, expect, test } from 'vitest';
import { zipOf } from '../../tests/zip.ts';
import { rewriteZip, unzip } from './zip.ts';

describe('zip', () => {
  const archive = zipOf({ 'a.txt': 'one', 'folder/ä.txt': 'two '.repeat(1000), empty: '' });
  const textsIn = async (data: Buffer): Promise<object> =>
    Object.fromEntries((await unzip(data)).map(([name, content]) => [name, content.toString()]));

  test('replaces some files and keeps the others', async () => {
    const written = await rewriteZip(archive, async (name, content) =>
      name === 'a.txt' ? Buffer.from(`${content.toString()} and more`) : undefined,
    );
    expect(await textsIn(written)).toEqual({ 'a.txt': 'one and more', 'folder/ä.txt': 'two '.repeat(1000), empty: '' });
    const again = await rewriteZip(written, async () => undefined);
    expect(again.equals(written)).toBe(true);
  });

  test('compresses what it replaces', async () => {
    const written = await rewriteZip(archive, async (_name, content) => Buffer.from(content));
    expect(written.length).toBeLessThan(archive.length / 4);
    expect(await textsIn(written)).toEqual(await textsIn(archive));
  });

  test('rejects other files', async () => {
    await expect(unzip(Buffer.from('not an archive, but long enough to be one'))).rejects.toThrow('not a ZIP archive');
    await expect(unzip(Buffer.from('short'))).rejects.toThrow('not a ZIP archive');
    const damaged = Buffer.from(archive);
    damaged.fill(0, archive.length - 80, archive.length - 30);
    await expect(unzip(damaged)).rejects.toThrow('damaged');
  });
});
