import * as z from 'zod';
import { ToolError } from '../errors.ts';
import { nearest } from '../util/nearest.ts';
import { cut, oneLine } from '../util/text.ts';
import { envelopeKeys } from './envelope.ts';
import { isRecord } from '../util/records.ts';

export interface ReadArguments<T> {
  readonly args: T;
  readonly notes: readonly string[];
}

/**
 * Checks a call's arguments. Numbers and booleans written as strings, and one item where a list is expected, are taken as
 * meant. A key that looks like a misspelt one is an error, since acting without it would do something else; any other
 * unknown key is ignored with a note.
 */
export function readArguments<I extends z.ZodRawShape>(
  schema: z.ZodObject<I>,
  synonyms: Readonly<Record<string, string>>,
  raw: unknown,
): ReadArguments<z.output<z.ZodObject<I>>> {
  const known = Object.keys(schema.shape);
  const accepted = known.filter((key) => !isHidden(schema.shape[key]));
  if (raw !== undefined && raw !== null && !isRecord(raw)) {
    throw new ToolError('MISSING_PARAMETER', { problems: ['The arguments must be an object.'], accepted });
  }
  const problems: string[] = [];
  const notes: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [given, value] of Object.entries(raw ?? {})) {
    if (envelopeKeys.has(given) && !known.includes(given)) continue;
    const key = known.includes(given) ? given : synonyms[given];
    if (key !== undefined) {
      const isGiven = value !== undefined && (value !== null || takesNull(schema.shape[key]));
      if (isGiven && values[key] === undefined) values[key] = coerced(schema.shape[key], value);
      continue;
    }
    const shown = JSON.stringify(cut(oneLine(given), 60));
    const near = nearest(given, [...known, ...Object.keys(synonyms)]);
    if (near !== undefined) problems.push(`Unknown argument ${shown}: did you mean "${near}"?`);
    else notes.push(`Ignored the unknown argument ${shown}. Accepted: ${accepted.join(', ') || 'none'}.`);
  }
  const parsed = schema.safeParse(values);
  if (!parsed.success) problems.push(...parsed.error.issues.map((issue) => problemOf(issue, values)));
  if (problems.length === 0 && parsed.success) return { args: parsed.data, notes };
  throw new ToolError('MISSING_PARAMETER', {
    problems: [...problems, `Accepted arguments: ${accepted.join(', ') || 'none'}.`],
    accepted,
  });
}

/** Fields that are accepted but not advertised: other servers' ways to say the same. */
export function isHidden(field: unknown): boolean {
  return field instanceof z.ZodType && field.meta()?.['hidden'] === true;
}

function problemOf(issue: z.core.$ZodIssue, values: Readonly<Record<string, unknown>>): string {
  const path = issue.path.map(String).join('.');
  const given = issue.path.reduce<unknown>(
    (value, key) => (isRecord(value) || Array.isArray(value) ? Reflect.get(value, key) : undefined),
    values,
  );
  if (issue.code === 'invalid_type') {
    if (given === undefined) return `Missing argument "${path}" (${article(issue.expected)}).`;
    return `Argument "${path}" must be ${article(issue.expected)}, not ${kindOf(given)}.`;
  }
  if (issue.code === 'invalid_value') {
    if (given === undefined) return `Missing argument "${path}" (one of ${issue.values.map(String).join(', ')}).`;
    return `Argument "${path}" must be one of ${issue.values.map(String).join(', ')}, not ${shortJson(given)}.`;
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

/** What a model plainly meant, for the type the field has. */
function coerced(field: unknown, value: unknown): unknown {
  const type = fieldType(field);
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

/** Most models write null for what they leave out; for some arguments it means something. */
function takesNull(field: unknown): boolean {
  return field instanceof z.ZodType && field.safeParse(null).success;
}

function fieldType(field: unknown): string {
  if (field instanceof z.ZodOptional || field instanceof z.ZodDefault) return fieldType(field.unwrap());
  return field instanceof z.ZodType ? field.def.type : 'unknown';
}
