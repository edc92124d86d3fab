import { redacted } from '../aria/states.ts';
import { containsNode } from '../dom/dom.ts';
import type { Item, Piece, RefEntry, TextRun, WalkNode, WalkOptions } from './items.ts';
import { elementText, mixedScalar, printableParts, scalar, yamlKey } from './line.ts';
import type { LineElement, LinePart } from './line.ts';
import { isListing, linesOf } from '../content/listing.ts';
import type { Fingerprint, RefBook } from './refs.ts';
import { cutAround, printable, tidy } from './text.ts';

const inlineRoles = new Set(
  'row listitem paragraph heading cell gridcell columnheader rowheader term definition caption blockquote generic'.split(
    ' ',
  ),
);
const placeRoles = new Set(['row', 'listitem', 'article', 'dialog', 'region', 'group', 'tabpanel', 'generic']);
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
      this.#push(above, id, item.role, inline.length === 0 ? head : [...head, ': ', ...inline]);
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

  /** Targets in menus, headers and footers are left out: the names say enough, and they repeat on every page. */
  #tellsUrl(item: Item, above: Above): boolean {
    const { urls = 'lines' } = this.#options;
    if (urls !== 'lines') return urls === 'all';
    return item.name === '' || !/(?:^|>)(?:banner|navigation|contentinfo|menu|menubar)(?:>|$)/.test(above.path);
  }

  #push(above: Above, key: string, role: string, parts: readonly LinePart[]): void {
    this.nodes.push({ depth: above.depth, key, role, parts });
  }

  /** The element with its ref, which is assigned here. */
  #element(item: Item, above: Above, props: readonly string[] = []): LineElement {
    const { role, states } = item;
    const name = isHeadOf(item) ? '' : printable(this.#cut(item.name));
    const ref =
      item.hasRef || (this.#options.allRefs === true && item.isNote !== true) ? this.#ref(item, above) : undefined;
    const offscreen = this.#offscreenOf(item);
    const marks = [...item.marks, ...props];
    return {
      role,
      ...(name === '' ? {} : { name }),
      ...(states.length === 0 ? {} : { states }),
      ...(ref === undefined ? {} : { ref }),
      ...(marks.length === 0 ? {} : { marks }),
      ...(offscreen === undefined ? {} : { offscreen }),
    };
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
    if (!inlineRoles.has(item.role)) return undefined;
    if (!isInlineable(item) || children.filter(isCard).length > 1) return undefined;
    return mixedScalar(item.role === 'row' ? this.#row(children, inner) : this.#inline(children, inner));
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
    const parts = cells.flatMap((cell) => {
      // Cells that span rows or columns leave gaps.
      const bars = (cell.column ?? column) - column + (column === 0 ? 0 : 1);
      column = (cell.column ?? column) + 1;
      return [...Array.from({ length: bars }, () => ' | '), ...this.#inline([cell], inner)];
    });
    return trimmed(parts);
  }

  #inline(pieces: readonly Piece[], above: Above): readonly LinePart[] {
    const parts: LinePart[] = [];
    let said = '';
    for (const piece of pieces) {
      if (isEcho(piece, said)) continue;
      const added = piece.kind === 'text' ? this.#inlineText(piece) : this.#inlineItem(piece, above);
      const [first] = added;
      if (first === undefined) continue;
      said = piece.kind === 'text' ? '' : piece.name;
      const isPunctuation = typeof first === 'string' && /^[,.;:!?)]/.test(first);
      if (parts.length > 0 && piece.breaks) parts.push(' | ');
      else if (parts.length > 0 && !isPunctuation) parts.push(' ');
      parts.push(...added);
    }
    return parts;
  }

  #inlineText(run: TextRun): readonly LinePart[] {
    const text = this.#cut(tidy(run.text));
    return text === '' ? [] : [text];
  }

  #inlineItem(item: Item, above: Above): readonly LinePart[] {
    const isQuiet = isBare(item) && this.#options.allRefs !== true;
    const inside = this.#inline(item.children, above);
    if (isQuiet) return inside;
    const props = item.props
      .filter(([prop, value]) => this.#isToldInline(prop, value))
      .map(([prop, value]) => `${prop.slice(1)}=${inBrackets(prop, value)}`);
    const element = this.#element(item, above, props);
    return inside.length === 0 ? [element] : [element, ' ', ...inside];
  }

  /** Inside a line, targets on this site are left out unless all are wanted. */
  #isToldInline(prop: string, value: string): boolean {
    return prop !== '/url' || this.#options.urls === 'all' || !/^[#/](?!\/)/.test(value);
  }
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
