import { estimateTokens } from '../../util/tokens.ts';

/** A heading of a markdown text. */
export interface Heading {
  /** From 1, the highest. */
  readonly level: number;
  readonly text: string;
  /** Where its line begins. */
  readonly at: number;
}

/** The headings, except lines of code that look like one. */
export function headingsOf(markdown: string): readonly Heading[] {
  const headings: Heading[] = [];
  let at = 0;
  let fence: string | undefined;
  for (const line of markdown.split('\n')) {
    const mark = /^(```|~~~)/.exec(line)?.[1];
    if (mark !== undefined && (fence === undefined || fence === mark)) fence = fence === undefined ? mark : undefined;
    const [, marks, text] = (fence === undefined && /^(#{1,6}) (.+)$/.exec(line)) || [];
    if (marks !== undefined && text !== undefined) headings.push({ level: marks.length, text: plainText(text), at });
    at += line.length + 1;
  }
  return headings;
}

/** Text without the marks of links and emphasis. */
export function plainText(markdown: string): string {
  return markdown
    .replaceAll(/!?\[((?:[^\]\\]|\\.)*)\](?:\(ref=\w+\))?/g, '$1')
    .replaceAll(/\\(.)/g, '$1')
    .replaceAll(/[*_`]/g, '')
    .trim();
}

/** The section below the first heading that contains the text, with its subsections. */
export function sectionOf(markdown: string, heading: string): string | undefined {
  const headings = headingsOf(markdown);
  const wanted = heading.trim().toLowerCase();
  const isExact = ({ text }: Heading): boolean => text.toLowerCase() === wanted;
  const found = headings.find(isExact) ?? headings.find(({ text }) => text.toLowerCase().includes(wanted));
  if (found === undefined) return undefined;
  const next = headings.find(({ at, level }) => at > found.at && level <= found.level);
  return markdown.slice(found.at, next?.at).trimEnd();
}

/** The part from an offset that fits a token budget. It ends at the end of a paragraph, else of a line, else of a word. */
export function partFrom(markdown: string, from: number, maxTokens: number): string {
  const rest = markdown.slice(from);
  // A token is rarely longer, so that the text need not be estimated as a whole.
  const window = rest.slice(0, maxTokens * 8);
  if (window.length === rest.length && costOf(rest) <= maxTokens) return rest;
  let [low, high] = [1, window.length];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (costOf(window.slice(0, middle)) <= maxTokens) low = middle;
    else high = middle - 1;
  }
  const end = ['\n\n', '\n', ' ']
    .map((mark) => ({ mark, at: window.lastIndexOf(mark, low - mark.length) }))
    // A part that ends far too early costs further calls.
    .find(({ at }) => at > low / 2);
  return window.slice(0, end === undefined ? low : end.at + end.mark.length);
}

/** Tokens of a text whose lines are lines of the answer. */
function costOf(text: string): number {
  return text.split('\n').reduce((sum, line) => sum + estimateTokens(line) + 1, 0);
}

/** A paragraph that contains a text. */
export interface Hit {
  /** The headings above it, the highest first. */
  readonly under: readonly string[];
  readonly text: string;
  readonly at: number;
}

/** The paragraphs that match. */
export function search(markdown: string, matches: (text: string) => boolean): readonly Hit[] {
  const headings = headingsOf(markdown);
  const hits: Hit[] = [];
  let at = 0;
  for (const text of markdown.split(/(?<=\n)\n+/)) {
    const start = markdown.indexOf(text, at);
    at = start + text.length;
    if (!matches(text)) continue;
    const above: Heading[] = [];
    for (const heading of headings.filter((each) => each.at < start).toReversed()) {
      if (heading.level < (above[0]?.level ?? Number.POSITIVE_INFINITY)) above.unshift(heading);
    }
    hits.push({ under: above.map((heading) => heading.text), text: text.trimEnd(), at: start });
  }
  return hits;
}
