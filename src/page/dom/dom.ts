/**
 * Safe access to the DOM. `form.childNodes` can be a field of that name, and a document does the same
 * with images, in every world, so properties are read through the getters of the prototype.
 */

function getter<P extends Node, K extends keyof P & string>(prototype: P, name: K): (node: Node) => P[K] {
  const property = Object.getOwnPropertyDescriptor(prototype, name);
  return (node) => property?.get?.call(node);
}

export const firstChildOf = getter(Node.prototype, 'firstChild');
export const nextSiblingOf = getter(Node.prototype, 'nextSibling');
export const nodeTypeOf = getter(Node.prototype, 'nodeType');
export const textOf = getter(Node.prototype, 'textContent');
const parentNodeOf = getter(Node.prototype, 'parentNode');
const localName = getter(Element.prototype, 'localName');
const shadowRootGetter = getter(Element.prototype, 'shadowRoot');
const assignedSlot = getter(Element.prototype, 'assignedSlot');
const namespaceOf = getter(Element.prototype, 'namespaceURI');
const isConnectedGetter = getter(Node.prototype, 'isConnected');
const activeElementGetter = getter(Document.prototype, 'activeElement');
const bodyGetter = getter(Document.prototype, 'body');
const documentElementGetter = getter(Document.prototype, 'documentElement');

const ELEMENT = 1;
export const TEXT = 3;

const svgNamespace = 'http://www.w3.org/2000/svg';

/** A page can set attributes of any length; more than this is neither shown nor searched. */
const longestAttribute = 1_000_000;

export function attr(element: Element, name: string): string | null {
  const value = Element.prototype.getAttribute.call(element, name);
  return value !== null && value.length > longestAttribute ? value.slice(0, longestAttribute) : value;
}

export function hasAnyAttribute(element: Element): boolean {
  return Element.prototype.hasAttributes.call(element);
}

export function tagOf(element: Element): string {
  return localName(element);
}

export function isSvg(element: Element): boolean {
  return namespaceOf(element) === svgNamespace;
}

export function shadowRootOf(element: Element): ShadowRoot | null {
  return shadowRootGetter(element);
}

export function matchesSelector(element: Element, selector: string): boolean {
  return Element.prototype.matches.call(element, selector);
}

export function closestOf(element: Element, selector: string): Element | null {
  return Element.prototype.closest.call(element, selector);
}

export function containsNode(element: Node, other: Node): boolean {
  return Node.prototype.contains.call(element, other);
}

export function boxOf(element: Element): DOMRect {
  return Element.prototype.getBoundingClientRect.call(element);
}

export function isConnected(node: Node): boolean {
  return isConnectedGetter(node);
}

export function isElement(node: Node): node is Element {
  return nodeTypeOf(node) === ELEMENT;
}

export function activeElementOf(document: Document): Element | null {
  let active = activeElementGetter(document);
  // The document reports the host as focused; the focused element is in its shadow root.
  for (let root = active && shadowRootOf(active); root?.activeElement; root = shadowRootOf(root.activeElement)) {
    active = root.activeElement;
  }
  return active;
}

export function bodyOf(document: Document): Element | null {
  return bodyGetter(document) ?? documentElementGetter(document);
}

/** The document or shadow root an element's ids belong to. */
export function scopeOf(element: Element): Document | ShadowRoot | undefined {
  const root = Node.prototype.getRootNode.call(element);
  return root instanceof Document || root instanceof ShadowRoot ? root : undefined;
}

export function byId(scope: Document | ShadowRoot | undefined, id: string): Element | null {
  if (scope === undefined || id === '') return null;
  return scope instanceof Document ? Document.prototype.getElementById.call(scope, id) : scope.getElementById(id);
}

export function queryAll(scope: Document | ShadowRoot, selector: string): Iterable<Element> {
  return scope instanceof Document
    ? Document.prototype.querySelectorAll.call(scope, selector)
    : scope.querySelectorAll(selector);
}

/** The elements that an attribute with a list of ids names. */
export function elementsById(element: Element, ids: string | null): readonly Element[] {
  if (ids === null || ids === '') return [];
  const scope = scopeOf(element);
  const found: Element[] = [];
  for (const id of ids.trim().split(/\s+/)) {
    const target = byId(scope, id);
    if (target !== null && !found.includes(target)) found.push(target);
  }
  return found;
}

/** The parent in the tree as it is shown: through slots and out of shadow roots. */
export function shownParentOf(element: Element): Element | null {
  const slot = assignedSlot(element);
  if (slot !== null) return slot;
  const parent = parentNodeOf(element);
  if (parent === null) return null;
  if (parent instanceof ShadowRoot) return parent.host;
  return isElement(parent) ? parent : null;
}

/** Calls back for each child in the tree as it is shown; a host's own children are reached through its slots. */
export function eachShownChild(element: Element, visit: (child: Node) => void): void {
  const shadow = shadowRootOf(element);
  if (shadow === null && element instanceof HTMLSlotElement) {
    const assigned = element.assignedNodes();
    if (assigned.length > 0) {
      for (const node of assigned) visit(node);
      return;
    }
  }
  let child = firstChildOf(shadow ?? element);
  while (child !== null) {
    visit(child);
    child = nextSiblingOf(child);
  }
}
