import { ToolError } from '../../../errors.ts';
import { compileRegex, readRegex } from './regex.ts';
import type { Regex } from './regex.ts';

const longestUrl = 2000;

/** Matches URLs: a whole URL, a pattern with `*` and `**`, a `/regex/`, or a part of a URL. */
export async function urlMatcher(pattern: string): Promise<(url: URL) => boolean> {
  const regex = regexIn(pattern);
  if (regex !== undefined) {
    const compiled = await compileRegex(regex);
    return (url) => compiled.test(url.href.slice(0, longestUrl));
  }
  if (/^https?:\/\//i.test(pattern) && URL.canParse(pattern)) {
    const { href } = new URL(pattern);
    return (url) => url.href === href;
  }
  return (url) => url.href.includes(pattern);
}

/** Throws if the pattern is empty, or not a regular expression that is supported. */
export function checkUrlPattern(pattern: string): void {
  if (pattern.trim() === '')
    throw new ToolError('INVALID_ARGUMENT', { problems: ['Argument "url" is empty.'], accepted: ['url'] });
  regexIn(pattern);
}

const wildcards: Readonly<Record<string, string>> = { '**/': '(?:.*/)?', '**': '.*', '*': '[^/]*' };

/** The regular expression of a `/regex/` or of a pattern with wildcards. */
function regexIn(pattern: string): Regex | undefined {
  // Only the flag i: other letters could be the end of a path.
  const regex = /^\/(.+)\/(i?)$/.exec(pattern);
  if (regex !== null) return readRegex(pattern, regex[1] ?? '', regex[2] ?? '');
  if (!pattern.includes('*')) return undefined;
  const parts = pattern.split(/(\*\*\/?|\*)/);
  const source = parts.map((part) => wildcards[part] ?? part.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`));
  return readRegex(pattern, `^${source.join('')}$`, '');
}
