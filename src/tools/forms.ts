import * as z from 'zod';
import type { Locator } from 'playwright-core';
import { defineTool } from '../call/tool.ts';
import type { CallContext } from '../call/tool.ts';
import { ToolError } from '../errors.ts';
import type { Tab } from '../session/tab.ts';
import type { Target } from '../session/target.ts';
import { Variable } from '../util/code.ts';
import type { Code, CodeValue } from '../util/code.ts';
import { cut, oneLine } from '../util/text.ts';
import { actOnElement, actOnPage } from './acting.ts';
import { hidden, labelOf, optionalTarget, requiredTarget, targetShape, timeoutShape } from './shapes.ts';

const fieldTypes = ['textbox', 'checkbox', 'radio', 'combobox', 'slider', 'date'] as const;
type FieldType = (typeof fieldTypes)[number];
const longestEcho = 100;
const optionWaitMs = 1000;
const mostOptions = 20;
/** What browsers accept in fields that do not take any text. */
const formats: Readonly<Record<string, string>> = {
  date: 'a day as 2024-12-31',
  time: 'a time as 23:59',
  'datetime-local': 'a moment as 2024-12-31T23:59',
  month: 'a month as 2024-12',
  week: 'a week as 2024-W52',
  color: 'a colour as #ff8800',
  number: 'a number',
  range: 'a number within its limits',
  file: 'files: give them with browser_file_upload',
};

const field = z.object({
  ref: z.string().optional().describe('Ref, or a selector'),
  name: z.string().optional().describe('Label of the field, where no ref is given'),
  type: z.enum(fieldTypes).optional().describe('Kind of field, default: as it is'),
  value: z
    .preprocess(
      (value) => (typeof value === 'boolean' || typeof value === 'number' ? String(value) : value),
      z.string(),
    )
    .meta({ type: 'string', description: 'Text, option, number, or true and false' }),
  element: hidden(z.string().optional().describe('What the field is')),
  target: hidden(z.string().optional().describe('A ref or a selector')),
  selector: hidden(z.string().optional().describe('A selector')),
});

export const fillForm = defineTool({
  name: 'browser_fill_form',
  title: 'Fill a form',
  description: 'Fill several fields in one call.',
  effect: 'input',
  scope: 'tab',
  input: { fields: z.array(field).describe('The fields'), ...timeoutShape },
  run: async (call) => {
    const { tab, args, session, response, settings, secrets, signal } = call;
    const timeout = args.timeout ?? settings.timeouts.action;
    const results: FieldResult[] = [];
    const aimed = args.fields.map((each) => ({ each, target: fieldTarget(each, session.name) }));
    await actOnPage(
      call,
      async (before) => {
        for (const { each, target } of aimed) {
          results.push(await fillField(tab, target, each, { before, timeout, signal, secrets }));
        }
      },
      { failure: { what: 'Filling the form', timeoutMs: timeout }, loadMs: settings.timeouts.load },
    );
    const failed = results.filter((result) => result.problem !== undefined);
    if (failed.length > 0) {
      throw new ToolError('FORM_INCOMPLETE', { fields: results.map(resultLine), failed: failed.length });
    }
    for (const result of results) {
      response.text(resultLine(result));
      if (result.code !== undefined) response.ran(result.code);
    }
  },
});

export const selectOption = defineTool({
  name: 'browser_select_option',
  title: 'Select options',
  description: 'Select one or more options of a dropdown or list.',
  effect: 'input',
  scope: 'tab',
  input: { ...targetShape, values: z.array(z.string()).describe('Values or texts of the options'), ...timeoutShape },
  synonyms: { value: 'values' },
  run: async (call) => {
    const { args, session, response, settings } = call;
    const timeout = args.timeout ?? settings.timeouts.action;
    const { located } = await actOnElement(
      call,
      requiredTarget(args, session.name),
      async ({ locator }, signal) => choose(locator, args.values, { timeout, signal }),
      { failure: { what: 'Selecting', timeoutMs: timeout }, loadMs: settings.timeouts.load },
    );
    response.text(
      `Selected ${args.values.map((value) => JSON.stringify(value)).join(', ')} in ${oneLine(labelOf(args, located.label))}.`,
    );
    response.ran(located.code.call('selectOption', args.values));
  },
});

interface FieldResult {
  readonly label: string;
  readonly value: string;
  readonly problem?: string;
  readonly code?: Code;
}

interface FillOptions {
  readonly before: Parameters<Tab['locate']>[1];
  readonly timeout: number;
  readonly signal: AbortSignal;
  readonly secrets: CallContext['secrets'];
}

function fieldTarget(args: z.output<typeof field>, sessionName: string | undefined): Target {
  const target = optionalTarget(args, sessionName);
  if (target !== undefined) return target;
  if (args.name === undefined) {
    const problems = ['Each field needs a ref, or the name that its label says.'];
    throw new ToolError('MISSING_PARAMETER', { problems, accepted: ['ref', 'name', 'type', 'value'] });
  }
  return { kind: 'selector', selector: args.name, type: 'label', options: {}, given: args.name };
}

/** A label is taken as a whole before it is taken as a part: "Name" is not "Last name". */
async function exactly(tab: Tab, target: Target): Promise<Target> {
  if (target.kind === 'ref' || target.type !== 'label') return target;
  const isOne = (await tab.page.getByLabel(target.selector, { exact: true }).count()) === 1;
  return isOne ? { ...target, options: { exact: true } } : target;
}

/** A field that cannot be filled does not keep the others from being filled. */
async function fillField(
  tab: Tab,
  target: Target,
  args: z.output<typeof field>,
  options: FillOptions,
): Promise<FieldResult> {
  const { before, timeout, signal, secrets } = options;
  const value = secrets.lookUp(args.value) ?? args.value;
  const secretName = secrets.nameOf(value);
  const label = args.element ?? args.name ?? target.given;
  let kind = '';
  try {
    const { locator, code } = await tab.locate(await exactly(tab, target), before, signal);
    const [tag, found] = await locator.evaluate(kindOfField, undefined, { timeout });
    kind = found;
    const isSecret = kind === 'password';
    const done = await write(locator, args.type ?? typeOf(tag, kind), value, { timeout, signal });
    // A value that such a field does not understand is dropped or bent by the browser, without a word.
    if (formats[kind] !== undefined && !isSame(value, await locator.inputValue({ timeout, signal }))) {
      return { label, value, problem: wrongFormat(kind) };
    }
    const shown = isSecret || secretName !== undefined ? '[REDACTED]' : value;
    const written = secretName === undefined ? shown : new Variable(secretName);
    return { label, value: shown, code: done(code, written) };
  } catch (error) {
    signal.throwIfAborted();
    const isRefused = error instanceof Error && error.name === 'Error';
    if (isRefused && formats[kind] !== undefined) return { label, value, problem: wrongFormat(kind) };
    const problem = tab.failureOf(error, {
      what: 'Filling the field',
      target: label,
      timeoutMs: timeout,
      editing: true,
    });
    return { label, value, problem };
  }
}

function wrongFormat(kind: string): string {
  return `A ${kind} field takes ${formats[kind]}.`;
}

/** Browsers shorten `23:59:00`, and write numbers and colours in their own way. */
function isSame(given: string, held: string): boolean {
  const wanted = given.trim().toLowerCase();
  if (held === '' || wanted === '') return held === wanted;
  return wanted.startsWith(held.toLowerCase()) || Number(wanted) === Number(held);
}

/** Runs in the page. */
function kindOfField(element: Element): readonly [string, string] {
  return [
    element.tagName.toLowerCase(),
    (element.getAttribute('type') ?? element.getAttribute('role') ?? '').toLowerCase(),
  ];
}

function typeOf(tag: string, kind: string): FieldType {
  if (tag === 'select') return 'combobox';
  if (kind === 'checkbox' || kind === 'switch') return 'checkbox';
  return kind === 'radio' ? 'radio' : 'textbox';
}

interface Wait {
  readonly timeout: number;
  readonly signal: AbortSignal;
}

/** Options that come late are given a moment, and no more: a wrong one is told with those that there are. */
async function choose(locator: Locator, values: readonly string[], { timeout, signal }: Wait): Promise<void> {
  const moment = Math.min(timeout, optionWaitMs);
  try {
    await locator.selectOption([...values], { timeout: moment, signal });
    return;
  } catch (error) {
    signal.throwIfAborted();
    const options = await locator.evaluateAll(optionsOf);
    const isThere = (value: string): boolean => options.some((option) => option.includes(value.trim()));
    const missing = options.length === 0 ? undefined : values.find((value) => !isThere(value));
    if (missing !== undefined)
      throw noOption(
        missing,
        options.map(([text = '']) => text),
      );
    if (moment === timeout) throw error;
  }
  await locator.selectOption([...values], { timeout: timeout - moment, signal });
}

function noOption(missing: string, options: readonly string[]): ToolError {
  const short = (text: string): string => JSON.stringify(cut(oneLine(text), longestEcho));
  const more = options.length > mostOptions ? ', …' : '';
  const problems = [
    `There is no option ${short(missing)}. The options are ${options.slice(0, mostOptions).map(short).join(', ')}${more}.`,
  ];
  return new ToolError('MISSING_PARAMETER', { problems, accepted: ['values'] });
}

/** Runs in the page: text and value of each option. */
function optionsOf(elements: readonly Element[]): readonly (readonly string[])[] {
  const [select] = elements;
  if (!(select instanceof HTMLSelectElement) || elements.length > 1) return [];
  return Array.from(select.options, (option) => [option.label.replaceAll(/\s+/g, ' ').trim(), option.value.trim()]);
}

/** Writes the value; gives the code that does the same. */
async function write(
  locator: Locator,
  type: FieldType,
  value: string,
  wait: Wait,
): Promise<(field: Code, shown: CodeValue) => Code> {
  switch (type) {
    case 'checkbox':
    case 'radio': {
      const isOn = !/^(?:false|off|no|0|)$/i.test(value);
      await locator.setChecked(isOn, wait);
      return (field) => field.call('setChecked', isOn);
    }
    case 'combobox': {
      const isNative = (await locator.evaluate(kindOfField, undefined, wait))[0] === 'select';
      if (!isNative) await locator.fill(value, wait);
      else await choose(locator, [value], wait);
      return (field, shown) => field.call(isNative ? 'selectOption' : 'fill', shown);
    }
    case 'textbox':
    case 'slider':
    case 'date':
      await locator.fill(value, wait);
      return (field, shown) => field.call('fill', shown);
  }
}

function resultLine({ label, value, problem }: FieldResult): string {
  const shown = JSON.stringify(cut(oneLine(value), longestEcho));
  return problem === undefined ? `${oneLine(label)}: ${shown}` : `${oneLine(label)}: not filled. ${problem}`;
}
