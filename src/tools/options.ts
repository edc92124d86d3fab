import type { Locator } from 'playwright-core';
import { ToolError } from '../errors.ts';
import { kindOfField } from '../page/reads/field-kind.ts';
import type { FieldKind } from '../page/reads/field-kind.ts';
import type { Tab } from '../session/tab.ts';
import { cut, oneLine } from '../util/text.ts';
import { isList } from './field-kinds.ts';

export interface Wait {
  readonly timeout: number;
  readonly signal: AbortSignal;
}

const longestOption = 100;
const mostOptions = 20;
const optionWaitMs = 1000;
/** A list that opens, or narrows down to what was typed, begins to do so within this time. */
const popupMs = 300;

/** Options that come late are given a moment, and no more: a wrong one is told with those that there are. */
export async function choose(tab: Tab, locator: Locator, values: readonly string[], wait: Wait): Promise<void> {
  const { timeout, signal } = wait;
  const moment = Math.min(timeout, optionWaitMs);
  try {
    await locator.selectOption([...values], { timeout: moment, signal });
    return;
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof Error && error.name !== 'TimeoutError') {
      // Playwright knows at once that it is no native list; the page may have made one of its own.
      const kind = await locator.evaluate(kindOfField, undefined, wait);
      if (!isList(kind)) throw error;
      if (await pick(tab, locator, values, kind, wait)) return;
      throw noOption(values.join(', '), []);
    }
    const options = await locator.evaluateAll(optionsOf);
    const isThere = (value: string): boolean => options.some((option) => option.includes(value.trim()));
    const missing = options.length === 0 ? undefined : values.find((value) => !isThere(value));
    if (missing !== undefined && !(await tab.isBusy(signal))) throw noOption(missing, options.map(textOf));
    if (moment === timeout) throw error;
  }
  await locator.selectOption([...values], { timeout: timeout - moment, signal });
}

/** One text may name several options of a list: `Bonn, Trier`. An option that is called so comes first. */
export async function valuesFor(locator: Locator, values: readonly string[]): Promise<readonly string[]> {
  const [value = ''] = values;
  if (values.length !== 1 || !value.includes(',')) return values;
  const options = await locator.evaluateAll(optionsOf);
  const isOption = (text: string): boolean => options.some((option) => option.includes(text.trim()));
  const parts = value.split(',').map((part) => part.trim());
  return !isOption(value) && parts.every(isOption) ? parts : values;
}

/**
 * Chooses in a list that the page made itself: a combobox or a button with a list that pops up, or the list as it is.
 * Says whether an option was chosen; a field that takes any text keeps what was typed when none is called so.
 */
export async function pick(
  tab: Tab,
  locator: Locator,
  values: readonly string[],
  { role, isEditable }: FieldKind,
  wait: Wait,
): Promise<boolean> {
  const isPopup = role !== 'listbox';
  for (const value of values) {
    if (isPopup && isEditable) await locator.fill(value, wait);
    else if (isPopup) await openList(locator, wait);
    const option = await named(tab, async () => optionsFor(locator, isPopup), value, wait);
    if (option !== undefined) await option.click(wait);
    else if (isPopup && isEditable) return false;
    else {
      const others = await (await optionsFor(locator, isPopup)).allInnerTexts();
      if (isPopup) await locator.press('Escape', wait);
      throw noOption(value, others);
    }
  }
  return true;
}

/** A list that is open already would close. */
async function openList(locator: Locator, wait: Wait): Promise<void> {
  if ((await locator.getAttribute('aria-expanded', wait)) !== 'true') await locator.click(wait);
}

/** The options that belong to it: those of the list it names, else all that can be seen. */
async function optionsFor(locator: Locator, isPopup: boolean): Promise<Locator> {
  if (!isPopup) return locator.getByRole('option');
  const handle = await locator.elementHandle();
  const frame = await handle?.ownerFrame();
  await handle?.dispose();
  const list = await locator.evaluate(listOf);
  const root = frame ?? locator.page();
  const within = list === '' ? root : root.locator(`[id=${JSON.stringify(list)}]`);
  return within.locator('[role=option]').filter({ visible: true });
}

/** The one option of that name, or the one whose name holds it; waits while the list is still being made. */
async function named(
  tab: Tab,
  list: () => Promise<Locator>,
  value: string,
  { timeout, signal }: Wait,
): Promise<Locator | undefined> {
  const text = value.trim();
  const exact = new RegExp(String.raw`^\s*${escaped(text)}\s*$`, 'i');
  const end = performance.now() + timeout;
  do {
    const options = await list();
    const whole = options.filter({ hasText: exact });
    const part = options.filter({ hasText: text });
    if (await isShown(part.first(), Math.min(popupMs, end - performance.now()))) {
      if ((await whole.count()) > 0) return whole.first();
      return (await part.count()) === 1 ? part : undefined;
    }
    signal.throwIfAborted();
  } while (performance.now() < end && (await tab.isBusy(signal)));
  return undefined;
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
  const short = (text: string): string => JSON.stringify(cut(oneLine(text).trim(), longestOption));
  const more = options.length > mostOptions ? ', …' : '';
  const are =
    options.length === 0
      ? 'There are none.'
      : `The options are ${options.slice(0, mostOptions).map(short).join(', ')}${more}.`;
  const problems = [`There is no option ${short(missing)}. ${are}`];
  return new ToolError('MISSING_PARAMETER', { problems, accepted: ['values'] });
}

function textOf([text = '']: readonly string[]): string {
  return text;
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}

/** Runs in the page: text and value of each option. */
function optionsOf(elements: readonly Element[]): readonly (readonly string[])[] {
  const [select] = elements;
  if (!(select instanceof HTMLSelectElement) || elements.length > 1) return [];
  return Array.from(select.options, (option) => [option.label.replaceAll(/\s+/g, ' ').trim(), option.value.trim()]);
}

/** Runs in the page: the id of the list that pops up for it, if it says so and the list is there. */
function listOf(element: Element): string {
  const ids = `${element.getAttribute('aria-controls') ?? ''} ${element.getAttribute('aria-owns') ?? ''}`;
  return ids.split(/\s+/).find((id) => id !== '' && element.ownerDocument.getElementById(id) !== null) ?? '';
}
