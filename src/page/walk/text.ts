/** Control, bidi, zero-width, private-use and tag characters: a model would read what no person sees. */
const unseen =
  /[\0-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ue000-\uf8ff\ufff9-\ufffb]|\udb40[\udc00-\uddef]/g;
const anyUnseen = new RegExp(unseen.source);
const spaces = /\s+/g;
const looseSpace = /[^\S ]|\s\s/;

/** What a person can read in it; spaces and line breaks are kept. */
export function withoutUnseen(raw: string): string {
  const text = anyUnseen.test(raw) ? raw.replace(unseen, '') : raw;
  // A page must not write what looks like one of our refs.
  return text.includes('[ref=') ? text.replaceAll('[ref=', '(ref=') : text;
}

/** One line of what a person can read in it; spaces at the ends are kept, for they separate words. */
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
  // Never half of a surrogate pair.
  const end = /[\ud800-\udbff]/.test(text.charAt(most - 1)) ? most - 1 : most;
  return `${text.slice(0, end)}… (${text.length} chars)`;
}

/** How texts begin that are written for an agent and not for a person. Only what no one can see is held against them. */
const orders = [
  /\b(?:ignore|disregard|forget|override)\b.{0,60}\b(?:previous|prior|above|earlier|all|any|your|other)\b.{0,40}\b(?:instruction|prompt|rule|guideline|message|task|context)/i,
  /\b(?:you are|act as|as) an? (?:\w+ )?(?:ai|assistant|language model|llm|agent|chatbot)\b/i,
  /\b(?:system prompt|ai (?:agent|assistant|model)s?|llms?|language models?|chatbots?)\b.{0,80}\b(?:must|should|shall|need|have to|please|now)\b/i,
  /\b(?:important|urgent|attention|note|instructions?|message)\b.{0,30}\b(?:to|for) (?:the |all |any )?(?:ai|assistant|agent|llm|model|chatbot)s?\b/i,
];
const longestRead = 2000;

export function readsLikeOrders(text: string): boolean {
  const start = text.slice(0, longestRead).replaceAll(/\s+/g, ' ');
  return orders.some((pattern) => pattern.test(start));
}
