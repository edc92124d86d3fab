/** A position in a text; line and column start at 1. */
interface TextPosition {
  readonly line: number;
  readonly column: number;
}

/** Thrown at the first character that JSON does not allow. */
class SyntaxProblem extends Error {
  readonly offset: number;

  constructor(offset: number) {
    super('not JSON');
    this.offset = offset;
  }
}

/**
 * Finds the first syntax error in a text that JSON.parse rejected. JSON.parse reports the position only in some of its
 * messages, and differently in each version of Node. No library: loadConfig is synchronous, so it would be loaded at
 * every start.
 */
export function jsonMistake(text: string): TextPosition {
  let offset = text.length;
  try {
    const end = skipSpace(text, valueEnd(text, skipSpace(text, 0)));
    offset = end;
  } catch (error) {
    if (!(error instanceof SyntaxProblem)) throw error;
    offset = error.offset;
  }
  const before = text.slice(0, offset).split('\n');
  return { line: before.length, column: (before.at(-1) ?? '').length + 1 };
}

const space = /[ \t\n\r]*/y;
const scalar =
  /"(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/uy;

function matchEnd(pattern: RegExp, text: string, at: number): number | undefined {
  const sticky = new RegExp(pattern);
  sticky.lastIndex = at;
  return sticky.test(text) ? sticky.lastIndex : undefined;
}

function skipSpace(text: string, at: number): number {
  return matchEnd(space, text, at) ?? at;
}

/** The offset after the value that starts at `at`. */
function valueEnd(text: string, at: number): number {
  const open = text[at];
  if (open === '{') return membersEnd(text, at + 1, '}');
  if (open === '[') return membersEnd(text, at + 1, ']');
  const end = matchEnd(scalar, text, at);
  if (end === undefined) throw new SyntaxProblem(at);
  return end;
}

function membersEnd(text: string, start: number, close: '}' | ']'): number {
  let at = skipSpace(text, start);
  if (text[at] === close) return at + 1;
  for (;;) {
    if (close === '}') {
      if (text[at] !== '"') throw new SyntaxProblem(at);
      at = skipSpace(text, valueEnd(text, at));
      if (text[at] !== ':') throw new SyntaxProblem(at);
      at = skipSpace(text, at + 1);
    }
    at = skipSpace(text, valueEnd(text, at));
    if (text[at] === close) return at + 1;
    if (text[at] !== ',') throw new SyntaxProblem(at);
    at = skipSpace(text, at + 1);
  }
}
