import { layersOf, sourceSpan } from './layers.ts';
import type { Layer } from './layers.ts';

/** A value to find, by the name that is shown instead. */
export interface NamedValue {
  readonly name: string;
  readonly value: string;
}

/** A part of a text that shows a value. */
export interface Span {
  readonly start: number;
  readonly end: number;
  readonly name: string;
}

/** A shorter value has encoded forms that turn up by chance. */
const leastEncoded = 6;
/** A shorter value is a common word in other letter cases. */
const leastFolded = 8;
/** Shorter pieces of a value reveal little and occur in other words. */
const leastPiece = 4;
/** Text is searched in parts of this size, so that a large one needs little memory. */
const partSize = 1_000_000;
/** How much longer an encoded value can be than the value itself. */
const growth = 40;
/** Runs that could contain an encoded value: so many characters stand for so many bytes. */
const byteEncodings = [
  { run: /[\w+/-]{16,}/g, encoding: 'base64', group: 4, bytes: 3 },
  { run: /[\da-f]{16,}/gi, encoding: 'hex', group: 2, bytes: 1 },
] as const;
type ByteEncoding = (typeof byteEncodings)[number];
/** Text in UTF-8, as bytes. */
const readable =
  /(?:[\t\n\r\x20-\x7e]|[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}){6,}/g;
/** Base64 in base64, for example a body in a log of requests. */
const deepestBytes = 2;

/** The forms of a value that are compared as they are, and those that are compared in any letter case. */
interface Forms {
  readonly exact: readonly string[];
  readonly folded: readonly string[];
}

interface Finder extends NamedValue {
  readonly forms: Forms;
  /** Matches a text that is one of the forms. */
  readonly isForm: RegExp;
}

/** Finds values in texts: verbatim, and encoded in any combination of the usual ways. */
export class ValueFinder {
  readonly #finders: readonly Finder[];
  readonly #exact: RegExp | undefined;
  readonly #folded: RegExp | undefined;
  readonly #longest: number;
  readonly #hasEncoded: boolean;

  constructor(values: readonly NamedValue[]) {
    this.#finders = values.map((each) => {
      const forms = formsOf(each.value);
      const all = [...forms.exact, ...forms.folded];
      return { ...each, forms, isForm: new RegExp(`^(?:${all.map(asPattern).join('|')})$`, 'i') };
    });
    this.#exact = patternOf(this.#finders.flatMap(({ forms }) => forms.exact));
    this.#folded = patternOf(this.#finders.flatMap(({ forms }) => forms.folded));
    this.#longest = Math.max(0, ...values.map(({ value }) => value.length)) * growth;
    this.#hasEncoded = values.some(({ value }) => value.length >= leastEncoded);
  }

  /** The parts of a text that show a value, in order and without overlaps. */
  find(text: string): readonly Span[] {
    const spans: Span[] = [];
    for (let start = 0; start === 0 || start < text.length; start += partSize) {
      const part = text.slice(start, start + partSize + this.#longest);
      spans.push(...this.#spansIn(part, 0).map((span) => moved(span, start)));
    }
    return merged(spans);
  }

  /** The end of a text if it is the beginning of a value: of a text that was cut. */
  findCut(text: string): Span | undefined {
    const from = Math.max(0, text.length - this.#longest);
    // An escape that was cut too.
    const tail = text.slice(from).replace(/(?:%[\da-f]?|&#?\w{0,6}|\\(?:u[\da-f]{0,3}|x[\da-f]?)?)$/i, '');
    for (const layer of layersOf(tail)) {
      for (const { name, forms } of this.#finders) {
        const size = cutSize(layer.text, forms);
        if (size === 0) continue;
        const [start] = sourceSpan(layer, layer.text.length - size, layer.text.length);
        return { start: from + start, end: text.length, name };
      }
    }
    return undefined;
  }

  #spansIn(text: string, depth: number): readonly Span[] {
    const spans: Span[] = [];
    // Decoding leaves most runs as they are.
    const searched = new Set<string>();
    for (const layer of layersOf(text)) {
      for (const span of this.#plainIn(layer.text)) {
        const [start, end] = sourceSpan(layer, span.start, span.end);
        spans.push({ ...span, start, end });
      }
      if (depth < deepestBytes && this.#hasEncoded) spans.push(...this.#inBytes(layer, depth, searched));
    }
    return spans;
  }

  #plainIn(text: string): readonly Span[] {
    const folded = folding(text);
    return [...matchesOf(this.#exact, text), ...matchesOf(this.#folded, folded)].map(({ 0: found, index }) => {
      const finder = this.#finders.find(({ isForm }) => isForm.test(found));
      return { start: index, end: index + found.length, name: finder?.name ?? '' };
    });
  }

  /** Values in the texts that base64 or hexadecimal digits decode to. Where they begin is unknown: each place is tried. */
  #inBytes(layer: Layer, depth: number, searched: Set<string>): readonly Span[] {
    const spans: Span[] = [];
    for (const encoding of byteEncodings) {
      for (const { 0: run, index } of layer.text.matchAll(encoding.run)) {
        const key = `${encoding.encoding} ${run}`;
        if (searched.has(key)) continue;
        const found = this.#inRun(run, encoding, depth);
        if (found.length === 0) searched.add(key);
        for (const { start, end, name } of found) {
          const [from, to] = sourceSpan(layer, index + start, index + end);
          spans.push({ start: from, end: to, name });
        }
      }
    }
    return spans;
  }

  #inRun(run: string, { encoding, group, bytes: size }: ByteEncoding, depth: number): readonly Span[] {
    const spans: Span[] = [];
    for (let skipped = 0; skipped < group; skipped++) {
      // As Latin-1, one character for each byte; the forms of a value include its UTF-8 bytes.
      const text = Buffer.from(run.slice(skipped), encoding).toString('latin1');
      for (const { start, end, name } of this.#inReadable(text, depth + 1)) {
        const last = Math.min(skipped + Math.ceil((end * group) / size), run.length);
        spans.push({ start: skipped + Math.floor((start * group) / size), end: last, name });
      }
    }
    return spans;
  }

  /** Only the parts that are text: most of what looks like base64 is not. */
  #inReadable(text: string, depth: number): readonly Span[] {
    const spans: Span[] = [];
    for (const { 0: part, index } of text.matchAll(readable)) {
      for (const span of this.#spansIn(part, depth)) spans.push(moved(span, index));
    }
    return spans;
  }
}

function patternOf(forms: readonly string[]): RegExp | undefined {
  // The longest first: of two alternatives a pattern takes the first.
  const all = [...new Set(forms)].toSorted((a, b) => b.length - a.length);
  return all.length === 0 ? undefined : new RegExp(all.map(asPattern).join('|'), 'g');
}

function matchesOf(pattern: RegExp | undefined, text: string): Iterable<RegExpExecArray> {
  return pattern === undefined ? [] : text.matchAll(pattern);
}

/** The text in lower case, with every character in its place. */
function folding(text: string): string {
  const folded = text.toLowerCase();
  return folded.length === text.length
    ? folded
    : text.replaceAll(/[\s\S]/g, (unit) => (unit.toLowerCase().length === 1 ? unit.toLowerCase() : unit));
}

function moved({ start, end, name }: Span, by: number): Span {
  return { start: start + by, end: end + by, name };
}

/** Of parts that overlap, the longest gives the name to all. */
function merged(spans: readonly Span[]): readonly Span[] {
  const result: Span[] = [];
  const size = ({ start, end }: Span): number => end - start;
  for (const span of spans.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = result.at(-1);
    if (last === undefined || span.start >= last.end) result.push(span);
    else {
      const { name } = size(span) > size(last) ? span : last;
      result[result.length - 1] = { start: last.start, end: Math.max(last.end, span.end), name };
    }
  }
  return result;
}

/** The ways in which a value is written without escapes. */
function formsOf(value: string): Forms {
  // A text is decoded until no escapes are left, also those that belong to the value.
  const decoded = [...layersOf(value)].map(({ text }) => text).filter((text) => text.trim().length >= leastPiece);
  const composed = [value, ...decoded, value.normalize('NFC'), value.normalize('NFD')];
  if (value.length < leastEncoded) return { exact: trimmed(composed), folded: [] };
  // UTF-8 that was read as Latin-1 or as windows-1252.
  const misread = composed.flatMap((text) => {
    const bytes = Buffer.from(text);
    return [bytes.toString('latin1'), new TextDecoder('windows-1252').decode(bytes)];
  });
  // A key of several lines is shown line by line.
  const lines = value.split(/\r?\n/).map((line) => line.trim());
  const written = [...composed, ...misread, ...lines.filter((line) => line.length >= leastEncoded)];
  const bytes = Buffer.from(value);
  const base64 = [...inBase64(bytes), ...(isLatin(value) ? inBase64(Buffer.from(value, 'latin1')) : [])];
  const isFolded = value.length >= leastFolded;
  return {
    exact: trimmed([...base64, ...(isFolded ? [] : written)]),
    folded: trimmed([bytes.toString('hex'), ...(isFolded ? written : [])]).map(folding),
  };
}

function trimmed(forms: readonly string[]): readonly string[] {
  return [...new Set(forms.map((form) => form.trim()))].filter((form) => form !== '');
}

function isLatin(value: string): boolean {
  return /^[\0-\xff]*$/.test(value) && /[\x80-\xff]/.test(value);
}

/** The forms of a value inside longer base64 text: they depend on its offset in a group of three bytes. */
function inBase64(bytes: Buffer): readonly string[] {
  return [0, 1, 2].flatMap((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replace(/=+$/, '');
    // The first and the last character also contain bits of the surrounding text.
    const own = text.slice(Math.ceil((before * 4) / 3), Math.floor(((before + bytes.length) * 4) / 3));
    return [own, own.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

/** White space is often changed: a form sends a plus for a space, pages collapse it. YAML doubles apostrophes. */
function asPattern(form: string): string {
  return form
    .split(/(\s+|'+)/)
    .map((part) => (/^\s/.test(part) ? String.raw`(?:\s|\+)+` : part.startsWith("'") ? "'+" : escaped(part)))
    .join('');
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
}

/** How much of the end of a text is the beginning of a form. */
function cutSize(text: string, { exact, folded }: Forms): number {
  const spaced = (each: string): string => each.replaceAll(/[\s+]/g, ' ');
  const end = spaced(text);
  return Math.max(
    0,
    ...exact.map((form) => overlap(end, spaced(form))),
    ...folded.map((form) => overlap(folding(end), spaced(form))),
  );
}

function overlap(text: string, form: string): number {
  for (let size = Math.min(form.length - 1, text.length); size >= leastPiece; size--) {
    if (text.endsWith(form.slice(0, size))) return size;
  }
  return 0;
}
