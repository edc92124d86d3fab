import { escapeMarks, isPlain, replaceHidden } from '../../util/page-text.ts';

const spaces = /\s+/g;
/** ASCII without brackets and backticks: nothing to escape. */
const harmless = /^[\t\n\r\x20-\x5a\x5c-\x5f\x61-\x7e]*$/;
/** Names, values and texts of any length: more would take seconds, and no answer shows it. */
const longestText = 1_000_000;
const looseSpace = /[^\S ]|\s\s/;

/** The text without characters that a person does not see; spaces and line breaks are kept. */
export function withoutUnseen(raw: string): string {
  const text = raw.length > longestText ? raw.slice(0, longestText) : raw;
  if (isPlain(text)) return text;
  return replaceHidden(text.includes('\x85') ? text.replaceAll('\x85', ' ') : text, () => '');
}

/** Joined text as a line prints it: it can imitate neither an attribute nor a fence. */
export function printable(joined: string): string {
  if (harmless.test(joined)) return joined;
  const text = escapeMarks(withoutUnseen(joined));
  return text.includes('```') ? text.replaceAll('```', "'''") : text;
}

/** The text on one line; spaces at the ends are kept, because they separate words. */
export function cleaned(raw: string): string {
  const text = withoutUnseen(raw);
  return looseSpace.test(text) ? text.replace(spaces, ' ') : text;
}

export function tidy(raw: string): string {
  return cleaned(raw).trim();
}

/** Long texts keep their beginning and say how long they were. */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  return `${text.slice(0, wholeCharacter(text, most))}… (${text.length} chars)`;
}

/** The position, or the one before it if it is inside a surrogate pair. */
function wholeCharacter(text: string, at: number): number {
  return at > 0 && /[\ud800-\udbff]/.test(text.charAt(at - 1)) ? at - 1 : at;
}

/** How many characters before the searched text are shown. */
const before = 60;
/** How far an end is moved to a space, so that no word is cut. */
const slack = 40;

/** A long text that contains a searched one beyond its shown beginning keeps the part around it. */
export function cutAround(text: string, most: number, wanted: string): string {
  const at = text.length <= most || wanted === '' ? -1 : text.toLowerCase().indexOf(wanted.toLowerCase());
  if (at < 0 || at + wanted.length <= most) return cut(text, most);
  const early = Math.max(0, at - before);
  const space = text.lastIndexOf(' ', early);
  const start = early - space <= slack ? space + 1 : early;
  const least = Math.max(start + most, at + wanted.length);
  const next = text.indexOf(' ', least);
  const end = next < 0 || next - least > slack ? Math.min(least, text.length) : next;
  const more = end < text.length ? '…' : '';
  return `…${text.slice(wholeCharacter(text, start), wholeCharacter(text, end))}${more} (${text.length} chars)`;
}

/** Phrases of instructions to an agent. Only invisible text is checked for them. */
const orders = [
  /\b(?:ignore|disregard|forget|override)\b.{0,60}\b(?:previous|prior|above|earlier|all|any|your|other)\b.{0,40}\b(?:instruction|prompt|rule|guideline|message|task|context)/i,
  /\b(?:you are|act as|as) an? (?:\w+ )?(?:ai|assistant|language model|llm|agent|chatbot)\b/i,
  /\b(?:system prompt|ai (?:agent|assistant|model)s?|llms?|language models?|chatbots?)\b.{0,80}\b(?:must|should|shall|need|have to|please|now)\b/i,
  /\b(?:important|urgent|attention|note|instructions?|message)\b.{0,30}\b(?:to|for) (?:the |all |any )?(?:ai|assistant|agent|llm|model|chatbot)s?\b/i,
];
const longestRead = 2000;

export function readsLikeInstructions(text: string): boolean {
  const start = text.slice(0, longestRead).replaceAll(/\s+/g, ' ');
  return orders.some((pattern) => pattern.test(start));
}
