import { attr, hasAnyAttribute, matchesSelector, tagOf } from '../dom/dom.ts';
import { checkable, expandable, ranges, selectable } from './role-tables.ts';
import { isDisabledControl } from './roles.ts';
import { secretFields } from './secret-fields.ts';
import { tidy } from '../walk/text.ts';

const nativeControls = new Set(['button', 'input', 'select', 'textarea', 'option', 'optgroup', 'fieldset']);
/** Roles whose states are all given by attributes. */
const stateless = new Set('link listitem list paragraph cell row rowgroup table generic strong emphasis'.split(' '));
const none: readonly string[] = [];
const typed = new Set(['textbox', 'searchbox', 'combobox', 'spinbutton']);

/** Shown in place of a secret value. */
export const redacted = '[REDACTED]';

/** The states of an element, in the order in which Playwright prints them. */
export function statesOf(element: Element, role: string, active: Element | null, isOff: boolean): readonly string[] {
  const tag = tagOf(element);
  // Cells, items and paragraphs are most of a page.
  if (!isOff && stateless.has(role) && !hasAnyAttribute(element) && element !== active) return none;
  const states: (string | undefined)[] = [];
  if (checkable.has(role)) states.push(checkedState(element));
  if (isDisabled(element, tag, isOff)) states.push('disabled');
  states.push(expandedState(element, role, tag));
  if (element === active && tag !== 'body') states.push('active');
  if (role === 'heading' || role === 'treeitem') states.push(levelState(element, tag));
  if (role === 'button') states.push(triState(attr(element, 'aria-pressed'), 'pressed'));
  if (selectable.has(role) && isSelected(element)) states.push('selected');
  const current = attr(element, 'aria-current');
  if (current !== null && current !== '' && current !== 'false') states.push('current');
  if (typed.has(role) || role === 'checkbox' || role === 'radiogroup' || role === 'listbox') {
    states.push(...fieldStates(element, role));
  }
  return states.filter((state) => state !== undefined);
}

export function isDisabled(element: Element, tag: string, isOff: boolean): boolean {
  return isOff || attr(element, 'aria-disabled') === 'true' || (nativeControls.has(tag) && isDisabledControl(element));
}

function triState(value: string | null, word: string): string | undefined {
  if (value === 'true') return word;
  return value === 'mixed' ? `${word}=mixed` : undefined;
}

function checkedState(element: Element): string | undefined {
  if (element instanceof HTMLInputElement && (element.type === 'checkbox' || element.type === 'radio')) {
    if (element.indeterminate && element.type === 'checkbox') return 'checked=mixed';
    return element.checked ? 'checked' : undefined;
  }
  return triState(attr(element, 'aria-checked'), 'checked');
}

function expandedState(element: Element, role: string, tag: string): string | undefined {
  if (tag === 'summary' && role === 'button') {
    const details = element.parentElement;
    return details instanceof HTMLDetailsElement && details.open ? 'expanded' : 'collapsed';
  }
  const value = expandable.has(role) ? attr(element, 'aria-expanded') : null;
  if (value === 'true') return 'expanded';
  return value === 'false' ? 'collapsed' : undefined;
}

function levelState(element: Element, tag: string): string | undefined {
  const written = Number.parseInt(attr(element, 'aria-level') ?? '', 10);
  if (written >= 1) return `level=${written}`;
  return /^h[1-6]$/.test(tag) ? `level=${tag.charAt(1)}` : undefined;
}

function isSelected(element: Element): boolean {
  return element instanceof HTMLOptionElement ? element.selected : attr(element, 'aria-selected') === 'true';
}

function fieldStates(element: Element, role: string): readonly string[] {
  const invalid = attr(element, 'aria-invalid');
  const isWrong = invalid !== null && invalid !== '' && invalid !== 'false';
  const isInvalid = isWrong || (nativeControls.has(tagOf(element)) && matchesSelector(element, ':user-invalid'));
  const isMandatory = attr(element, 'aria-required') === 'true' || isRequired(element);
  const isFixed = typed.has(role) && (attr(element, 'aria-readonly') === 'true' || isReadOnly(element));
  return [...(isInvalid ? ['invalid'] : []), ...(isMandatory ? ['required'] : []), ...(isFixed ? ['readonly'] : [])];
}

function isRequired(element: Element): boolean {
  const hasIt =
    element instanceof HTMLInputElement ||
    element instanceof HTMLSelectElement ||
    element instanceof HTMLTextAreaElement;
  return hasIt && element.required;
}

function isReadOnly(element: Element): boolean {
  return (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement) && element.readOnly;
}

/** Password, one-time-code and card fields, whose values are never shown. */
export function isSecret(element: Element): boolean {
  const isField = element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement;
  return isField && matchesSelector(element, secretFields);
}

/** The value of a field or of a range; '' where there is none. */
export function valueOf(element: Element, role: string): string {
  if (isSecret(element)) return fieldText(element) === '' ? '' : redacted;
  // While a field is edited, the page's aria-valuetext may lag behind its value.
  if (ranges.has(role) && !(typed.has(role) && element instanceof HTMLInputElement)) {
    const written = attr(element, 'aria-valuetext') ?? attr(element, 'aria-valuenow');
    if (written !== null) return tidy(written);
    if (element instanceof HTMLProgressElement) return element.position < 0 ? '' : `${element.value} of ${element.max}`;
    if (element instanceof HTMLMeterElement) return `${element.value} of ${element.max}`;
  }
  if (!typed.has(role) && role !== 'slider' && !isFile(element)) return '';
  if (element instanceof HTMLTextAreaElement) return element.value.split('\n').map(tidy).join('\n').trim();
  return tidy(fieldText(element));
}

function isFile(element: Element): boolean {
  return element instanceof HTMLInputElement && element.type === 'file';
}

function fieldText(element: Element): string {
  if (element instanceof HTMLInputElement) {
    if (element.type === 'file') return [...(element.files ?? [])].map((file) => file.name).join(', ');
    return element.value;
  }
  return element instanceof HTMLTextAreaElement ? element.value : '';
}
