import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';

/** An answer as the client gets it. */
export interface RawAnswer {
  readonly content: readonly Readonly<Record<string, unknown>>[];
  readonly isError?: boolean | undefined;
  readonly structuredContent?: unknown;
  readonly _meta?: unknown;
}

/** A part of an answer that is compared, and its text. */
export type Parts = ReadonlyMap<string, string>;

const link = /(?:\]\(|to "|New console entries: )([^)"#\s][^)"#]*\.(?:yml|log|txt|json|md|js|trace))/g;

/** The sections of an answer, its other content, and the files that it names. */
export function partsOf(answer: RawAnswer, folder: string): Parts {
  const parts = new Map<string, string>();
  const texts = answer.content.flatMap((item) => (item['type'] === 'text' ? [String(item['text'])] : []));
  const text = texts.join('\n');
  for (const [index, part] of text.split(/^### /m).entries()) {
    const end = part.includes('\n') ? part.indexOf('\n') : part.length;
    if (index > 0) parts.set(`${index} ${part.slice(0, end)}`, normalised(part.slice(end + 1), folder));
    else if (part !== '') parts.set('0 text', normalised(part, folder));
  }
  const others = answer.content.filter((item) => item['type'] !== 'text').map(contentText);
  if (others.length > 0) parts.set('content', others.join('\n'));
  if (answer.isError === true) parts.set('isError', 'true');
  if (answer.structuredContent !== undefined) parts.set('structuredContent', JSON.stringify(answer.structuredContent));
  if (answer._meta !== undefined) parts.set('_meta', JSON.stringify(answer._meta));
  for (const [count, [, name = '']] of [...text.matchAll(link)].entries()) {
    const path = resolve(folder, name);
    const file = existsSync(path) ? normalised(readFileSync(path, 'utf8'), folder) : 'no such file';
    if (!name.endsWith('.trace')) parts.set(`file ${count + 1}`, file);
  }
  return parts;
}

/** Images are equal if their type and size are: how text is drawn differs from run to run. */
function contentText(item: Readonly<Record<string, unknown>>): string {
  if (item['type'] !== 'image') return JSON.stringify(item);
  const data = Buffer.from(String(item['data']), 'base64');
  const isPng = data.subarray(1, 4).toString() === 'PNG';
  const size = isPng ? ` ${data.readUInt32BE(16)}x${data.readUInt32BE(20)}` : '';
  return `${String(item['mimeType'])}${size}`;
}

/** Replaces what differs between two runs of the same server. */
function normalised(text: string, folder: string): string {
  return (
    text
      .replaceAll(folder, '<folder>')
      .replaceAll(/\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z/g, '<time>')
      .replaceAll(/\b(trace|session)-\d{13}\b/g, '$1-<time>')
      .replaceAll(/^\[ *\d+ms\]/gm, '[<ms>]')
      .replaceAll(/(duration: +)\d+ms/g, '$1<ms>')
      .replaceAll(/^( *date: ).*$/gm, '$1<date>')
      .replaceAll(/\(:\d+:\d+\)/g, '(:<line>)')
      .replaceAll(/(UtilityScript\.evaluate \(<anonymous>:)\d+:\d+/g, '$1<line>')
      .replaceAll(/\d+ × (waiting for element|retrying|locator resolved)/g, '<n> × $1')
      // The lines of a log are indented by the number of digits of their count.
      .replaceAll(/^(\u001B\[2m) +(?=- )/gm, '$1  ')
      .replaceAll(/^ +(?=- (?:element |retrying |waiting |scrolling |done scrolling|locator resolved))/gm, '  ')
      .replaceAll(/("expires": )[\d.]+/g, '$1<time>')
      .replaceAll(/\b(Timeout )\d+(ms exceeded)/g, '$1<ms>$2')
      .trimEnd()
  );
}
