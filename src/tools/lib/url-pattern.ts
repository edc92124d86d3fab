import { ToolError } from '../../errors.ts';
import { cut } from '../../util/text.ts';

/** Matches URLs: a whole URL, a pattern with `*` and `**`, a `/regex/`, or a part of a URL. */
export function urlMatcher(pattern: string): (url: URL) => boolean {
  if (pattern.trim() === '')
    throw new ToolError('INVALID_ARGUMENT', { problems: ['Argument "url" is empty.'], accepted: ['url'] });
  // Only the flag i: other letters could be the end of a path.
  const regex = /^\/(.+)\/(i?)$/.exec(pattern);
  if (regex !== null) return matching(pattern, regex[1] ?? '', regex[2] ?? '');
  if (pattern.includes('*')) {
    const parts = pattern.split(/(\*\*\/?|\*)/);
    const source = parts.map((part) => wildcards[part] ?? part.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`));
    return matching(pattern, `^${source.join('')}$`, '');
  }
  if (/^https?:\/\//i.test(pattern) && URL.canParse(pattern)) {
    const { href } = new URL(pattern);
    return (url) => url.href === href;
  }
  return (url) => url.href.includes(pattern);
}

const wildcards: Readonly<Record<string, string>> = { '**/': '(?:.*/)?', '**': '.*', '*': '[^/]*' };

function matching(pattern: string, source: string, flags: string): (url: URL) => boolean {
  try {
    const expression = new RegExp(source, flags);
    return (url) => expression.test(url.href.slice(0, 2000));
  } catch {
    throw new ToolError('BAD_FORMAT', { problem: `${JSON.stringify(cut(pattern, 60))} is not a regular expression.` });
  }
}
