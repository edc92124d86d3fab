import { attr, closestOf, containsNode, elementsById, queryAll, shownParentOf, tagOf } from '../dom/dom.ts';
import { skipped, unreadable } from '../dom/element-kinds.ts';

/** Elements that show no children. */
const childless = new Set(['input', 'textarea', 'select', 'iframe', 'img']);
const mostSteps = 1000;

/** Which element shows another element as its child (`aria-owns`). Each element has at most one owner. */
export class Owners {
  readonly #ownerOf = new Map<Element, Element>();

  /** Reads the owners of a scope inside `root`. An owner that shows no content leaves its elements where they are. */
  read(scope: Document | ShadowRoot, root: Element): void {
    for (const owner of queryAll(scope, '[aria-owns]')) {
      const isInside = scope instanceof ShadowRoot || containsNode(root, owner);
      if (!isInside || !showsContent(owner)) continue;
      for (const owned of elementsById(owner, attr(owner, 'aria-owns'))) {
        if (!this.#ownerOf.has(owned) && !this.#isInside(owner, owned)) this.#ownerOf.set(owned, owner);
      }
    }
  }

  of(element: Element): Element | undefined {
    return this.#ownerOf.get(element);
  }

  /** Whether the owner is shown inside the element: then each would contain the other. */
  #isInside(owner: Element, element: Element): boolean {
    let at: Element | null = owner;
    for (let steps = 0; at !== null && steps < mostSteps; steps++) {
      if (at === element) return true;
      at = this.#ownerOf.get(at) ?? shownParentOf(at);
    }
    return at !== null;
  }
}

function showsContent(owner: Element): boolean {
  const tag = tagOf(owner);
  if (childless.has(tag) || skipped.has(tag) || unreadable.has(tag)) return false;
  return owner.checkVisibility() && closestOf(owner, '[inert],[aria-hidden=true]') === null;
}
