import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { unwrap } from '../../config/unwrap.ts';
import { ToolError } from '../../errors.ts';
import { nearest } from '../../util/nearest.ts';
import { cut, oneLine } from '../../util/text.ts';
import { envelopeKeys } from './envelope.ts';
import { isRecord } from '../../util/records.ts';

/** How an alias names the arguments of its tool. */
export interface ArgumentNames {
  /** The arguments that the alias lists. */
  readonly listed: z.ZodObject;
  /** The alias's name for an argument of the tool. */
  readonly nameOf: (key: string) => string;
  /** Required arguments of the alias that the caller left out. */
  readonly missing: readonly string[];
}

export interface ReadArguments<T> {
  readonly args: T;
  readonly notes: readonly string[];
}

/**
 * Checks a call's arguments. Numbers and booleans written as strings, and one item instead of a list, are converted. An
 * unknown key that resembles a known one is an error, because acting without it would do something else; any other unknown
 * key is ignored with a note.
 */
export function readArguments<I extends z.ZodRawShape>(
  schema: z.ZodObject<I>,
  synonyms: Readonly<Record<string, string>>,
  raw: unknown,
  as: ArgumentNames = { listed: schema, nameOf: (key) => key, missing: [] },
): ReadArguments<z.output<z.ZodObject<I>>> {
  const known = Object.keys(schema.shape);
  const listed = Object.keys(as.listed.shape).filter((key) => !isHidden(as.listed.shape[key]));
  const given = isRecord(raw)
    ? Object.keys(raw)
        .filter((key) => known.includes(key))
        .map(as.nameOf)
    : [];
  const accepted = [...new Set([...listed, ...given])];
  if (raw !== undefined && raw !== null && !isRecord(raw)) {
    throw new ToolError('INVALID_ARGUMENT', { problems: ['The arguments must be an object.'], accepted });
  }
  const problems: string[] = [];
  const notes: string[] = [];
  const values: Record<string, unknown> = {};
  const givenAs = new Map<string, string>();
  const refuse = ({ path, known: names, meant }: UnknownKey): void => {
    const shown = JSON.stringify(cut(oneLine(path), 60));
    const near = nearest(path.slice(path.lastIndexOf('.') + 1), names);
    if (near !== undefined) problems.push(`Unknown argument ${shown}: did you mean "${near}"?`);
    else notes.push(`Ignored the unknown argument ${shown}. Accepted: ${meant.join(', ') || 'none'}.`);
  };
  for (const [given, value] of Object.entries(raw ?? {})) {
    if (envelopeKeys.has(given) && !known.includes(given)) continue;
    const key = known.includes(given) ? given : synonyms[given];
    if (key !== undefined) {
      const isGiven = value !== undefined && (value !== null || takesNull(schema.shape[key]));
      if (!isGiven) continue;
      const meant = coerced(schema.shape[key], value);
      const first = givenAs.get(key);
      if (first === undefined) {
        values[key] = meant;
        givenAs.set(key, given);
      } else if (!isDeepStrictEqual(values[key], meant)) {
        notes.push(`Ignored "${given}": "${first}" means the same and came first.`);
      }
      continue;
    }
    refuse({ path: given, known: [...listed, ...known, ...Object.keys(synonyms)], meant: accepted });
  }
  for (const [key, value] of Object.entries(values)) unknownKeys(schema.shape[key], value, key).forEach(refuse);
  const parsed = schema.safeParse(values);
  const issues = parsed.error?.issues ?? [];
  const isOnlyMissing = problems.length === 0 && issues.every((issue) => valueAt(issue, values) === undefined);
  const missing = as.missing.filter((name) => !issues.some(({ path }) => as.nameOf(String(path[0])) === name));
  problems.push(...missing.map((name) => `Missing argument "${name}".`));
  problems.push(...issues.map((issue) => problemOf(issue, values, as)));
  if (problems.length === 0 && parsed.success) return { args: parsed.data, notes };
  throw new ToolError(isOnlyMissing ? 'MISSING_PARAMETER' : 'INVALID_ARGUMENT', {
    problems: [...problems, `Accepted arguments: ${accepted.join(', ') || 'none'}.`],
    accepted,
  });
}

/** A key that the schema does not have. */
interface UnknownKey {
  readonly path: string;
  readonly known: readonly string[];
  readonly meant: readonly string[];
}

/** Unknown keys inside an argument; in a list of objects, each is reported once, for the first object that has it. */
function unknownKeys(outer: unknown, value: unknown, path: string): readonly UnknownKey[] {
  const field = typeOf(outer);
  if (field instanceof z.ZodArray && Array.isArray(value)) {
    const all = value.flatMap((each, place) => unknownKeys(field.element, each, `${path}.${place}`));
    const nameOf = (unknown: UnknownKey): string => unknown.path.slice(path.length).replaceAll(/\.\d+/g, '');
    return [...new Map(all.toReversed().map((unknown) => [nameOf(unknown), unknown])).values()].toReversed();
  }
  // A loose object accepts any key.
  if (!(field instanceof z.ZodObject) || field.def.catchall !== undefined || !isRecord(value)) return [];
  const known = Object.keys(field.shape);
  const meant = known.filter((key) => !isHidden(field.shape[key]));
  return Object.entries(value).flatMap(([key, each]) =>
    known.includes(key)
      ? unknownKeys(field.shape[key], each, `${path}.${key}`)
      : [{ path: `${path}.${key}`, known, meant }],
  );
}

/** Whether a field is accepted but not advertised: other servers' names for the same thing. */
export function isHidden(field: unknown): boolean {
  return field instanceof z.ZodType && field.meta()?.['hidden'] === true;
}

function valueAt({ path }: z.core.$ZodIssue, values: Readonly<Record<string, unknown>>): unknown {
  return path.reduce<unknown>(
    (value, key) => (isRecord(value) || Array.isArray(value) ? Reflect.get(value, key) : undefined),
    values,
  );
}

function problemOf(
  issue: z.core.$ZodIssue,
  all: Readonly<Record<string, unknown>>,
  { listed, nameOf }: ArgumentNames,
): string {
  const path = issue.path.map((key, place) => (place === 0 ? nameOf(String(key)) : String(key))).join('.');
  const given = valueAt(issue, all);
  if (issue.code === 'invalid_type') {
    if (given === undefined) return `Missing argument "${path}" (${article(issue.expected)}).`;
    return `Argument "${path}" must be ${article(issue.expected)}, not ${kindOf(given)}.`;
  }
  if (issue.code === 'invalid_union') {
    const kinds = new Set(issue.errors.flat().flatMap((each) => ('expected' in each ? [article(each.expected)] : [])));
    const expected = [...kinds].join(' or ');
    if (given === undefined) return `Missing argument "${path}" (${expected}).`;
    return `Argument "${path}" must be ${expected}, not ${kindOf(given)}.`;
  }
  if (issue.code === 'invalid_value') {
    const inner = typeOf(listed.shape[path]);
    const values = (inner instanceof z.ZodEnum ? inner.options : issue.values).map(String).join(', ');
    if (given === undefined) return `Missing argument "${path}" (one of ${values}).`;
    return `Argument "${path}" must be one of ${values}, not ${shortJson(given)}.`;
  }
  if (issue.code === 'custom' && path !== '') return `Argument "${path}" ${issue.message}, not ${shortJson(given)}.`;
  return path === '' ? `${issue.message}.` : `Argument "${path}": ${issue.message}.`;
}

function article(type: string): string {
  return /^[aeio]/.test(type) ? `an ${type}` : `a ${type}`;
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  return value !== null && typeof value === 'object' ? 'an object' : `the ${typeof value} ${shortJson(value)}`;
}

function shortJson(value: unknown): string {
  return cut(oneLine(JSON.stringify(value) ?? String(value)), 60);
}

/** The value converted to the type of the field, if the conversion is unambiguous. */
function coerced(field: unknown, value: unknown): unknown {
  const inner = typeOf(field);
  const type = inner instanceof z.ZodType ? inner.def.type : 'unknown';
  if (type === 'number' && typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value)))
    return Number(value);
  if (type === 'boolean' && (value === 'true' || value === 'false')) return value === 'true';
  if (type === 'array' && typeof value === 'string') return listFrom(value);
  if (type === 'string' && typeof value === 'number') return String(value);
  return value;
}

function listFrom(value: string): unknown {
  if (!value.trimStart().startsWith('[')) return [value];
  try {
    const parsed: unknown = JSON.parse(value);
    return Array.isArray(parsed) ? parsed : [value];
  } catch {
    return [value];
  }
}

/** Many models write null for an omitted argument; for some arguments null is a value. */
function takesNull(field: unknown): boolean {
  return field instanceof z.ZodType && field.safeParse(null).success;
}

/** The type of a field without its wrappers. */
function typeOf(field: unknown): unknown {
  return field instanceof z.ZodType ? unwrap(field).inner : field;
}

/** The arguments that `tools/list` shows as required. */
export function requiredKeys({ shape }: z.ZodObject): string[] {
  return Object.entries(shape).flatMap(([name, field]) =>
    isHidden(field) ||
    (mayBeAbsent(field) && (!(field instanceof z.ZodType) || field.meta()?.['advertise'] !== 'required'))
      ? []
      : [name],
  );
}

export function mayBeAbsent(field: unknown): boolean {
  return field instanceof z.ZodType && unwrap(field).isOptional;
}
