import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { ClientSpec } from './clients.ts';
import { withEntry } from './edit-config.ts';

/** The change of one configuration file. */
export interface FileChange {
  readonly file: string;
  /** Undefined if there is no file. */
  readonly before: string | undefined;
  /** Undefined if the file is to be removed. */
  readonly after: string | undefined;
}

type Entry = Readonly<Record<string, unknown>>;

/** The bytes before the first change are kept beside the file. */
function backupOf(file: string): string {
  return `${file}.pagehelm-backup`;
}

/** The change that adds the entry. */
export function addition(client: ClientSpec, file: string, entry: Entry): FileChange {
  const before = textOf(file);
  return { file, before, after: withEntry(before ?? '', client, entry) };
}

/** The change that removes the entry. A file that was not changed since it was added gets its old bytes back. */
export function removal(client: ClientSpec, file: string, entry: Entry): FileChange {
  const before = textOf(file);
  if (before === undefined) return { file, before, after: undefined };
  const old = textOf(backupOf(file));
  if (old !== undefined && withEntry(old, client, entry) === before) return { file, before, after: old };
  if (old === undefined && withEntry('', client, entry) === before) return { file, before, after: undefined };
  return { file, before, after: withEntry(before, client, undefined) };
}

/** Writes a change. The file is replaced at once, so that a client never reads half of it. */
export function apply({ file, before, after }: FileChange, isRemoval: boolean): void {
  if (after === undefined) rmSync(file, { force: true });
  else {
    mkdirSync(dirname(file), { recursive: true });
    if (!isRemoval && before !== undefined && !existsSync(backupOf(file))) copyFileSync(file, backupOf(file));
    const part = `${file}.pagehelm-part`;
    writeFileSync(part, after);
    renameSync(part, file);
  }
  if (isRemoval) rmSync(backupOf(file), { force: true });
}

/** The changed lines, as a person reads them. */
export function shownChange({ before = '', after = '' }: FileChange): readonly string[] {
  const [old, now] = [before.split(/\r?\n/), after.split(/\r?\n/)];
  let start = 0;
  while (start < Math.min(old.length, now.length) && old[start] === now[start]) start++;
  let tail = 0;
  while (tail < Math.min(old.length, now.length) - start && old.at(-1 - tail) === now.at(-1 - tail)) tail++;
  const part = (lines: readonly string[]): readonly string[] => lines.slice(start, lines.length - tail);
  return [...part(old).map((line) => `  - ${line}`), ...part(now).map((line) => `  + ${line}`)];
}

function textOf(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}
