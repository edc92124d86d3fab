import { isRecord } from '../../util/records.ts';

/** Items as CSV after RFC 4180: a line of names, then a line for each item. Objects inside get names with dots. */
export function csvOf(items: readonly unknown[]): readonly string[] {
  const flat = items.map((item) => new Map(flatEntries(item, '')));
  const names = [...new Set(flat.flatMap((item) => [...item.keys()]))];
  return [names, ...flat.map((item) => names.map((name) => item.get(name) ?? ''))].map((row) =>
    row.map(quoted).join(','),
  );
}

function flatEntries(value: unknown, prefix: string): readonly (readonly [string, string])[] {
  if (!isRecord(value)) return [[prefix === '' ? 'value' : prefix, textOf(value)]];
  return Object.entries(value).flatMap(([key, inner]) => {
    const name = prefix === '' ? key : `${prefix}.${key}`;
    return isRecord(inner) ? flatEntries(inner, name) : [[name, textOf(inner)] as const];
  });
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map(textOf).join('; ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Quoted where a reader could take it for something else; a leading number sign would begin a heading of the answer. */
function quoted(text: string): string {
  const line = text.replaceAll(/[\r\n]+/g, ' ');
  return /[",;#\t]|^\s|\s$/.test(line) ? `"${line.replaceAll('"', '""')}"` : line;
}
