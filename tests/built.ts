import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export const root = fileURLToPath(new URL('..', import.meta.url));

/** The program as it is published. */
export const bin = fileURLToPath(new URL('../dist/bin.js', import.meta.url));

/** Builds what tests run as a program of its own, unless it is up to date: then it takes a tenth of a second. */
export async function ensureBuilt(): Promise<void> {
  await promisify(execFile)(process.execPath, [
    fileURLToPath(new URL('../scripts/setup.mjs', import.meta.url)),
    'prepare',
  ]);
}
