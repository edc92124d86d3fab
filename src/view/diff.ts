import { elementText, lineText } from '../page/walk/line.ts';
import { countLines, dashed, headOf, linesOf, shownLine, textOf } from './node.ts';
import type { RefForm, ViewNode } from './node.ts';

const longestName = 40;

/** A page as it was walked, and the part of it that the model was shown. */
export interface ShownView {
  readonly whole: readonly ViewNode[];
  readonly shown: readonly ViewNode[];
}

export interface Changes {
  /**
   * `-` removed, `+` added, `~` changed, the last two in the order of the page; `@@` says where added or reordered lines
   * are.
   */
  readonly lines: readonly string[];
  /** How many lines changed in parts that were not shown, before or now. */
  readonly unseen: number;
}

/** The changes since the page was shown. Only lines that were shown are named; other changes are counted. Pure. */
export function diffViews(before: ShownView, now: ShownView, form: RefForm = {}): Changes {
  const known = nodeMap(before.shown);
  const present = nodeMap(now.whole);
  const visible = nodeMap(now.shown);
  const diff = { known, places: placesOf(before.shown), form, heading: '', place: '' };
  const lines = [...removedLines(before.shown, present, form), ...changedLines(now.shown, diff, '')];
  const old = nodeMap(before.whole);
  let unseen = 0;
  for (const [key, node] of present) if (!visible.has(key) && !isAsBefore(old.get(key), node)) unseen++;
  for (const key of old.keys()) if (!known.has(key) && !present.has(key)) unseen++;
  return { lines, unseen };
}

type NodeMap = ReadonlyMap<string, ViewNode>;

function nodeMap(nodes: readonly ViewNode[]): NodeMap {
  return new Map([...linesOf(nodes)].map(({ node }) => [node.key, node]));
}

/** Removed lines, each with the number of lines in it. A line that is now folded is not removed. */
function removedLines(shown: readonly ViewNode[], present: NodeMap, form: RefForm): readonly string[] {
  return shown.flatMap((node) => {
    if (present.has(node.key)) return removedLines(node.children, present, form);
    if (isOurs(node)) return [];
    // Its children may have moved elsewhere: then each removed line is named.
    if ([...linesOf(node.children)].some((line) => present.has(line.node.key)))
      return [`- ${dashed(node, form)}`, ...removedLines(node.children, present, form)];
    const inner = countLines(node.children);
    return [`- ${dashed(node, form)}${inner === 0 ? '' : ` (and ${inner} lines in it)`}`];
  });
}

/** The parent of a line, and its index there. */
interface Place {
  readonly parent: string;
  readonly index: number;
}

function placesOf(nodes: readonly ViewNode[], parent = ''): ReadonlyMap<string, Place> {
  return new Map(
    nodes.flatMap(({ key, children }, index) => [[key, { parent, index }] as const, ...placesOf(children, key)]),
  );
}

/** Whether siblings that were siblings before are now in another order. */
function areReordered(nodes: readonly ViewNode[], parent: string, places: ReadonlyMap<string, Place>): boolean {
  const stood = nodes.map(({ key }) => places.get(key)).filter((place) => place?.parent === parent);
  return stood.some((place, at) => at > 0 && (place?.index ?? 0) < (stood[at - 1]?.index ?? 0));
}

interface Diff {
  readonly known: NodeMap;
  readonly places: ReadonlyMap<string, Place>;
  readonly form: RefForm;
  /** The last heading before the line. */
  heading: string;
  /** The place that was printed last. */
  place: string;
}

function changedLines(nodes: readonly ViewNode[], diff: Diff, inside: string, parent = ''): readonly string[] {
  const areMoved = areReordered(nodes, parent, diff.places);
  const order = areMoved ? placeLines(diff, inside, ', in another order') : [];
  const lines = nodes.flatMap((node) => {
    const old = diff.known.get(node.key);
    if (old === undefined) {
      if (isOurs(node)) return [];
      const added = [...linesOf([node])].map((line) => `+ ${shownLine(line, diff.form)}`);
      return [...placeLines(diff, inside), ...added];
    }
    const place = placeOf(node, diff.form);
    if (node.kind === 'heading') diff.heading = place ?? '';
    const change = isAsBefore(old, node) && !areMoved ? [] : [`~ ${dashed(node, diff.form)}`];
    return [...change, ...changedLines(node.children, diff, place ?? inside, node.key)];
  });
  return [...order, ...lines];
}

/** Where the lines that follow were added: in which element, else under which heading. Printed once per place. */
function placeLines(diff: Diff, inside: string, how = ''): readonly string[] {
  const place = inside === '' ? diff.heading : inside;
  const isPrinted = place === diff.place && how === '';
  diff.place = place;
  return isPrinted ? [] : [`@@ ${place === '' ? 'page' : place}${how} @@`];
}

/** Role, name and ref of a line's element; undefined for one that has neither name nor ref. */
function placeOf(node: ViewNode, form: RefForm): string | undefined {
  const { role, name, ref } = headOf(node) ?? { role: '' };
  if (name === undefined && ref === undefined) return undefined;
  return elementText({ role, name: short(name ?? ''), ...(ref === undefined ? {} : { ref }) }, form);
}

function short(name: string): string {
  return name.length <= longestName ? name : `${name.slice(0, longestName)}…`;
}

/** Lines about folds and cuts are not part of the page. */
function isOurs(node: ViewNode): boolean {
  return node.kind === 'fold';
}

function isAsBefore(before: ViewNode | undefined, now: ViewNode): boolean {
  if (before === undefined) return false;
  return textOf(before) === textOf(now) || comparable(before) === comparable(now);
}

/** The focus moves with every click, and elements scroll in and out of the viewport: not worth a line. */
function comparable({ parts }: ViewNode): string {
  return lineText(parts, { isComparable: true });
}
