const letters = 'abcdefghijklmnopqrstuvwxyz'.split('');
const greek = 'αβγδεζηθικλμνξοπρστυφχψω'.split('');
const romans: readonly (readonly [number, string])[] = [
  [1000, 'm'],
  [900, 'cm'],
  [500, 'd'],
  [400, 'cd'],
  [100, 'c'],
  [90, 'xc'],
  [50, 'l'],
  [40, 'xl'],
  [10, 'x'],
  [9, 'ix'],
  [5, 'v'],
  [4, 'iv'],
  [1, 'i'],
];
/** The zero of each numbering system; its other digits follow in Unicode. */
const zeros: Readonly<Record<string, number>> = {
  'arabic-indic': 0x660,
  persian: 0x6f0,
  devanagari: 0x966,
  bengali: 0x9e6,
  tamil: 0xbe6,
  thai: 0xe50,
  khmer: 0x17e0,
};
const bullets: Readonly<Record<string, string>> = { disc: '•', circle: '◦', square: '▪', none: '' };
const mostRoman = 4000;
const longestMarker = 50;

/** The parts of a `@counter-style` rule that are read. */
export type CounterStyle = Pick<CSSCounterStyleRule, 'system' | 'symbols' | 'prefix' | 'suffix'>;

/** A number as a counter shows it. Unknown styles are decimal. */
export function numberText(number: number, style: string, custom?: CounterStyle): string {
  const own = custom === undefined ? undefined : customText(number, custom);
  if (own !== undefined) return own;
  const sign = bullets[style];
  if (sign !== undefined) return sign;
  if (number > 0 && /^(?:lower|upper)-(?:alpha|latin)$/.test(style)) return cased(alphabetic(number, letters), style);
  if (number > 0 && number < mostRoman && /^(?:lower|upper)-roman$/.test(style)) return cased(roman(number), style);
  if (number > 0 && style === 'lower-greek') return alphabetic(number, greek);
  if (style === 'decimal-leading-zero' && Math.abs(number) < 10) return number < 0 ? `-0${-number}` : `0${number}`;
  const zero = zeros[style];
  return zero === undefined
    ? String(number)
    : String(number).replaceAll(/\d/g, (digit) => String.fromCodePoint(zero + Number(digit)));
}

/** The marker of a list item with its number: '' for bullets, which carry no meaning. */
export function markerText(number: number, style: string, custom?: CounterStyle): string {
  const string = /^"((?:[^"\\]|\\.)*)"$/.exec(style)?.[1];
  if (string !== undefined) return string.replaceAll(/\\(.)/g, '$1').trim().slice(0, longestMarker);
  if (custom !== undefined) {
    const [prefix, suffix] = [
      stringsIn(custom.prefix).join(''),
      custom.suffix === '' ? '. ' : stringsIn(custom.suffix).join(''),
    ];
    return `${prefix}${numberText(number, style, custom)}${suffix}`.trim();
  }
  return style in bullets || style.startsWith('disclosure') ? '' : `${numberText(number, style)}.`;
}

function customText(number: number, { system, symbols }: CounterStyle): string | undefined {
  const signs = stringsIn(symbols);
  const [first] = signs;
  if (first === undefined || number < 1) return undefined;
  const [kind = '', start = '1'] = system.split(' ');
  switch (kind) {
    case 'alphabetic':
      return alphabetic(number, signs);
    case 'symbolic':
    case '':
      return (signs[(number - 1) % signs.length] ?? first).repeat(
        Math.min(longestMarker, Math.ceil(number / signs.length)),
      );
    case 'fixed':
      return signs[number - Number(start)];
    case 'numeric':
      return signs.length < 2 ? undefined : positional(number, signs);
    case 'cyclic':
      return signs[(number - 1) % signs.length];
    default:
      return undefined;
  }
}

/** Strings and bare identifiers. */
function stringsIn(symbols: string): readonly string[] {
  return [...symbols.matchAll(/"((?:[^"\\]|\\.)*)"|([^\s"]+)/g)].map(([, string, word = '']) =>
    string === undefined ? word : string.replaceAll(/\\(.)/g, '$1'),
  );
}

function cased(text: string, style: string): string {
  return style.startsWith('upper') ? text.toUpperCase() : text;
}

function alphabetic(number: number, signs: readonly string[]): string {
  let text = '';
  for (let left = number; left > 0; left = Math.floor((left - 1) / signs.length))
    text = (signs[(left - 1) % signs.length] ?? '') + text;
  return text;
}

function positional(number: number, signs: readonly string[]): string {
  let text = '';
  for (let left = number; left > 0; left = Math.floor(left / signs.length))
    text = (signs[left % signs.length] ?? '') + text;
  return text;
}

function roman(number: number): string {
  let left = number;
  let text = '';
  for (const [value, sign] of romans) {
    for (; left >= value; left -= value) text += sign;
  }
  return text;
}
