import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { nearest } from '../../util/nearest.ts';
import { cut } from '../../util/text.ts';
import { expectation } from '../options.ts';
import type { Option } from '../options.ts';

/** An option set in one source. An undefined value resets what a weaker source has set. */
export interface Setting {
  readonly option: Option;
  readonly value: unknown;
  /** The name as written: `--port`, `PAGEHELM_PORT`, `server.port`. */
  readonly key: string;
  /** The file with the key; absent for flags and variables. */
  readonly file?: string;
}

/** The result of one source: flags, variables or file. */
export interface Layer {
  readonly settings: readonly Setting[];
  readonly problems: readonly string[];
  readonly warnings: readonly string[];
}

const longestShown = 60;

/** A setting as messages name it. */
export function sourceOf({ key, file }: Setting): string {
  return file === undefined ? key : `${file}: ${key}`;
}

/** The problem with a setting's value, if any. */
export function problemOf(setting: Setting): string | undefined {
  const { option, value, file } = setting;
  if (value === undefined || z.safeParse(option.schema, value).success) return undefined;
  // Only flags and variables accept these values; a file sets engine and channel separately.
  const words = file === undefined && option.meta.words !== undefined ? Object.keys(option.meta.words) : undefined;
  const expected = words === undefined ? expectation(option) : `one of ${words.join(', ')}`;
  const given = option.meta.secret === true ? typeName(value) : shown(value);
  return `${sourceOf(setting)}: expected ${expected}, got ${given}${suggestion(words ?? option.choices, value)}.`;
}

function suggestion(choices: readonly string[], value: unknown): string {
  const items: readonly unknown[] = Array.isArray(value) ? value : [value];
  const wrong = items.find((item): item is string => typeof item === 'string' && !choices.includes(item));
  const meant = wrong === undefined ? undefined : nearest(wrong, choices);
  return meant === undefined ? '' : ` (did you mean ${meant}?)`;
}

/** A value as messages show it. */
export function shown(value: unknown): string {
  return value === undefined ? 'nothing' : cut(JSON.stringify(value), longestShown);
}

function typeName(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (value === null) return 'null';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

/** The warning for an option that has no effect yet. */
export function pendingWarning(setting: Setting): string | undefined {
  const { pending, pendingValues, instead } = setting.option.meta;
  const source = sourceOf(setting);
  if (pending === true && instead !== undefined) return `${source} is not offered. ${instead}`;
  if (pending === true) return `${source} is accepted but has no effect in this version.`;
  const values: readonly unknown[] = Array.isArray(setting.value) ? setting.value : [setting.value];
  const unused = values.filter((value) => typeof value === 'string' && pendingValues?.includes(value));
  return unused.length === 0
    ? undefined
    : `${source} ${unused.join(',')} is accepted but has no effect in this version.`;
}

/** The warning for two keys of a file with different values. */
export function conflictWarning(used: Setting, unused: Setting): string | undefined {
  if (isDeepStrictEqual(used.value, unused.value)) return undefined;
  const values = used.option.meta.secret === true ? '' : ` (${shown(used.value)} and ${shown(unused.value)})`;
  return `${sourceOf(used)} and ${unused.key} differ${values}; ${used.key} is used.`;
}
