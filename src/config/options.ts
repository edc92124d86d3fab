import * as z from 'zod';
import type { OptionMeta } from './schema/option-meta.ts';
import { configSchema } from './schema/schema.ts';
import { typeName, unwrap } from './unwrap.ts';

type Schema = z.core.$ZodType;

/** The type of a value: `pairs` is an object of strings, `free` any object, `size` a width and a height. */
export type OptionKind = 'boolean' | 'number' | 'string' | 'choice' | 'list' | 'pairs' | 'free' | 'size';

/** An option; flags, variables, help and docs are derived from it. */
export interface Option {
  /** Its path in the configuration, for example `browser.headless`. */
  readonly path: string;
  readonly kind: OptionKind;
  /** Allowed values, of the option or of its items, if limited. */
  readonly choices: readonly string[];
  readonly schema: Schema;
  readonly defaultValue: unknown;
  readonly section: string;
  readonly description: string;
  readonly meta: OptionMeta;
}

/** Every option of the schema, in its order. */
export function listOptions(): readonly Option[] {
  return walk(configSchema, '', '');
}

function walk(schema: Schema, path: string, inherited: string): readonly Option[] {
  const meta = z.globalRegistry.get(schema) ?? {};
  const section = meta.section ?? inherited;
  const { inner, defaultValue } = unwrap(schema);
  if (inner instanceof z.ZodObject && meta.flag === undefined) {
    return Object.entries(inner.shape).flatMap(([key, child]) =>
      walk(child, path === '' ? key : `${path}.${key}`, section),
    );
  }
  const description = meta.description ?? '';
  return [{ path, ...typeOf(inner, path), schema, defaultValue, section, description, meta }];
}

function typeOf(inner: Schema, path: string): Pick<Option, 'kind' | 'choices'> {
  const type = typeName(inner);
  if (type === 'boolean' || type === 'number' || type === 'string') return { kind: type, choices: [] };
  if (inner instanceof z.ZodEnum) return { kind: 'choice', choices: inner.options.map(String) };
  if (inner instanceof z.ZodArray) return { kind: 'list', choices: typeOf(inner.element, path).choices };
  // One text or a list of them, which becomes a list.
  if (inner instanceof z.ZodPipe && inner.in instanceof z.ZodUnion) return { kind: 'list', choices: [] };
  if (inner instanceof z.ZodRecord)
    return { kind: inner.valueType instanceof z.ZodString ? 'pairs' : 'free', choices: [] };
  if (inner instanceof z.ZodObject) return { kind: 'size', choices: [] };
  throw new TypeError(`The option ${path} has a type that no flag or variable can be made from.`);
}

/** The flags that change the default: for a boolean without default, both. */
export function flagSpellings({ kind, defaultValue, meta: { flag } }: Option): readonly string[] {
  if (flag === undefined) return [];
  if (kind !== 'boolean' || defaultValue === false) return [`--${flag}`];
  return defaultValue === true ? [`--no-${flag}`] : [`--${flag}`, `--no-${flag}`];
}

/** `session-timeout` as `SESSION_TIMEOUT`. */
export function variableName(flag: string): string {
  return flag.replaceAll('-', '_').toUpperCase();
}

const expectations: Readonly<Record<OptionKind, (option: Option) => string>> = {
  boolean: () => 'true or false',
  number: ({ schema }) => `a whole number${numberRange(schema)}`,
  string: () => 'a string',
  choice: ({ choices }) => `one of ${choices.join(', ')}`,
  list: ({ choices }) => `a list of ${choices.length === 0 ? 'strings' : choices.join(', ')}`,
  pairs: () => 'an object of strings',
  free: () => 'an object',
  size: () => 'a width and a height, as 1280x720 or { "width": 1280, "height": 720 }',
};

/** The expected form of a value, for messages. */
export function expectation(option: Option): string {
  return expectations[option.kind](option);
}

function numberRange(schema: Schema): string {
  const { inner } = unwrap(schema);
  if (!(inner instanceof z.ZodNumber)) return '';
  const low = inner.minValue ?? Number.NEGATIVE_INFINITY;
  const high = inner.maxValue ?? Number.POSITIVE_INFINITY;
  const limited = Number.isSafeInteger(high) && high < Number.MAX_SAFE_INTEGER;
  if (limited) return ` from ${low} to ${high}`;
  return low > Number.MIN_SAFE_INTEGER ? `, at least ${low}` : '';
}
