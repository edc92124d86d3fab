import {
  attr,
  byId,
  closestOf,
  elementsById,
  hasAnyAttribute,
  isSvg,
  matchesSelector,
  scopeOf,
  shownParentOf,
  tagOf,
} from '../dom/dom.ts';
import { ariaRoles, nearestRoles, plainTags } from './role-tables.ts';

const globalAttributes =
  '[aria-atomic],[aria-busy],[aria-controls],[aria-current],[aria-describedby],[aria-details],[aria-dropeffect],' +
  '[aria-flowto],[aria-grabbed],[aria-hidden],[aria-keyshortcuts],[aria-label],[aria-labelledby],[aria-live],' +
  '[aria-owns],[aria-relevant],[aria-roledescription]';

const textInputs = new Set(['text', 'email', 'tel', 'url', 'search', '']);

/** Invalid types, and types with a special text editor. */
const inputRoles: ReadonlyMap<string, string> = new Map(
  Object.entries({
    button: 'button',
    checkbox: 'checkbox',
    file: 'button',
    hidden: 'none',
    image: 'button',
    number: 'spinbutton',
    radio: 'radio',
    range: 'slider',
    reset: 'button',
    search: 'searchbox',
    submit: 'button',
  }),
);

/** The role a browser gives an element; '' when it has none. */
export function roleOf(element: Element): string {
  if (!hasAnyAttribute(element)) return implicitRole(element);
  const written = attr(element, 'role');
  if (written === null) return implicitRole(element);
  for (const each of written.toLowerCase().split(/\s+/)) {
    const token = nearestRoles.get(each) ?? each;
    if (!ariaRoles.has(token)) continue;
    // Without a name these are no landmarks.
    if ((token === 'region' || token === 'form') && !hasWrittenName(element)) continue;
    if (token !== 'none' && token !== 'presentation') return token === 'image' ? 'img' : token;
    return isRoleKept(element) ? implicitRole(element) : 'none';
  }
  return implicitRole(element);
}

/** Role none does not apply to focusable elements and those with global ARIA attributes. */
function isRoleKept(element: Element): boolean {
  return isFocusable(element) || matchesSelector(element, globalAttributes);
}

export function isDisabledControl(element: Element): boolean {
  return matchesSelector(element, ':disabled');
}

export function isFocusable(element: Element): boolean {
  const tabindex = attr(element, 'tabindex');
  if (tabindex !== null && !Number.isNaN(Number.parseInt(tabindex, 10))) return !isDisabledControl(element);
  switch (tagOf(element)) {
    case 'button':
    case 'select':
    case 'textarea':
      return !isDisabledControl(element);
    case 'input':
      return inputType(element) !== 'hidden' && !isDisabledControl(element);
    case 'a':
    case 'area':
      return attr(element, 'href') !== null;
    case 'iframe':
    case 'summary':
      return true;
    default:
      return isEditingHost(element);
  }
}

export function isEditingHost(element: Element): boolean {
  const editable = attr(element, 'contenteditable');
  return editable !== null && editable.toLowerCase() !== 'false';
}

export function inputType(element: Element): string {
  return element instanceof HTMLInputElement ? element.type : '';
}

function implicitRole(element: Element): string {
  const tag = tagOf(element);
  const conditional = conditionalRoles.get(tag);
  if (conditional !== undefined) return conditional(element);
  const plain = plainTags.get(tag);
  if (plain === undefined) return svgShapes.has(tag) && isSvg(element) && hasTitle(element) ? shapeRole(tag) : '';
  // Of SVG elements only the outermost is an image.
  if (isSvg(element) && tag !== 'svg') return '';
  if ((plain === 'rowgroup' || plain === 'caption') && isTableDeclaredAway(element)) return 'none';
  return plain;
}

const svgShapes = new Set(['circle', 'ellipse', 'g', 'image', 'line', 'path', 'polygon', 'polyline', 'rect', 'use']);

function shapeRole(tag: string): string {
  return tag === 'g' ? 'group' : 'img';
}

/** A shape with a title shows it as a tooltip. */
function hasTitle(shape: Element): boolean {
  for (let child = shape.firstElementChild; child !== null; child = child.nextElementSibling)
    if (tagOf(child) === 'title') return true;
  return false;
}

const conditionalRoles: ReadonlyMap<string, (element: Element) => string> = new Map(
  Object.entries({
    a: (element: Element) => (attr(element, 'href') === null && attr(element, 'xlink:href') === null ? '' : 'link'),
    area: (element: Element) => (attr(element, 'href') === null ? '' : 'link'),
    aside: (element: Element) =>
      isInSection(element, asideSections) && !hasWrittenName(element) ? '' : 'complementary',
    footer: (element: Element) => (isInSection(element) ? '' : 'contentinfo'),
    form: (element: Element) => (hasWrittenName(element) ? 'form' : ''),
    header: (element: Element) => (isInSection(element) ? '' : 'banner'),
    img: imageRole,
    input: inputRole,
    li: listItemRole,
    section: (element: Element) => (hasWrittenName(element) ? 'region' : ''),
    select: (element: Element) =>
      element instanceof HTMLSelectElement && (element.multiple || element.size > 1) ? 'listbox' : 'combobox',
    summary: summaryRole,
    td: (element: Element) => cellRole(element, 'cell', 'gridcell'),
    th: headerRole,
    tr: (element: Element) => (isTableDeclaredAway(element) ? 'none' : 'row'),
  }),
);

function hasWrittenName(element: Element): boolean {
  if (!hasAnyAttribute(element)) return false;
  return (
    (attr(element, 'aria-label') ?? '').trim() !== '' ||
    elementsById(element, attr(element, 'aria-labelledby')).length > 0 ||
    (attr(element, 'title') ?? '').trim() !== ''
  );
}

const asideSections =
  'article:not([role]),aside:not([role]),nav:not([role]),section:not([role]),[role=article],[role=complementary],' +
  '[role=navigation],[role=region]';

function isInSection(element: Element, sections = `${asideSections},main:not([role]),[role=main]`): boolean {
  const parent = shownParentOf(element);
  return parent !== null && closestOf(parent, sections) !== null;
}

function imageRole(element: Element): string {
  if (attr(element, 'alt') !== '') return 'img';
  return attr(element, 'title') || isRoleKept(element) ? 'img' : 'none';
}

function inputRole(element: Element): string {
  const type = inputType(element);
  if (textInputs.has(type)) {
    const list = attr(element, 'list');
    if (list !== null && byId(scopeOf(element), list)?.localName === 'datalist') return 'combobox';
    return type === 'search' ? 'searchbox' : 'textbox';
  }
  if (type === 'checkbox' && attr(element, 'switch') !== null) return 'switch';
  return inputRoles.get(type) ?? 'textbox';
}

function listItemRole(element: Element): string {
  const parent = shownParentOf(element);
  if (parent === null) return 'listitem';
  const role = attr(parent, 'role');
  if ((role === 'none' || role === 'presentation') && !isRoleKept(parent)) return 'none';
  return 'listitem';
}

function summaryRole(element: Element): string {
  const parent = shownParentOf(element);
  // Slotted into the details' own shadow tree, which is closed to us: its parent is still the details.
  return parent !== null && tagOf(parent) === 'details' ? 'button' : '';
}

function tableOf(element: Element): Element | null {
  return closestOf(element, 'table');
}

function isTableDeclaredAway(element: Element): boolean {
  const table = tableOf(element);
  if (table === null) return false;
  const role = attr(table, 'role');
  return (role === 'none' || role === 'presentation') && !isRoleKept(table);
}

function cellRole(element: Element, plain: string, inGrid: string): string {
  const table = tableOf(element);
  if (table === null) return plain;
  const role = attr(table, 'role');
  if (role === null) return plain;
  if (role === 'grid' || role === 'treegrid') return inGrid;
  return (role === 'none' || role === 'presentation') && !isRoleKept(table) ? 'none' : plain;
}

function headerRole(element: Element): string {
  const scope = (attr(element, 'scope') ?? '').toLowerCase();
  const base = cellRole(element, 'cell', 'gridcell');
  if (base === 'none') return base;
  if (scope === 'col' || scope === 'colgroup') return 'columnheader';
  if (scope === 'row' || scope === 'rowgroup') return 'rowheader';
  const row = shownParentOf(element);
  if (row === null) return base;
  const cells = row.children;
  const hasData = [...cells].some((cell) => tagOf(cell) === 'td');
  if (!hasData) return cells.length > 1 || closestOf(element, 'thead') !== null ? 'columnheader' : 'rowheader';
  return 'rowheader';
}
