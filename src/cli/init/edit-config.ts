import { isDeepStrictEqual } from 'node:util';
import { applyEdits, modify, parse, printParseErrorCode } from 'jsonc-parser';
import type { ParseError } from 'jsonc-parser';
import { parse as parseToml, stringify as stringifyToml } from 'smol-toml';
import type { ClientSpec } from './clients.ts';

/** A configuration file that cannot be changed safely. */
export class ConfigFileError extends Error {}

/** The text with the entry set, or removed if it is undefined. Everything else stays as it is, comments included. */
export function withEntry(
  text: string,
  { format, path }: Pick<ClientSpec, 'format' | 'path'>,
  entry: Readonly<Record<string, unknown>> | undefined,
): string {
  return format === 'json' ? jsonWithEntry(text, path, entry) : tomlWithEntry(text, path, entry);
}

function jsonWithEntry(text: string, path: readonly string[], entry: object | undefined): string {
  const errors: ParseError[] = [];
  const isEmpty = text.trim() === '';
  const current: unknown = isEmpty ? {} : parse(text, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (first !== undefined) {
    const line = text.slice(0, first.offset).split('\n').length;
    throw new ConfigFileError(`it is not valid JSON (line ${line}: ${printParseErrorCode(first.error)})`);
  }
  if (typeof current !== 'object' || current === null || Array.isArray(current))
    throw new ConfigFileError('it does not contain an object');
  const parent: unknown = path.slice(0, -1).reduce<unknown>(valueAt, current);
  if (parent !== undefined && (typeof parent !== 'object' || parent === null || Array.isArray(parent)))
    throw new ConfigFileError(`${path.slice(0, -1).join('.')} is not an object`);
  if (isDeepStrictEqual(path.reduce<unknown>(valueAt, current), entry)) return text;
  const source = isEmpty ? '{}\n' : text;
  const eol = source.includes('\r\n') ? '\r\n' : '\n';
  const indent = /^([\t ]+)\S/m.exec(source)?.[1] ?? '  ';
  const insertSpaces = !indent.startsWith('\t');
  const formattingOptions = { eol, insertSpaces, tabSize: insertSpaces ? indent.length : 1 };
  return applyEdits(source, modify(source, [...path], entry, { formattingOptions }));
}

function valueAt(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
}

/** A table of its own is added at the end, or replaced in its place. */
function tomlWithEntry(text: string, path: readonly string[], entry: object | undefined): string {
  const current = parsedToml(text);
  if (isDeepStrictEqual(path.reduce<unknown>(valueAt, current), entry)) return text;
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const lines = text.split(/(?<=\n)/);
  const name = path.join('.');
  const header = /^\s*\[\[?\s*([^\]]+?)\s*\]/;
  const isOwn = (line: string): boolean => {
    const found = header.exec(line)?.[1]?.replaceAll(/["'\s]/g, '');
    return found === name || found?.startsWith(`${name}.`) === true;
  };
  const start = lines.findIndex(isOwn);
  const after = lines.findIndex((line, place) => place > start && header.test(line) && !isOwn(line));
  const end = after === -1 ? lines.length : after;
  const body = entry === undefined ? '' : `[${name}]\n${stringifyToml(entry).trim()}\n`.replaceAll('\n', eol);
  const gap = text === '' || text.endsWith(`${eol}${eol}`) ? '' : text.endsWith('\n') ? eol : `${eol}${eol}`;
  const changed =
    start === -1 ? `${text}${gap}${body}` : `${lines.slice(0, start).join('')}${body}${lines.slice(end).join('')}`;
  // An entry in a form that was not found, such as an inline table, would be defined twice.
  parsedToml(changed);
  return changed;
}

function parsedToml(text: string): unknown {
  try {
    return parseToml(text);
  } catch (error) {
    const reason = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
    throw new ConfigFileError(`it is not valid TOML (${reason})`);
  }
}
