/** Transient messages of the page: live regions and form validation. */
export interface Announcements {
  /** The number of messages in this document so far. */
  readonly count: number;
  /** The newest ones, oldest first. */
  readonly last: readonly string[];
}

const liveRegions = '[role=alert],[role=status],[role=log],[aria-live=polite],[aria-live=assertive],output';
const kept = 5;
const longest = 200;

/** Listens from now on; `onMutations` must be called with every mutation of the document. */
export function listenForAnnouncements(document: Document): {
  readonly onMutations: (records: readonly MutationRecord[]) => void;
  readonly read: () => Announcements;
} {
  let count = 0;
  let last: string[] = [];
  /** The text that live regions hold: rendering it again is no new message, showing it again after it was gone is. */
  let present = '';
  const announce = (text: string): void => {
    if (text === '') return;
    count++;
    last = [...last, text].slice(-kept);
  };
  document.addEventListener(
    'invalid',
    ({ target }) => {
      const isField =
        target instanceof HTMLInputElement ||
        target instanceof HTMLSelectElement ||
        target instanceof HTMLTextAreaElement;
      if (isField) announce(tidy(`${fieldName(target)}: ${target.validationMessage}`));
    },
    true,
  );
  return {
    read: () => ({ count, last }),
    onMutations: (records) => {
      const regions = new Set<Element>();
      const removed = new Set<Element>();
      for (const { target, type, addedNodes, removedNodes } of records) {
        if (type === 'attributes') continue;
        const element = target instanceof Element ? target : target.parentElement;
        const region = element?.closest(liveRegions) ?? undefined;
        for (const each of region === undefined ? regionsIn(addedNodes) : [region]) regions.add(each);
        for (const each of regionsIn(removedNodes)) removed.add(each);
      }
      const texts = [...regions].map((region) => (region.isConnected ? textIn(region) : ''));
      const isGone = texts.includes('') || [...removed].some((region) => textIn(region) === present);
      if (isGone && !texts.includes(present)) present = '';
      for (const text of texts) {
        if (text === '' || text === present) continue;
        present = text;
        announce(text);
      }
    },
  };
}

/** Elements inside a word or sentence. */
const inWord = new Set('A ABBR B CODE EM I KBD MARK S SMALL STRONG SUB SUP TIME U VAR'.split(' '));

/** The text of a region, with spaces between its parts. */
function textIn(region: Element): string {
  let text = '';
  const add = (node: Node): void => {
    if (node instanceof Text) text += node.data;
    if (!(node instanceof Element)) return;
    const space = inWord.has(node.tagName) ? '' : ' ';
    text += space;
    for (const child of node.childNodes) add(child);
    text += space;
  };
  // A long log is cut anyway.
  for (const child of region.childNodes) if (text.length <= longest * 2) add(child);
  return tidy(text);
}

function tidy(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim().slice(0, longest);
}

/** Live regions that were added or removed together with their text. */
function regionsIn(nodes: NodeList): readonly Element[] {
  return [...nodes].flatMap((node) => {
    if (!(node instanceof Element)) return [];
    return node.matches(liveRegions) ? [node] : [...node.querySelectorAll(liveRegions)];
  });
}

function fieldName(field: HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement): string {
  const label =
    field.getAttribute('aria-label') ??
    field.labels?.[0]?.textContent ??
    field.getAttribute('placeholder') ??
    field.name;
  return label.replaceAll(/\s+/g, ' ').trim();
}
