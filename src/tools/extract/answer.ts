import type { Response } from '../../call/answer/response.ts';
import type { Session } from '../../session/session.ts';
import { isRecord } from '../../util/records.ts';
import { plural } from '../../util/text.ts';
import { fitting, lineBudget, saveData, showFenced } from '../lib/data-file.ts';
import { csvOf } from './csv.ts';

/** What was extracted: one object, or a list. */
export interface Extraction {
  readonly value: Readonly<Record<string, unknown>> | readonly Readonly<Record<string, unknown>>[];
  /** Facts beside the value, for programs. */
  readonly facts: Readonly<Record<string, unknown>>;
}

export interface AnswerOptions {
  readonly format: 'json' | 'csv';
  readonly filename: string | undefined;
  readonly maxTokens: number;
}

/** Puts what was extracted into the answer: as text and as data, or into a file if it was asked for or is too large. */
export async function answerWith(
  session: Session,
  response: Response,
  { value, facts }: Extraction,
  { format, filename, maxTokens }: AnswerOptions,
): Promise<void> {
  const items = isRecord(value) ? undefined : value;
  const lines = linesOf(value, format);
  const whole = format === 'csv' ? `${lines.join('\r\n')}\r\n` : JSON.stringify(value, null, 2);
  const save = async (): Promise<string> =>
    saveData(session, response, { name: filename, prefix: 'extract', extension: format, data: whole });
  const size = items === undefined ? '1 object' : plural(items.length, 'item');
  if (filename !== undefined) {
    const file = await save();
    response.text(`Wrote ${size} to ${file}`);
    response.data({ ...facts, file });
    return;
  }
  const shown = fitting(lines, lineBudget(maxTokens));
  if (shown === lines.length) {
    showFenced(response, format, lines);
    response.data({
      ...facts,
      ...(format === 'csv' ? { text: lines.join('\n') } : items === undefined ? { item: value } : { items }),
    });
    return;
  }
  const file = await save();
  if (items === undefined) {
    showFenced(response, format, lines.slice(0, shown));
    response.note(`The object is too long for this answer; all of it is in ${file}`);
    response.data({ ...facts, file });
    return;
  }
  // The first line is the bracket or the names of the columns.
  const count = Math.max(0, shown - 2);
  const part = linesOf(items.slice(0, count), format);
  showFenced(response, format, part);
  response.note(`${count} of ${plural(items.length, 'item')} are shown; all are in ${file}`);
  const data = format === 'csv' ? { text: part.join('\n') } : { items: items.slice(0, count) };
  response.data({ ...facts, ...data, shown: count, file });
}

/** One line for each item, so that a part of a list is still a list. */
function linesOf(value: Extraction['value'], format: 'json' | 'csv'): readonly string[] {
  if (format === 'csv') return csvOf(isRecord(value) ? longestList(value) : value);
  if (!isRecord(value)) {
    if (value.length === 0) return ['[]'];
    const last = value.length - 1;
    return ['[', ...value.map((item, place) => `${JSON.stringify(item)}${place < last ? ',' : ''}`), ']'];
  }
  const entries = Object.entries(value);
  const text = JSON.stringify(value);
  if (text.length < 500) return [text];
  const end = (place: number, list: readonly unknown[]): string => (place < list.length - 1 ? ',' : '');
  return [
    '{',
    ...entries.flatMap(([key, inner], at) => {
      if (!Array.isArray(inner) || inner.length === 0)
        return [`${JSON.stringify(key)}:${JSON.stringify(inner)}${end(at, entries)}`];
      const list: readonly unknown[] = inner;
      const each = list.map((item, place) => `${JSON.stringify(item)}${end(place, list)}`);
      return [`${JSON.stringify(key)}:[`, ...each, `]${end(at, entries)}`];
    }),
    '}',
  ];
}

/** The rows of an object as a table: its longest list of objects, or the object itself. */
function longestList(value: Readonly<Record<string, unknown>>): readonly unknown[] {
  const lists = Object.values(value).filter((inner) => Array.isArray(inner) && inner.some(isRecord));
  const [longest] = lists
    .map((list): readonly unknown[] => (Array.isArray(list) ? list : []))
    .toSorted((a, b) => b.length - a.length);
  return longest ?? [value];
}
