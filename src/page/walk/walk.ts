import { Collector } from './collect.ts';
import { mediaIn, withDrawing } from '../content/documents.ts';
import { bodyOf } from '../dom/dom.ts';
import { newTargets } from '../dom/listeners.ts';
import type { Piece, WalkNode, WalkOptions, WalkResult } from './items.ts';
import { isBarred, lineText } from './line.ts';
import { Memory } from './memory.ts';
import { withModalFirst } from './modal-first.ts';
import { Names } from '../aria/names.ts';
import { Printer } from './print.ts';
import type { Prints } from './print.ts';
import { RefBook, sameThing } from './refs.ts';
import { isEditingHost, roleOf } from '../aria/roles.ts';
import { Styles } from '../dom/styles.ts';
import { xmlIn } from '../content/xml.ts';

/** The element of a ref, or of the element that replaced it. */
export type Healed = { readonly ref: string; readonly element: Element } | 'none' | 'several';

/** Walks one document and keeps the refs of its elements. */
export interface Walker {
  /** With `since`, the id of the last whole walk, only what may have changed since is visited and returned. */
  walk(root: Element | undefined, options?: WalkOptions, since?: string): WalkResult;
  elementOf(ref: string): Element | undefined;
  /** New refs begin with this number, or later. */
  startRefsAt(number: number): void;
  refOf(element: Element): string;
  describe(element: Element): { readonly role: string; readonly name: string };
  /** Finds the element that a re-render put in the place of the ref's element. */
  heal(ref: string): Healed;
  /** Must be called with every mutation. */
  note(records: readonly MutationRecord[]): void;
}

interface WalkRun {
  readonly collector: Collector;
  readonly printer: Printer;
}

/** `onShadow` is called for every shadow root. */
export function createWalker(document: Document, onShadow: (root: ShadowRoot) => void = () => undefined): Walker {
  const book = new RefBook();
  const memory = new Memory(document, onShadow);
  const prints: Prints = new WeakMap();
  let last = '';

  const walked = (root: Element | null, collector: Collector, printer: Printer): WalkRun => {
    if (root !== null) printer.print(piecesOf(document, root, collector));
    return { collector, printer };
  };
  /** Walks everything or a part, without memory. */
  const freshly = (root: Element | undefined, options: WalkOptions): WalkRun =>
    walked(root ?? bodyOf(document), new Collector(document, options), new Printer(book, options));

  /** Walks everything; what cannot have changed since the walk that the server has is neither visited nor returned. */
  const wholly = (options: WalkOptions, since: string | undefined): WalkRun => {
    const recalls = memory.begin(since === last);
    last = Math.random().toString(36).slice(2);
    const printer = new Printer(book, options, prints, !recalls);
    const whole = walked(bodyOf(document), new Collector(document, options, memory), printer);
    memory.end(whole.collector.progress.nodes);
    return whole;
  };

  /** A listener is added without a mutation. */
  const noteTargets = (): void => {
    for (const target of newTargets(document)) memory.changes.restyle(target);
  };

  const walk = (root: Element | undefined, options: WalkOptions = {}, since?: string): WalkResult => {
    noteTargets();
    const isPlain = root === undefined && isDefault(options);
    const run = isPlain ? wholly(options, since) : freshly(root, options);
    return { ...(isPlain ? { walk: last } : {}), ...resultOf(run, options) };
  };

  const heal = (ref: string): Healed => {
    const here = book.elementOf(ref);
    if (here !== undefined) return { ref, element: here };
    const lost = book.fingerprintOf(ref);
    if (lost === undefined) return 'none';
    const wasOnly = book.wasOnly(ref);
    noteTargets();
    const { printer } = freshly(undefined, {});
    const [found, ...others] = sameThing(lost, wasOnly, printer.fingerprints);
    const element = found === undefined ? undefined : book.elementOf(found);
    if (found === undefined || element === undefined) return 'none';
    return others.length > 0 ? 'several' : { ref: found, element };
  };

  return {
    walk,
    heal,
    note: (records) => memory.changes.note(records),
    ...refsIn(book),
    describe: (element) => describe(element),
  };
}

function resultOf({ collector, printer }: WalkRun, options: WalkOptions): Omit<WalkResult, 'walk'> {
  const { bound, nodes, suspects } = collector.progress;
  return {
    ...(options.nodes === true ? { lines: [], nodes: printer.nodes } : { lines: linesOf(printer.nodes) }),
    refs: printer.refs,
    frames: printer.frames,
    ...(bound === undefined ? {} : { truncated: { nodes, bound } }),
    ...(suspects === 0 ? {} : { suspects }),
  };
}

function refsIn(book: RefBook): Pick<Walker, 'elementOf' | 'startRefsAt' | 'refOf'> {
  return {
    elementOf: (ref) => book.elementOf(ref),
    startRefsAt: (number) => book.startAt(number),
    refOf: (element) => book.refOf(element),
  };
}

function piecesOf(document: Document, root: Element, collector: Collector): readonly Piece[] {
  const file = mediaIn(document, root) ?? xmlIn(document, root, collector.styles);
  if (file !== undefined) return file;
  const pieces = collector.collect(root);
  const isModal = collector.progress.modals > 0 && root === bodyOf(document);
  return isModal ? withModalFirst(root, pieces) : withDrawing(document, root, pieces);
}

/** No option that changes items or lines. */
function isDefault({ nodes: _nodes, ...options }: WalkOptions): boolean {
  return Object.values(options).every((value) => value === false || value === undefined);
}

function describe(element: Element): { role: string; name: string } {
  const written = roleOf(element);
  const role = written === '' && isEditingHost(element) ? 'textbox' : written;
  const names = new Names(new Styles());
  names.rules.hasShadows = true;
  return { role: role === '' ? 'generic' : role, name: names.of(element, role).name };
}

/** The snapshot as text lines. */
export function linesOf(nodes: readonly WalkNode[]): string[] {
  return nodes.map(({ depth, parts }, at) => {
    const colon = (nodes[at + 1]?.depth ?? 0) > depth ? ':' : '';
    return `${'  '.repeat(depth)}${isBarred(parts) ? '' : '- '}${lineText(parts)}${colon}`;
  });
}
