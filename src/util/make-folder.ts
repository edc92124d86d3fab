import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errorCode } from './error-code.ts';

/**
 * Creates a folder and its parents; returns the first one it created, as `mkdir` does. Node's recursive `mkdir` loops
 * indefinitely below file systems that answer ENOENT for an existing parent, such as `/proc`.
 */
export async function makeFolder(path: string, mode?: number): Promise<string | undefined> {
  const create = async (): Promise<string | undefined> => {
    try {
      await mkdir(path, { mode });
      return path;
    } catch (error) {
      const isThere = await stat(path).then(
        (found) => found.isDirectory(),
        () => false,
      );
      if (isThere) return undefined;
      throw error;
    }
  };
  try {
    return await create();
  } catch (error) {
    if (errorCode(error) !== 'ENOENT' || dirname(path) === path) throw error;
  }
  const first = await makeFolder(dirname(path), mode);
  const created = await create();
  return first ?? created;
}
