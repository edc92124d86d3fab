import type { Locator } from 'playwright-core';
import { isTimeout } from '../../browser/failure.ts';
import { ToolError } from '../../errors.ts';
import { kindOfField } from '../../page/reads/field-kind.ts';
import type { FieldKind } from '../../page/reads/field-kind.ts';
import { secretFields } from '../../page/aria/secret-fields.ts';
import type { Tab } from '../../session/tab.ts';
import type { Located } from '../../session/snapshot/target.ts';
import { cut, oneLine } from '../../util/text.ts';
import { isList } from './field-kinds.ts';
import { listMs, optionMs } from '../../session/timing.ts';

export interface Wait {
  readonly timeout: number;
  readonly signal: AbortSignal;
}

/** A field; `locator` is the element to click to open its list, `own` the field if that is another element. */
type Field = Pick<Located, 'locator' | 'own'>;

type Options = readonly { readonly label: string; readonly value: string; readonly isDisabled: boolean }[];

const longestOption = 100;
const mostOptions = 20;

/** Selects options. Late options get a moment; a missing one is an error that lists the options. */
export async function choose(tab: Tab, field: Field, values: readonly string[], wait: Wait): Promise<void> {
  const locator = field.own ?? field.locator;
  const { timeout, signal } = wait;
  // Playwright would select the one that comes first in the list.
  if (values.length > 1 && (await locator.evaluate(takesOne, undefined, wait))) throw tooMany(values);
  const moment = Math.min(timeout, optionMs);
  for (const part of [moment, timeout - moment]) {
    const isLast = part !== moment || moment === timeout;
    try {
      await locator.selectOption([...values], { timeout: part, signal });
      return;
    } catch (error) {
      signal.throwIfAborted();
      if (!isTimeout(error)) {
        // Playwright rejects a custom list at once.
        const kind = await locator.evaluate(kindOfField, secretFields, wait);
        if (!isList(kind)) throw error;
        await pickOnly(tab, field, values, kind, wait);
        return;
      }
      const problem = problemWith(await optionsIn(locator), values, isLast);
      if (problem !== undefined && (isLast || !(await tab.actions.isBusy(signal)))) throw problem;
      if (isLast) throw error;
    }
  }
}

/** Why a value cannot be selected; an empty list may still be filled. */
function problemWith(options: Options | undefined, values: readonly string[], isLast: boolean): ToolError | undefined {
  if (options === undefined || (options.length === 0 && !isLast)) return undefined;
  for (const value of values) {
    const option = options.find(({ label, value: own }) => label === value.trim() || own === value.trim());
    if (option === undefined) return noOption(value, options.map(textOf));
    if (option.isDisabled) return disabled(option.label);
  }
  return undefined;
}

/** The options of a native list. */
async function optionsIn(locator: Locator): Promise<Options | undefined> {
  return (await locator.count()) === 1 ? locator.evaluate(optionsOf) : undefined;
}

/** One text may list several options: `Bonn, Trier`. An option with that very name takes precedence. */
export async function valuesFor(locator: Locator, values: readonly string[]): Promise<readonly string[]> {
  const [value = ''] = values;
  if (values.length !== 1 || !value.includes(',')) return values;
  const options = (await optionsIn(locator)) ?? [];
  const isOption = (text: string): boolean =>
    options.some((option) => option.label === text.trim() || option.value === text.trim());
  const parts = value.split(',').map((part) => part.trim());
  return !isOption(value) && parts.every(isOption) ? parts : values;
}

/**
 * Selects in a custom list: a combobox or a button with a popup, or a listbox. An editable field keeps text that matches
 * no option; the value is returned then.
 */
export async function pick(
  tab: Tab,
  field: Field,
  values: readonly string[],
  { role, isEditable }: FieldKind,
  wait: Wait,
): Promise<string | undefined> {
  const locator = field.own ?? field.locator;
  const isPopup = role !== 'listbox';
  for (const value of values) {
    if (isPopup && isEditable) await locator.fill(value, wait);
    else if (isPopup) await openList(field, wait);
    const option = await named(tab, async () => optionsFor(locator, isPopup), value, wait);
    if (option !== undefined) await clickOption(tab, option, value, wait);
    else if (isPopup && isEditable) return value;
    else {
      const others = await textsOf(await optionsFor(locator, isPopup));
      if (isPopup) await locator.press('Escape', wait);
      throw noOption(value, others);
    }
  }
  return undefined;
}

/** Waits for a disabled option while the page is busy. */
async function clickOption(tab: Tab, option: Locator, value: string, wait: Wait): Promise<void> {
  if (!(await option.isEnabled(wait)) && !(await tab.actions.isBusy(wait.signal))) throw disabled(value);
  await option.click(wait);
}

/** Reads them one by one: `allInnerTexts` runs in the page's world, where refs do not resolve. */
async function textsOf(options: Locator): Promise<readonly string[]> {
  const some = (await options.all()).slice(0, mostOptions + 1);
  return Promise.all(some.map(async (option) => option.innerText()));
}

/** Selects an option of a list that takes no other text. A list that filters by text may still show it unfiltered. */
async function pickOnly(tab: Tab, field: Field, values: readonly string[], kind: FieldKind, wait: Wait): Promise<void> {
  const typed = await pick(tab, field, values, kind, wait);
  if (typed === undefined) return;
  await (field.own ?? field.locator).fill('', wait);
  const left = values.slice(values.indexOf(typed));
  await pick(tab, field, left, { ...kind, isEditable: false }, wait);
}

/** Opens the list, unless it is open: a click would close it. */
async function openList({ locator, own = locator }: Field, wait: Wait): Promise<void> {
  if ((await own.getAttribute('aria-expanded', wait)) !== 'true') await locator.click(wait);
}

/** Options by role, and visible texts beside a list that exists only for screen readers. */
const called = '[role=option]';
const read = 'xpath=.//*[text()[normalize-space()] and not(ancestor-or-self::*[@aria-disabled="true"])]';

/** The options of a field: those of the list it references, else all visible ones. */
async function optionsFor(locator: Locator, isPopup: boolean): Promise<Locator> {
  if (!isPopup) return locator.getByRole('option');
  const handle = await locator.elementHandle();
  const frame = await handle?.ownerFrame();
  await handle?.dispose();
  const list = await locator.evaluate(listOf);
  const root = frame ?? locator.page();
  if (list === '') return root.locator(called).filter({ visible: true });
  const named = root.locator(`[id=${JSON.stringify(list)}]`);
  const options = named.locator(called).filter({ visible: true });
  const isOutOfSight = (await named.count()) === 1 && (await named.evaluate(isWithoutSize));
  return isOutOfSight ? around(named, list).locator(read).filter({ visible: true }) : options;
}

/** The whole popup around a list: the outermost ancestor that does not contain the field. */
function around(list: Locator, id: string): Locator {
  const field = ['aria-controls', 'aria-owns'].map((name) => `@${name}=${JSON.stringify(id)}`).join(' or ');
  return list.locator(`xpath=ancestor::*[not(descendant-or-self::*[${field}])][last()]`);
}

/** The option with that name, else the only one that contains it once the page is not busy. */
async function named(
  tab: Tab,
  list: () => Promise<Locator>,
  value: string,
  { timeout, signal }: Wait,
): Promise<Locator | undefined> {
  const text = value.trim();
  const exact = new RegExp(String.raw`^\s*${escaped(text)}\s*$`, 'i');
  const end = performance.now() + timeout;
  for (;;) {
    const options = await list();
    const whole = options.filter({ hasText: exact });
    const part = options.filter({ hasText: text });
    const hasPart = await isShown(part.first(), Math.min(listMs, end - performance.now()));
    if (hasPart && (await whole.count()) > 0) return whole.first();
    signal.throwIfAborted();
    const isAll = performance.now() >= end || !(await tab.actions.isBusy(signal));
    if (isAll) return hasPart && (await part.count()) === 1 ? part : undefined;
  }
}

async function isShown(locator: Locator, timeout: number): Promise<boolean> {
  try {
    await locator.waitFor({ state: 'visible', timeout: Math.max(1, timeout) });
    return true;
  } catch {
    return false;
  }
}

export function noOption(missing: string, options: readonly string[]): ToolError {
  const shown = options.slice(0, mostOptions).map(shortened);
  return new ToolError('NO_SUCH_OPTION', { option: shortened(missing), options: shown, count: options.length });
}

function disabled(option: string): ToolError {
  return new ToolError('ELEMENT_NOT_CLICKABLE', { target: `option ${quoted(option)}`, reason: 'it is disabled.' });
}

function tooMany(values: readonly string[]): ToolError {
  const problems = [`The list takes one option, not ${values.length}: ${values.map(quoted).join(', ')}.`];
  return new ToolError('INVALID_ARGUMENT', { problems, accepted: ['values'] });
}

function textOf({ label }: Options[number]): string {
  return label;
}

function shortened(text: string): string {
  return cut(oneLine(text).trim(), longestOption);
}

function quoted(text: string): string {
  return JSON.stringify(shortened(text));
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}

/** Runs in the page. */
function optionsOf(list: Element): Options {
  if (!(list instanceof HTMLSelectElement)) return [];
  return Array.from(list.options, (option) => ({
    label: option.label.replaceAll(/\s+/g, ' ').trim(),
    value: option.value.trim(),
    isDisabled: option.matches(':disabled'),
  }));
}

/** Runs in the page. */
function takesOne(list: Element): boolean {
  return list instanceof HTMLSelectElement && !list.multiple;
}

/** Runs in the page: whether the list exists only for screen readers. */
function isWithoutSize(element: Element): boolean {
  const { width, height } = element.getBoundingClientRect();
  return width * height < 2 && element.childElementCount > 0 && element.checkVisibility();
}

/** Runs in the page: the id of the popup list that the field references, if it exists. */
function listOf(element: Element): string {
  const ids = `${element.getAttribute('aria-controls') ?? ''} ${element.getAttribute('aria-owns') ?? ''}`;
  return ids.split(/\s+/).find((id) => id !== '' && element.ownerDocument.getElementById(id) !== null) ?? '';
}
