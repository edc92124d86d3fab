import type { Report } from '../../call/answer/report.ts';

/** Data with one of these keys is a wrapper around its value. */
const valueKeys = [
  'result',
  'text',
  'value',
  'visible',
  'enabled',
  'exists',
  'cookies',
  'texts',
  'links',
  'rows',
  'items',
  'item',
] as const;

/** The value of an answer alone, for scripts: the named field of its data, else the field that holds the content. */
export function valueOf(report: Report, field?: string): string {
  const { error, data, snapshot, result } = report;
  if (error !== undefined) return '';
  if (data !== undefined) return dataText(data, field);
  if (result.length > 0) return plain(result.join('\n'));
  return snapshot === undefined ? '' : snapshot.lines.join('\n');
}

function dataText(data: Readonly<Record<string, unknown>>, field: string | undefined): string {
  const key = field ?? valueKeys.find((name) => name in data);
  const value = key === undefined ? data : data[key];
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** A string result is printed without its quotes. */
function plain(text: string): string {
  if (!/^".*"$/s.test(text)) return text;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'string' ? value : text;
  } catch {
    return text;
  }
}
