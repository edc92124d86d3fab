/** What has no text to read. */
const skipped = new Set([
  'AUDIO',
  'BUTTON',
  'CANVAS',
  'EMBED',
  'IFRAME',
  'INPUT',
  'NOSCRIPT',
  'OBJECT',
  'SCRIPT',
  'SELECT',
  'STYLE',
  'TEMPLATE',
  'TEXTAREA',
  'VIDEO',
]);
const kept = ['alt', 'class', 'colspan', 'href', 'id', 'lang', 'role', 'src', 'start', 'title'];

/**
 * Copies what is visible of a tree into another document, with shadow trees in their place. The copy can be changed
 * without any effect on the page.
 */
export function flatCopy(root: Element, into: Document, note: (live: Element, copy: Element) => void): Element {
  const copyOf = (live: Element): Element => {
    // Elements of other namespaces and custom elements are plain containers here.
    const isPlain = /^[a-z][a-z0-9]*$/i.test(live.localName);
    const copy = into.createElement(isPlain ? live.localName : 'div');
    for (const name of kept) {
      const value = live.getAttribute(name);
      if (value !== null) copy.setAttribute(name, value);
    }
    note(live, copy);
    for (const child of childrenOf(live)) append(copy, child);
    return copy;
  };
  const append = (parent: Element, child: Node): void => {
    if (child instanceof Text) parent.append(into.createTextNode(child.data));
    else if (child instanceof Element && isRead(child)) parent.append(copyOf(child));
  };
  return copyOf(root);
}

/** The children as they are drawn: those of a shadow tree, with what is slotted. */
function childrenOf(element: Element): readonly Node[] {
  if (element instanceof HTMLSlotElement) {
    const assigned = element.assignedNodes();
    if (assigned.length > 0) return assigned;
  }
  return [...(element.shadowRoot ?? element).childNodes];
}

function isRead(element: Element): boolean {
  if (skipped.has(element.tagName) || element.namespaceURI === 'http://www.w3.org/2000/svg') return false;
  // An element without a box may have children with one.
  return getComputedStyle(element).display === 'contents' || element.checkVisibility({ visibilityProperty: true });
}
