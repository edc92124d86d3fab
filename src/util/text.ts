import { escapeMarks, replaceHidden } from './page-text.ts';

/** Shows characters that could hide or reorder text as escapes; line breaks and tabs stay. */
export function visible(text: string): string {
  return replaceHidden(text, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}

/** Text on one line: line breaks become spaces, invisible characters escapes. */
export function oneLine(text: string): string {
  return visible(text.replace(/\r\n|[\n\r\u2028\u2029]/g, ' '));
}

/** Page text on one line, unable to imitate an element of the snapshot. */
export function pageText(text: string): string {
  return escapeMarks(oneLine(text));
}

/** A URL on one line. A bracket that could begin an attribute is percent-encoded, so that the URL stays usable. */
export function pageUrl(url: string): string {
  return escapeMarks(oneLine(url)).replaceAll('\\[REDACTED]', '[REDACTED]').replaceAll('\\[', '%5B');
}

/**
 * Untrusted text over several lines, made unable to open a section or a fence of ours:
 * a line that would is given a leading backslash.
 */
export function quoteBlock(text: string): string {
  return visible(text.replace(/\r\n?|\u2028|\u2029/g, '\n')).replace(/^(?=\s{0,3}(?:#{1,6}(?:\s|$)|```|~~~))/gm, '\\');
}

/** Cuts a text to a length and says how much is missing. */
export function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length)}… (${text.length - length} more characters)`;
}

/** A JavaScript string literal in single quotes, as generated code shows it. */
export function quoted(text: string): string {
  return `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}

/** `1 cookie`, `2 cookies`. */
export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** `session-timeout` as `sessionTimeout`. */
export function camelCase(text: string): string {
  return text.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
