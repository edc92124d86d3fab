import {
  activeElementOf,
  attr,
  boxOf,
  containsNode,
  eachShownChild,
  elementsById,
  isElement,
  isSvg,
  matchesSelector,
  nodeTypeOf,
  queryAll,
  scopeOf,
  shadowRootOf,
  tagOf,
  TEXT,
} from './dom.ts';
import { hasContent, isOwnTarget, isRepeated, isSvgPart, pictures, skipped } from './shapes.ts';
import { compactItem, withoutEchoes } from './compact.ts';
import type { Item, Piece, WalkOptions } from './items.ts';
import { Links } from './links.ts';
import { Names } from './names.ts';
import {
  actionRoles,
  childrenPresentational,
  contentIsShown,
  namedByContent,
  placeRoles,
  transparentRoles,
} from './role-tables.ts';
import { isEditingHost, roleOf } from './roles.ts';
import { isDisabled, statesOf, valueOf } from './states.ts';
import { isOutOfSight, Styles } from './styles.ts';
import type { Look } from './styles.ts';
import { cleaned, tidy } from './text.ts';

/** What holds for everything inside an element. */
interface Flow {
  readonly depth: number;
  /** The name around it already says what the text says. */
  readonly isQuiet: boolean;
  /** No one can see text here. */
  readonly isUnseen: boolean;
  /** Cut off by a box of no size. */
  readonly isClipped: boolean;
  readonly isDisabled: boolean;
  readonly parent: Look | undefined;
}

const mostDepth = 800;
const mostBoxes = 1500;
/** Colours are compared this often: a person is not misled by text number one thousand and one. */
const mostColours = 1000;
const mostOptions = 12;
const bigPicture = 48;

/** One pass over a document that turns what a person can see and reach into items. */
export class Collector {
  readonly styles = new Styles();
  readonly names = new Names(this.styles);
  readonly #options: WalkOptions;
  readonly #active: Element | null;
  readonly #links: Links;
  readonly #until: number;
  readonly #owned = new Set<Element>();
  readonly #scopes = new Set<Document | ShadowRoot>();
  #breaks = true;
  #lastAction: Item | undefined;
  #boxes = 0;
  #colours = 0;
  nodes = 0;
  unseen = 0;
  bound: 'nodes' | 'time' | 'depth' | undefined;

  constructor(document: Document, options: WalkOptions) {
    this.#options = options;
    this.#active = activeElementOf(document);
    this.#links = new Links(document.baseURI);
    this.#until = performance.now() + (options.maxMs ?? 1500);
  }

  collect(root: Element): Piece[] {
    const pieces: Piece[] = [];
    const flow = { depth: 0, isQuiet: false, isUnseen: false, isClipped: false, isDisabled: false, parent: undefined };
    this.#visit(root, pieces, flow);
    return withoutEchoes(pieces);
  }

  #isOver(): boolean {
    if (this.bound === 'nodes' || this.bound === 'time') return true;
    this.nodes++;
    if (this.nodes > (this.#options.maxNodes ?? 50_000)) this.bound = 'nodes';
    else if ((this.nodes & 127) === 0 && performance.now() > this.#until) this.bound = 'time';
    return this.bound === 'nodes' || this.bound === 'time';
  }

  #visit(element: Element, into: Piece[], flow: Flow): void {
    const tag = tagOf(element);
    if (skipped.has(tag) || this.#isOver()) return;
    if (flow.depth > mostDepth) {
      this.bound ??= 'depth';
      return;
    }
    if (attr(element, 'inert') !== null || (attr(element, 'aria-hidden') === 'true' && !isOwnTarget(element))) return;
    this.#noteOwners(element);
    if (this.#owned.has(element)) return;
    const look = this.styles.of(element);
    if (look.isNone) return;
    if (!look.isFlowing) this.#breaks = true;
    const within = this.#flowInside(element, look, flow);
    if (!within.isClipped) this.#place(element, tag, look, into, within, flow);
    else this.#escapes(element, look, into, within);
    if (!look.isFlowing || tag === 'br') this.#breaks = true;
  }

  #flowInside(element: Element, look: Look, flow: Flow): Flow {
    const isDisabled = flow.isDisabled || attr(element, 'aria-disabled') === 'true';
    const next = { ...flow, depth: flow.depth + 1, isDisabled, parent: look };
    // Inside a name only what can be acted on is looked for, and that is looked at on its own.
    if (flow.isQuiet) return next;
    const { style } = look;
    // What is taken out of the flow is never inline.
    const position = look.isInline ? '' : style.position;
    const isMoved = position === 'absolute' || position === 'fixed';
    next.isUnseen = flow.isUnseen || style.opacity === '0' || (isMoved && isOutOfSight(element, style));
    next.isClipped = (flow.isClipped && !isMoved) || this.#isCollapsed(element, look);
    return next;
  }

  /** What is placed against something outside of a closed drawer is not cut off by it. */
  #escapes(element: Element, look: Look, into: Piece[], within: Flow): void {
    if (look.style.contentVisibility === 'hidden' || look.style.position !== 'static') return;
    eachShownChild(element, (child) => {
      if (isElement(child)) this.#visit(child, into, within);
    });
  }

  /** A closed drawer: a box without height or width that shows nothing of what is inside. */
  #isCollapsed(element: Element, look: Look): boolean {
    if (look.isInline || element.firstElementChild === null) return false;
    if (look.style.contentVisibility === 'hidden') return true;
    // The viewport takes over what the body says.
    if (look.style.overflow === 'visible' || tagOf(element) === 'body') return false;
    const box = boxOf(element);
    return box.height === 0 || box.width === 0;
  }

  #place(element: Element, tag: string, look: Look, into: Piece[], within: Flow, flow: Flow): void {
    let role = roleOf(element);
    if (role === '' && isEditingHost(element)) role = 'textbox';
    if (role === '' && pictures[tag] !== undefined) role = tag;
    const isAction = actionRoles.has(role);
    const isGuess = !isAction && this.#isClickable(element, tag, look, flow);
    const isPlain = role === '' || transparentRoles.has(role) || (flow.isQuiet && !placeRoles.has(role));
    if (look.isHidden || (!isAction && !isGuess && isPlain)) {
      if (isRepeated(element, tag, look) && !flow.isQuiet) this.#card(element, tag, look, into, within);
      else this.#passThrough(element, tag, look, into, within);
      return;
    }
    const item = this.#item(element, tag, role, look, within, isAction, isGuess);
    if (this.#isSameLink(item)) into.push({ kind: 'text', text: item.name, breaks: item.breaks });
    else into.push(...compactItem(item));
    if (item.hasRef) this.#lastAction = item;
  }

  /** A picture and the title under it often lead to the same place; once is enough. */
  #isSameLink(item: Item): boolean {
    const last = this.#lastAction;
    if (item.role !== 'link' || last?.role !== 'link' || item.name === '' || item.children.length > 0) return false;
    const isTwin = last.name === item.name && last.props[0]?.[1] === item.props[0]?.[1];
    return isTwin && item.props.length > 0 && item.states === last.states && last.element !== item.element;
  }

  /** One of several like it, such as the cards of a grid: what it holds stays together. */
  #card(element: Element, tag: string, look: Look, into: Piece[], within: Flow): void {
    const card = this.#blank(element, 'generic');
    this.#breaks = true;
    this.#passThrough(element, tag, look, card.children, within);
    const children = withoutEchoes(card.children);
    const hasItem = children.some((child) => child.kind === 'item');
    if (children.length > 1 && hasItem) into.push({ ...card, children });
    else into.push(...children);
    this.#breaks = true;
  }

  /** An element that is no line of its own. */
  #passThrough(element: Element, tag: string, look: Look, into: Piece[], within: Flow): void {
    const before = into.length;
    this.#children(element, tag, look, into, within);
    const isComponent = tag.includes('-') && into.length === before && !look.isHidden && !within.isQuiet;
    if (isComponent && shadowRootOf(element) === null && this.#isBig(element, 8)) {
      const hint = '(closed component; use browser_take_screenshot with this ref)';
      into.push({ ...this.#blank(element, tag), value: hint, hasRef: true });
    }
  }

  #blank(element: Element, role: string): Item {
    const breaks = this.#breaks;
    this.#breaks = false;
    return {
      kind: 'item',
      element,
      role,
      name: '',
      states: '',
      marks: '',
      value: '',
      props: [],
      breaks,
      hasRef: false,
      isGuess: false,
      isOffscreen: undefined,
      children: [],
    };
  }

  #item(
    element: Element,
    tag: string,
    role: string,
    look: Look,
    within: Flow,
    isAction: boolean,
    isGuess: boolean,
  ): Item {
    const readsContent = isAction || (namedByContent.has(role) && !contentIsShown.has(role));
    const named = readsContent ? this.names.of(element, role) : this.names.given(element, role);
    const item = {
      ...this.#blank(element, role === '' || role === 'none' ? 'generic' : role),
      name: named.name,
      states: statesOf(element, role, this.#active, within.isDisabled),
      value: pictures[tag] ?? valueOf(element, role),
      props: this.#props(element, role, named.name, named.from === 'hint'),
      hasRef: isAction || isGuess || placeRoles.has(role) || pictures[tag] !== undefined || tag === 'select',
      isGuess: isGuess && role === '',
    };
    if (isGuess) item.marks += ' [cursor=pointer]';
    if (role === 'img' && named.name === '' && !item.hasRef) item.hasRef = this.#isBig(element, bigPicture);
    if (attr(element, 'aria-modal') === 'true' || (tag === 'dialog' && matchesSelector(element, ':modal'))) {
      item.marks += ' [modal]';
    }
    if (item.hasRef) this.#lookAt(item, within);
    if (item.value === '' || !(element instanceof HTMLElement) || pictures[tag] === undefined) {
      const isSaid = named.from === 'content' || (childrenPresentational.has(role) && named.name !== '');
      this.#fill(item, tag, look, isSaid ? { ...within, isQuiet: true } : within);
    }
    return item;
  }

  #fill(item: Item, tag: string, look: Look, within: Flow): void {
    const { element } = item;
    if (element instanceof HTMLSelectElement) this.#choices(element, item);
    else if (tag !== 'iframe' && tag !== 'input' && tag !== 'textarea') {
      this.#breaks = true;
      this.#children(element, tag, look, item.children, within);
    }
    this.#breaks = !look.isFlowing;
  }

  #choices(select: HTMLSelectElement, item: Item): void {
    const { options } = select;
    if (options.length > mostOptions) {
      const chosen = [...select.selectedOptions].map((option) => tidy(option.label)).join(', ');
      const text = `${chosen === '' ? 'nothing chosen' : chosen} (${options.length} options)`;
      item.children.push({ kind: 'text', text, breaks: true });
      return;
    }
    for (const option of options) {
      if (option.hidden) continue;
      const states = statesOf(option, 'option', null, isDisabled(option, 'option', false));
      item.children.push({ ...this.#blank(option, 'option'), name: tidy(option.label), states });
    }
  }

  #props(element: Element, role: string, name: string, isHint: boolean): (readonly [string, string])[] {
    const props: (readonly [string, string])[] = [];
    if (role === 'link') {
      const href = attr(element, 'href') ?? attr(element, 'xlink:href');
      const url = href === null ? undefined : this.#links.short(href);
      if (url !== undefined) props.push(['/url', url]);
    }
    if (role === 'textbox' || role === 'searchbox' || role === 'combobox' || role === 'spinbutton') {
      const hint = isHint ? '' : tidy(attr(element, 'placeholder') ?? '');
      if (hint !== '' && hint !== name) props.push(['/placeholder', hint]);
    }
    if (actionRoles.has(role) && attr(element, 'aria-describedby') !== null) {
      const description = this.names.describe(element, name);
      if (description !== '') props.push(['/description', description]);
    }
    return props;
  }

  #isClickable(element: Element, tag: string, look: Look, flow: Flow): boolean {
    if (tag === 'body' || tag === 'html') return false;
    if (tag === 'label') return this.#isStandIn(element);
    if (tag === 'option' || flow.isQuiet) return false;
    if (look.isPointer && flow.parent?.isPointer !== true && !isSvgPart(element, tag)) return true;
    if (attr(element, 'onclick') !== null || attr(element, 'draggable') === 'true') return true;
    const tabindex = attr(element, 'tabindex');
    return tabindex !== null && Number.parseInt(tabindex, 10) >= 0 && !placeRoles.has(tag);
  }

  /** A label is acted on in place of a field that no one can see. */
  #isStandIn(label: Element): boolean {
    const control = label instanceof HTMLLabelElement ? label.control : null;
    return control !== null && this.styles.of(control).isHidden;
  }

  #isBig(element: Element, least: number): boolean {
    const box = boxOf(element);
    return box.width >= least && box.height >= least;
  }

  #lookAt(item: Item, within: Flow): void {
    if (this.#boxes >= mostBoxes && this.#options.boxes !== true) return;
    this.#boxes++;
    const box = boxOf(item.element);
    item.isOffscreen =
      box.bottom <= 0 || box.right <= 0 || box.top >= window.innerHeight || box.left >= window.innerWidth;
    // A transparent field that lies over a drawn one is how such controls are made.
    const isField = item.element instanceof HTMLInputElement;
    if (
      !isField &&
      (within.isUnseen || (box.width === 0 && box.height === 0 && item.element.firstElementChild === null))
    ) {
      item.marks += ' [invisible]';
    }
    if (this.#options.boxes === true) {
      const sizes = [box.x, box.y, box.width, box.height].map((size) => Math.round(size));
      item.marks += ` [box=${sizes.join(',')}]`;
    }
  }

  #children(element: Element, tag: string, look: Look, into: Piece[], within: Flow): void {
    if (within.isQuiet && element.firstElementChild === null && shadowRootOf(element) === null && tag !== 'slot')
      return;
    if (isSvg(element) && tag === 'svg' && !hasContent(element)) return;
    const isClosed = tag === 'details' && attr(element, 'open') === null;
    let sight: boolean | undefined;
    eachShownChild(element, (child) => {
      if (nodeTypeOf(child) === TEXT) {
        if (within.isQuiet || look.isHidden || isClosed) return;
        const raw = child.nodeValue ?? '';
        if (raw.trim() === '') {
          this.#space(into);
          return;
        }
        sight ??= !within.isUnseen && this.#isLegible(element, look);
        if (sight) this.#text(cleaned(raw), tag, into);
        else this.unseen++;
      } else if (isElement(child)) {
        if (isClosed && tagOf(child) !== 'summary') return;
        this.#visit(child, into, within);
      }
    });
    const owns = attr(element, 'aria-owns');
    if (owns !== null) this.#ownedBy(element, owns, into, within);
  }

  #ownedBy(element: Element, ids: string, into: Piece[], within: Flow): void {
    for (const owned of elementsById(element, ids)) {
      if (containsNode(owned, element) || !this.#owned.delete(owned)) continue;
      this.#visit(owned, into, within);
      this.#owned.add(owned);
    }
  }

  #isLegible(element: Element, look: Look): boolean {
    if (look.style.fontSize === '0px') return false;
    return this.#colours++ >= mostColours || !this.styles.isColourless(element, look.style);
  }

  #space(into: Piece[]): void {
    const last = into.at(-1);
    if (last?.kind === 'text' && !last.text.endsWith(' ')) last.text += ' ';
  }

  #text(text: string, tag: string, into: Piece[]): void {
    // Struck out: an old price must not be read as the price.
    const shown = tag === 'del' || tag === 's' ? `~~${text.trim()}~~` : text;
    const last = into.at(-1);
    if (last?.kind === 'text' && !this.#breaks) last.text += shown;
    else into.push({ kind: 'text', text: shown, breaks: this.#breaks });
    this.#breaks = false;
  }

  /** What another element owns is left for it, wherever it stands. */
  #noteOwners(element: Element): void {
    const scope = this.#scopes.size === 0 ? scopeOf(element) : shadowRootOf(element);
    if (!scope || this.#scopes.has(scope)) return;
    this.#scopes.add(scope);
    for (const owner of queryAll(scope, '[aria-owns]')) {
      for (const owned of elementsById(owner, attr(owner, 'aria-owns'))) {
        if (!containsNode(owned, owner)) this.#owned.add(owned);
      }
    }
  }
}
