import { constants } from 'node:fs';
import { lstat, open, realpath } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';

/**
 * Opens a file whose path was checked. A process that can write to one of its folders could have replaced a part of the
 * path since, so that the opened file is compared with what the path leads to; from here on only the descriptor is used.
 */
export async function openChecked(
  path: string,
  flags: number = constants.O_RDONLY,
  mode?: number,
): Promise<FileHandle> {
  // Without blocking: opening a pipe would wait for a writer.
  const file = await open(path, flags | constants.O_NOFOLLOW | constants.O_NONBLOCK, mode);
  try {
    const options = { bigint: true } as const;
    const [own, there, place] = await Promise.all([file.stat(options), lstat(path, options), realpath(path)]);
    if (own.ino !== there.ino || own.dev !== there.dev || place !== path) throw new Error(replaced);
    if (!own.isFile()) throw new Error('it is not a plain file');
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

const replaced = 'it was replaced while it was opened';

/** The content of such a file. */
export async function readChecked(path: string): Promise<Buffer> {
  const file = await openChecked(path);
  try {
    return await file.readFile();
  } finally {
    await file.close();
  }
}
