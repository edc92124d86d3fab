import {
  activeElementOf,
  attr,
  bodyOf,
  boxOf,
  byId,
  containsNode,
  isConnected,
  scopeOf,
  shownParentOf,
} from '../dom/dom.ts';
import { Changes } from '../watch/changes.ts';
import type { Item, Piece } from './items.ts';
import type { Pane } from '../dom/visibility.ts';

/** What a walk counts on its way; a part that is not walked again counts as before. */
export interface Counts {
  readonly nodes: number;
  readonly boxes: number;
  readonly colours: number;
  readonly suspects: number;
}

/** A part of the page as it was collected. */
export interface Part {
  /** What came before it and around it, as far as that matters inside. */
  readonly entry: string;
  readonly pieces: readonly Piece[];
  readonly lastAction: Item | undefined;
  readonly counts: Counts;
  /** Elements elsewhere that gave it names. */
  readonly needs: readonly Element[];
  /** Its fields: what they hold can change without a trace. */
  readonly fields: readonly Element[];
}

interface Kept extends Part {
  readonly walk: number;
  readonly box: DOMRect;
  readonly held: string;
}

/** Below this a walk is so quick that it always looks at everything. */
const largePage = 2000;
const leastNodes = 4;
/** The pointer and the focus restyle what is around them, but not half of a large page. */
const mostAround = 2000;

/** What a document's parts were when they were last walked, for walking only what may have changed. */
export class Memory {
  readonly changes: Changes;
  readonly #document: Document;
  readonly #parts = new WeakMap<Element, Kept>();
  readonly #watched = new WeakSet<ShadowRoot>();
  readonly #onShadow: (root: ShadowRoot) => void;
  #walk = 0;
  #recalls = false;
  #lastNodes = 0;
  #view = '';
  #pointed: Element | null = null;
  #wasPointed: Element | null = null;
  #wasActive: Element | null = null;

  /** `onShadow` hears of every shadow root that is met. */
  constructor(document: Document, onShadow: (root: ShadowRoot) => void) {
    this.#document = document;
    this.#onShadow = onShadow;
    this.changes = new Changes(document);
    const point = (event: Event): void => {
      const [target] = event.composedPath();
      if (target instanceof Element) this.#pointed = target;
    };
    document.addEventListener('mouseover', point, true);
  }

  /** Whether the walk that begins may pass over what cannot have changed. */
  begin(mayRecall: boolean): boolean {
    this.#noteFocus();
    const view = [scrollX, scrollY, innerWidth, innerHeight, this.#document.baseURI, sheetsOf(this.#document)].join(
      ' ',
    );
    if (view !== this.#view) this.changes.all();
    this.#view = view;
    this.#recalls = mayRecall && this.#lastNodes > largePage;
    this.#walk = this.changes.beginWalk();
    return this.#recalls;
  }

  end(nodes: number): void {
    this.#lastNodes = nodes;
  }

  watch(root: ShadowRoot): void {
    if (this.#watched.has(root)) return;
    this.#watched.add(root);
    this.changes.listen(root);
    this.#onShadow(root);
  }

  recall(element: Element, entry: string, restyledAt: number): Part | undefined {
    const part = this.#recalls ? this.#parts.get(element) : undefined;
    if (part === undefined || part.entry !== entry || restyledAt > part.walk) return undefined;
    if (this.changes.touchedAt(element) > part.walk) return undefined;
    if (part.needs.some((need) => !isThere(need) || this.changes.changedAt(need) > part.walk)) return undefined;
    return heldBy(part.fields) === part.held && isSameSight(part.box, boxOf(element)) ? part : undefined;
  }

  keep(element: Element, part: Part): void {
    if (part.counts.nodes < leastNodes) return;
    // Texts are still being added to; items are finished.
    const pieces = part.pieces.map((piece) => (piece.kind === 'text' ? { ...piece } : piece));
    const needs = part.needs.filter((need) => !containsNode(element, need));
    const held = heldBy(part.fields);
    this.#parts.set(element, { ...part, pieces, needs, held, walk: this.#walk, box: boxOf(element) });
  }

  #noteFocus(): void {
    const active = activeElementOf(this.#document);
    const moved = [
      ...(active === this.#wasActive ? [] : [active, this.#wasActive]),
      ...(this.#pointed === this.#wasPointed ? [] : [this.#pointed, this.#wasPointed]),
    ];
    // Scripts may leave a document without any element.
    const body = bodyOf(this.#document);
    for (const element of moved) {
      if (element !== null && element !== body && body !== null && containsNode(body, element))
        this.changes.restyle(this.#around(element));
    }
    for (const { playState, effect } of this.#document.getAnimations()) {
      const target = effect instanceof KeyframeEffect ? effect.target : null;
      if (playState === 'running' && target !== null) this.changes.restyle(target);
    }
    this.#wasActive = active;
    this.#wasPointed = this.#pointed;
  }

  /** The largest part around an element that is still small. */
  #around(element: Element): Element {
    let around = element;
    for (let at = shownParentOf(element); at !== null; at = shownParentOf(at)) {
      if ((this.#parts.get(at)?.counts.nodes ?? 0) > mostAround || at === this.#document.body) break;
      around = at;
    }
    return around;
  }
}

export function countsBetween(before: Counts, now: Counts): Counts {
  return {
    nodes: now.nodes - before.nodes,
    boxes: now.boxes - before.boxes,
    colours: now.colours - before.colours,
    suspects: now.suspects - before.suspects,
  };
}

/** What came before a part and is around it, as far as that matters inside: the link before it is not told twice. */
export function entryOf(around: readonly boolean[], pane: Pane | undefined, last: Item | undefined): string {
  const twin = last?.role === 'link' ? `${last.name} ${last.props[0]?.[1] ?? ''} ${last.states}` : '';
  return `${around.join()} ${Object.values(pane ?? {}).join()} ${twin}`;
}

/** It still is what its id leads to: of two elements with one id that is the first, and another may have come first. */
function isThere(element: Element): boolean {
  if (!isConnected(element)) return false;
  const id = attr(element, 'id') ?? '';
  return id === '' || byId(scopeOf(element), id) === element;
}

/** Of the same size, and where it stood, or as much in view or out of view as it was. */
function isSameSight(was: DOMRect, is: DOMRect): boolean {
  if (was.width !== is.width || was.height !== is.height) return false;
  return (was.x === is.x && was.y === is.y) || (isWhole(was) && isWhole(is)) || (isOutside(was) && isOutside(is));
}

function isWhole(box: DOMRect): boolean {
  return box.top >= 0 && box.left >= 0 && box.bottom <= innerHeight && box.right <= innerWidth;
}

function isOutside(box: DOMRect): boolean {
  return box.bottom <= 0 || box.right <= 0 || box.top >= innerHeight || box.left >= innerWidth;
}

function heldBy(fields: readonly Element[]): string {
  return fields.map(heldIn).join('\0');
}

function heldIn(field: Element): string {
  if (field instanceof HTMLInputElement) return `${field.value} ${field.checked} ${field.indeterminate}`;
  if (field instanceof HTMLTextAreaElement) return field.value;
  if (!(field instanceof HTMLSelectElement)) return '';
  return [...field.selectedOptions].map((option) => option.index).join();
}

/** Changes when style sheets come, go, are switched, or gain rules. */
function sheetsOf(document: Document): string {
  return [...document.styleSheets, ...document.adoptedStyleSheets].map(ruleCount).join();
}

function ruleCount(sheet: CSSStyleSheet): string {
  if (sheet.disabled) return 'x';
  try {
    return String(sheet.cssRules.length);
  } catch {
    // A style sheet of another origin keeps its rules to itself.
    return '?';
  }
}
