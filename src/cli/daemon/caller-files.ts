import { resolve } from 'node:path';
import { isRecord } from '../../util/records.ts';
import type { Step } from '../verbs/command-line.ts';

/** Arguments that name files, by tool; every tool has `filename`. */
const fileArguments: Readonly<Record<string, readonly string[]>> = {
  browser_context_create: ['storageState'],
  browser_context_save_storage: ['path'],
  browser_drop: ['paths'],
  browser_file_upload: ['paths'],
  restore_state: ['path', 'state'],
  save_state: ['path'],
};

/** The arguments of a step, with file names as the shell means them: relative to the folder of the command. */
export function fromFolder({ tool, args }: Step, cwd: string): Readonly<Record<string, unknown>> {
  const names = new Set(['filename', ...(fileArguments[tool.name] ?? [])]);
  const isPlaced = 'relativeTo' in tool.input.shape && typeof args['filename'] === 'string';
  return {
    ...Object.fromEntries(
      Object.entries(args).map(([name, value]) => [name, names.has(name) ? placed(value, cwd) : value]),
    ),
    // Where the file is has been said; the way to see it in an answer is of no use in a shell.
    ...(isPlaced ? { relativeTo: 'cwd' } : {}),
    ...(tool.name === 'browser_take_screenshot' && args['image'] === undefined ? { image: 'file' } : {}),
  };
}

function placed(value: unknown, cwd: string): unknown {
  if (typeof value === 'string') return value === '' ? value : resolve(cwd, value);
  if (Array.isArray(value)) return value.map((each) => placed(each, cwd));
  if (isRecord(value) && typeof value['path'] === 'string') return { ...value, path: resolve(cwd, value['path']) };
  return value;
}
