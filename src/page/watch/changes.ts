import { isElement, matchesSelector, shownParentOf, tagOf } from '../dom/dom.ts';

/** In longer rows of siblings a change reaches only the next one: a list restyles its rows, not what follows each. */
const mostSiblings = 200;
const silent = ['transitionrun', 'transitionend', 'animationstart', 'animationend'];
const media = ['print', '(prefers-color-scheme: dark)', '(prefers-reduced-motion)', '(forced-colors: active)'];

/**
 * Elements that may have changed, by number of the walk that will visit them. Most changes are mutations; styles also
 * change through attributes elsewhere, fields, motion, style sheets and the viewport. Each of these has an event.
 */
export class Changes {
  readonly #touched = new WeakMap<Node, number>();
  readonly #restyled = new WeakMap<Node, number>();
  #all = 0;
  /** The number of the next walk. */
  #next = 1;

  constructor(document: Document) {
    this.listen(document);
    const all = (): void => this.all();
    for (const event of ['resize', 'hashchange', 'popstate']) window.addEventListener(event, all, true);
    for (const query of media) window.matchMedia(query).addEventListener('change', all);
  }

  /** Events stop at the edge of a shadow root, so each is listened to by itself. */
  listen(root: Document | ShadowRoot): void {
    const on = (names: readonly string[], react: (target: Element) => void): void => {
      for (const name of names) {
        root.addEventListener(name, ({ target }) => target instanceof Element && react(target), true);
      }
    };
    on(['input', 'change', 'reset'], (target) => this.#restyleAfter(target));
    on(['toggle', 'fullscreenchange'], () => this.all());
    on([...silent, 'scroll'], (target) => this.restyle(target));
    on(['load'], (target) => (/^(?:link|style)$/.test(tagOf(target)) ? this.all() : this.#touch(target)));
  }

  /** The number of the walk that begins now: what changes from now on is for the next one. */
  beginWalk(): number {
    return this.#next++;
  }

  touchedAt(element: Element): number {
    return this.#touched.get(element) ?? 0;
  }

  /** The last walk number at which everything inside the element may have changed. */
  restyledAt(element: Element): number {
    return Math.max(this.#all, this.#restyled.get(element) ?? 0);
  }

  /** The last walk number at which the element or its styles may have changed. */
  changedAt(element: Element): number {
    let last = Math.max(this.touchedAt(element), this.restyledAt(element));
    for (let at = shownParentOf(element); at !== null; at = shownParentOf(at)) {
      last = Math.max(last, this.restyledAt(at));
    }
    return last;
  }

  all(): void {
    this.#all = this.#next;
  }

  restyle(element: Element): void {
    this.#restyled.set(element, this.#next);
    this.#touch(element);
  }

  note(records: readonly MutationRecord[]): void {
    for (const record of records) this.#note(record);
  }

  #note({ type, target, attributeName, addedNodes, removedNodes }: MutationRecord): void {
    const element = isElement(target) ? target : target.parentElement;
    if (element === null) {
      // The child of a shadow root, or of the document itself.
      if (target instanceof ShadowRoot) this.restyle(target.host);
      else this.all();
      return;
    }
    if (type === 'attributes') this.#noteAttribute(element, attributeName ?? '');
    else if (/^(?:head|style|html)$/.test(tagOf(element)) || [...addedNodes, ...removedNodes].some(reachesFar))
      this.all();
    else this.#touch(element);
  }

  #noteAttribute(element: Element, name: string): void {
    const tag = tagOf(element);
    // The targets of ids and labels are looked up again.
    if (tag === 'html' || tag === 'body' || tag === 'link' || name === 'id' || name === 'for') this.all();
    else if (name === 'style') this.restyle(element);
    else this.#restyleAfter(element);
  }

  /** Selectors can style descendants and following siblings of an element. */
  #restyleAfter(element: Element): void {
    const isLong = (element.parentElement?.childElementCount ?? 0) > mostSiblings;
    this.restyle(element);
    let sibling = element.nextElementSibling;
    for (let left = isLong ? 1 : mostSiblings; sibling !== null && left > 0; left--) {
      this.restyle(sibling);
      sibling = sibling.nextElementSibling;
    }
  }

  #touch(element: Element): void {
    let at: Element | null = element;
    while (at !== null && this.#touched.get(at) !== this.#next) {
      this.#touched.set(at, this.#next);
      at = shownParentOf(at);
    }
  }
}

/** Style sheets, and labels, whose fields may be anywhere. */
function reachesFar(node: Node): boolean {
  if (!isElement(node)) return false;
  const far = 'style,link[rel],label[for]';
  return matchesSelector(node, far) || Element.prototype.querySelector.call(node, far) !== null;
}
