import { flatCopy } from './flat-copy.ts';
import { mainContent } from './main-content.ts';
import { refAttribute, toMarkdown } from './markdown.ts';

/** The part of the page agent that gives refs. */
interface RefGiver {
  elementOf(ref: string): Element | undefined;
  refOf(element: Element, firstRef?: number): string;
}

export interface ReadRequest {
  /** The element to read; without it, the main content. */
  readonly ref?: string | undefined;
  /** Read the whole page. */
  readonly isWhole: boolean;
  /** The first ref number that no earlier document has used. */
  readonly firstRef: number;
}

export interface ReadResult {
  /** The MIME type of the document. */
  readonly type: string;
  readonly title: string;
  /** Markdown, or the document itself if it is plain text. */
  readonly text: string;
  /** The refs of links, with their names. */
  readonly refs: readonly (readonly [ref: string, name: string])[];
}

const longestName = 100;

/** Documents that browsers show as one block of text. */
const plain = /^(?:text\/(?!html|xml)|application\/(?:[\w.+-]+\+)?json)/;

/** Reads the page as markdown. Runs in the world of the page agent, which gives the refs. */
export function readPage({ ref, isWhole, firstRef }: ReadRequest, element?: Element): ReadResult {
  const { contentType: type, title } = document;
  if (plain.test(type) && ref === undefined) {
    return { type, title, text: document.body?.textContent ?? '', refs: [] };
  }
  // In browsers without an own world for the agent there is none, and links have no refs.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const agent = Reflect.get(globalThis, 'pagehelmAgent') as RefGiver | undefined;
  const root = element ?? (ref === undefined ? document.body : agent?.elementOf(ref));
  if (!root) return { type, title, text: '', refs: [] };
  const copy = document.implementation.createHTMLDocument(title);
  const links: Element[] = [];
  const flat = flatCopy(root, copy, (live, copied) => {
    if (!(live instanceof HTMLAnchorElement) || !live.hasAttribute('href')) return;
    copied.setAttribute(refAttribute, String(links.push(live) - 1));
  });
  if (flat.tagName === 'BODY') copy.body.replaceWith(flat);
  else copy.body.append(flat);
  const content = isWhole || ref !== undefined ? copy.body : mainContent(copy);
  const refs: (readonly [string, string])[] = [];
  for (const link of content.querySelectorAll(`[${refAttribute}]`)) {
    const live = links[Number(link.getAttribute(refAttribute))];
    link.removeAttribute(refAttribute);
    if (live === undefined || agent === undefined) continue;
    const given = agent.refOf(live, firstRef);
    link.setAttribute(refAttribute, given);
    refs.push([given, (live.textContent ?? '').replaceAll(/\s+/g, ' ').trim().slice(0, longestName)]);
  }
  return { type, title, text: toMarkdown(content), refs };
}
