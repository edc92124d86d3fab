/** The pre-tokenisation of o200k tokenisers. */
const pieces =
  /[^\r\n\p{L}\p{N}]?(?:\p{Lu}*[\p{Ll}\p{Lo}\p{Lm}\p{M}]+|\p{Lu}+)(?:'(?:s|t|re|ve|m|ll|d)\b)?|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+/gu;
const letter = /\p{L}/u;
const digit = /^\p{N}/u;
const joinedBar = /^\|[^|\s]/;

/** Whitespace characters per token. */
const longestSpace = 80;
/** Words up to this length are mostly one token; longer words add one for every few characters. */
const wholeWord = 7;
const wordPart = 3;
/** Common punctuation sequences are one token. */
const punctuation = 4;

/** Keys, base64 data and similar runs of letters and digits, which contain hardly any words. */
const encoded = /[A-Za-z\d+/_-]{60,}/g;
const encodedCost = 0.72;

/** Estimated number of tokens of a text; within 10 % for pages, code and English. */
export function estimateTokens(text: string): number {
  let tokens = 0;
  const words = text.replaceAll(encoded, (run) => {
    if (!isRandom(run)) return run;
    tokens += run.length * encodedCost;
    return '';
  });
  for (const [piece] of words.matchAll(pieces)) {
    const shown = piece.trim();
    if (shown === '') tokens += Math.ceil(piece.length / longestSpace);
    else if (letter.test(shown)) tokens += wordCost(shown);
    else tokens += digit.test(shown) ? 1 : signCost(shown);
    // A bar between the cells of a row is not merged with what follows it.
    if (joinedBar.test(shown)) tokens++;
  }
  return Math.ceil(tokens);
}

/** Whether lower case, upper case and digits alternate. */
function isRandom(run: string): boolean {
  const turns = run.match(/[a-z](?=[A-Z\d])|[A-Z](?=[a-z\d])|\d(?=[A-Za-z])/g)?.length ?? 0;
  return turns > run.length * 0.4 && /[a-z]/.test(run) && /[A-Z]/.test(run);
}

function wordCost(word: string): number {
  const { ascii, near, far } = counted(word);
  // CJK: less than one token per character, because some pairs are one token.
  if (far > 0) return far * 0.8 + ascii / 4;
  // Cyrillic, Greek, Arabic: a few characters each.
  if (near > ascii) return Math.max(1, near * 0.38);
  const long = word.length <= wholeWord ? 1 : 1 + (word.length - wholeWord) / wordPart;
  const hasSign = word.length > wholeWord && !letter.test(word.charAt(0));
  return long + near * 0.2 + (hasSign ? 0.5 : 0);
}

function signCost(signs: string): number {
  const { ascii, near, far } = counted(signs);
  return (near + far) * 1.1 + (ascii === 0 ? 0 : Math.max(1, ascii / punctuation));
}

/** Characters by how far they are from ASCII. */
function counted(text: string): { readonly ascii: number; readonly near: number; readonly far: number } {
  let [ascii, near, far] = [0, 0, 0];
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    if (code <= 0x7f) ascii++;
    else if (code < 0x2e80) near++;
    else far++;
  }
  return { ascii, near, far };
}
