import { elementText, isActive, lineText, scalar } from '../page/walk/line.ts';
import { isValueTyped, onlyChanged } from './changed-parts.ts';
import { isIncluded, isOpened, leadText, lostElements, newsIn, refsOf } from './new-layout.ts';
import { countLines, countOf, dashed, elementsOf, headOf, linesOf, shownLine, textOf } from './node.ts';
import type { RefForm, ViewNode } from './node.ts';

const comparableForm = { isComparable: true };
const longestName = 40;
/** Shorter runs of removed lines are named one by one. */
const leastRun = 3;

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
  /** Lines that changed in parts that were not shown, before or now. */
  readonly unseen: readonly ViewNode[];
  /** The field that was typed into changed, and was left out. */
  readonly isTypedLeftOut: boolean;
}

export interface DiffOptions extends RefForm {
  /** The text that the call typed and the answer repeats: the focused field that now contains it is not named again. */
  readonly typed?: string | undefined;
}

/** The changes since the page was shown. Only lines that were shown are named; other changes are returned apart. Pure. */
export function diffViews(before: ShownView, now: ShownView, { typed, ...form }: DiffOptions = {}): Changes {
  const known = nodeMap(before.shown);
  const present = nodeMap(now.whole);
  const visible = nodeMap(now.shown);
  // Under the only heading of a page everything is in the same place.
  const place = onlyHeading(now.shown, form);
  const diff = { known, places: placesOf(before.shown), form, typed, isTypedLeftOut: false, heading: '', place };
  const after = { present, refs: refsOf(now.whole), form };
  const lines = [...removedLines(before.shown, after), ...changedLines(now.shown, diff, '')];
  const old = nodeMap(before.whole);
  const unseen: ViewNode[] = [];
  for (const [key, node] of present) if (!visible.has(key) && !isAsBefore(old.get(key), node)) unseen.push(node);
  for (const [key, node] of old) if (!known.has(key) && !present.has(key)) unseen.push(node);
  return { lines, unseen, isTypedLeftOut: diff.isTypedLeftOut };
}

/** Nodes that are new, or whose line changed. Pure. */
export function changedNodes(before: readonly ViewNode[], now: readonly ViewNode[]): readonly ViewNode[] {
  const known = nodeMap(before);
  return [...linesOf(now)].flatMap(({ node }) => (isAsBefore(known.get(node.key), node) ? [] : [node]));
}

type NodeMap = ReadonlyMap<string, ViewNode>;

function nodeMap(nodes: readonly ViewNode[]): NodeMap {
  return new Map([...linesOf(nodes)].map(({ node }) => [node.key, node]));
}

/** The page as it is now. */
interface After {
  readonly present: NodeMap;
  readonly refs: ReadonlySet<string>;
  readonly form: RefForm;
}

/** Removed lines, each with the number of lines in it; a run of one kind is only counted. A folded line is not removed. */
function removedLines(shown: readonly ViewNode[], after: After, parent?: ViewNode): readonly string[] {
  const lines: string[] = [];
  for (let at = 0; at < shown.length;) {
    const node = shown[at];
    if (node === undefined) break;
    const run = isGone(node, after, parent) ? goneRun(shown, at, after, parent) : 1;
    if (run >= leastRun) lines.push(`- ${countOf(node.kind, run)}`);
    else lines.push(...shown.slice(at, at + run).flatMap((each) => removedLine(each, after, parent)));
    at += run;
  }
  return lines;
}

/** How many nodes from here on are gone and of one kind. */
function goneRun(shown: readonly ViewNode[], from: number, after: After, parent?: ViewNode): number {
  let end = from;
  while (shown[end]?.kind === shown[from]?.kind && isGone(shown[end], after, parent)) end++;
  return end - from;
}

/** Removed with everything in it. Content may also have moved elsewhere, or into the line of its parent. */
function isGone(node: ViewNode | undefined, { present }: After, parent: ViewNode | undefined): boolean {
  if (node === undefined || isOurs(node) || isIncluded(node, parent)) return false;
  return ![...linesOf([node])].some((line) => present.has(line.node.key));
}

function removedLine(node: ViewNode, after: After, parent?: ViewNode): readonly string[] {
  const { present, refs, form } = after;
  const now = present.get(node.key);
  if (now !== undefined) {
    const lost = isOpened(node, now) ? lostElements(node, refs) : [];
    return [...lost.map((each) => `- - ${elementText(each, form)}`), ...removedLines(node.children, after, now)];
  }
  if (isOurs(node) || isIncluded(node, parent)) return [];
  if (!isGone(node, after, parent)) return [`- ${dashed(node, form)}`, ...removedLines(node.children, after)];
  const inner = countLines(node.children);
  return [`- ${dashed(node, form)}${inner === 0 ? '' : ` (and ${inner} lines in it)`}`];
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
  readonly typed: string | undefined;
  isTypedLeftOut: boolean;
  /** The last heading before the line. */
  heading: string;
  /** The place that was printed last. */
  place: string;
}

function changedLines(nodes: readonly ViewNode[], diff: Diff, inside: string, parent?: ViewNode): readonly string[] {
  const areMoved = areReordered(nodes, parent?.key ?? '', diff.places);
  const order = areMoved ? placeLines(diff, inside, ', in another order') : [];
  const opened = openedLine(parent, diff);
  const lines = nodes.flatMap((node) => {
    const old = diff.known.get(node.key);
    if (old === undefined) return addedLines(node, diff, inside, opened);
    const place = placeOf(node, diff.form);
    if (node.kind === 'heading') diff.heading = place ?? '';
    const isSameHead = isOpened(old, node) && lineText(node.parts, comparableForm) === headText(old);
    const isKnown = isAsBefore(old, node) || isSameHead;
    const isRepeat = !isKnown && isTyped(old, node, diff.typed);
    diff.isTypedLeftOut ||= isRepeat;
    const isQuiet = isKnown || isRepeat;
    const change = isQuiet && !areMoved ? [] : [`~ ${dashed(areMoved ? node : onlyChanged(old, node), diff.form)}`];
    const lead = isSameHead ? `${node.kind}: ${short(leadText(old))}` : inside;
    return [...change, ...changedLines(node.children, diff, place ?? lead, node)];
  });
  return [...order, ...lines];
}

/** The line before whose content the lines in this node are. */
function openedLine(node: ViewNode | undefined, { known }: Diff): ViewNode | undefined {
  const old = node === undefined ? undefined : known.get(node.key);
  return old !== undefined && node !== undefined && isOpened(old, node) ? old : undefined;
}

function addedLines(node: ViewNode, diff: Diff, inside: string, opened: ViewNode | undefined): readonly string[] {
  if (isOurs(node)) return [];
  const news = opened === undefined ? 'all' : newsIn(node, opened);
  if (news === 'change') return [`~ ${dashed(node, diff.form)}`];
  if (news === 'none') return [];
  const added = [...linesOf([node])].map((line) => `+ ${shownLine(line, diff.form)}`);
  return [...placeLines(diff, inside), ...added];
}

function headText(node: ViewNode): string {
  const head = headOf(node);
  return head === undefined ? '' : elementText(head, comparableForm);
}

/** The field that was typed into, if it contains the text and has not changed otherwise. */
function isTyped(old: ViewNode, now: ViewNode, typed: string | undefined): boolean {
  if (typed === undefined || !elementsOf(now).some(isActive)) return false;
  if (isValueTyped(old, now, typed)) return true;
  const [head, ...rest] = now.parts;
  const [oldHead] = old.parts;
  if (head === undefined || oldHead === undefined || lineText(rest) !== `: ${scalar(typed)}`) return false;
  return lineText([head], comparableForm) === lineText([oldHead], comparableForm);
}

/** Where the lines that follow were added: in which element, else under which heading. Printed once per place. */
function placeLines(diff: Diff, inside: string, how = ''): readonly string[] {
  const place = inside === '' ? diff.heading : inside;
  const isPrinted = place === diff.place && how === '';
  diff.place = place;
  return isPrinted ? [] : [`@@ ${place === '' ? 'page' : place}${how} @@`];
}

function onlyHeading(nodes: readonly ViewNode[], form: RefForm): string {
  const headings = [...linesOf(nodes)].filter(({ node }) => node.kind === 'heading');
  const [only] = headings;
  return only === undefined || headings.length > 1 ? '' : (placeOf(only.node, form) ?? '');
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
  return lineText(parts, comparableForm);
}
