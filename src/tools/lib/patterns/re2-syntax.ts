/** A construct that a linear-time engine cannot run, or that is written differently there. */
export class UnsupportedSyntax extends Error {}

const surrogates = String.raw`\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}`;
const codes = String.raw`\\u\{[\da-fA-F]+\}|\\u[\da-fA-F]{4}|\\x[\da-fA-F]{2}|\\c[A-Za-z]`;
const inside = new RegExp(String.raw`${surrogates}|${codes}|\\[pP]\{[^}]*\}|\\?[\s\S]`, 'uy');
const outside = new RegExp(String.raw`\[\^?\]?|\(\?(?:<[=!]?|.)|${inside.source}`, 'uy');

// The sets end with a range: a hyphen behind one is a literal.
const space = String.raw`\x{20}\x{a0}\x{1680}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff}\x{2000}-\x{200a}\x{09}-\x{0d}`;
const notSpace = String.raw`\x{00}-\x{08}\x{0e}-\x{1f}\x{21}-\x{9f}\x{a1}-\x{167f}\x{1681}-\x{1fff}\x{200b}-\x{2027}\x{202a}-\x{202e}\x{2030}-\x{205e}\x{2060}-\x{2fff}\x{3001}-\x{fefe}\x{ff00}-\x{10ffff}`;
const dot = String.raw`[^\n\r\x{2028}\x{2029}]`;
const sameEscapes = new Set('dDwWbBnrtfv');
const isSet = /^\\[dDwWsSpP]/;

/**
 * Writes the source of a valid JavaScript regular expression in the syntax of RE2, with the same meaning. Throws
 * UnsupportedSyntax for what RE2 has no equivalent of.
 */
export function re2Source(source: string, flags: string): string {
  const hasNames = /\(\?<(?![=!])/.test(source);
  let result = '';
  let isClass = false;
  let before = '';
  for (let at = 0; at < source.length;) {
    const token = tokenAt(source, at, isClass);
    at += token.length;
    if (isClass) {
      const next = token === '-' && at < source.length ? tokenAt(source, at, true) : '';
      result += inClass(token, isSet.test(before) || isSet.test(next));
      isClass = token !== ']';
    } else {
      result += outOfClass(token, { isDotAll: flags.includes('s'), hasNames });
      isClass = token === '[' || token === '[^';
    }
    before = token;
  }
  return result;
}

function tokenAt(source: string, at: number, isClass: boolean): string {
  const token = isClass ? inside : outside;
  token.lastIndex = at;
  return token.exec(source)?.[0] ?? source.slice(at, at + 1);
}

function inClass(token: string, isLiteralHyphen: boolean): string {
  if (token === String.raw`\b`) return String.raw`\x{08}`;
  if (token === String.raw`\s`) return space;
  if (token === String.raw`\S`) return notSpace;
  // RE2 reads [:alpha:] as a class.
  if (token === '[') return String.raw`\[`;
  if (token === '-' && isLiteralHyphen) return String.raw`\-`;
  if (/^\\[1-9]/.test(token)) throw new UnsupportedSyntax('an octal escape');
  return escapeOf(token);
}

function outOfClass(token: string, how: { readonly isDotAll: boolean; readonly hasNames: boolean }): string {
  switch (token) {
    case '.':
      return how.isDotAll ? '.' : dot;
    case '[]':
      return String.raw`[^\x{00}-\x{10ffff}]`;
    case '[^]':
      return String.raw`[\x{00}-\x{10ffff}]`;
    case '(?=':
    case '(?!':
      throw new UnsupportedSyntax('a lookahead');
    case '(?<=':
    case '(?<!':
      throw new UnsupportedSyntax('a lookbehind');
    case '(?<':
      return '(?P<';
    case String.raw`\s`:
      return `[${space}]`;
    case String.raw`\S`:
      return `[${notSpace}]`;
  }
  if (/^\(\?[^:]/.test(token)) throw new UnsupportedSyntax('a group with flags');
  if (/^\\[1-9]/.test(token) || (token === String.raw`\k` && how.hasNames)) {
    throw new UnsupportedSyntax('a back reference');
  }
  return escapeOf(token);
}

/** A token that has the same meaning in a class and outside. */
function escapeOf(token: string): string {
  if (!token.startsWith('\\') || token.length === 1) return token;
  const letter = token.charAt(1);
  if (token.length > 2) return longEscape(token, letter);
  if (sameEscapes.has(letter)) return token;
  if (letter === '0') return String.raw`\x{00}`;
  // Every other escaped character stands for itself, also letters that have a meaning in RE2.
  return /[\dA-Za-z]/.test(letter) ? letter : codePoint(token.codePointAt(1) ?? 0);
}

function longEscape(token: string, letter: string): string {
  const hex = token.slice(2).replaceAll(/[{}]/g, '');
  switch (letter) {
    case 'u':
      return codePoint(token.length === 12 ? pairOf(token) : Number.parseInt(hex, 16));
    case 'x':
      return codePoint(Number.parseInt(hex, 16));
    case 'c':
      return codePoint(token.charCodeAt(2) % 32);
    case 'p':
    case 'P':
      return token.replace(/\{(?:Script|sc|General_Category|gc)=/, '{');
    default:
      return codePoint(token.codePointAt(1) ?? 0);
  }
}

/** The character that two escaped surrogates stand for. */
function pairOf(token: string): number {
  const units = token.split(String.raw`\u`).slice(1);
  return String.fromCharCode(...units.map((unit) => Number.parseInt(unit, 16))).codePointAt(0) ?? 0;
}

function codePoint(code: number): string {
  return String.raw`\x{${code.toString(16)}}`;
}
