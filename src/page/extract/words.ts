/** Words that mean the same in names of fields, classes and labels. */
const groups: readonly (readonly string[])[] = [
  ['name', 'title', 'heading', 'headline', 'subject'],
  ['url', 'link', 'href', 'permalink', 'website'],
  ['image', 'img', 'photo', 'picture', 'thumbnail', 'thumb', 'avatar', 'logo'],
  ['price', 'cost', 'amount', 'fee'],
  ['rating', 'star', 'score'],
  ['date', 'time', 'published', 'datetime', 'created', 'posted', 'day'],
  ['description', 'summary', 'excerpt', 'abstract', 'teaser', 'desc', 'body'],
  ['author', 'byline', 'writer', 'by', 'creator'],
  ['quantity', 'qty', 'count', 'number'],
  ['availability', 'available', 'stock', 'instock'],
  ['company', 'employer', 'organization', 'organisation', 'vendor', 'brand', 'seller'],
  ['location', 'place', 'city', 'address'],
  ['category', 'genre', 'type', 'section', 'topic'],
  ['phone', 'telephone', 'tel'],
  ['email', 'mail'],
  ['tag', 'keyword', 'label'],
];
const meanings = new Map(groups.flatMap((words) => words.map((word) => [word, words[0] ?? word] as const)));

/** The words of a name: `productName`, `product-name__big` and `Product name` have the same first two. */
export function wordsOf(name: string): readonly string[] {
  return name
    .replaceAll(/(?<=[\p{Ll}\p{N}])(?=\p{Lu})/gu, ' ')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .map(singular);
}

function singular(word: string): string {
  return word.length > 3 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word;
}

export function meaningOf(word: string): string {
  return meanings.get(word) ?? word;
}

/**
 * How well a name fits the wanted one, from 0 to 1. The last word decides what a thing is: `price` fits `product price`,
 * and `product` does not.
 */
export function fit(wanted: readonly string[], name: readonly string[]): number {
  const head = wanted.at(-1);
  if (head === undefined || name.length === 0) return 0;
  const isSame = name.join(' ') === wanted.join(' ');
  if (isSame) return 1;
  const direct = name.includes(head);
  const alike = direct || name.some((word) => meaningOf(word) === meaningOf(head));
  if (!alike) return 0;
  const others = wanted.slice(0, -1).filter((word) => !name.includes(word)).length;
  const extra = name.filter((word) => !wanted.includes(word) && meaningOf(word) !== meaningOf(head)).length;
  return (direct ? 0.95 : 0.75) * 0.8 ** others * 0.93 ** Math.min(extra, 5);
}
