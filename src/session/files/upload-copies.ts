import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { openChecked } from './checked-file.ts';

/**
 * Private copies of the files that a session uploads. A browser reads a file when the page does, by its path; a process that
 * can replace the original could make it send another file.
 */
export class UploadCopies implements AsyncDisposable {
  #folder: Promise<string> | undefined;

  /** The path of a copy, which stays until the session ends. */
  async add(path: string): Promise<string> {
    const file = await openChecked(path);
    try {
      // The temporary directory of a server with a browser is its own folder.
      this.#folder ??= mkdtemp(join(tmpdir(), 'upload-'));
      const folder = join(await this.#folder, randomUUID());
      await mkdir(folder, { mode: 0o700 });
      const copy = join(folder, basename(path));
      const { atime, mtime } = await file.stat();
      await pipeline(
        file.createReadStream({ autoClose: false }),
        createWriteStream(copy, { flags: 'wx', mode: 0o600 }),
      );
      await utimes(copy, atime, mtime);
      return copy;
    } finally {
      await file.close();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const folder = await this.#folder?.catch(() => undefined);
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  }
}
