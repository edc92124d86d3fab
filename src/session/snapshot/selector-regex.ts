/** `text=/…/`, `[name=/…/]`, and the argument of `:text-matches()`. */
const written = /=\s*\/((?:\\.|\[(?:\\.|[^\]\\])*\]|[^\\/[])+)\/|:text-matches\(\s*(["'])((?:\\.|(?!\2)[^\\])*)\2/gi;
const token = /\\.|\[(?:\\.|[^\]\\])*\]|[()]|[*+]|\{\d+(?:,\d*)?\}|[\s\S]/g;

/**
 * Whether a selector contains a regular expression that repeats a group. Playwright runs it in the page with
 * backtracking, where nested repetition such as `(a+)+$` blocks the tab.
 */
export function repeatsGroup(selector: string): boolean {
  for (const [, slashed, , quoted] of selector.matchAll(written)) {
    const tokens = (slashed ?? unescaped(quoted ?? '')).match(token) ?? [];
    if (tokens.some((now, at) => tokens[at - 1] === ')' && /^(?:[*+]|\{\d)/.test(now))) return true;
  }
  return false;
}

/** The value of a CSS string. */
function unescaped(text: string): string {
  return text.replaceAll(/\\(?:([\da-f]{1,6})\s?|([\s\S]))/gi, (_, hex?: string, char?: string) =>
    hex === undefined ? (char ?? '') : String.fromCodePoint(Math.min(Number.parseInt(hex, 16), 0x10_ff_ff)),
  );
}
