import { ToolError } from '../../errors.ts';
import { isRecord } from '../../util/records.ts';
import { cut } from '../../util/text.ts';

const variable = /\{\{\s*([\w-]+(?:\.[\w-]+)*)\s*\}\}/g;

/** The values of earlier steps, by number or name. */
export type Values = ReadonlyMap<string, unknown>;

/** The variables in the texts of a value: `{{1}}`, `{{1.refs.0}}`, `{{total}}`. */
export function variablesIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [...value.matchAll(variable)].map(([, path = '']) => path);
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(variablesIn);
}

/** The step that a variable refers to. */
export function stepOf(path: string): string {
  return path.split('.', 1)[0] ?? '';
}

/**
 * Replaces variables by values. A text that is one variable becomes its value, of any type. Values come from pages, which
 * must not choose a secret: a text that would name one is refused.
 */
export function substitute(value: unknown, values: Values, secrets: readonly string[]): unknown {
  if (typeof value === 'string') {
    const whole = new RegExp(`^${variable.source}$`).exec(value.trim())?.[1];
    const inserted = (path: string): string => textOf(withoutReferences(path, valueAt(path, values)));
    const text = value.replace(variable, (_, path: string) => inserted(path));
    if (text !== value && secrets.includes(text)) refuse(value);
    return whole === undefined ? text : valueAt(whole, values);
  }
  if (Array.isArray(value)) return value.map((item) => substitute(item, values, secrets));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, substitute(item, values, secrets)]));
}

function withoutReferences(path: string, value: unknown): unknown {
  if (textOf(value).includes('{{')) refuse(`{{${path}}}`);
  return value;
}

function refuse(text: string): never {
  const problems = [`The value of ${text} names a secret, which a page must not choose.`];
  throw new ToolError('INVALID_ARGUMENT', { problems, accepted: [] });
}

function valueAt(path: string, values: Values): unknown {
  const [step = '', ...keys] = path.split('.');
  let value: unknown = values.get(step);
  for (const key of keys) {
    value =
      typeof value === 'object' && value !== null && Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined;
  }
  if (value === undefined || value === null) {
    const given = values.get(step);
    const known = isRecord(given) ? ` It has: ${cut(Object.keys(given).join(', '), 200)}.` : '';
    const problems = [`{{${path}}} has no value: step ${step} has not returned one.${known}`];
    throw new ToolError('INVALID_ARGUMENT', { problems, accepted: [] });
  }
  return value;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}
