import { activeElementOf, attr, bodyOf, byId, containsNode, isConnected, scopeOf, shownParentOf } from '../dom/dom.ts';
import { blockersIn, hasModal } from '../dom/modals.ts';
import { Changes } from '../watch/changes.ts';
import type { Names } from '../aria/names.ts';
import type { Item, Piece } from './items.ts';
import type { Counts, Progress } from './progress.ts';
import type { ElementStyle } from '../dom/styles.ts';
import type { Pane } from '../dom/visibility.ts';

/** The context that affects how a part is collected, besides its content. */
export interface PartContext {
  readonly element: Element;
  readonly style: ElementStyle;
  readonly flags: string;
  /** The number of a list item, which depends on its siblings. */
  readonly marker: string;
  readonly pane: Pane | undefined;
  /** The walk since which nothing that was collected before it can be reused here. */
  readonly restyledAt: number;
}

/** A part of the page as it was collected. */
interface Part {
  /** The context and the link before it, as far as they affect the content. */
  readonly entry: string;
  readonly pieces: readonly Piece[];
  readonly lastAction: Item | undefined;
  readonly counts: Counts;
  /** Elements elsewhere that gave it names. */
  readonly needs: readonly Element[];
  /** Its fields: their values change without a mutation. */
  readonly fields: readonly Element[];
}

interface Kept extends Part {
  readonly walk: number;
  readonly box: DOMRect;
  readonly held: string;
}

/** A smaller page is always walked whole. */
const largePage = 2000;
const leastNodes = 4;
const none: readonly never[] = [];
/** The pointer and the focus restyle the part around them; a larger part than this is assumed to be unaffected. */
const mostAround = 2000;

/** The parts of a document as they were last collected, so that a walk visits only what may have changed. */
export class Memory {
  readonly changes: Changes;
  /** Some part was collected in another way because a modal dialog was open, or not. */
  dependsOnModal = false;
  readonly #document: Document;
  readonly #elements: HTMLCollectionOf<Element>;
  readonly #parts = new WeakMap<Element, Kept>();
  readonly #watched = new WeakSet<ShadowRoot>();
  readonly #onShadow: (root: ShadowRoot) => void;
  #walk = 0;
  #recalls = false;
  #keeps = false;
  #lastNodes = 0;
  #view = '';
  #pointed: Element | null = null;
  #wasPointed: Element | null = null;
  #wasActive: Element | null = null;

  /** `onShadow` is called for every shadow root. */
  constructor(document: Document, onShadow: (root: ShadowRoot) => void) {
    this.#document = document;
    this.#onShadow = onShadow;
    this.changes = new Changes(document);
    this.#elements = Document.prototype.getElementsByTagName.call(document, '*');
    const point = (event: Event): void => {
      const [target] = event.composedPath();
      if (target instanceof Element) this.#pointed = target;
    };
    document.addEventListener('mouseover', point, true);
  }

  /** Begins a walk; returns whether it may reuse parts that cannot have changed. */
  begin(mayRecall: boolean): boolean {
    this.#noteFocus();
    const modals = this.dependsOnModal ? [hasModal(this.#document), blockersIn(this.#document).length] : [];
    const page = [this.#document.baseURI, sheetsOf(this.#document), ...modals];
    const view = [scrollX, scrollY, innerWidth, innerHeight, ...page].join(' ');
    if (view !== this.#view) this.changes.all();
    this.#view = view;
    this.#recalls = mayRecall && this.#lastNodes > largePage;
    this.#keeps = this.#lastNodes > largePage || this.#elements.length > largePage;
    this.#walk = this.changes.beginWalk();
    return this.#recalls;
  }

  /** Whether this walk keeps parts: those of a small page would never be reused. */
  get keeps(): boolean {
    return this.#keeps;
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

  /** Returns a part from memory if nothing in it can have changed; otherwise collects it with `enter`. */
  part(context: PartContext, into: Piece[], progress: Progress, names: Names, enter: () => void): void {
    const entry = entryOf(context, progress.lastAction);
    const known = this.#recall(context, entry);
    if (known !== undefined && progress.hasRoomFor(known.counts.nodes)) {
      for (const piece of known.pieces) into.push(piece.kind === 'text' ? { ...piece } : piece);
      progress.lastAction = known.lastAction;
      names.valued.push(...known.fields);
      names.referred.push(...known.needs);
      progress.add(known.counts);
      return;
    }
    const { length: from } = into;
    const [fields, needs] = [names.valued.length, names.referred.length];
    const unrememberable = progress.unrememberable + names.unstable;
    const before = progress.counts;
    enter();
    if (progress.bound !== undefined || unrememberable !== progress.unrememberable + names.unstable) return;
    if (progress.nodes - before.nodes < leastNodes) return;
    this.#keep(context, {
      entry,
      pieces: from < into.length ? into.slice(from) : none,
      lastAction: progress.lastAction,
      counts: progress.countsSince(before),
      needs: needs < names.referred.length ? names.referred.slice(needs) : none,
      fields: fields < names.valued.length ? names.valued.slice(fields) : none,
    });
  }

  #recall({ element, style, restyledAt }: PartContext, entry: string): Part | undefined {
    const part = this.#recalls ? this.#parts.get(element) : undefined;
    if (part === undefined || part.entry !== entry || restyledAt > part.walk) return undefined;
    if (this.changes.touchedAt(element) > part.walk) return undefined;
    if (part.needs.some((need) => !isThere(need) || this.changes.changedAt(need) > part.walk)) return undefined;
    return heldBy(part.fields) === part.held && isSameVisibility(part.box, style.box) ? part : undefined;
  }

  #keep({ element, style }: PartContext, part: Part): void {
    // Texts are still appended to; items are complete.
    const hasTexts = part.pieces.some((piece) => piece.kind === 'text');
    const pieces = hasTexts ? part.pieces.map((piece) => (piece.kind === 'text' ? { ...piece } : piece)) : part.pieces;
    const needs = part.needs.length === 0 ? none : part.needs.filter((need) => !containsNode(element, need));
    const held = heldBy(part.fields);
    this.#parts.set(element, { ...part, pieces, needs, held, walk: this.#walk, box: style.box });
  }

  #noteFocus(): void {
    const active = activeElementOf(this.#document);
    const moved = [
      ...(active === this.#wasActive ? [] : [active, this.#wasActive]),
      ...(this.#pointed === this.#wasPointed ? [] : [this.#pointed, this.#wasPointed]),
    ];
    // A script can remove every element of a document.
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

  /** The largest ancestor that is still a small part. */
  #around(element: Element): Element {
    let around = element;
    for (let at = shownParentOf(element); at !== null; at = shownParentOf(at)) {
      if ((this.#parts.get(at)?.counts.nodes ?? 0) > mostAround || at === this.#document.body) break;
      around = at;
    }
    return around;
  }
}

/** The link before a part counts, because a second link to the same place is not listed. */
function entryOf({ flags, marker, pane }: PartContext, last: Item | undefined): string {
  const twin = last?.role === 'link' ? `${last.name} ${last.props[0]?.[1] ?? ''} ${last.states.join()}` : '';
  const clip = pane === undefined ? '' : `${pane.left},${pane.top},${pane.right},${pane.bottom},${pane.isPositioned}`;
  return `${flags} ${marker} ${clip} ${twin}`;
}

/** Still the element of its id: an element with the same id may have been inserted before it. */
function isThere(element: Element): boolean {
  if (!isConnected(element)) return false;
  const id = attr(element, 'id') ?? '';
  return id === '' || byId(scopeOf(element), id) === element;
}

/** The same size, and in the same position, or wholly inside or wholly outside the viewport as before. */
function isSameVisibility(was: DOMRect, is: DOMRect): boolean {
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

/** Changes when style sheets are added, removed or toggled, and when rules are added. */
function sheetsOf(document: Document): string {
  return [...document.styleSheets, ...document.adoptedStyleSheets].map(ruleCount).join();
}

function ruleCount(sheet: CSSStyleSheet): string {
  if (sheet.disabled) return 'x';
  try {
    return String(sheet.cssRules.length);
  } catch {
    // The rules of a cross-origin style sheet cannot be read.
    return '?';
  }
}
