import { mkdirSync, statSync } from 'node:fs';
import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errorCode } from './error-code.ts';

/**
 * Makes a folder and those above it; gives the first that it made, if any. Node's own recursive way never ends where a
 * folder that is there answers that it is not, as those of `/proc` do.
 */
export async function makeFolder(path: string, mode?: number): Promise<string | undefined> {
  try {
    await mkdir(path, { mode });
    return path;
  } catch (error) {
    if (await isFolder(path)) return undefined;
    if (errorCode(error) !== 'ENOENT' || dirname(path) === path) throw error;
  }
  const first = await makeFolder(dirname(path), mode);
  await mkdir(path, { mode }).catch(async (error: unknown) => {
    // Somebody else may have made it meanwhile.
    if (!(await isFolder(path))) throw error;
  });
  return first ?? path;
}

/** The same where nothing can be waited for. */
export function makeFolderSync(path: string, mode?: number): void {
  const isThere = (): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  if (isThere()) return;
  if (dirname(path) !== path) makeFolderSync(dirname(path), mode);
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    if (!isThere()) throw error;
  }
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
