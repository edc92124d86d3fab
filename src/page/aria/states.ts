import { attr, matchesSelector, tagOf } from '../dom/dom.ts';
import { checkable, expandable, ranges, selectable } from './role-tables.ts';
import { isDisabledControl } from './roles.ts';
import { secretFields } from './secret-fields.ts';
import { tidy } from '../walk/text.ts';

const nativeControls = new Set(['button', 'input', 'select', 'textarea', 'option', 'optgroup', 'fieldset']);
const typed = new Set(['textbox', 'searchbox', 'combobox', 'spinbutton']);

const redacted = '[REDACTED]';

/** The states of an element as marks in brackets, in the order Playwright prints them. */
export function statesOf(element: Element, role: string, active: Element | null, isOff: boolean): string {
  const tag = tagOf(element);
  let states = '';
  if (checkable.has(role)) states += checkedState(element);
  if (isDisabled(element, tag, isOff)) states += ' [disabled]';
  states += expandedState(element, role, tag);
  if (element === active && tag !== 'body') states += ' [active]';
  if (role === 'heading' || role === 'treeitem') states += levelState(element, tag);
  if (role === 'button') states += triState(attr(element, 'aria-pressed'), 'pressed');
  if (selectable.has(role) && isSelected(element)) states += ' [selected]';
  const current = attr(element, 'aria-current');
  if (current !== null && current !== '' && current !== 'false') states += ' [current]';
  if (typed.has(role) || role === 'checkbox' || role === 'radiogroup' || role === 'listbox') {
    states += fieldState(element, role);
  }
  return states;
}

export function isDisabled(element: Element, tag: string, isOff: boolean): boolean {
  return isOff || attr(element, 'aria-disabled') === 'true' || (nativeControls.has(tag) && isDisabledControl(element));
}

function triState(value: string | null, word: string): string {
  if (value === 'true') return ` [${word}]`;
  return value === 'mixed' ? ` [${word}=mixed]` : '';
}

function checkedState(element: Element): string {
  if (element instanceof HTMLInputElement && (element.type === 'checkbox' || element.type === 'radio')) {
    if (element.indeterminate && element.type === 'checkbox') return ' [checked=mixed]';
    return element.checked ? ' [checked]' : '';
  }
  return triState(attr(element, 'aria-checked'), 'checked');
}

function expandedState(element: Element, role: string, tag: string): string {
  if (tag === 'summary' && role === 'button') {
    const details = element.parentElement;
    return details instanceof HTMLDetailsElement && details.open ? ' [expanded]' : ' [collapsed]';
  }
  const value = expandable.has(role) ? attr(element, 'aria-expanded') : null;
  if (value === 'true') return ' [expanded]';
  return value === 'false' ? ' [collapsed]' : '';
}

function levelState(element: Element, tag: string): string {
  const written = Number.parseInt(attr(element, 'aria-level') ?? '', 10);
  if (written >= 1) return ` [level=${written}]`;
  return /^h[1-6]$/.test(tag) ? ` [level=${tag.charAt(1)}]` : '';
}

function isSelected(element: Element): boolean {
  return element instanceof HTMLOptionElement ? element.selected : attr(element, 'aria-selected') === 'true';
}

function fieldState(element: Element, role: string): string {
  let states = '';
  const invalid = attr(element, 'aria-invalid');
  const isWrong = invalid !== null && invalid !== '' && invalid !== 'false';
  if (isWrong || (nativeControls.has(tagOf(element)) && matchesSelector(element, ':user-invalid'))) {
    states += ' [invalid]';
  }
  if (attr(element, 'aria-required') === 'true' || isRequired(element)) states += ' [required]';
  if (typed.has(role) && (attr(element, 'aria-readonly') === 'true' || isReadOnly(element))) states += ' [readonly]';
  return states;
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

/** Password, one-time-code and card fields: what they hold is never told. */
export function isSecret(element: Element): boolean {
  const isField = element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement;
  return isField && matchesSelector(element, secretFields);
}

/** What stands in a field or on a scale; '' when nothing does. */
export function valueOf(element: Element, role: string): string {
  if (isSecret(element)) return fieldText(element) === '' ? '' : redacted;
  // What a page says of a field that is being written into may be what was in it before.
  if (ranges.has(role) && !(typed.has(role) && element instanceof HTMLInputElement)) {
    const written = attr(element, 'aria-valuetext') ?? attr(element, 'aria-valuenow');
    if (written !== null) return tidy(written);
    if (element instanceof HTMLProgressElement) return element.position < 0 ? '' : `${element.value} of ${element.max}`;
    if (element instanceof HTMLMeterElement) return `${element.value} of ${element.max}`;
  }
  if (!typed.has(role) && role !== 'slider' && !isFile(element)) return '';
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
