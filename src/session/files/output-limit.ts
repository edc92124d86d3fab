import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

export interface OutputLimit {
  readonly maxBytes: number;
  readonly folders: readonly string[];
  /** Whether the server named the file; only such files are removed. */
  readonly isAutomatic: (path: string) => boolean;
}

interface Entry {
  readonly path: string;
  readonly bytes: number;
  readonly writtenAt: number;
}

/** Removes the oldest automatic files until the folders are within the limit, except the file that was just written. */
export async function keepWithin({ maxBytes, folders, isAutomatic }: OutputLimit, written: string): Promise<void> {
  const entries = (await Promise.all(folders.map(filesIn))).flat();
  const files = [...new Map(entries.map((entry) => [entry.path, entry])).values()];
  let bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  for (const file of files.toSorted((a, b) => a.writtenAt - b.writtenAt)) {
    if (bytes <= maxBytes) return;
    if (file.path === written || !isAutomatic(file.path)) continue;
    await rm(file.path, { force: true });
    bytes -= file.bytes;
  }
}

async function filesIn(folder: string): Promise<readonly Entry[]> {
  const names = await readdir(folder, { withFileTypes: true, recursive: true }).catch(() => []);
  const files = names.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const found = await Promise.all(
    files.map(async (path) => {
      const stats = await stat(path).catch(() => undefined);
      return stats === undefined ? [] : [{ path, bytes: stats.size, writtenAt: stats.mtimeMs }];
    }),
  );
  return found.flat();
}
