/**
 * About how many tokens a model reads in a text. It looks at what tokenisers of the o200k kind split on: words (long ones
 * into pieces), numbers (three digits each), punctuation (runs of it), and characters outside of ASCII one by one.
 */
export function estimateTokens(text: string): number {
  let tokens = 0;
  for (const match of text.matchAll(
    / ?(?:[A-Z]*[a-z]+|[A-Z]+)|\d+|[^\S\n]*\n\s*|[^\S\n]{2,}| ?[!-/:-@[-`{-~]+|[\u0080-\u{10ffff}]| /gu,
  )) {
    const piece = match[0];
    const first = piece.trimStart().charCodeAt(0);
    if (Number.isNaN(first)) tokens += 1;
    else if (first > 0x7f) tokens += 0.75;
    else if (first >= 0x30 && first <= 0x39) tokens += Math.ceil(piece.length / 3);
    else if (/[A-Za-z]/.test(piece)) tokens += piece.length <= 8 ? 1 : 1 + (piece.length - 8) / 5;
    else tokens += Math.ceil(piece.trimStart().length / 3);
  }
  return Math.ceil(tokens);
}
