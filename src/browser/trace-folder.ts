import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../util/make-folder.ts';

/** Names of what Playwright records; downloads of a CDP connection are in the same folder. */
const recorded = /^(?:trace-|(?:resources|screencast|screenshots|aria)$)/;

/**
 * Where Playwright records the traces of one browser: a folder that the janitor removes with the run folder. Playwright
 * never deletes what it recorded, and all contexts share the resources, so they are deleted after the last recording.
 */
export class TraceFolder {
  readonly path: string;
  #recordings = 0;
  #cleaning: Promise<unknown> = Promise.resolve();

  constructor(runFolder: string, name: string) {
    this.path = join(runFolder, name);
  }

  /** Counts a recording until it is disposed of. */
  async open(): Promise<AsyncDisposable> {
    this.#recordings++;
    await this.#cleaning;
    await makeFolder(this.path, 0o700);
    let isOpen = true;
    return {
      [Symbol.asyncDispose]: async () => {
        if (!isOpen) return;
        isOpen = false;
        if (--this.#recordings > 0) return;
        this.#cleaning = this.#clean();
        await this.#cleaning;
      },
    };
  }

  async #clean(): Promise<void> {
    const names = await readdir(this.path).catch(() => []);
    const old = names.filter((name) => recorded.test(name)).map((name) => join(this.path, name));
    await Promise.allSettled(old.map(async (path) => rm(path, { recursive: true, force: true })));
  }
}
