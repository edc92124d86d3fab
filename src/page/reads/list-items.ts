// This function is serialized into the page, so it uses no closures and no imports.

export interface ListItem {
  /** What tells it from items with the same text, if the page says so. */
  readonly key?: string;
  readonly text: string;
}

/** The items of the longest list in an element, or of the page, in the order in which they are drawn. */
export function readListItems(element: Element | undefined): readonly ListItem[] {
  const least = 3;
  const longest = 300;
  const keys = ['aria-posinset', 'aria-rowindex', 'data-index', 'data-key', 'data-id', 'id'];
  const textOf = (item: Element): string =>
    (item instanceof HTMLElement ? item.innerText : (item.textContent ?? '')).replaceAll(/\s+/g, ' ').trim();
  const groups = new Map<string, Element[]>();
  const numbers = new Map<Element, number>();
  const root = element ?? document.body;
  for (const parent of [root, ...root.querySelectorAll('*')]) {
    if (parent.childElementCount < least) continue;
    numbers.set(parent, numbers.size);
    for (const child of parent.children) {
      const id = `${numbers.get(parent)} ${child.tagName} ${child.getAttribute('role') ?? ''}`;
      groups.set(id, [...(groups.get(id) ?? []), child]);
    }
  }
  const weight = (items: readonly Element[]): number =>
    items.reduce((sum, { textContent }) => sum + (textContent ?? '').length, 0);
  const lists = [...groups.values()].filter((items) => items.length >= least);
  const list = lists.toSorted((a, b) => weight(b) - weight(a))[0] ?? [];
  const placed = list.map((item) => ({ item, at: item.getBoundingClientRect() }));
  return placed
    .filter(({ at }) => at.width > 0 && at.height > 0)
    .toSorted((a, b) => a.at.top - b.at.top || a.at.left - b.at.left)
    .map(({ item }) => {
      const key = keys.map((name) => item.getAttribute(name)).find((value) => value !== null && value !== '');
      return { text: textOf(item).slice(0, longest), ...(typeof key === 'string' ? { key } : {}) };
    })
    .filter(({ text }) => text !== '');
}
