import { elementsBelow, isShown, squeezed, valueOf } from './query.ts';
import { wordsOf } from './words.ts';

/** An element that may hold the value of a field. */
export interface Candidate {
  readonly element: Element;
  /** What it is, without its place: the same in all items that have it. */
  readonly kind: string;
  /** The kind, and which of that kind in its item. */
  readonly signature: string;
  readonly text: string;
  /** The text behind an inline label such as `Price: 12`. */
  readonly labelled?: string;
  /** Its names, with how much each of them says. */
  readonly names: readonly Name[];
  readonly descendants: number;
}

interface Name {
  readonly words: readonly string[];
  readonly weight: number;
}

/** An item has few elements; a whole page that is one item has more. */
const mostInItem = 200;
const mostInPage = 3000;
/** An element with more text holds many values. */
const longestText = 5000;
/** Classes that tell states and places, not contents. */
const idle =
  /^(?:active|selected|current|first|last|odd|even|open|closed|hidden|visible|hover|focus|disabled|is-.*|has-.*|js-.*|.*\d.*)$/i;

/** The classes of an element that are the same for all elements of its kind. */
export function stableClasses(element: Element): readonly string[] {
  return [...element.classList].filter((name) => !idle.test(name)).toSorted();
}

/** A short selector for an element and its like. */
export function kindOf(element: Element): string {
  const role = element.getAttribute('role');
  const classes = stableClasses(element).map((name) => `.${name}`);
  return `${element.localName}${classes.join('')}${role === null ? '' : `[role=${role}]`}`;
}

/** The elements of an item that may hold values, in their order. */
export function candidatesIn(item: Element, isPage = false): readonly Candidate[] {
  const counts = new Map<string, number>();
  const elements = elementsBelow(item).slice(0, isPage ? mostInPage : mostInItem);
  return [item, ...elements].filter(isShown).map((element) => {
    const label = element === item ? undefined : labelOf(element, item);
    const property = element.getAttribute('itemprop') ?? element.getAttribute('property');
    const kind = [kindOf(element), property ?? '', label === undefined ? '' : squeezed(label)].join('|');
    const count = counts.get(kind) ?? 0;
    counts.set(kind, count + 1);
    const isLong = element === item || (element.textContent ?? '').length > longestText;
    const text = isLong ? '' : valueOf(element);
    const inline = element.childElementCount < 3 ? /^([\p{L}][\p{L}\p{N} .-]{1,30}):\s*(\S.*)$/u.exec(text) : null;
    return {
      element,
      kind,
      signature: `${kind}#${count}`,
      text,
      ...(inline?.[2] === undefined ? {} : { labelled: inline[2] }),
      names: element === item ? [] : namesOf(element, { property, label, inline: inline?.[1] }),
      descendants: element.getElementsByTagName('*').length,
    };
  });
}

interface Labels {
  readonly property: string | null;
  readonly label: string | undefined;
  readonly inline: string | undefined;
}

function namesOf(element: Element, { property, label, inline }: Labels): readonly Name[] {
  const given: (readonly [string | null | undefined, number])[] = [
    ...(property ?? '').split(/\s+/).map((name) => [name.replace(/^.*:/, ''), 100] as const),
    [label, 92],
    [inline, 85],
    [element.getAttribute('data-field') ?? element.getAttribute('data-name'), 80],
    [element.getAttribute('data-testid') ?? element.getAttribute('data-test'), 65],
    ...stableClasses(element).map((name) => [name, 62] as const),
    [element.id, 50],
    [element.getAttribute('name'), 50],
    [element.getAttribute('rel'), 50],
    [element.getAttribute('aria-label'), 40],
  ];
  return given
    .map(([name, weight]) => ({ words: wordsOf((name ?? '').slice(0, 60)), weight }))
    .filter(({ words }) => words.length > 0 && words.length < 6);
}

/** What names the value of an element: the head of its column or row, its term, or the label before it. */
function labelOf(element: Element, item: Element): string | undefined {
  if (element.matches('td, th, [role=cell], [role=gridcell]')) return columnOf(element, item) ?? rowHeadOf(element);
  if (element.localName === 'dd') return previous(element, 'dt');
  const before = element.previousElementSibling;
  if (before === null || !item.contains(before) || before.childElementCount > 2) return undefined;
  const text = squeezed(before.textContent ?? '');
  const isLabel = before.matches('label, dt, b, strong, .label, [class*=label i]') || text.endsWith(':');
  return isLabel && text.length > 1 && text.length < 40 ? text.replace(/:$/, '') : undefined;
}

function previous(element: Element, tag: string): string | undefined {
  let before = element.previousElementSibling;
  while (before !== null && before.localName !== tag) before = before.previousElementSibling;
  return before === null ? undefined : squeezed(before.textContent ?? '').replace(/:$/, '');
}

const cells = 'td, th, [role=cell], [role=gridcell], [role=columnheader], [role=rowheader]';

function columnOf(cell: Element, item: Element): string | undefined {
  const row = cell.closest('tr, [role=row]');
  const table = cell.closest('table, [role=table], [role=grid], [role=treegrid]');
  const head = table?.querySelector('thead tr, tr, [role=row]');
  // In an item with a whole table, a column has many values.
  if (row === null || !table || !head || head === row || item.contains(table)) return undefined;
  const heads = [...head.querySelectorAll('th, [role=columnheader]')];
  // A row with one head names itself, not its columns.
  if (heads.length < 2) return undefined;
  const place = [...row.querySelectorAll(cells)].indexOf(cell);
  const text = squeezed([...head.querySelectorAll(cells)][place]?.textContent ?? '');
  return text === '' ? undefined : text;
}

function rowHeadOf(cell: Element): string | undefined {
  if (cell.matches('th')) return undefined;
  const head = cell.closest('tr, [role=row]')?.querySelector('th, [role=rowheader]') ?? null;
  return head === null ? undefined : squeezed(head.textContent ?? '').replace(/:$/, '');
}
