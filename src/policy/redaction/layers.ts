/** A text with its escape sequences decoded, and where each character comes from. */
export interface Layer {
  readonly text: string;
  /** The position in the original text of each character; undefined for the original itself. */
  readonly starts: Int32Array | undefined;
  /** The length of the original text. */
  readonly length: number;
}

/** Texts are encoded in each other: HTML in JSON in a URL, for example. */
const mostLayers = 4;

const escape =
  /(?:%[\da-f]{2})+|&(?:#x[\da-f]{1,6}|#\d{1,7}|[a-z]{2,6}\d{0,2});|\\(?:u\{[\da-f]{1,6}\}|u[\da-f]{4}|x[\da-f]{2}|[bfnrt]|[^\da-z])/gi;

/** The text itself, and the texts that decoding its escapes gives, each time for the result of the last. */
export function* layersOf(text: string): Generator<Layer> {
  let layer: Layer | undefined = { text, starts: undefined, length: text.length };
  for (let count = 0; layer !== undefined && count <= mostLayers; count++) {
    yield layer;
    layer = decoded(layer);
  }
}

/** The part of the original text from one position of a layer to another. */
export function sourceSpan({ starts, text, length }: Layer, from: number, to: number): readonly [number, number] {
  if (starts === undefined) return [from, to];
  return [starts[from] ?? length, to < text.length ? (starts[to] ?? length) : length];
}

function decoded({ text, starts, length }: Layer): Layer | undefined {
  if (!/[%&\\]/.test(text)) return undefined;
  const parts: string[] = [];
  const places = new Int32Array(text.length);
  let size = 0;
  let end = 0;
  const copy = (upTo: number): void => {
    for (let at = end; at < upTo; at++) places[size++] = starts?.[at] ?? at;
    parts.push(text.slice(end, upTo));
  };
  for (const { 0: found, index } of text.matchAll(escape)) {
    const units = found.startsWith('%') ? bytesAsText(found) : [[characterOf(found), 0] as const];
    if (units.some(([character]) => character === undefined)) continue;
    copy(index);
    end = index + found.length;
    for (const [character = '', offset] of units) {
      const start = starts?.[index + offset] ?? index + offset;
      for (let unit = 0; unit < character.length; unit++) places[size++] = start;
      parts.push(character);
    }
  }
  if (end === 0) return undefined;
  copy(text.length);
  return { text: parts.join(''), starts: places.subarray(0, size), length };
}

type Unit = readonly [character: string | undefined, offset: number];

/** The characters of percent-encoded bytes: UTF-8 where they are valid, otherwise Latin-1. */
function bytesAsText(found: string): readonly Unit[] {
  const bytes = Buffer.from(found.replaceAll('%', ''), 'hex');
  const units: Unit[] = [];
  for (let at = 0; at < bytes.length;) {
    const size = sequenceSize(bytes, at);
    const encoding = size === 1 ? 'latin1' : 'utf8';
    units.push([bytes.toString(encoding, at, at + size), at * 3]);
    at += size;
  }
  return units;
}

/** The number of bytes of the UTF-8 sequence at a position; 1 if there is none. */
function sequenceSize(bytes: Buffer, at: number): number {
  const lead = bytes[at] ?? 0;
  const size = lead >= 0xf0 && lead < 0xf8 ? 4 : lead >= 0xe0 && lead < 0xf0 ? 3 : lead >= 0xc2 && lead < 0xe0 ? 2 : 1;
  for (let next = 1; next < size; next++) if (((bytes[at + next] ?? 0) & 0xc0) !== 0x80) return 1;
  return size;
}

const controls: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

function characterOf(found: string): string | undefined {
  if (found.startsWith('&')) return entity(found.slice(1, -1));
  const kind = found.charAt(1).toLowerCase();
  if (found.length === 2) return controls[found.charAt(1)] ?? (/[a-z]/i.test(kind) ? undefined : found.slice(1));
  return ofCodePoint(Number.parseInt(found.replaceAll(/[^\da-f]/gi, ''), 16));
}

/** Names of the characters from U+00A0 to U+00FF, in order. */
const latinNames =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml';
const otherNames: readonly (readonly [string, string])[] = [
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
  ['euro', '€'],
  ['ndash', '–'],
  ['mdash', '—'],
  ['lsquo', '‘'],
  ['rsquo', '’'],
  ['ldquo', '“'],
  ['rdquo', '”'],
  ['bull', '•'],
  ['hellip', '…'],
];
const entities: ReadonlyMap<string, string> = new Map([
  ...latinNames.split(' ').map((name, place): [string, string] => [name, String.fromCodePoint(0xa0 + place)]),
  ...otherNames,
]);

function entity(name: string): string | undefined {
  if (!name.startsWith('#')) return entities.get(name);
  const isHex = /^#x/i.test(name);
  return ofCodePoint(Number.parseInt(name.slice(isHex ? 2 : 1), isHex ? 16 : 10));
}

function ofCodePoint(code: number): string | undefined {
  return code <= 0x10ffff ? String.fromCodePoint(code) : undefined;
}
