import { elementText } from '../../page/walk/line.ts';
import type { LineElement } from '../../page/walk/line.ts';
import { elementsOf, linesOf } from '../../view/node.ts';
import type { ViewNode } from '../../view/node.ts';
import { editDistance } from '../../util/nearest.ts';

const mostWords = 6;
/** Attributes that selectors use. */
const attributes = ['id', 'name', 'class', 'data-testid', 'data-test', 'placeholder', 'title', 'aria-label'];
/** Words of selectors that say nothing about an element. */
const common = new Set(
  'xpath css text role internal div span nth child first last has not is contains normalize space class name data test testid id aria label type the and for with'.split(
    ' ',
  ),
);
const exactScore = 3;
const partScore = 1;
const attributeScore = 2;
const leastPart = 3;
/** One slip is allowed per so many letters of a word. */
const leastLettersPerSlip = 4;
const longestWord = 40;

/** The words of a selector that may describe an element, in lower case. */
export function wordsOfSelector(selector: string): readonly string[] {
  const apart = selector.slice(0, 200).replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2');
  const words = apart.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return [...new Set(words)].filter((word) => word.length > 1 && !common.has(word)).slice(0, mostWords);
}

/** A CSS selector for elements with one of the words in an attribute; undefined without words. */
export function attributeSelector(words: readonly string[]): string | undefined {
  const parts = words
    .filter((word) => word.length >= leastPart)
    .flatMap((word) => attributes.map((name) => `[${name}*="${word}" i]`));
  return parts.length === 0 ? undefined : parts.join();
}

/** The elements with refs that share words with a selector, the most similar first. `named` have them in attributes. */
export function nearElements(
  nodes: readonly ViewNode[],
  words: readonly string[],
  named: ReadonlySet<string>,
): readonly LineElement[] {
  const found: { readonly element: LineElement; readonly score: number }[] = [];
  for (const element of withRefs(nodes)) {
    const score = scoreOf(element, words) + (named.has(element.ref ?? '') ? attributeScore : 0);
    if (score > 0) found.push({ element, score });
  }
  return found.sort((a, b) => b.score - a.score).map(({ element }) => element);
}

export function elementsWith(nodes: readonly ViewNode[], refs: ReadonlySet<string>): ReadonlyMap<string, LineElement> {
  return new Map(
    withRefs(nodes).flatMap((element) => (refs.has(element.ref ?? '') ? [[element.ref ?? '', element]] : [])),
  );
}

/** One line for an error; the state of the focus and the viewport do not matter there. */
export function lineOf(element: LineElement): string {
  return elementText(element, { isComparable: true });
}

function withRefs(nodes: readonly ViewNode[]): readonly LineElement[] {
  return [...linesOf(nodes)].flatMap(({ node }) => elementsOf(node).filter(({ ref }) => ref !== undefined));
}

/** The role alone is no similarity: a selector with `button` would be similar to every button. */
function scoreOf({ role, name = '' }: LineElement, words: readonly string[]): number {
  const own: readonly string[] = name.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  let score = 0;
  for (const word of words) {
    if (own.includes(word)) score += exactScore;
    else if (word.length >= leastPart && own.some((each) => isPart(each, word) || isMisspelt(each, word)))
      score += partScore;
  }
  return score > 0 && words.includes(role) ? score + partScore : score;
}

function isPart(one: string, other: string): boolean {
  return one.length >= leastPart && (one.includes(other) || other.includes(one));
}

function isMisspelt(one: string, other: string): boolean {
  const most = Math.floor(other.length / leastLettersPerSlip);
  // Words of different lengths need not be compared.
  if (most === 0 || Math.abs(one.length - other.length) > most || other.length > longestWord) return false;
  return editDistance(one, other) <= most;
}
