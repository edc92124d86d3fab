import { Readability, isProbablyReaderable } from '@mozilla/readability';

/** Shorter texts are a part of the main content, or not it at all. */
const leastText = 200;
/** A marked part with less than this share of the text of the page is not the main content. */
const leastShare = 0.2;
const around =
  'nav, header, footer, aside, [role="navigation"], [role="banner"], [role="contentinfo"], [role="search"]';

/** The main content of a copied page: what the page marks as such, else what Readability finds, else all but the frame. */
export function mainContent(copy: Document): Element {
  const { body } = copy;
  const marked = ['main, [role="main"]', 'article'].map((selector) => [...copy.querySelectorAll(selector)]);
  const candidate = marked.find((found) => found.length === 1)?.[0];
  if (candidate !== undefined && isMain(candidate, body)) return candidate;
  const found = isProbablyReaderable(copy) ? readable(copy) : undefined;
  if (found !== undefined && isMain(found, body)) return found;
  for (const part of body.querySelectorAll(around)) if (part.closest('article, main') === null) part.remove();
  return body;
}

function readable(copy: Document): Element | undefined {
  // Readability changes the document that it is given.
  const own = copy.implementation.createHTMLDocument(copy.title);
  own.body.replaceWith(own.importNode(copy.body, true));
  const article = new Readability<Element>(own, {
    serializer: (element) => {
      if (!(element instanceof Element)) throw new Error('the content is no element');
      return element;
    },
    keepClasses: true,
  }).parse();
  return article?.content ?? undefined;
}

function isMain(part: Element, body: Element): boolean {
  const length = lengthOf(part);
  return length >= leastText && length >= lengthOf(body) * leastShare;
}

function lengthOf({ textContent }: Element): number {
  return (textContent ?? '').replaceAll(/\s+/g, ' ').length;
}
