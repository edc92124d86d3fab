/** Text of a page in answers. It must not be able to imitate what the server prints, nor to hide or reorder text. */

/** Most text is ASCII, where the tests below are not needed. */
const plain = /^[\t\n\r\x20-\x7e]*$/;

export function isPlain(text: string): boolean {
  return plain.test(text);
}

/** Regular expressions with Unicode properties are compiled on first use: at start they would take a millisecond. */
function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

/** Opening brackets, and characters that look like one. */
const brackets =
  '[\\[\u2045\u2308\u230a\u23a1\u23a3\u2772\u2997\u27e6\u27ec\u298b\u298d\u298f\u2e22\u2e24\u300c\u300e\u3010\u3014\u3016\u3018\u301a\ufe39\ufe3b\ufe3d\ufe3f\ufe41\ufe43\ufe47\ufe5d\uff3b\uff62]';
const ignorable = String.raw`[\s\u2800\p{M}\p{Cf}\p{Default_Ignorable_Code_Point}]*`;
/** Scripts whose characters cannot be taken for Latin letters. */
const unlike = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]`;
const anyBracket = new RegExp(brackets, 'u');
const markStart = once(() => new RegExp(`${brackets}(?=${ignorable}(?!${unlike})\\p{L})`, 'gu'));

/**
 * Puts a backslash before each bracket that could begin an attribute such as `[ref=e1]`. Our own attributes follow a space,
 * so that no page text can contain one.
 */
export function escapeMarks(text: string): string {
  const hasBracket = text.includes('[') || (!plain.test(text) && anyBracket.test(text));
  return hasBracket ? text.replace(markStart(), String.raw`\$&`) : text;
}

/** C0 and C1 controls, soft hyphens, bidi controls, zero-width, private-use and tag characters, lone surrogates. */
const hidden =
  /[\0-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ue000-\uf8ff\ufff9-\ufffb]|[\u{e0000}-\u{e0fff}]|\p{Surrogate}/gu;
const anyHidden = new RegExp(hidden.source, 'u');

/** Joiners shape the letters of these scripts. */
const joined =
  '\\p{Script=Arabic}\\p{Script=Syriac}\\p{Script=Mongolian}\\p{Script=Devanagari}\\p{Script=Bengali}\\p{Script=Gurmukhi}' +
  '\\p{Script=Gujarati}\\p{Script=Oriya}\\p{Script=Tamil}\\p{Script=Telugu}\\p{Script=Kannada}\\p{Script=Malayalam}' +
  '\\p{Script=Sinhala}\\p{Script=Khmer}\\p{Script=Myanmar}\\p{Script=Tibetan}';
const joinerBefore = once(
  () => new RegExp(`(?:[${joined}]\\p{M}*|[\\p{Extended_Pictographic}\\p{Emoji_Modifier}]\\ufe0f?)$`, 'u'),
);
const joinerAfter = once(() => new RegExp(`^(?:[${joined}]|\\p{Extended_Pictographic})`, 'u'));
/** How many characters around a joiner decide. */
const around = 8;

/** A zero-width joiner or non-joiner in a script or emoji that needs it. */
function isNeededJoiner(character: string, at: number, text: string): boolean {
  if (character !== '\u200c' && character !== '\u200d') return false;
  const after = text.slice(at + 1, at + 1 + around);
  return joinerBefore().test(text.slice(Math.max(0, at - around), at)) && joinerAfter().test(after);
}

/** Replaces each hidden character; those that the script needs stay. */
export function replaceHidden(text: string, replacement: (character: string) => string): string {
  if (plain.test(text) || !anyHidden.test(text)) return text;
  return text.replace(hidden, (character, at: number) =>
    isNeededJoiner(character, at, text) ? character : replacement(character),
  );
}
