import { Collector } from './collect.ts';
import { bodyOf } from './dom.ts';
import type { WalkNode, WalkOptions, WalkResult } from './items.ts';
import { Names } from './names.ts';
import { Printer } from './print.ts';
import { RefBook, sameThing } from './refs.ts';
import { isEditingHost, roleOf } from './roles.ts';
import { Styles } from './styles.ts';

/** What became of a ref whose element is gone. */
export type Healed = { readonly ref: string; readonly element: Element } | 'none' | 'several';

/** Sees one document, and remembers what it called its elements. */
export interface Walker {
  walk(root: Element | undefined, options?: WalkOptions): WalkResult;
  elementOf(ref: string): Element | undefined;
  refOf(element: Element): string;
  describe(element: Element): { readonly role: string; readonly name: string };
  /** Finds the one element that a re-rendered page has in the place of a ref's element. */
  heal(ref: string): Healed;
}

export function createWalker(document: Document): Walker {
  const book = new RefBook();

  const printed = (root: Element | undefined, options: WalkOptions): { collector: Collector; printer: Printer } => {
    const collector = new Collector(document, options);
    const printer = new Printer(book, options);
    const start = root ?? bodyOf(document);
    if (start !== null) printer.print(collector.collect(start));
    return { collector, printer };
  };

  const walk = (root: Element | undefined, options: WalkOptions = {}): WalkResult => {
    const { collector, printer } = printed(root, options);
    const { bound, nodes, unseen } = collector;
    return {
      lines: linesOf(printer.nodes),
      ...(options.nodes === true ? { nodes: printer.nodes } : {}),
      refs: printer.refs,
      frames: printer.frames,
      ...(bound === undefined ? {} : { truncated: { nodes, bound } }),
      ...(unseen === 0 ? {} : { unseen }),
    };
  };

  const heal = (ref: string): Healed => {
    const here = book.elementOf(ref);
    if (here !== undefined) return { ref, element: here };
    const lost = book.fingerprintOf(ref);
    if (lost === undefined) return 'none';
    const { printer } = printed(undefined, {});
    const [found, ...others] = sameThing(lost, printer.fingerprints);
    const element = found === undefined ? undefined : book.elementOf(found);
    if (found === undefined || element === undefined) return 'none';
    return others.length > 0 ? 'several' : { ref: found, element };
  };

  return {
    walk,
    heal,
    elementOf: (ref) => book.elementOf(ref),
    refOf: (element) => book.refOf(element),
    describe: (element) => describe(element),
  };
}

function describe(element: Element): { role: string; name: string } {
  const written = roleOf(element);
  const role = written === '' && isEditingHost(element) ? 'textbox' : written;
  return { role: role === '' ? 'generic' : role, name: new Names(new Styles()).of(element, role).name };
}

/** The snapshot as text lines. */
export function linesOf(nodes: readonly WalkNode[]): string[] {
  return nodes.map(({ depth, line }) => `${'  '.repeat(depth)}- ${line}`);
}
