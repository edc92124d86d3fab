import { isActive, isBarred, lineText } from '../page/walk/line.ts';
import type { LineElement, LinePart } from '../page/walk/line.ts';
import { textOf } from './node.ts';
import type { ViewNode } from './node.ts';

/** A shortened line that is longer than this part of the whole one is not worth the ellipses. */
const mostOfLine = 0.75;
const longestLead = 40;
const ellipsis = '…';

/** The line with what changed in it, under its beginning. What is as before is an ellipsis. Pure. */
export function onlyChanged(old: ViewNode, now: ViewNode): ViewNode {
  const select = withoutOptions(old, now);
  if (select !== now) return select;
  const units = unitsOf(now.parts);
  const changed = changesIn(unitsOf(old.parts), units);
  if (!changed.includes(true)) return now;
  const parts = shortened(units, withOwners(units, changed));
  return lineText(parts).length <= textOf(now).length * mostOfLine ? { ...now, parts } : now;
}

/** Whether nothing changed but the value of the focused field inside the line, and it is now the text. Pure. */
export function isValueTyped(old: ViewNode, now: ViewNode, typed: string): boolean {
  const units = unitsOf(now.parts);
  const changed = changesIn(unitsOf(old.parts), units);
  const at = changed.indexOf(true);
  const [field, value] = [units[at - 1], units[at]];
  if (at !== changed.lastIndexOf(true) || typeof field !== 'object' || !isActive(field)) return false;
  return typeof value === 'string' && value.replace(/[|\s]+$/, '') === ` = ${JSON.stringify(typed)}`;
}

/** A select prints what is selected, and then all options as the last part. If only the first changed, it is enough. */
function withoutOptions(old: ViewNode, now: ViewNode): ViewNode {
  const isSelect = now.kind === 'combobox' || now.kind === 'listbox';
  const [options, before] = [now.parts.at(-1), old.parts.at(-1)];
  const isSame = typeof options === 'string' && options === before && options.startsWith(' (');
  return isSelect && isSame ? { ...now, parts: now.parts.slice(0, -1) } : now;
}

/** The elements and texts of a line; texts are split after bars, and after a value in quotes. */
function unitsOf(parts: readonly LinePart[]): readonly LinePart[] {
  return parts.flatMap((part): readonly LinePart[] => (typeof part === 'string' ? piecesOf(part) : [part]));
}

function piecesOf(text: string): readonly string[] {
  const pieces: string[] = [];
  let from = 0;
  let isQuoted = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '\\') at++;
    else if (character === '"') isQuoted = !isQuoted;
    const isEnd = character === '|' || (character === '"' && text[at + 1] === ' ');
    if (isQuoted || !isEnd) continue;
    pieces.push(text.slice(from, at + 1));
    from = at + 1;
  }
  if (from < text.length) pieces.push(text.slice(from));
  return pieces;
}

/** For each unit whether it changed: compared one by one where the line has the same form, else between both ends. */
function changesIn(old: readonly LinePart[], now: readonly LinePart[]): readonly boolean[] {
  const isSame = (unit: LinePart | undefined, other: LinePart | undefined): boolean =>
    unit !== undefined && other !== undefined && comparable(unit) === comparable(other);
  const isAligned = old.length === now.length && now.every((unit, at) => isOfForm(unit, old[at]));
  if (isAligned) return now.map((unit, at) => !isSame(unit, old[at]));
  let start = 0;
  while (isSame(now[start], old[start])) start++;
  let end = 0;
  while (end < Math.min(now.length, old.length) - start && isSame(now.at(-1 - end), old.at(-1 - end))) end++;
  // Where something was removed only, the place of it counts as changed.
  const last = Math.max(now.length - end, start + 1);
  return now.map((_, at) => at >= start && at < last);
}

function comparable(unit: LinePart): string {
  return lineText([unit], { isComparable: true });
}

/** Two texts, or one element before and after. */
function isOfForm(unit: LinePart, other: LinePart | undefined): boolean {
  if (typeof unit === 'string' || typeof other === 'string') return typeof unit === typeof other;
  return unit.role === other?.role && unit.ref === other.ref;
}

/** A value belongs to the element before it. Where it is gone, only the space after the element changed. */
function withOwners(units: readonly LinePart[], changed: readonly boolean[]): readonly boolean[] {
  return changed.map((is, at) => {
    const next = units[at + 1];
    if (is || !isElement(units[at]) || changed[at + 1] !== true || typeof next !== 'string') return is;
    return next.startsWith(' = ') || (next.trim() === '' && changed[at + 2] !== true);
  });
}

function isElement(unit: LinePart | undefined): unit is LineElement {
  return typeof unit === 'object';
}

function shortened(units: readonly LinePart[], changed: readonly boolean[]): readonly LinePart[] {
  const lead = leadOf(units, changed);
  const isRow = isBarred(units);
  const parts: LinePart[] = units.slice(0, lead);
  const lastChanged = changed.lastIndexOf(true);
  let isOpen = true;
  for (let at = lead; at <= lastChanged; at++) {
    const unit = units[at];
    if (unit === undefined) continue;
    if (changed[at] === true) {
      const isApart = parts.at(-1) !== ellipsis || isRow || (typeof unit === 'string' && unit.startsWith(' '));
      parts.push(...(isApart ? [unit] : [' ', unit]));
      isOpen = true;
      continue;
    }
    // A row keeps its bars, because they tell the column.
    const isCellEnd = isRow && typeof unit === 'string' && unit.endsWith('|');
    if (isOpen) parts.push(...gap(parts.at(-1), isRow), ellipsis);
    if (isCellEnd) parts.push('|');
    isOpen = isCellEnd;
  }
  const isQuoted = units.at(-1) === "'";
  if (lastChanged < units.length - (isQuoted ? 2 : 1)) parts.push(...gap(parts.at(-1), isRow), ellipsis);
  return isQuoted && lastChanged < units.length - 1 ? [...parts, "'"] : parts;
}

/** The space before an ellipsis; a bar needs none. */
function gap(before: LinePart | undefined, isRow: boolean): readonly string[] {
  return isRow || (typeof before === 'string' && /\s$/.test(before)) ? [] : [' '];
}

/** How many units say which line it is: its element, and the text or, for a changed text, the element after it. */
function leadOf(units: readonly LinePart[], changed: readonly boolean[]): number {
  const isReferred = units.some((unit, at) => changed[at] === true && isElement(unit) && unit.ref !== undefined);
  const head = headLength(units);
  for (let at = head; at < units.length; at++) {
    const unit = units[at] ?? '';
    if (changed[at] === true || (isElement(unit) && isReferred) || lineText([unit]).length > longestLead) return at;
    if (isElement(unit) || /[\p{L}\p{N}]/u.test(unit)) return at + 1;
  }
  return head;
}

/** The line's own element with its colon, or the first bar of a row. */
function headLength(units: readonly LinePart[]): number {
  const colon = units.indexOf(': ');
  const isHead = colon >= 0 && units.slice(0, colon).every((unit) => isElement(unit) || unit === "'");
  return isHead ? colon + 1 : Number(isBarred(units));
}
