import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export const root = fileURLToPath(new URL('..', import.meta.url));

/** The published executable. */
export const bin = fileURLToPath(new URL('../dist/bin.js', import.meta.url));

/** Builds the programs that tests run as processes. Takes a tenth of a second if they are up to date. */
export async function ensureBuilt(): Promise<void> {
  await promisify(execFile)(process.execPath, [
    fileURLToPath(new URL('../scripts/setup.mjs', import.meta.url)),
    'prepare',
  ]);
}
