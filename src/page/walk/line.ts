import { printable } from './text.ts';

/** An element as a line of the snapshot shows it. */
export interface LineElement {
  readonly role: string;
  readonly name?: string;
  /** Printed in brackets before the ref. `active` is one of them. */
  readonly states?: readonly string[];
  readonly ref?: string;
  /** Printed in brackets after the ref. */
  readonly marks?: readonly string[];
  /** Outside the viewport: this element, or all elements from here on. */
  readonly offscreen?: 'element' | 'rest';
  /** Part of a YAML scalar in single quotes. */
  readonly isQuoted?: true;
}

/** A line of the snapshot consists of text and elements. Only the elements carry meaning; text is never parsed. */
export type LinePart = string | LineElement;

export interface LineForm {
  /** Put before each ref: the name of the session, with a colon. */
  readonly refPrefix?: string;
  /** Leaves out what changes without the page changing: focus, scroll position and positions in the viewport. */
  readonly isComparable?: boolean;
}

export function lineText(parts: readonly LinePart[], form?: LineForm): string {
  const [only] = parts;
  if (parts.length === 1 && typeof only === 'string') return only;
  let text = '';
  for (const part of parts) text += typeof part === 'string' ? part : elementText(part, form);
  return text;
}

/** Whether a line begins with a bar, which stands in place of the dash: rows and preformatted text. */
export function isBarred([first]: readonly LinePart[]): boolean {
  return typeof first === 'string' && first.startsWith('|');
}

/** The position of an element, as one of its marks. */
const isPlace = /^(?:\w+ )?at -?\d/;

export function elementText(element: LineElement, { refPrefix = '', isComparable = false }: LineForm = {}): string {
  const { role, name = '', states, ref, marks, offscreen } = element;
  let text = name === '' ? role : `${role} ${JSON.stringify(name)}`;
  for (const state of states ?? []) if (!isComparable || state !== 'active') text += ` [${state}]`;
  if (ref !== undefined) text += ` [ref=${refPrefix}${ref}]`;
  for (const mark of marks ?? []) if (!isComparable || !isPlace.test(mark)) text += ` [${mark}]`;
  if (offscreen !== undefined && !isComparable)
    text += offscreen === 'rest' ? ' [offscreen from here on]' : ' [offscreen]';
  return element.isQuoted === true ? text.replaceAll("'", "''") : text;
}

export function isActive({ states }: LineElement): boolean {
  return states?.includes('active') === true;
}

const unsafeStart = /^(?:[[\]{},#&*!|>'"%@`]|[-?:](?:\s|$)|\/\w+:)/;
const unsafeInside = /:(?:\s|$)|\s#/;

function breaksYaml(text: string): boolean {
  return text === '' || text.includes('\n') || unsafeStart.test(text) || unsafeInside.test(text);
}

/** A text after a colon: as it is where that is valid YAML, else as JSON. */
export function scalar(raw: string): string {
  const text = printable(raw);
  return breaksYaml(text) ? JSON.stringify(text) : text;
}

/** Text with elements in it, as a YAML scalar. In single quotes, the quotes around names stay readable. */
export function mixedScalar(raw: readonly LinePart[]): readonly LinePart[] {
  const parts = printableParts(raw);
  return breaksYaml(lineText(parts)) ? quoted(parts) : parts;
}

/** Texts side by side are joined first: an attribute could be spread over several of them. */
export function printableParts(raw: readonly LinePart[]): readonly LinePart[] {
  const parts: LinePart[] = [];
  for (const part of raw) {
    const last = parts.at(-1);
    if (typeof part === 'string' && typeof last === 'string') parts[parts.length - 1] = last + part;
    else parts.push(part);
  }
  return parts.map((part) => (typeof part === 'string' ? printable(part) : part));
}

/** An element as a YAML key. */
export function yamlKey(element: LineElement): readonly LinePart[] {
  const { name = '', marks } = element;
  // Only names and marks contain text of the page.
  if (marks === undefined && !name.includes(':') && !name.includes('#')) return [element];
  return unsafeInside.test(elementText(element)) ? quoted([element]) : [element];
}

function quoted(parts: readonly LinePart[]): readonly LinePart[] {
  const inside = parts.map((part): LinePart =>
    typeof part === 'string' ? part.replaceAll("'", "''") : { ...part, isQuoted: true },
  );
  return ["'", ...inside, "'"];
}
