import { GuardedPipes } from './guarded-pipes.ts';
import { openRunFolder, type RunFolder, type RunFolderOptions } from './run-folder.ts';

/**
 * Owns every browser process that this server starts. Creates no files and starts no helper before the first launch, so
 * that a server that only lists its tools costs nothing.
 */
export class Supervisor implements AsyncDisposable {
  readonly pipes = new GuardedPipes();
  readonly #options: RunFolderOptions;
  #opening: Promise<RunFolder> | undefined;
  #folder: RunFolder | undefined;
  #isEnded = false;

  constructor(options: RunFolderOptions) {
    this.#options = options;
  }

  /** The run folder, after the first launch. */
  get folder(): RunFolder | undefined {
    return this.#folder;
  }

  /** Runs a launch in the run folder. Its processes are supervised even if the launch fails. */
  async launch<T>(start: (env: Readonly<Record<string, string>>, folder: string) => Promise<T>): Promise<T> {
    const folder = await this.#open();
    await folder.prepare();
    try {
      return await start(folder.env, folder.path);
    } finally {
      if (this.#isEnded) folder.endSync();
      else await folder.adopt();
    }
  }

  /** For the `exit` event. */
  endSync(): void {
    this.#isEnded = true;
    this.#folder?.endSync();
  }

  /** After the browsers were closed: kills the remaining ones and removes the folder. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isEnded = true;
    this.pipes[Symbol.dispose]();
    const folder = await this.#opening?.catch(() => undefined);
    await folder?.[Symbol.asyncDispose]();
  }

  async #open(): Promise<RunFolder> {
    if (this.#isEnded) throw new Error('The server is ending; no browser is started any more.');
    this.#opening ??= openRunFolder(this.#options);
    try {
      this.#folder = await this.#opening;
    } catch (error) {
      // A full or missing temporary folder may be fixed before the next call.
      this.#opening = undefined;
      throw error;
    }
    return this.#folder;
  }
}
