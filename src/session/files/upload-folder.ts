import { lstat, opendir, realpath } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { cut, oneLine } from '../../util/text.ts';

export interface FolderLimits {
  readonly bytes: number;
  /** Whether a link in it may point there. */
  readonly mayLeadTo: (real: string) => boolean;
  /** Whether it may contain hidden files. */
  readonly hidden: boolean;
}

/** A folder with more entries is assumed to be a mistake. */
const mostEntries = 10_000;
const longestName = 100;

/**
 * Checks a folder that is uploaded as a whole: returns the number of files, or why it cannot be uploaded. The browser
 * decides which links it follows, so their targets are checked too.
 */
export async function filesInFolder(folder: string, limits: FolderLimits): Promise<number | string> {
  let [entries, files, bytes] = [0, 0, 0];
  const inside = (path: string): string =>
    JSON.stringify(cut(oneLine(relative(folder, path).split(sep).join('/')), longestName));
  const waiting = [folder];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    for await (const { name } of await opendir(at)) {
      const path = join(at, name);
      const stats = await lstat(path);
      if (++entries > mostEntries) return `there are more than ${mostEntries} files and folders in it`;
      if (!limits.hidden && name.startsWith('.')) return `${inside(path)} in it is hidden (--allow-hidden-files)`;
      if (stats.isSymbolicLink()) {
        const real = await realpath(path).catch(() => undefined);
        if (real !== undefined && !limits.mayLeadTo(real))
          return `${inside(path)} in it is a link that leads out of it`;
      } else if (stats.isDirectory()) {
        waiting.push(path);
      } else if (stats.isFile()) {
        files++;
        bytes += stats.size;
        if (bytes > limits.bytes) return `what is in it is larger than ${limits.bytes / 1024 / 1024} MiB`;
      } else {
        return `${inside(path)} in it is not a plain file`;
      }
    }
  }
  return files;
}
