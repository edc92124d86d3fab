import { UsageError } from './usage-error.ts';

/** The steps of `batch`: one command per line of stdin or per word, or a JSON list of commands. */
export function readBatch(words: readonly string[], input: string | undefined): readonly (readonly string[])[] {
  if (words.length === 0 || (words.length === 1 && words[0] === '-')) {
    if (input === undefined) throw new UsageError('batch reads commands from stdin: pagehelm batch - < commands.txt');
    return input.trimStart().startsWith('[') ? fromJson(input) : input.split('\n').flatMap(fromLine);
  }
  return words.flatMap(fromLine);
}

function fromLine(line: string): readonly (readonly string[])[] {
  const text = line.trim();
  return text === '' || text.startsWith('#') ? [] : [splitWords(text.replace(/^pagehelm\s+/, ''))];
}

function fromJson(text: string): readonly (readonly string[])[] {
  const problem = 'batch expects a JSON list of commands: [["open", "https://example.com"], "snapshot"]';
  try {
    const list: unknown = JSON.parse(text);
    if (!Array.isArray(list)) throw new UsageError(problem);
    return list.map((item: unknown) => {
      if (typeof item === 'string') return splitWords(item);
      if (Array.isArray(item)) return item.map(String);
      throw new UsageError(problem);
    });
  } catch (error) {
    if (error instanceof SyntaxError) throw new UsageError(`${problem}: ${error.message}`);
    throw error;
  }
}

/** Splits a line as a POSIX shell does: quotes group, a backslash takes the next character as it is. */
export function splitWords(line: string): readonly string[] {
  const words: string[] = [];
  const part = /\s*("(?:[^"\\]|\\.)*"|'[^']*'|\\.|[^\s"'\\]+|["'\\])/gs;
  let end = -1;
  for (const match of line.matchAll(part)) {
    const [whole, token = ''] = match;
    const text = unquoted(token, line);
    const isGlued = match.index === end && whole === token && words.length > 0;
    if (isGlued) words[words.length - 1] += text;
    else words.push(text);
    end = match.index + whole.length;
  }
  return words;
}

function unquoted(token: string, line: string): string {
  if (token.startsWith("'") && token.length > 1) return token.slice(1, -1);
  if (token.startsWith('"') && token.length > 1) return token.slice(1, -1).replaceAll(/\\(["\\$`])/g, '$1');
  if (token.startsWith('\\') && token.length > 1) return token.slice(1);
  if (/^["'\\]$/.test(token)) throw new UsageError(`A quote is not closed: ${line.slice(0, 80)}`);
  return token;
}
