import {
  activeElementOf,
  attr,
  eachShownChild,
  elementsById,
  firstChildOf,
  hasAnyAttribute,
  isElement,
  isSvg,
  matchesSelector,
  nodeTypeOf,
  scopeOf,
  shadowRootOf,
  tagOf,
  TEXT,
} from '../dom/dom.ts';
import { holdsClickTargets, isDragItem, isDropTarget, isEmptyColumn } from '../dom/listeners.ts';
import { isScrollRegion } from '../dom/scroll-region.ts';
import {
  hasContent,
  hasWordsOrControls,
  hiddenToggleOf,
  holdsDocument,
  isEmptyFrame,
  isIconFont,
  isOwnTarget,
  isInOneCard,
  isPinpoint,
  isRepeated,
  showsFallback,
  skipped,
  unreadable,
} from '../dom/element-kinds.ts';
import { choicesOf } from '../content/select-options.ts';
import { Columns } from './columns.ts';
import { compactItem, withoutEchoes } from './compact.ts';
import { blankItem } from './items.ts';
import type { Item, Piece, TextRun, WalkOptions } from './items.ts';
import { isListing, isPreformatted, linesIn, mostText } from '../content/listing.ts';
import { ListMarkers } from '../content/list-marker.ts';
import { Links } from './links.ts';
import { formulaText } from '../content/math.ts';
import type { Memory } from './memory.ts';
import { Owners } from './owners.ts';
import { Progress } from './progress.ts';
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
import { blockersIn, hasModal, isBeside } from '../dom/modals.ts';
import { isBig, isCollapsed, isPinhole, paneAround, paneInside, Visibility } from '../dom/visibility.ts';
import type { Pane } from '../dom/visibility.ts';
import { hasGap, hasInlineGap, isOutOfSight, isSpacer, isStruck, leastOpacity, Styles } from '../dom/styles.ts';
import type { ElementStyle } from '../dom/styles.ts';
import { inlineTraits } from '../dom/style-rules.ts';
import { cleaned, readsLikeInstructions } from './text.ts';

/** What applies to everything inside an element. */
interface Flow {
  /** The name around it already contains the text. */
  readonly isQuiet: boolean;
  /** Text is invisible here. */
  readonly isUnseen: boolean;
  /** Clipped by a box of no size. */
  readonly isClipped: boolean;
  /** Spaces and line breaks are shown as they are written. */
  readonly isPreformatted: boolean;
  /** Struck out: an old price must not be read as the price. */
  readonly isStruck: boolean;
  /** Hidden from assistive technology: only text and controls that a person sees are shown. */
  readonly isMuted: boolean;
  readonly pane: Pane | undefined;
  readonly isDisabled: boolean;
  /** The walk since which nothing that was collected before it can be reused here. */
  readonly restyledAt: number;
}

/** An element on the walk. */
interface Visit {
  readonly element: Element;
  readonly tag: string;
  readonly style: ElementStyle;
  readonly parent: ElementStyle | undefined;
  /** Around the element. */
  readonly flow: Flow;
  /** Inside the element. */
  readonly within: Flow;
}

const mostDepth = 400;
/** Roles without a meaning of their own: around a control, they are only a part of it. */
const shells = new Set(['', 'none', 'presentation', 'listitem']);
const bigPicture = 48;
/** Edges of inline elements between two texts that are read. */
const mostGaps = 8;

/** One pass over a document that turns what a person can see and reach into items. */
export class Collector {
  readonly styles = new Styles();
  readonly progress: Progress;
  readonly #names: Names;
  readonly #visibility: Visibility;
  readonly #active: Element | null;
  readonly #links: Links;
  readonly #owners = new Owners();
  readonly #columns = new Columns();
  readonly #markers: ListMarkers;
  readonly #scopes = new Set<Document | ShadowRoot>();
  readonly #memory: Memory | undefined;
  readonly #document: Document;
  #isModal: boolean | undefined;
  #blockers: readonly Element[] | undefined;
  #root: Element | undefined;
  #depth = 0;
  #breaks = true;
  /** Before the first text of a superscript or subscript. */
  #sign = '';
  /** Edges of inline elements since the last text. */
  readonly #gaps: { readonly style: CSSStyleDeclaration; readonly side: 'Left' | 'Right' }[] = [];
  /** How much preformatted text was read. */
  #written = 0;

  constructor(document: Document, options: WalkOptions, memory?: Memory) {
    this.#memory = memory;
    this.#document = document;
    this.progress = new Progress(options.maxNodes ?? 100_000, options.maxMs ?? 3000);
    this.#names = new Names(this.styles, () => this.progress.suspects++);
    const { rules, pseudo } = this.#names;
    this.#markers = new ListMarkers(this.styles, rules, pseudo);
    this.#visibility = new Visibility(this.styles, rules, this.progress, options.boxes === true);
    this.#active = activeElementOf(document);
    this.#links = new Links(document.baseURI);
  }

  collect(root: Element): Piece[] {
    this.#root = root;
    const pieces: Piece[] = [];
    const flags = { isQuiet: false, isUnseen: false, isClipped: false, isPreformatted: false };
    const flow = { ...flags, isStruck: false, isMuted: false, isDisabled: false, pane: undefined, restyledAt: 0 };
    this.#visit(root, pieces, flow, undefined);
    return withoutEchoes(pieces);
  }

  #visit(element: Element, into: Piece[], around: Flow, parent: ElementStyle | undefined, owner?: Element): void {
    const tag = tagOf(element);
    if (skipped.has(tag) || this.progress.isOver()) return;
    if (this.#depth > mostDepth) {
      this.progress.bound ??= 'depth';
      return;
    }
    const flow = hasAnyAttribute(element) ? this.#flowAround(element, tag, around) : around;
    if (flow === undefined) return;
    this.#noteOwners(element);
    if (this.#owners.of(element) !== owner) {
      this.progress.unrememberable++;
      return;
    }
    const style = this.styles.of(element);
    if (style.isNone && tag !== 'area') return;
    const didBreak = this.#breaks;
    const before = into.length;
    if (!style.isFlowing) this.#breaks = true;
    const isBox = !style.isInline && style.isFlowing && !flow.isQuiet;
    if (isBox) this.#gap(style, into);
    else this.#edge(style, 'Left', into);
    const within = this.#flowInside(element, tag, style, flow);
    const visit = { element, tag, style, parent, flow, within };
    const isPart = !style.isFlowing && !flow.isQuiet && element.firstElementChild !== null;
    if (isPart && this.#memory?.keeps === true) this.#part(this.#memory, visit, into);
    else this.#enter(visit, into);
    if (isBox) this.#gap(style, into);
    else this.#edge(style, 'Right', into);
    if (tag === 'img' || tag === 'svg' || (isBox && isSpacer(element, style))) this.#space(into);
    if (!style.isFlowing || tag === 'br') this.#breaks = true;
    // An invisible box separates nothing.
    if (within.isUnseen && !flow.isUnseen && into.length === before) this.#breaks = didBreak;
  }

  #enter(visit: Visit, into: Piece[]): void {
    this.#depth++;
    if (!visit.within.isClipped) this.#place(visit, into);
    else this.#unclipped(visit, into);
    this.#depth--;
  }

  /** An element that begins and ends on lines of its own can be remembered. */
  #part(memory: Memory, visit: Visit, into: Piece[]): void {
    const { element, tag, style, parent, within } = visit;
    const { isUnseen, isClipped, isDisabled: isOff, isPreformatted: isPre, pane, restyledAt } = within;
    const marker = tag === 'li' ? this.#markers.of(element) : '';
    const cursor = parent?.cursor ?? '';
    const flags = `${isUnseen} ${isClipped} ${isOff} ${isPre} ${within.isStruck} ${within.isMuted} ${cursor} ${isRepeated(element, tag, style)} ${isDragItem(element)}`;
    const context = { element, style, flags, marker, pane, restyledAt };
    memory.part(context, into, this.progress, this.#names, () => this.#enter(visit, into));
  }

  #flowInside(element: Element, tag: string, elementStyle: ElementStyle, flow: Flow): Flow {
    const hasAttributes = hasAnyAttribute(element);
    const isDisabled = flow.isDisabled || (hasAttributes && attr(element, 'aria-disabled') === 'true');
    const isStyledInline = hasAttributes && this.#readInline(element);
    const restyledAt = Math.max(flow.restyledAt, this.#memory?.changes.restyledAt(element) ?? 0);
    const isSame = isDisabled === flow.isDisabled && restyledAt === flow.restyledAt;
    // Inside a name only controls are collected, and each is measured by itself.
    if (flow.isQuiet) return isSame ? flow : { ...flow, isDisabled, restyledAt };
    const { style } = elementStyle;
    // Positioned elements are never inline.
    const position = elementStyle.isInline ? '' : style.position;
    const isMoved = position === 'absolute' || position === 'fixed';
    const mayClip = !elementStyle.isInline && this.#names.rules.mayClip(element);
    const isPre = flow.isPreformatted || (tag === 'pre' && isPreformatted(style));
    const isUnseen =
      flow.isUnseen ||
      isFaint(style.opacity) ||
      (isMoved && isOutOfSight(element, style)) ||
      this.#visibility.isConcealed(element, elementStyle, isStyledInline, flow.pane) ||
      (mayClip && !isMoved && tag !== 'body' && isPinhole(elementStyle));
    const isClipped = (flow.isClipped && !isMoved) || (mayClip && isCollapsed(element, elementStyle));
    const around = paneAround(position, flow.pane);
    const pane = mayClip ? paneInside(element, elementStyle, position, around) : around;
    const isSeenSame = isUnseen === flow.isUnseen && isClipped === flow.isClipped && pane === flow.pane;
    // Most elements change nothing: a flow for each would be a large part of the garbage.
    if (isSame && isSeenSame && isPre === flow.isPreformatted) return flow;
    return { ...flow, isDisabled, restyledAt, isUnseen, isClipped, isPreformatted: isPre, pane };
  }

  /** Notes what a `style` attribute sets; returns whether it may hide the element. */
  #readInline(element: Element): boolean {
    const written = attr(element, 'style');
    if (written === null) return false;
    const { hasCase, hasMarkers, mayHide } = inlineTraits(written);
    this.#names.textCase.isStyledInline ||= hasCase;
    this.#markers.isStyledInline ||= hasMarkers;
    return mayHide;
  }

  /** While a modal dialog is open, libraries hide the page behind it from assistive technology. */
  #isBehindModal(): boolean {
    if (this.#memory !== undefined) this.#memory.dependsOnModal = true;
    this.#isModal ??= hasModal(this.#document);
    return this.#isModal;
  }

  #isModalDialog(element: Element, tag: string, role: string): boolean {
    if (attr(element, 'aria-modal') === 'true' || (tag === 'dialog' && matchesSelector(element, ':modal'))) return true;
    return (role === 'dialog' || role === 'alertdialog') && this.#blockingDialogs().includes(element);
  }

  /** Dialogs of libraries that block the page. */
  #blockingDialogs(): readonly Element[] {
    if (this.#memory !== undefined) this.#memory.dependsOnModal = true;
    this.#blockers ??= blockersIn(this.#document);
    return this.#blockers;
  }

  /**
   * Undefined for what is inert, and for what is hidden from assistive technology and from a person too. What a library
   * hides while its dialog is open can still be seen.
   */
  #flowAround(element: Element, tag: string, flow: Flow): Flow | undefined {
    const isInert = attr(element, 'inert') !== null;
    if (!isInert && (attr(element, 'aria-hidden') !== 'true' || isOwnTarget(element))) return flow;
    if (flow.isQuiet || tag === 'svg' || firstChildOf(element) === null) return undefined;
    if (this.#blockingDialogs().some((dialog) => isBeside(element, dialog))) return flow;
    if (isInert || this.#isBehindModal()) return undefined;
    const isSeen = hasWordsOrControls(element) && this.#visibility.isReachable(element, flow.pane);
    return isSeen ? { ...flow, isMuted: true } : undefined;
  }

  /** Descendants positioned against an element outside a collapsed box are not clipped by it. */
  #unclipped({ element, style, within }: Visit, into: Piece[]): void {
    if (style.style.contentVisibility === 'hidden' || style.style.position !== 'static') return;
    eachShownChild(element, (child) => {
      if (isElement(child)) this.#visit(child, into, within, style);
    });
  }

  #place(visit: Visit, into: Piece[]): void {
    const { element, tag, style, parent, flow, within } = visit;
    if (tag === 'math' && !flow.isQuiet && !style.isHidden) {
      this.#text(cleaned(formulaText(element)), within.isStruck || this.#isStruck(visit), into);
      return;
    }
    if (tag === 'input' && parent?.isPointer === true && isPinpoint(element)) return;
    const role = this.#roleOf(element, tag);
    // A person sees nothing of such a frame.
    if (role === 'iframe' && (within.isUnseen || isEmptyFrame(element))) return;
    const isAction = actionRoles.has(role);
    const isGuess =
      !isAction && (tag === 'label' || !flow.isQuiet) && this.#visibility.isClickable(element, tag, style, parent);
    // The name of a heading would show text that a style hides.
    const isUnseenName = within.isUnseen && role === 'heading';
    const isPlain =
      role === '' || transparentRoles.has(role) || (flow.isQuiet && !placeRoles.has(role)) || isUnseenName;
    if ((style.isHidden && tag !== 'area') || (!isAction && !isGuess && isPlain)) {
      if (tag === 'pre' && within.isPreformatted && !flow.isQuiet) this.#listing(visit, into);
      else if (isRepeated(element, tag, style) && !flow.isQuiet) this.#card(visit, into);
      else this.#passThrough(visit, into);
      return;
    }
    const control = tag === 'label' && isGuess ? hiddenToggleOf(element) : undefined;
    if (control !== undefined) {
      into.push(this.#standIn(visit, control));
      return;
    }
    const item = this.#item(visit, role, isGuess);
    const marker = role === 'listitem' && !within.isUnseen ? this.#markers.of(element) : '';
    if (marker !== '') addMarker(item, marker);
    if (this.#isSameLink(item)) into.push({ kind: 'text', text: item.name, breaks: item.breaks });
    else {
      const column = tag === 'td' || tag === 'th' ? this.#columns.of(element) : undefined;
      const pieces = compactItem(item);
      into.push(...(column === undefined ? pieces : inColumn(pieces, column)));
    }
    if (item.hasRef) this.progress.lastAction = item;
  }

  #roleOf(element: Element, tag: string): string {
    const role = roleOf(element);
    if (role !== '') return role;
    if (isEditingHost(element)) return 'textbox';
    if (!unreadable.has(tag)) return '';
    if (holdsDocument(element)) return 'iframe';
    return tag === 'object' && showsFallback(element) ? '' : tag;
  }

  /** A label that is clicked in place of its hidden check box or radio button. */
  #standIn({ element, within }: Visit, control: Element): Item {
    const role = roleOf(control);
    this.#names.valued.push(control);
    const item = {
      ...this.#blank(element, role),
      name: this.#names.of(control, role).name,
      states: statesOf(control, role, this.#active, within.isDisabled),
      hasRef: true,
      isStandIn: true,
    };
    this.#visibility.measure(item, within.isUnseen, within.pane);
    this.progress.lastAction = item;
    return item;
  }

  /** An image and the title under it often link to the same place; one of them is enough. */
  #isSameLink(item: Item): boolean {
    const last = this.progress.lastAction;
    if (item.role !== 'link' || last?.role !== 'link' || item.name === '' || item.children.length > 0) return false;
    const isTwin = last.name === item.name && last.props[0]?.[1] === item.props[0]?.[1];
    const hasSameStates = item.states.join() === last.states.join();
    if (!isTwin || !hasSameStates || last.element === item.element) return false;
    const url = item.props[0]?.[1] ?? '#';
    return url !== '#' && isInOneCard(last.element, item.element);
  }

  /** One of several similar siblings, such as the cards of a grid: its content stays together. */
  #card(visit: Visit, into: Piece[]): void {
    const card = this.#blank(visit.element, 'generic');
    this.#breaks = true;
    this.#passThrough(visit, card.children);
    const children = withoutEchoes(card.children);
    // Texts are joined with bars: without a line of its own, one card would run into the next.
    if (children.length > 1 || (children.length === 1 && visit.element.childElementCount > 1))
      into.push({ ...card, children });
    else into.push(...children);
    this.#breaks = true;
  }

  /** Preformatted text of several lines stays together. */
  #listing(visit: Visit, into: Piece[]): void {
    const listing = this.#blank(visit.element, 'text');
    this.#breaks = true;
    this.#passThrough(visit, listing.children);
    if (isListing(listing.children)) into.push(listing);
    else into.push(...listing.children);
  }

  /** An element without a line of its own. */
  #passThrough(visit: Visit, into: Piece[]): void {
    const { element, tag, style, within } = visit;
    const before = into.length;
    const sign = this.#signOf(visit);
    if (sign !== '') this.#sign = sign;
    this.#children(visit, into);
    if (sign !== '') this.#sign = '';
    const isComponent = tag.includes('-') && into.length === before && !style.isHidden && !within.isQuiet;
    if (isComponent && shadowRootOf(element) === null && isBig(element, 8)) {
      // A tag name can contain almost any character.
      const name = /^[a-z][a-z\d-]{0,40}$/.test(tag) ? ` ${tag}` : '';
      const value = `(closed component${name}; screenshot this ref to see it)`;
      into.push({ ...this.#blank(element, 'generic'), value, hasRef: true });
    }
  }

  /** What is raised or lowered beside the text before it. */
  #signOf({ element, tag, style }: Visit): '' | '^' | '_' {
    if (tag === 'sup') return '^';
    if (tag === 'sub') return '_';
    if (!style.isInline || !this.#names.rules.mayBeRaised(element)) return '';
    const { verticalAlign } = style.style;
    if (verticalAlign === 'super') return '^';
    return verticalAlign === 'sub' ? '_' : '';
  }

  #blank(element: Element, role: string): Item {
    return blankItem(element, role, this.#takeBreak());
  }

  /** Whether the next item begins a line. */
  #takeBreak(): boolean {
    const breaks = this.#breaks;
    this.#breaks = false;
    this.#sign = '';
    if (this.#gaps.length > 0) this.#gaps.length = 0;
    return breaks;
  }

  #item(visit: Visit, role: string, isGuess: boolean): Item {
    const { element, tag, within } = visit;
    const isAction = actionRoles.has(role);
    const readsContent = isAction || (namedByContent.has(role) && !contentIsShown.has(role));
    const named = readsContent ? this.#names.of(element, role) : this.#names.given(element, role);
    const hint = role === 'iframe' ? undefined : unreadable.get(tag);
    const takesDrops = isGuess && isDropTarget(element);
    if (role === 'iframe') this.progress.unrememberable++;
    if (tag === 'input' || tag === 'textarea' || tag === 'select') this.#names.valued.push(element);
    const item: Item = {
      kind: 'item',
      element,
      role: role === '' || role === 'none' ? 'generic' : role,
      name: named.name,
      written: named.written,
      marks: [],
      breaks: this.#takeBreak(),
      isOffscreen: undefined,
      children: [],
      states: statesOf(element, role, this.#active, within.isDisabled),
      value: hint ?? valueOf(element, role),
      props: propsOf(element, role, named, this.#links, this.#names),
      hasRef: isAction || isGuess || placeRoles.has(role) || hint !== undefined || tag === 'select',
      isGuess: isGuess && shells.has(role) && !takesDrops,
    };
    if (takesDrops) item.marks.push('drop target');
    else if (isGuess && !isScrollRegion(element, visit.style) && !isEmptyColumn(element))
      item.marks.push(`cursor=${visit.style.cursor || 'pointer'}`);
    if (role === 'img' && named.name === '' && !item.hasRef) item.hasRef = isBig(element, bigPicture);
    if (this.#isModalDialog(element, tag, role)) {
      item.marks.push('modal');
      this.progress.modals++;
    }
    if (item.hasRef) this.#visibility.measure(item, within.isUnseen, within.pane);
    if (item.value === '' || !(element instanceof HTMLElement) || hint === undefined) {
      const isSaid =
        named.from === 'content' || (childrenPresentational.has(role) && named.name !== '' && role !== 'img');
      this.#fill(item, isSaid ? { ...visit, within: { ...within, isQuiet: true } } : visit);
    }
    if (isGuess && !isAction && this.#visibility.isNothing(item)) item.hasRef = false;
    if (item.hasRef && (isAction || isGuess)) this.#visibility.hint(item, tag, visit.style);
    return item;
  }

  #fill(item: Item, visit: Visit): void {
    const { element, tag, style } = visit;
    if (element instanceof HTMLSelectElement) item.children.push(...choicesOf(element, element === this.#root));
    else if (item.role !== 'iframe' && tag !== 'input' && tag !== 'textarea') {
      this.#breaks = true;
      this.#children(visit, item.children);
    }
    this.#breaks = !style.isFlowing;
  }

  #children(visit: Visit, into: Piece[]): void {
    const { element, tag } = visit;
    const within = this.#struckInside(visit);
    const owns = hasAnyAttribute(element) ? attr(element, 'aria-owns') : null;
    if (
      within.isQuiet &&
      element.firstElementChild === null &&
      shadowRootOf(element) === null &&
      tag !== 'slot' &&
      owns === null
    )
      return;
    if (isSvg(element) && tag === 'svg' && !hasContent(element) && !holdsClickTargets(element)) return;
    const isClosed = tag === 'details' && attr(element, 'open') === null;
    const addText = this.#textAdder(visit, within, into);
    let hasSummary = false;
    const hasGenerated = this.#mayHaveGenerated(visit);
    if (hasGenerated) addText(this.#names.pseudo.of(element, '::before'));
    eachShownChild(element, (child) => {
      if (nodeTypeOf(child) === TEXT) {
        if (!isClosed) addText(child.nodeValue ?? '');
      } else if (isElement(child)) {
        // A closed details shows its first summary only.
        if (isClosed && (hasSummary || tagOf(child) !== 'summary')) return;
        hasSummary ||= isClosed;
        this.#visit(child, into, within, visit.style);
      }
    });
    if (hasGenerated) addText(this.#names.pseudo.of(element, '::after'));
    if (owns !== null) {
      this.progress.unrememberable++;
      this.#ownedBy(visit, owns, into, within);
    }
  }

  /** Read only where text is shown: most elements with a name show none of their own. */
  #struckInside(visit: Visit): Flow {
    const { within } = visit;
    if (within.isQuiet || within.isStruck || !this.#isStruck(visit)) return within;
    return { ...within, isStruck: true };
  }

  #isStruck({ element, tag, style }: Visit): boolean {
    return this.#names.rules.mayBeStruck(element, tag) && isStruck(tag, style.style);
  }

  #mayHaveGenerated({ element, tag, within }: Visit): boolean {
    const isBare = within.isQuiet || within.isPreformatted || tag === 'body' || tag === 'slot';
    return !isBare && this.#names.pseudo.mayHave(element);
  }

  /** Adds the text nodes of one element, if they are legible. */
  #textAdder({ element, style }: Visit, within: Flow, into: Piece[]): (raw: string) => void {
    let isLegible: boolean | undefined;
    return (raw) => {
      if (raw === '' || within.isQuiet || style.isHidden) return;
      if (raw.trim() === '' && !within.isPreformatted) {
        this.#space(into);
        return;
      }
      isLegible ??= !within.isUnseen && this.#visibility.isLegible(element, style);
      if (isLegible && within.isMuted && isIconFont(style.style)) return;
      if (isLegible && within.isPreformatted) this.#lines(raw, within.isStruck, into);
      else if (isLegible) this.#text(this.#cased(cleaned(raw), element, into), within.isStruck, into);
      else if (readsLikeInstructions(raw)) this.progress.suspects++;
    };
  }

  #cased(text: string, element: Element, into: Piece[]): string {
    const last = this.#breaks ? undefined : into.at(-1);
    return this.#names.textCase.shown(text, element, last?.kind === 'text' ? last.text : '');
  }

  #ownedBy({ element, style }: Visit, ids: string, into: Piece[], within: Flow): void {
    for (const owned of elementsById(element, ids))
      if (this.#owners.of(owned) === element) this.#visit(owned, into, within, style, element);
  }

  #space(into: Piece[]): void {
    const last = into.at(-1);
    if (last?.kind === 'text' && !last.text.endsWith(' ')) last.text += ' ';
  }

  /** Separates an inline box from the text beside it. Styles are read only where there is such text. */
  #gap({ style }: ElementStyle, into: Piece[]): void {
    const last = into.at(-1);
    if (last?.kind === 'text' && !last.text.endsWith(' ') && hasGap(style)) last.text += ' ';
  }

  #edge({ isFlowing, style }: ElementStyle, side: 'Left' | 'Right', into: Piece[]): void {
    if (isFlowing && !this.#breaks && into.at(-1)?.kind === 'text') this.#gaps.push({ style, side });
  }

  /** Inline boxes with padding or margins stand apart from the text beside them, without a space in the text. */
  #isApart(before: string, text: string): boolean {
    if (this.#gaps.length === 0 || /\s$/.test(before) || /^\s/.test(text)) return false;
    return this.#gaps.slice(-mostGaps).some(({ style, side }) => hasInlineGap(style, side));
  }

  #text(text: string, isStruck: boolean, into: Piece[], line: Pick<TextRun, 'isLine'> = {}): void {
    const shown = isStruck ? struckOut(text) : text;
    const last = into.at(-1);
    if (last?.kind === 'text' && !this.#breaks) {
      const space = this.#isApart(last.text, shown) ? ' ' : '';
      last.text += space + withSign(last.text + space, this.#sign, shown);
    } else into.push({ kind: 'text', text: shown, breaks: this.#breaks, ...line });
    this.#breaks = false;
    this.#sign = '';
    this.#gaps.length = 0;
  }

  #lines(raw: string, isStruck: boolean, into: Piece[]): void {
    const read = raw.slice(0, Math.max(0, mostText - this.#written));
    if (read.length < raw.length) this.progress.bound ??= 'text';
    this.#written += read.length;
    for (const [at, line] of linesIn(read).entries()) {
      this.#breaks ||= at > 0;
      this.#text(line, isStruck, into, { isLine: true });
    }
  }

  /** Elements named by `aria-owns` are shown where their owner is. */
  #noteOwners(element: Element): void {
    const scope = this.#scopes.size === 0 ? scopeOf(element) : shadowRootOf(element);
    if (!scope || this.#scopes.has(scope)) return;
    this.#scopes.add(scope);
    if (scope instanceof ShadowRoot) {
      this.#names.rules.hasShadows = true;
      this.#memory?.watch(scope);
    }
    this.#owners.read(scope, this.#root ?? element);
  }
}

/** The number of a list item is drawn beside its first line. */
function addMarker(item: Item, marker: string): void {
  const [first, ...rest] = item.children;
  if (first?.kind === 'text') item.children = [{ ...first, text: `${marker} ${first.text.trimStart()}` }, ...rest];
  else {
    const lead = { kind: 'text' as const, text: `${marker} `, breaks: true };
    item.children = first === undefined ? [lead] : [lead, { ...first, breaks: false }, ...rest];
  }
}

/** Spaces at the ends stay outside, because they separate words. */
function struckOut(text: string): string {
  const words = text.trim();
  const start = text.length - text.trimStart().length;
  return words === '' ? text : `${text.slice(0, start)}~~${words}~~${text.slice(start + words.length)}`;
}

function isFaint(opacity: string): boolean {
  return opacity !== '1' && Number(opacity) < leastOpacity;
}

function inColumn(pieces: Piece[], column: number): Piece[] {
  const [first, ...rest] = pieces;
  return first === undefined ? pieces : [{ ...first, column }, ...rest];
}

/** Without a sign between them, a number and its exponent would be read as one number. */
function withSign(before: string, sign: string, text: string): string {
  return sign !== '' && /[\p{L}\p{N}]$/u.test(before) && /^[\p{L}\p{N}−+-]/u.test(text) ? sign + text : text;
}
