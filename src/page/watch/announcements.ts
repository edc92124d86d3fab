/** What the page said in passing: in live regions, which come and go, and in the bubbles of form validation. */
export interface Announcements {
  /** How many there have been in this document. */
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
  const announce = (text: string): void => {
    const tidy = text.replaceAll(/\s+/g, ' ').trim().slice(0, longest);
    if (tidy === '' || last.at(-1) === tidy) return;
    count++;
    last = [...last, tidy].slice(-kept);
  };
  document.addEventListener(
    'invalid',
    ({ target }) => {
      const isField =
        target instanceof HTMLInputElement ||
        target instanceof HTMLSelectElement ||
        target instanceof HTMLTextAreaElement;
      if (isField) announce(`${fieldName(target)}: ${target.validationMessage}`);
    },
    true,
  );
  return {
    read: () => ({ count, last }),
    onMutations: (records) => {
      const regions = new Set<Element>();
      for (const { target, type, addedNodes } of records) {
        if (type === 'attributes') continue;
        const element = target instanceof Element ? target : target.parentElement;
        const region = element?.closest(liveRegions) ?? undefined;
        for (const each of region === undefined ? addedRegions(addedNodes) : [region]) regions.add(each);
      }
      for (const region of regions) announce(region.textContent ?? '');
    },
  };
}

/** Live regions that were put into the page with their text already in them. */
function addedRegions(nodes: NodeList): readonly Element[] {
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
