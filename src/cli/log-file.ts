import { closeSync, fchmodSync, fstatSync, openSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import { ConfigError } from '../errors.ts';
import { errorCode } from '../util/error-code.ts';

/** The log may contain URLs and paths, so only its owner can read it. */
const privateFile = 0o600;

export interface LogFileOptions {
  readonly path: string;
  /** Size at which another file begins. */
  readonly maxBytes: number;
  /** Files that are kept, the current one included. */
  readonly maxFiles: number;
  /** Where a line goes that cannot be written. */
  readonly fallback: (line: string) => void;
}

/** A log file. A full one becomes `name.1`, the one before `name.2`, and so on. Lines are on disk when `write` returns. */
export class LogFile {
  readonly #options: LogFileOptions;
  #descriptor: number;
  #bytes: number;

  constructor(options: LogFileOptions) {
    this.#options = options;
    this.#descriptor = openLog(options.path);
    this.#bytes = fstatSync(this.#descriptor).size;
  }

  write(line: string): void {
    const { maxBytes, fallback } = this.#options;
    const bytes = Buffer.byteLength(line);
    try {
      if (this.#bytes > 0 && this.#bytes + bytes > maxBytes) this.#rotate();
      writeSync(this.#descriptor, line);
      this.#bytes += bytes;
    } catch {
      // A full disk must not end the server.
      fallback(line);
    }
  }

  #rotate(): void {
    const { path, maxFiles } = this.#options;
    const nameOf = (index: number): string => (index === 0 ? path : `${path}.${index}`);
    if (maxFiles === 1) rmSync(path, { force: true });
    for (let index = maxFiles - 2; index >= 0; index--) renameIfThere(nameOf(index), nameOf(index + 1));
    const old = this.#descriptor;
    this.#descriptor = openPrivate(path);
    this.#bytes = 0;
    closeSync(old);
  }
}

function renameIfThere(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
  }
}

function openLog(file: string): number {
  // Opening a pipe waits for its reader.
  if (statSync(file, { throwIfNoEntry: false })?.isFIFO() === true) {
    throw new ConfigError([`logging.file: ${file} cannot be written: it is a pipe.`]);
  }
  try {
    return openPrivate(file);
  } catch (error) {
    const code = errorCode(error);
    const reason = code === 'ENOENT' ? 'its directory does not exist' : `the system refused it (${code ?? 'unknown'})`;
    throw new ConfigError([`logging.file: ${file} cannot be written: ${reason}.`]);
  }
}

function openPrivate(file: string): number {
  const descriptor = openSync(file, 'a', privateFile);
  try {
    // The file may have existed, readable by others.
    fchmodSync(descriptor, privateFile);
  } catch {
    // It belongs to another user, or the file system has no modes.
  }
  return descriptor;
}
