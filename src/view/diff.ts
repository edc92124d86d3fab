import { countLines, dashed, linesOf, shownLine } from './node.ts';
import type { ViewNode } from './node.ts';

const longestName = 40;

/** A page as it was walked, and the part of it that the model was shown. */
export interface ShownView {
  readonly whole: readonly ViewNode[];
  readonly shown: readonly ViewNode[];
}

export interface Changes {
  /**
   * `-` removed, `+` added, `~` changed, the last two in the order of the page; `@@` says where added lines stand, or
   * those in another order.
   */
  readonly lines: readonly string[];
  /** Lines that differ in parts that were not shown, before or now. */
  readonly unseen: number;
}

/** What changed since the page was shown. It refers only to lines that were shown; other changes are counted. Pure. */
export function diffViews(before: ShownView, now: ShownView): Changes {
  const known = lineMap(before.shown);
  const present = lineMap(now.whole);
  const visible = lineMap(now.shown);
  const lines = [
    ...removedLines(before.shown, present),
    ...changedLines(now.shown, { known, places: placesOf(before.shown), heading: '', told: '' }, ''),
  ];
  const old = lineMap(before.whole);
  let unseen = 0;
  for (const [key, line] of present) if (!visible.has(key) && !isAsBefore(old.get(key), line)) unseen++;
  for (const key of old.keys()) if (!known.has(key) && !present.has(key)) unseen++;
  return { lines, unseen };
}

function lineMap(nodes: readonly ViewNode[]): ReadonlyMap<string, string> {
  return new Map([...linesOf(nodes)].map(({ node }) => [node.key, node.line]));
}

/** What is gone, each with what was in it; a line that was only folded away is not gone. */
function removedLines(shown: readonly ViewNode[], present: ReadonlyMap<string, string>): readonly string[] {
  return shown.flatMap((node) => {
    if (present.has(node.key)) return removedLines(node.children, present);
    if (isOurs(node)) return [];
    // What was in it may live on elsewhere: then each line that is gone is named.
    if ([...linesOf(node.children)].some((line) => present.has(line.node.key)))
      return [`- ${dashed(node)}`, ...removedLines(node.children, present)];
    const inner = countLines(node.children);
    return [`- ${dashed(node)}${inner === 0 ? '' : ` (and ${inner} lines in it)`}`];
  });
}

/** In what a line stood, and as which of the lines there. */
interface Place {
  readonly parent: string;
  readonly index: number;
}

function placesOf(nodes: readonly ViewNode[], parent = ''): ReadonlyMap<string, Place> {
  return new Map(
    nodes.flatMap(({ key, children }, index) => [[key, { parent, index }] as const, ...placesOf(children, key)]),
  );
}

/** Whether lines that stand beside each other, as before, do so in another order. */
function areReordered(nodes: readonly ViewNode[], parent: string, places: ReadonlyMap<string, Place>): boolean {
  const stood = nodes.map(({ key }) => places.get(key)).filter((place) => place?.parent === parent);
  return stood.some((place, at) => at > 0 && (place?.index ?? 0) < (stood[at - 1]?.index ?? 0));
}

interface Telling {
  readonly known: ReadonlyMap<string, string>;
  readonly places: ReadonlyMap<string, Place>;
  /** The last heading on the way. */
  heading: string;
  /** The place that was told last. */
  told: string;
}

function changedLines(nodes: readonly ViewNode[], telling: Telling, inside: string, parent = ''): readonly string[] {
  const areMoved = areReordered(nodes, parent, telling.places);
  const order = areMoved ? placeLines(telling, inside, ', in another order') : [];
  const lines = nodes.flatMap((node) => {
    const old = telling.known.get(node.key);
    if (old === undefined) {
      if (isOurs(node)) return [];
      const added = [...linesOf([node])].map((line) => `+ ${shownLine(line)}`);
      return [...placeLines(telling, inside), ...added];
    }
    if (node.kind === 'heading') telling.heading = placeOf(node) ?? '';
    const change = isAsBefore(old, node.line) && !areMoved ? [] : [`~ ${dashed(node)}`];
    return [...change, ...changedLines(node.children, telling, placeOf(node) ?? inside, node.key)];
  });
  return [...order, ...lines];
}

/** Where the lines that follow were added: in what, else under which heading. Said once for all that are there. */
function placeLines(telling: Telling, inside: string, how = ''): readonly string[] {
  const place = inside === '' ? telling.heading : inside;
  const isTold = place === telling.told && how === '';
  telling.told = place;
  return isTold ? [] : [`@@ ${place === '' ? 'page' : place}${how} @@`];
}

/** What a line is called by: role and name, and its ref; undefined for one that has neither name nor ref. */
function placeOf({ line }: ViewNode): string | undefined {
  const [, role = '', name] = /^([\w-]+)(?: "((?:[^"\\]|\\.)*)")?/.exec(line) ?? [];
  const ref = /^[^:]*?(\[ref=[^\]]+\])/.exec(line.slice(role.length + (name?.length ?? 0)))?.[1];
  if (name === undefined && ref === undefined) return undefined;
  return [role, ...(name === undefined ? [] : [`"${short(name)}"`]), ...(ref === undefined ? [] : [ref])].join(' ');
}

function short(name: string): string {
  return name.length <= longestName ? name : `${name.slice(0, longestName)}…`;
}

/** Lines about folds and cuts are not the page's. */
function isOurs(node: ViewNode): boolean {
  return node.kind === 'fold';
}

function isAsBefore(before: string | undefined, now: string): boolean {
  return before === now || (before !== undefined && comparable(before) === comparable(now));
}

/** Focus moves with every click, and lines scroll in and out of view: no news. */
function comparable(line: string): string {
  return line.replace(' [active]', '').replace(/ \[offscreen[^\]]*\]/, '');
}
