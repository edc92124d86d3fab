import { ToolError } from '../../../errors.ts';
import type { Pattern } from '../../../util/pattern.ts';
import { cut } from '../../../util/text.ts';
import { UnsupportedSyntax, re2Source } from './re2-syntax.ts';

const longest = 1000;
/** The engine needs at most this many steps per character. */
const largestProgram = 1000;
const longestSearchMs = 2000;

/** A caller's pattern, checked but not compiled. */
export interface Regex {
  /** As written by the caller, for errors. */
  readonly given: string;
  readonly shown: string;
  /** In the syntax of RE2. */
  readonly source: string;
  readonly flags: string;
}

/** Checks a caller's regular expression. Nothing is matched against the JavaScript expression, which can backtrack. */
export function readRegex(given: string, source: string, flags: string): Regex {
  if (source.length > longest) throw refused(given, `is longer than ${longest} characters. Shorten it.`);
  // A global or sticky expression continues behind its last match; each text here is searched from its start.
  const kept = flags.replaceAll(/[gy]/g, '');
  const shown = shownRegex(given, source, kept);
  if (kept.includes('v')) throw refused(given, 'has the flag v, which is not supported. Use u.');
  try {
    return { given, shown, source: re2Source(source, kept), flags: kept };
  } catch (error) {
    if (!(error instanceof UnsupportedSyntax)) throw error;
    throw refused(
      given,
      `contains ${error.message}, which is not supported. Write it without, or search for plain text.`,
    );
  }
}

function shownRegex(given: string, source: string, flags: string): string {
  try {
    return String(new RegExp(source, flags));
  } catch {
    throw refused(given, 'is not a regular expression.');
  }
}

/** Compiles for RE2, whose time is linear in the length of the text. */
export async function compileRegex({ given, shown, source, flags }: Regex): Promise<Pattern> {
  const { RE2JS, RE2JSException } = await import('re2js');
  const options =
    (flags.includes('i') ? RE2JS.CASE_INSENSITIVE : 0) |
    (flags.includes('m') ? RE2JS.MULTILINE : 0) |
    (flags.includes('s') ? RE2JS.DOTALL : 0);
  try {
    const compiled = RE2JS.compile(source, options);
    if (compiled.programSize() > largestProgram)
      throw refused(given, 'is too large. Use fewer or smaller repetitions.');
    return { shown, test: (text) => compiled.test(text) };
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    throw refused(given, `is not supported: ${cut(error.message.replace(/^error parsing regexp: /, ''), 100)}.`);
  }
}

/** Limits the time that one search over many texts takes. */
export function withinTime(given: string, pattern: Pattern): Pattern {
  let spentMs = 0;
  const test = (text: string): boolean => {
    if (spentMs > longestSearchMs) throw refused(given, 'takes too long here. Use a simpler one, or plain text.');
    const start = performance.now();
    const isMatch = pattern.test(text);
    spentMs += performance.now() - start;
    return isMatch;
  };
  return { shown: pattern.shown, test };
}

function refused(given: string, reason: string): ToolError<'BAD_FORMAT'> {
  return new ToolError('BAD_FORMAT', { problem: `${JSON.stringify(cut(given, 60))} ${reason}` });
}
