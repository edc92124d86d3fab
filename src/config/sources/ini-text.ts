import type { Option } from '../options.ts';
import { getPath, setPath } from '../paths.ts';
import type { Loose } from '../paths.ts';
import { valueOfTexts } from './text-value.ts';

/**
 * Converts INI text to the object that a JSON file would contain: dotted keys, sections as a prefix, `key[] =` per item.
 * Not the package `ini`: it ignores malformed lines, which are problems with a line number here.
 */
export function parseIni(
  text: string,
  options: readonly Option[],
): { readonly content: Loose; readonly problems: readonly string[] } {
  const byKey = new Map(
    options.flatMap((option) => [option.path, ...(option.meta.aliases ?? [])].map((key) => [key, option] as const)),
  );
  const content: Loose = {};
  const problems: string[] = [];
  let prefix = '';
  for (const [index, raw] of text.split(/\r?\n/).entries()) {
    const line = raw.trim();
    if (line === '' || line.startsWith(';') || line.startsWith('#')) continue;
    const section = /^\[([^\]]+)\]$/.exec(line)?.[1];
    if (section !== undefined) {
      prefix = `${section.trim()}.`;
      continue;
    }
    const [, name = '', many, rest = ''] = /^([^=[\]]+?)(\[\])?\s*=\s*(.*)$/.exec(line) ?? [];
    if (name === '') {
      problems.push(`line ${index + 1}: expected "key = value", got ${JSON.stringify(line)}.`);
      continue;
    }
    const key = `${prefix}${name}`;
    const option = byKey.get(key);
    const value = option === undefined ? guess(unquote(rest)) : valueOfTexts(option, [unquote(rest)]);
    setPath(content, key, many === undefined ? value : append(getPath(content, key), value));
  }
  return { content, problems };
}

function append(list: unknown, value: unknown): readonly unknown[] {
  return [...(Array.isArray(list) ? list : []), ...(Array.isArray(value) ? value : [value])];
}

function unquote(text: string): string {
  return /^(["'])(.*)\1$/.exec(text)?.[2] ?? text;
}

/** Keys of free-form objects have no declared type: text that looks like a number or a boolean is converted. */
function guess(text: string): unknown {
  if (text === 'true' || text === 'false') return text === 'true';
  return /^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : text;
}
