import { mostOptions } from '../content/select-options.ts';
import { redacted } from '../aria/states.ts';
import { containsNode } from '../dom/dom.ts';
import type { Item, Piece, RefEntry, TextRun, WalkNode, WalkOptions } from './items.ts';
import { elementText, isBarred, mixedScalar, printableParts, scalar, yamlKey } from './line.ts';
import type { LineElement, LinePart } from './line.ts';
import { isListing, linesOf } from '../content/listing.ts';
import type { Fingerprint, RefBook } from './refs.ts';
import { cutAround, printable, tidy } from './text.ts';

const inlineRoles = new Set(
  'row listitem article paragraph heading cell gridcell columnheader rowheader term definition caption blockquote generic'.split(
    ' ',
  ),
);
const placeRoles = new Set(['row', 'listitem', 'article', 'dialog', 'region', 'group', 'tabpanel', 'generic']);
/** Elements whose content is about one thing, which its first heading or link names. */
const cardRoles = new Set(['row', 'listitem', 'article', 'generic']);
/** Shorter names are not worth an ellipsis. */
const leastRepeat = 8;
const mostInline = 600;
const mostPlace = 80;

/** How and where an item was printed. */
interface Printed {
  readonly depth: number;
  readonly path: string;
  readonly wasInTail: boolean;
  /** The offscreen tail began inside it. */
  readonly tail: Element | undefined;
}

/** How items were printed in earlier walks. */
export type Prints = WeakMap<Item, Printed>;

interface Above {
  readonly depth: number;
  readonly path: string;
  readonly place: string;
}

/** Turns items into lines, and assigns refs in page order. */
export class Printer {
  readonly nodes: WalkNode[] = [];
  readonly refs: RefEntry[] = [];
  readonly frames: { ref: string; index: number }[] = [];
  readonly fingerprints = new Map<string, Fingerprint>();
  readonly #book: RefBook;
  readonly #options: WalkOptions;
  readonly #most: number;
  readonly #prints: Prints;
  readonly #repeats: boolean;
  #tail: Element | undefined;
  #isInTail = false;
  /** The name of the card that is printed on one line. */
  #card = '';

  /** Items that `prints` has from the walk before are left out, unless everything is to be repeated. */
  constructor(book: RefBook, options: WalkOptions, prints: Prints = new WeakMap(), repeats = true) {
    this.#book = book;
    this.#options = options;
    this.#prints = prints;
    this.#repeats = repeats;
    this.#most = options.maxText ?? 200;
  }

  #cut(text: string): string {
    return cutAround(text, this.#most, this.#options.around ?? '');
  }

  print(pieces: readonly Piece[]): void {
    this.#tail = tailOf(pieces);
    const wanted = this.#options.interactiveOnly === true ? actionsIn(pieces) : pieces;
    this.#pieces(wanted, { depth: 0, path: '', place: '' }, '');
    for (const [ref, print] of this.fingerprints) this.#book.remember(ref, print);
  }

  #pieces(pieces: readonly Piece[], above: Above, parentKey: string): void {
    let before = '';
    let texts = 0;
    for (let at = 0; at < pieces.length;) {
      const end = this.#runEnd(pieces, at);
      const first = pieces[at];
      if (end > at) {
        const run = pieces.slice(at, end);
        const parts = this.#inline(run, above);
        if (parts.length > 0) this.#push(above, `${parentKey}t${texts++}`, 'text', ['text: ', ...mixedScalar(parts)]);
        before = placeText(run);
        at = end;
        continue;
      }
      if (first?.kind === 'item') {
        this.#item(first, above.place === '' ? { ...above, place: before } : above);
        if (!first.hasRef && first.name !== '') before = first.name.slice(0, mostPlace);
      }
      at++;
    }
  }

  /** Texts and the links between them make one line. */
  #runEnd(pieces: readonly Piece[], start: number): number {
    let end = start;
    let length = 0;
    let lastText = start;
    let hasText = false;
    for (; end < pieces.length; end++) {
      const piece = pieces[end];
      if (piece === undefined) break;
      if (piece.kind === 'text') {
        if (end > start && length > this.#most) break;
        length += piece.text.length;
        hasText = true;
        lastText = end + 1;
      } else {
        const isProse = piece.role === 'link' && isLeaf(piece) && !piece.breaks;
        if (!isProse || length > mostInline) break;
        length += piece.name.length;
        if (hasText) lastText = end + 1;
      }
    }
    return hasText ? lastText : start;
  }

  #item(item: Item, above: Above): void {
    const known = this.#repeats ? undefined : this.#prints.get(item);
    const isKnown = known?.depth === above.depth && known.path === above.path && known.wasInTail === this.#isInTail;
    if (isKnown && (known.tail === undefined ? !this.#isTailIn(item) : known.tail === this.#tail)) {
      this.nodes.push({ depth: above.depth, key: this.#book.keyOf(item.element), role: '', parts: [], isSame: true });
      this.#isInTail ||= known.tail !== undefined;
      return;
    }
    const wasInTail = this.#isInTail;
    this.#printItem(item, above);
    const tail = wasInTail === this.#isInTail ? undefined : this.#tail;
    this.#prints.set(item, { depth: above.depth, path: above.path, wasInTail, tail });
  }

  #isTailIn({ element }: Item): boolean {
    return !this.#isInTail && this.#tail !== undefined && containsNode(element, this.#tail);
  }

  #printItem(item: Item, above: Above): void {
    const place = placeRoles.has(item.role) ? placeOf(item) || above.place : above.place;
    const head = yamlKey(this.#element(item, { ...above, place }));
    const inner = {
      depth: above.depth + 1,
      path: above.path === '' ? item.role : `${above.path}>${item.role}`,
      place,
    };
    const id = this.#book.keyOf(item.element);
    const props = this.#tellsUrl(item, above) ? item.props : item.props.filter(([prop]) => prop !== '/url');
    const inline = this.#inlineContent(item, props.length > 0, inner);
    if (inline !== undefined) {
      this.#push(above, id, item.role, lineOf(head, inline));
      return;
    }
    this.#push(above, id, item.role, head);
    for (const [prop, value] of props) this.#push(inner, `${id}${prop}`, prop, [`${prop}: ${scalar(value)}`]);
    if (item.value !== '') this.#push(inner, `${id}v`, 'text', [`text: ${this.#value(item)}`]);
    if (this.#options.depth !== undefined && inner.depth > this.#options.depth) {
      const count = item.children.length;
      if (count > 0) this.#push(inner, `${id}m`, 'more', [`text: … (${count} inside)`]);
      return;
    }
    if (isListing(item.children)) this.#listing(item.children, inner, id);
    else this.#pieces(item.children, inner, id);
  }

  /** Each line as it is written, after a bar: no other line begins with one, and nothing needs to be quoted. */
  #listing(pieces: readonly Piece[], above: Above, parentKey: string): void {
    for (const [at, line] of linesOf(pieces).entries()) {
      const inLine = line.filter((piece) => piece.kind === 'text' || (piece.role === 'link' && isLeaf(piece)));
      const parts = inLine.flatMap((piece) => (piece.kind === 'text' ? [piece.text] : this.#inlineItem(piece, above)));
      if (inLine.length > 0)
        this.#push(above, `${parentKey}t${at}`, 'line', trimmedEnd(printableParts(['| ', ...parts])));
      for (const piece of line) if (piece.kind === 'item' && !inLine.includes(piece)) this.#item(piece, above);
    }
  }

  /**
   * Targets on this site are left out where the link has a name, which says enough; so are all in menus, headers and
   * footers, which repeat on every page.
   */
  #tellsUrl(item: Item, above: Above): boolean {
    const { urls = 'lines' } = this.#options;
    if (urls !== 'lines') return urls === 'all';
    if (item.name === '') return true;
    const url = item.props.find(([prop]) => prop === '/url')?.[1] ?? '';
    if (isLocal(url) || item.name.includes(url.replace(/^(?:\w+:)?(?:\/\/)?/, ''))) return false;
    return !/(?:^|>)(?:banner|navigation|contentinfo|menu|menubar)(?:>|$)/.test(above.path);
  }

  #push(above: Above, key: string, role: string, parts: readonly LinePart[]): void {
    this.nodes.push({ depth: above.depth, key, role, parts });
  }

  /** The element with its ref, which is assigned here. */
  #element(item: Item, above: Above, props: readonly string[] = []): LineElement {
    const { role, states } = item;
    const name = isHeadOf(item) ? '' : printable(this.#cut(this.#shortened(item.name)));
    const ref =
      item.hasRef || (this.#options.allRefs === true && item.isNote !== true) ? this.#ref(item, above) : undefined;
    const offscreen = this.#offscreenOf(item);
    const line: { -readonly [Key in keyof LineElement]: LineElement[Key] } = { role };
    if (name !== '') line.name = name;
    if (states.length > 0) line.states = states;
    if (ref !== undefined) line.ref = ref;
    if (item.marks.length + props.length > 0) line.marks = [...item.marks, ...props];
    if (offscreen !== undefined) line.offscreen = offscreen;
    return line;
  }

  /** The name without that of its card, as in `Add … to cart`. */
  #shortened(name: string): string {
    if (this.#card.length < leastRepeat || name.length === this.#card.length) return name;
    const at = name.toLowerCase().indexOf(this.#card.toLowerCase());
    return at < 0 ? name : `${name.slice(0, at)}…${name.slice(at + this.#card.length)}`;
  }

  #ref(item: Item, { path, place }: Above): string {
    const { element, name } = item;
    // The role of a stand-in does not find the label in the accessibility tree.
    const role = item.isStandIn === true ? 'generic' : item.role;
    const ref = this.#book.refOf(element);
    this.refs.push(item.written === undefined ? [ref, role, name] : [ref, role, name, item.written]);
    this.fingerprints.set(ref, { role, name, path, place });
    if (role === 'iframe') this.frames.push({ ref, index: this.nodes.length });
    return ref;
  }

  /** If everything that follows is outside the viewport, one mark is printed for all. */
  #offscreenOf(item: Item): LineElement['offscreen'] {
    if (item.isOffscreen !== true || this.#isInTail) return undefined;
    if (item.element !== this.#tail) return 'element';
    this.#isInTail = true;
    return 'rest';
  }

  /** The text after the colon; undefined if the content needs separate lines. */
  #inlineContent(item: Item, hasProps: boolean, inner: Above): readonly LinePart[] | undefined {
    const { children, value } = item;
    if (hasProps) return undefined;
    if (children.length === 0) return value === '' ? [] : [this.#value(item)];
    if (value !== '') return undefined;
    if (isListing(children)) return undefined;
    if (children.every((child) => child.kind === 'text')) return [scalar(this.#joined(children))];
    if (isPlainSelect(item) && this.#options.allRefs !== true) return this.#choices(children);
    if (!inlineRoles.has(item.role)) return undefined;
    if (!isInlineable(item) || children.filter(isCard).length > 1) return undefined;
    this.#card = cardRoles.has(item.role) ? nameIn(children) : '';
    const parts = item.role === 'row' ? this.#row(children, inner) : this.#inline(children, inner);
    this.#card = '';
    if (isPlainRow(item) && this.#options.allRefs !== true) return trimmedEnd(printableParts(['|', ...parts]));
    return mixedScalar(item.role === 'row' ? trimmed(parts) : parts);
  }

  /** What is selected, then all options. They are separate parts, so that a change can repeat only the first. */
  #choices(options: readonly Piece[]): readonly LinePart[] {
    const { chosen, all } = this.#optionsOf(options, ' | ');
    const text = scalar(`${chosen} ${all}`);
    return text === `${chosen} ${all}` ? [chosen, ` ${all}`] : [text];
  }

  #optionsOf(options: readonly Piece[], separator: string): { readonly chosen: string; readonly all: string } {
    const named = options.flatMap((option) => (option.kind === 'item' ? [option] : []));
    const chosen = named.filter(({ states }) => states.includes('selected')).map(({ name }) => name);
    return {
      chosen: this.#cut(chosen.length === 0 ? 'nothing chosen' : chosen.join(', ')),
      all: `(${named.map(({ name }) => this.#cut(name)).join(separator)})`,
    };
  }

  #value({ value }: Item): string {
    return value === redacted ? JSON.stringify(redacted) : scalar(this.#cut(value));
  }

  #joined(texts: readonly TextRun[]): string {
    const joined = texts.map((run) => tidy(run.text)).filter((text) => text !== '');
    return this.#cut(joined.join(' | '));
  }

  #row(cells: readonly Piece[], inner: Above): readonly LinePart[] {
    let column = 0;
    const parts: LinePart[] = [];
    for (const cell of cells) {
      // Cells that span rows or columns leave gaps.
      const bars = (cell.column ?? column) - column + (column === 0 ? 0 : 1);
      column = (cell.column ?? column) + 1;
      for (let bar = 0; bar < bars; bar++) parts.push('|');
      this.#addInline([cell], inner, parts);
    }
    return parts;
  }

  #inline(pieces: readonly Piece[], above: Above): readonly LinePart[] {
    const parts: LinePart[] = [];
    this.#addInline(pieces, above, parts);
    return parts;
  }

  #addInline(pieces: readonly Piece[], above: Above, into: LinePart[]): void {
    const { length: start } = into;
    let said = '';
    for (const piece of pieces) {
      if (isEcho(piece, said)) continue;
      const added = piece.kind === 'text' ? this.#cut(tidy(piece.text)) : this.#inlineItem(piece, above);
      const first = typeof added === 'string' ? added : added[0];
      if (first === undefined || first === '') continue;
      said = piece.kind === 'text' ? '' : piece.name;
      const isPunctuation = typeof first === 'string' && /^[,.;:!?)]/.test(first);
      if (into.length > start && piece.breaks) into.push(' | ');
      else if (into.length > start && !isPunctuation) into.push(' ');
      if (typeof added === 'string') into.push(added);
      else into.push(...added);
    }
  }

  #inlineItem(item: Item, above: Above): readonly LinePart[] {
    const isQuiet = (isBare(item) || isPlainHeading(item)) && this.#options.allRefs !== true;
    const inside = isPlainSelect(item) ? this.#inlineChoices(item.children) : this.#inline(item.children, above);
    if (isQuiet) return inside.length === 0 && item.name !== '' ? [this.#cut(item.name)] : inside;
    const props = item.props
      .filter(([prop, value]) => this.#isToldInline(prop, value))
      .map(([prop, value]) => `${prop.slice(1)}=${inBrackets(prop, value)}`);
    const element = this.#element(item, above, props);
    const value = item.value === '' ? [] : [` = ${quotedValue(item, (text) => this.#cut(text))}`];
    return inside.length === 0 ? [element, ...value] : [element, ...value, ' ', ...inside];
  }

  /** Bars separate the cells of a row. */
  #inlineChoices(options: readonly Piece[]): readonly LinePart[] {
    const { chosen, all } = this.#optionsOf(options, '; ');
    return options.length === 0 ? [] : [`= ${JSON.stringify(chosen)} ${all}`];
  }

  /** Inside a line, targets on this site are left out unless all are wanted. */
  #isToldInline(prop: string, value: string): boolean {
    return prop !== '/url' || this.#options.urls === 'all' || !isLocal(value);
  }
}

/**
 * A row begins with a bar in place of its role, and a card with its first element. Text never begins a line: it could
 * imitate one of ours.
 */
function lineOf(head: readonly LinePart[], inline: readonly LinePart[]): readonly LinePart[] {
  if (inline.length === 0) return head;
  const [only, ...others] = head;
  const isNameless = typeof only === 'object' && others.length === 0 && elementText(only) === 'generic';
  const isLed = isBarred(inline) || (isNameless && typeof inline[0] === 'object');
  return isLed ? inline : [...head, ': ', ...inline];
}

/** A row of which nothing is printed but its cells. */
function isPlainRow({ role, name, states, marks, hasRef }: Item): boolean {
  return role === 'row' && name === '' && states.length === 0 && marks.length === 0 && !hasRef;
}

/** Whether a short target leads to this site. */
function isLocal(url: string): boolean {
  return /^[#/](?!\/)/.test(url);
}

/** A value inside a line, always in quotes. */
function quotedValue({ value }: Item, cut: (text: string) => string): string {
  return JSON.stringify(value === redacted ? value : printable(cut(value)));
}

/** The name of the first link or heading. */
function nameIn(pieces: readonly Piece[]): string {
  for (const piece of pieces) {
    if (piece.kind === 'text') continue;
    if (piece.role === 'link' || piece.role === 'heading') return piece.name;
    const name = nameIn(piece.children);
    if (name !== '') return name;
  }
  return '';
}

/** A heading inside a line is only its text. */
function isPlainHeading({ role, hasRef, value, children, name }: Item): boolean {
  if (role !== 'heading' || hasRef || value !== '') return false;
  return children.length === 0 || name === '' || isHeadOfText(children, name);
}

/** Whether the content prints the name. */
function isHeadOfText(children: readonly Piece[], name: string): boolean {
  const [only] = children;
  return children.length === 1 && (only?.kind === 'item' ? only.name === name : tidy(only?.text ?? '') === name);
}

/** A list of options that differ in nothing but their names and which is selected. */
function isPlainSelect({ element, children }: Item): boolean {
  if (!(element instanceof HTMLSelectElement) || children.length > mostOptions) return false;
  return children.every(
    (option) =>
      option.kind === 'item' && option.role === 'option' && option.states.every((state) => state === 'selected'),
  );
}

/** Only items with a ref, and the options of a field. */
function actionsIn(pieces: readonly Piece[]): Piece[] {
  return pieces.flatMap((piece): Piece[] => {
    if (piece.kind === 'text') return [];
    if (piece.isNote === true) return [piece];
    if (piece.element instanceof HTMLSelectElement) return [piece];
    const children = actionsIn(piece.children);
    return piece.hasRef ? [{ ...piece, children }] : children;
  });
}

/** The first element after the last interactive one in the viewport. */
function tailOf(pieces: readonly Piece[]): Element | undefined {
  let tail: Element | undefined;
  let count = 0;
  const visit = (piece: Piece): void => {
    if (piece.kind === 'text') return;
    if (piece.isOffscreen === false) {
      tail = undefined;
      count = 0;
    } else if (piece.isOffscreen === true) {
      tail ??= piece.element;
      count++;
    }
    for (const child of piece.children) visit(child);
  };
  for (const piece of pieces) visit(piece);
  return count > 1 ? tail : undefined;
}

/** The text of a run before the next element, which locates it. */
function placeText(run: readonly Piece[]): string {
  const texts = run.map((piece) => (piece.kind === 'text' ? tidy(piece.text) : elementText(piece)));
  return texts.join(' ').slice(0, mostPlace);
}

/** A value that cannot close the brackets around it. */
function inBrackets(prop: string, value: string): string {
  if (prop === '/url') return value.replaceAll(/[[\]\s]/g, (character) => encodeURIComponent(character));
  return JSON.stringify(printable(value).replaceAll(']', '\\]'));
}

function trimmedEnd(parts: readonly LinePart[]): readonly LinePart[] {
  const last = parts.at(-1);
  if (typeof last !== 'string') return parts;
  const text = last.trimEnd();
  return text === '' ? trimmedEnd(parts.slice(0, -1)) : [...parts.slice(0, -1), text];
}

function trimmed(parts: readonly LinePart[]): readonly LinePart[] {
  const [first, ...rest] = parts;
  if (typeof first !== 'string') return trimmedEnd(parts);
  const text = first.trimStart();
  return text === '' ? trimmed(rest) : trimmedEnd([text, ...rest]);
}

/** A heading that consists of one link: the link prints the name. */
function isHeadOf(item: Item): boolean {
  const [only] = item.children;
  return item.role === 'heading' && item.children.length === 1 && only?.kind === 'item' && only.name === item.name;
}

/** Repeats the name of the link before it, as the title under an image does. */
function isEcho(piece: Piece, said: string): boolean {
  if (said === '') return false;
  if (piece.kind === 'text') return tidy(piece.text) === said;
  return !piece.hasRef && piece.name === said && !piece.children.some((child) => child.kind === 'item');
}

function isLeaf(item: Item): boolean {
  return item.children.length === 0 && item.value === '' && item.role !== 'iframe';
}

/** Roles that are not printed inside a line. */
const wordless = new Set(['paragraph', 'cell', 'gridcell', 'columnheader', 'rowheader', 'listitem', 'generic']);

function isBare(item: Item): boolean {
  return wordless.has(item.role) && item.name === '' && item.states.length === 0 && !item.hasRef && item.value === '';
}

/** One of several similar elements; two of them do not share a line. */
function isCard(piece: Piece): boolean {
  return piece.kind === 'item' && piece.role === 'generic' && isBare(piece);
}

/** Short and simple enough for one line. */
function isInlineable(item: Item): boolean {
  let length = 0;
  const fits = (piece: Piece): boolean => {
    if (piece.kind === 'text') {
      length += piece.text.length;
      return true;
    }
    length += piece.name.length;
    if (isBare(piece) || piece.role === 'heading') return piece.children.every(fits);
    if (cardRoles.has(item.role) && isPlainSelect(piece)) {
      length += piece.children.reduce((sum, option) => sum + (option.kind === 'item' ? option.name.length : 0), 0);
      return true;
    }
    // In a card a value is in quotes; it needs no line of its own.
    if (cardRoles.has(item.role) && piece.hasRef && piece.value !== '' && piece.children.length === 0) {
      length += piece.value.length;
      return true;
    }
    // The bars of a row separate it from the next text.
    if (
      item.role === 'row' &&
      piece.hasRef &&
      piece.value === '' &&
      piece.children.every(({ kind }) => kind === 'text')
    )
      return piece.children.every(fits);
    return isLeaf(piece);
  };
  return item.children.every(fits) && length <= mostInline;
}

function placeOf(item: Item): string {
  let place = item.name;
  const add = (pieces: readonly Piece[]): void => {
    for (const piece of pieces) {
      if (place.length >= mostPlace) return;
      if (piece.kind === 'text') place += ` ${tidy(piece.text)}`;
      else if (piece.name !== '') place += ` ${piece.name}`;
      else add(piece.children);
    }
  };
  add(item.children);
  return place.trim().slice(0, mostPlace);
}
