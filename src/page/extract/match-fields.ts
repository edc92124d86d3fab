import { candidatesIn } from './candidates.ts';
import type { Candidate } from './candidates.ts';
import { imageOf, linkOf, squeezed, textOf } from './query.ts';
import type { RawValue, WantedField } from './request.ts';
import { fit, meaningOf } from './words.ts';

/** Below this, a candidate is a guess. */
const leastScore = 20;
/** A candidate of another kind stands in for the usual one if it scores at least this share. */
const standIn = 0.6;
const shortText = 60;

const currency = String.raw`[$€£¥₹₽₩₺]|\b(?:USD|EUR|GBP|CHF|JPY|SEK|NOK|DKK|PLN|CZK|AUD|CAD|INR|BRL|kr|zł|Kč)\b`;
const price = new RegExp(String.raw`(?:${currency})\s?[\d.,'\s]*\d|\d(?:[\d.,'\s]*\d)?(?:,-)?\s?(?:${currency})`, 'iu');
const rating = /\d(?:[.,]\d+)?\s*(?:\/|out of|von|sur|de|of)\s*(?:5|10)\b|[★☆⭐]/iu;
const date =
  /\b\d{4}-\d{2}-\d{2}\b|\b\d{1,2}[./]\d{1,2}[./]\d{2,4}\b|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\w*\.? \d{1,2},? \d{4}\b|\b\d{1,2}\.? (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\w*\.? \d{4}\b/iu;

/** What a text or an element suggests by itself, for a field of this meaning. */
function patternScore(field: WantedField, { element, text, descendants }: Candidate): number {
  const head = meaningOf(field.words.at(-1) ?? '');
  const isPlainName = field.words.length === 1;
  const isShort = text.length > 0 && text.length <= shortText;
  const level = /^h([1-6])$/.exec(element.localName)?.[1];
  if (field.type === 'image') return element.localName === 'img' ? 45 : 0;
  if (field.type === 'link') return isPlainName && element.localName === 'a' ? linkScore(element) : 0;
  if (field.type === 'date') return element.localName === 'time' ? 50 : isShort && date.test(text) ? 35 : 0;
  if (head === 'price') return isShort && price.test(text) ? 48 / (1 + descendants * 0.2) : 0;
  if (head === 'rating') return text.length < 40 && rating.test(text) ? 42 / (1 + descendants * 0.2) : 0;
  if (field.type !== 'text') return 0;
  if (head === 'name') {
    if (level !== undefined || element.getAttribute('role') === 'heading') return 58 - Number(level ?? 2) * 2;
    if (element.localName === 'a' && isShort && linkOf(element) !== undefined) return 32;
    return /^(?:strong|b|summary|figcaption)$/.test(element.localName) && isShort ? 22 : 0;
  }
  if (head === 'description') return element.localName === 'p' && text.length > 40 ? 32 : 0;
  if (head === 'email') return /^\S+@\S+\.\w+$/.test(text) ? 55 : 0;
  if (head === 'phone') return /^\+?[\d\s()/-]{6,20}$/.test(text) ? 45 : 0;
  return 0;
}

function linkScore(link: Element): number {
  if (linkOf(link) === undefined) return 0;
  const isOfHeading =
    link.closest('h1, h2, h3, h4, h5, h6') !== null || link.querySelector('h1, h2, h3, h4, h5, h6') !== null;
  return isOfHeading ? 52 : 30;
}

function isPossible({ type }: WantedField, candidate: Candidate): boolean {
  if (type === 'image') return imageOf(candidate.element) !== undefined;
  if (type === 'link') return linkOf(candidate.element) !== undefined;
  return candidate.text !== '' && (type !== 'number' || /\p{N}/u.test(candidate.text));
}

export function scoreOf(field: WantedField, candidate: Candidate): number {
  if (!isPossible(field, candidate)) return 0;
  const named = Math.max(0, ...candidate.names.map(({ words, weight }) => fit(field.words, words) * weight));
  const isTag = field.words.length === 1 && candidate.element.localName === field.words[0] ? 60 : 0;
  // A large element holds the value and others: a smaller one says it better.
  const others = field.isList ? candidate.descendants * 3 : Math.max(0, candidate.descendants - 2);
  const whole = Math.max(named, isTag) / (1 + others * 0.06);
  return Math.max(whole, patternScore(field, candidate));
}

/** How the fields are found in items of one kind. */
export interface Matching {
  /** From 0: how well the fields fit the items. */
  readonly quality: number;
  /** The values of the fields in an item. */
  readonly read: (candidates: readonly Candidate[]) => Readonly<Record<string, RawValue>>;
}

interface Vote {
  readonly signature: string;
  readonly kind: string;
  readonly mean: number;
}

interface Choice {
  readonly field: WantedField;
  /** Best first. */
  readonly votes: readonly Vote[];
  readonly clarity: number;
}

/** Finds out which elements of the items hold the fields. All items have a say, so that each is read the same way. */
export function matchFields(fields: readonly WantedField[], samples: readonly (readonly Candidate[])[]): Matching {
  const choices = fields.map((field) => choose(field, samples));
  const best = ({ votes }: Choice): number => votes[0]?.mean ?? 0;
  const taken = new Map<string, string>();
  const order = choices.toSorted((a, b) => best(b) - best(a));
  const chosen = new Map(
    order.map((choice) => {
      // One element has one text, but can be a link besides.
      const reading = readingOf(choice.field);
      const free = choice.votes.filter(({ signature }) => !taken.has(`${reading} ${signature}`));
      const [first] = free;
      if (first !== undefined) taken.set(`${reading} ${first.signature}`, choice.field.key);
      return [choice.field.key, { ...choice, votes: free }];
    }),
  );
  const quality = [...chosen.values()].reduce((sum, choice) => sum + (best(choice) / 100) * choice.clarity, 0);
  const owners = new Map([...taken].map(([place, key]) => [place, key]));
  const read = (candidates: readonly Candidate[]): Readonly<Record<string, RawValue>> =>
    Object.fromEntries(
      fields.map((field) => [field.key, readField(field, chosen.get(field.key)?.votes ?? [], candidates, owners)]),
    );
  return { quality, read };
}

function readingOf({ type }: WantedField): string {
  return type === 'link' || type === 'image' ? type : 'text';
}

function choose(field: WantedField, samples: readonly (readonly Candidate[])[]): Choice {
  const sums = new Map<string, { kind: string; sum: number }>();
  for (const candidates of samples) {
    for (const candidate of candidates) {
      const score = scoreOf(field, candidate);
      if (score < leastScore) continue;
      const known = sums.get(candidate.signature) ?? { kind: candidate.kind, sum: 0 };
      known.sum += score;
      sums.set(candidate.signature, known);
    }
  }
  const votes = [...sums]
    .map(([signature, { kind, sum }]) => ({ signature, kind, mean: sum / samples.length }))
    // The sort is stable: of equal ones, the first in the item is first.
    .toSorted((a, b) => b.mean - a.mean);
  const [first] = votes;
  const like = votes.filter(({ kind }) => kind === first?.kind).length;
  // Several of one kind in an item: the items are probably larger than what is looked for.
  return { field, votes, clarity: field.isList || like <= 1 ? 1 : 1 / like };
}

function readField(
  field: WantedField,
  votes: readonly Vote[],
  candidates: readonly Candidate[],
  owners: ReadonlyMap<string, string>,
): RawValue {
  const [first] = votes;
  if (first === undefined) return field.isList ? [] : null;
  if (field.isList) {
    const all = candidates.filter(({ kind }) => kind === first.kind).flatMap((each) => readEach(field, each));
    return all.filter((value) => value !== null);
  }
  const own = candidates.find(({ signature }) => signature === first.signature);
  const value = own === undefined ? null : readCandidate(field, own);
  if (value !== null) return value;
  const reading = readingOf(field);
  const isFree = ({ signature }: Candidate): boolean => {
    const owner = owners.get(`${reading} ${signature}`);
    return owner === undefined || owner === field.key;
  };
  const others = candidates
    .filter(isFree)
    .map((candidate) => ({ candidate, score: scoreOf(field, candidate) }))
    .filter(({ score }) => score >= Math.max(leastScore, first.mean * standIn))
    .toSorted((a, b) => b.score - a.score);
  return others[0] === undefined ? null : readCandidate(field, others[0].candidate);
}

/** The values of a list: those of the elements in it, if it holds several of one kind. */
function readEach(field: WantedField, candidate: Candidate): readonly (string | null)[] {
  const { element } = candidate;
  const children = [...element.children].filter((child) => textOf(child) !== '');
  const isList = children.length > 1 && children.every(({ localName }) => localName === children[0]?.localName);
  if (!isList || readingOf(field) !== 'text') return [readCandidate(field, candidate)];
  return children.map((child) => textOf(child));
}

function readCandidate(field: WantedField, { element, text, labelled }: Candidate): string | null {
  if (field.type === 'link') return linkOf(element) ?? null;
  if (field.type === 'image') return imageOf(element) ?? null;
  const exact = field.type === 'date' ? element.getAttribute('datetime') : element.getAttribute('content');
  const value = squeezed(exact ?? labelled ?? text);
  return value === '' ? null : value;
}

/** The values of fields in one element, with the fields found by their names and types. */
export function matchOne(fields: readonly WantedField[], root: Element): Readonly<Record<string, RawValue>> {
  const candidates = candidatesIn(root, true);
  return matchFields(fields, [candidates]).read(candidates);
}
