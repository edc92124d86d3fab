import {
  activeElementOf,
  attr,
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
} from '../dom/dom.ts';
import { hasContent, isOwnTarget, isRepeated, pictures, skipped } from '../dom/element-kinds.ts';
import { choicesOf } from './select-options.ts';
import { compactItem, withoutEchoes } from './compact.ts';
import { blankItem } from './items.ts';
import type { Item, Piece, TextRun, WalkOptions } from './items.ts';
import { isListing, isPreformatted, linesIn, mostText } from './listing.ts';
import { Links } from './links.ts';
import { countsBetween, entryOf } from './memory.ts';
import type { Counts, Memory } from './memory.ts';
import { Names } from '../aria/names.ts';
import { propsOf } from '../aria/props.ts';
import {
  actionRoles,
  childrenPresentational,
  contentIsShown,
  namedByContent,
  placeRoles,
  transparentRoles,
} from '../aria/role-tables.ts';
import { isEditingHost, roleOf } from '../aria/roles.ts';
import { statesOf, valueOf } from '../aria/states.ts';
import { isBig, isCollapsed, paneInside, Sight } from '../dom/visibility.ts';
import type { Pane } from '../dom/visibility.ts';
import { isOutOfSight, leastOpacity, Styles } from '../dom/styles.ts';
import type { Look } from '../dom/styles.ts';
import { cleaned, readsLikeOrders } from './text.ts';

/** What holds for everything inside an element. */
interface Flow {
  readonly depth: number;
  /** The name around it already says what the text says. */
  readonly isQuiet: boolean;
  /** No one can see text here. */
  readonly isUnseen: boolean;
  /** Cut off by a box of no size. */
  readonly isClipped: boolean;
  /** Spaces and line breaks are shown as they are written. */
  readonly isPreformatted: boolean;
  readonly pane: Pane | undefined;
  readonly isDisabled: boolean;
  /** The walk since which nothing here can be taken from memory that was collected before it. */
  readonly restyledAt: number;
  readonly parent: Look | undefined;
}

const mostDepth = 500;
const bigPicture = 48;

/** One pass over a document that turns what a person can see and reach into items. */
export class Collector {
  readonly styles = new Styles();
  readonly names = new Names(this.styles, () => this.suspects++);
  readonly #sight: Sight;
  readonly #options: WalkOptions;
  readonly #active: Element | null;
  readonly #links: Links;
  readonly #until: number;
  readonly #owned = new Set<Element>();
  readonly #scopes = new Set<Document | ShadowRoot>();
  readonly #memory: Memory | undefined;
  /** Counts what cannot be remembered: frames, and what stands elsewhere than it is. */
  #strays = 0;
  #breaks = true;
  #lastAction: Item | undefined;
  nodes = 0;
  /** Texts that no one can see and that read like orders. */
  suspects = 0;
  bound: 'nodes' | 'time' | 'depth' | 'text' | undefined;
  /** How much preformatted text there was. */
  #written = 0;

  constructor(document: Document, options: WalkOptions, memory?: Memory) {
    this.#options = options;
    this.#memory = memory;
    this.#sight = new Sight(this.styles, options.boxes === true);
    this.#active = activeElementOf(document);
    this.#links = new Links(document.baseURI);
    this.#until = performance.now() + (options.maxMs ?? 3000);
  }

  collect(root: Element): Piece[] {
    const pieces: Piece[] = [];
    const flags = { isQuiet: false, isUnseen: false, isClipped: false, isPreformatted: false, isDisabled: false };
    this.#visit(root, pieces, { depth: 0, ...flags, pane: undefined, restyledAt: 0, parent: undefined });
    return withoutEchoes(pieces);
  }

  #isOver(): boolean {
    if (this.bound === 'nodes' || this.bound === 'time') return true;
    this.nodes++;
    if (this.nodes > this.#mostNodes) this.bound = 'nodes';
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
    if (this.#owned.has(element)) {
      this.#strays++;
      return;
    }
    const look = this.styles.of(element);
    if (look.isNone && tag !== 'area') return;
    if (!look.isFlowing) this.#breaks = true;
    const within = this.#flowInside(element, look, flow);
    const isPart = !look.isFlowing && !flow.isQuiet && element.firstElementChild !== null;
    if (isPart && this.#memory !== undefined) this.#part(this.#memory, element, tag, look, into, within, flow);
    else this.#enter(element, tag, look, into, within, flow);
    if (!look.isFlowing || tag === 'br') this.#breaks = true;
  }

  #enter(element: Element, tag: string, look: Look, into: Piece[], within: Flow, flow: Flow): void {
    if (!within.isClipped) this.#place(element, tag, look, into, within, flow);
    else this.#escapes(element, look, into, within);
  }

  /** What begins and ends on lines of its own is taken from memory, if nothing in it can have changed. */
  #part(memory: Memory, element: Element, tag: string, look: Look, into: Piece[], within: Flow, flow: Flow): void {
    const { isUnseen, isClipped, isDisabled: isOff, isPreformatted: isPre } = within;
    const flags = [isUnseen, isClipped, isOff, isPre, flow.parent?.isPointer === true];
    const entry = entryOf([...flags, isRepeated(element, tag, look)], within.pane, this.#lastAction);
    const known = memory.recall(element, entry, within.restyledAt);
    if (known !== undefined && this.nodes + known.counts.nodes <= this.#mostNodes) {
      for (const piece of known.pieces) into.push(piece.kind === 'text' ? { ...piece } : piece);
      this.#lastAction = known.lastAction;
      this.names.valued.push(...known.fields);
      this.names.referred.push(...known.needs);
      this.#count(known.counts);
      return;
    }
    const { length: from } = into;
    const [fields, needs, strays] = [
      this.names.valued.length,
      this.names.referred.length,
      this.#strays + this.names.dangling,
    ];
    const before = this.#counts();
    this.#enter(element, tag, look, into, within, flow);
    if (this.bound !== undefined || strays !== this.#strays + this.names.dangling) return;
    memory.keep(element, {
      entry,
      pieces: into.slice(from),
      lastAction: this.#lastAction,
      counts: countsBetween(before, this.#counts()),
      needs: this.names.referred.slice(needs),
      fields: this.names.valued.slice(fields),
    });
  }

  #counts(): Counts {
    return { nodes: this.nodes, boxes: this.#sight.boxes, colours: this.#sight.colours, suspects: this.suspects };
  }

  #count({ nodes, boxes, colours, suspects }: Counts): void {
    this.nodes += nodes;
    this.#sight.boxes += boxes;
    this.#sight.colours += colours;
    this.suspects += suspects;
  }

  get #mostNodes(): number {
    return this.#options.maxNodes ?? 100_000;
  }

  #flowInside(element: Element, look: Look, flow: Flow): Flow {
    const isDisabled = flow.isDisabled || attr(element, 'aria-disabled') === 'true';
    const restyledAt = Math.max(flow.restyledAt, this.#memory?.changes.restyledAt(element) ?? 0);
    const next = { ...flow, depth: flow.depth + 1, isDisabled, restyledAt, parent: look };
    // Inside a name only what can be acted on is looked for, and that is looked at on its own.
    if (flow.isQuiet) return next;
    const { style } = look;
    // What is taken out of the flow is never inline.
    const position = look.isInline ? '' : style.position;
    const isMoved = position === 'absolute' || position === 'fixed';
    next.isPreformatted = flow.isPreformatted || isPreformatted(element, style);
    next.isUnseen = flow.isUnseen || Number(style.opacity) < leastOpacity || (isMoved && isOutOfSight(element, style));
    next.isClipped = (flow.isClipped && !isMoved) || isCollapsed(element, look);
    next.pane = paneInside(element, look, position, flow.pane);
    return next;
  }

  /** What is placed against something outside of a closed drawer is not cut off by it. */
  #escapes(element: Element, look: Look, into: Piece[], within: Flow): void {
    if (look.style.contentVisibility === 'hidden' || look.style.position !== 'static') return;
    eachShownChild(element, (child) => {
      if (isElement(child)) this.#visit(child, into, within);
    });
  }

  #place(element: Element, tag: string, look: Look, into: Piece[], within: Flow, flow: Flow): void {
    let role = roleOf(element);
    if (role === '' && isEditingHost(element)) role = 'textbox';
    if (role === '' && pictures[tag] !== undefined) role = tag;
    const isAction = actionRoles.has(role);
    const isGuess =
      !isAction && (tag === 'label' || !flow.isQuiet) && this.#sight.isClickable(element, tag, look, flow.parent);
    const isPlain = role === '' || transparentRoles.has(role) || (flow.isQuiet && !placeRoles.has(role));
    if ((look.isHidden && tag !== 'area') || (!isAction && !isGuess && isPlain)) {
      if (tag === 'pre' && within.isPreformatted && !flow.isQuiet) this.#listing(element, tag, look, into, within);
      else if (isRepeated(element, tag, look) && !flow.isQuiet) this.#card(element, tag, look, into, within);
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

  /** Preformatted text of several lines stays together. */
  #listing(element: Element, tag: string, look: Look, into: Piece[], within: Flow): void {
    const listing = this.#blank(element, 'text');
    this.#breaks = true;
    this.#passThrough(element, tag, look, listing.children, within);
    if (isListing(listing.children)) into.push(listing);
    else into.push(...listing.children);
  }

  /** An element that is no line of its own. */
  #passThrough(element: Element, tag: string, look: Look, into: Piece[], within: Flow): void {
    const before = into.length;
    this.#children(element, tag, look, into, within);
    const isComponent = tag.includes('-') && into.length === before && !look.isHidden && !within.isQuiet;
    if (isComponent && shadowRootOf(element) === null && isBig(element, 8)) {
      const hint = '(closed component; use browser_take_screenshot with this ref)';
      into.push({ ...this.#blank(element, tag), value: hint, hasRef: true });
    }
  }

  #blank(element: Element, role: string): Item {
    const breaks = this.#breaks;
    this.#breaks = false;
    return blankItem(element, role, breaks);
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
    if (role === 'iframe') this.#strays++;
    if (tag === 'input' || tag === 'textarea' || tag === 'select') this.names.valued.push(element);
    const item = {
      ...this.#blank(element, role === '' || role === 'none' ? 'generic' : role),
      name: named.name,
      states: statesOf(element, role, this.#active, within.isDisabled),
      value: pictures[tag] ?? valueOf(element, role),
      props: propsOf(element, role, named, this.#links, this.names),
      hasRef: isAction || isGuess || placeRoles.has(role) || pictures[tag] !== undefined || tag === 'select',
      isGuess: isGuess && role === '',
    };
    if (isGuess) item.marks += ' [cursor=pointer]';
    if (role === 'img' && named.name === '' && !item.hasRef) item.hasRef = isBig(element, bigPicture);
    if (attr(element, 'aria-modal') === 'true' || (tag === 'dialog' && matchesSelector(element, ':modal'))) {
      item.marks += ' [modal]';
    }
    if (item.hasRef) this.#sight.lookAt(item, within.isUnseen, within.pane);
    if (item.value === '' || !(element instanceof HTMLElement) || pictures[tag] === undefined) {
      const isSaid = named.from === 'content' || (childrenPresentational.has(role) && named.name !== '');
      this.#fill(item, tag, look, isSaid ? { ...within, isQuiet: true } : within);
    }
    return item;
  }

  #fill(item: Item, tag: string, look: Look, within: Flow): void {
    const { element } = item;
    if (element instanceof HTMLSelectElement) item.children.push(...choicesOf(element));
    else if (tag !== 'iframe' && tag !== 'input' && tag !== 'textarea') {
      this.#breaks = true;
      this.#children(element, tag, look, item.children, within);
    }
    this.#breaks = !look.isFlowing;
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
        if (raw.trim() === '' && !within.isPreformatted) {
          this.#space(into);
          return;
        }
        sight ??= !within.isUnseen && this.#sight.isLegible(element, look);
        if (sight && within.isPreformatted) this.#lines(raw, tag, into);
        else if (sight) this.#text(cleaned(raw), tag, into);
        else if (readsLikeOrders(raw)) this.suspects++;
      } else if (isElement(child)) {
        if (isClosed && tagOf(child) !== 'summary') return;
        this.#visit(child, into, within);
      }
    });
    const owns = attr(element, 'aria-owns');
    if (owns !== null) {
      this.#strays++;
      this.#ownedBy(element, owns, into, within);
    }
  }

  #ownedBy(element: Element, ids: string, into: Piece[], within: Flow): void {
    for (const owned of elementsById(element, ids)) {
      if (containsNode(owned, element) || !this.#owned.delete(owned)) continue;
      this.#visit(owned, into, within);
      this.#owned.add(owned);
    }
  }

  #space(into: Piece[]): void {
    const last = into.at(-1);
    if (last?.kind === 'text' && !last.text.endsWith(' ')) last.text += ' ';
  }

  #text(text: string, tag: string, into: Piece[], line: Pick<TextRun, 'isLine'> = {}): void {
    // Struck out: an old price must not be read as the price.
    const shown = (tag === 'del' || tag === 's') && text.trim() !== '' ? `~~${text.trim()}~~` : text;
    const last = into.at(-1);
    if (last?.kind === 'text' && !this.#breaks) last.text += shown;
    else into.push({ kind: 'text', text: shown, breaks: this.#breaks, ...line });
    this.#breaks = false;
  }

  #lines(raw: string, tag: string, into: Piece[]): void {
    const read = raw.slice(0, Math.max(0, mostText - this.#written));
    if (read.length < raw.length) this.bound ??= 'text';
    this.#written += read.length;
    for (const [at, line] of linesIn(read).entries()) {
      this.#breaks ||= at > 0;
      this.#text(line, tag, into, { isLine: true });
    }
  }

  /** What another element owns is left for it, wherever it stands. */
  #noteOwners(element: Element): void {
    const scope = this.#scopes.size === 0 ? scopeOf(element) : shadowRootOf(element);
    if (!scope || this.#scopes.has(scope)) return;
    this.#scopes.add(scope);
    if (scope instanceof ShadowRoot) this.#memory?.watch(scope);
    for (const owner of queryAll(scope, '[aria-owns]')) {
      for (const owned of elementsById(owner, attr(owner, 'aria-owns'))) {
        if (!containsNode(owned, owner)) this.#owned.add(owned);
      }
    }
  }
}
