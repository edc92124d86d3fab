import type { Locator } from 'playwright-core';
import type { CallContext } from '../../call/tool.ts';
import { ToolError } from '../../errors.ts';
import type { DirectAction } from '../../page/protocol.ts';
import { kindOfField } from '../../page/reads/field-kind.ts';
import type { FieldKind } from '../../page/reads/field-kind.ts';
import { secretFields } from '../../page/aria/secret-fields.ts';
import type { Observation } from '../../session/agent/page-agents.ts';
import { tryFastPath } from '../../session/act/fast-path.ts';
import type { FastAction, FastPath, Started } from '../../session/act/fast-path.ts';
import { runUnlessBlocked } from '../../session/act/obstacles.ts';
import type { Session } from '../../session/session.ts';
import type { Tab } from '../../session/tab.ts';
import { selectorText } from '../../session/snapshot/target.ts';
import type { Located, Target } from '../../session/snapshot/target.ts';
import { Variable } from '../../util/code.ts';
import type { Code, CodeValue } from '../../util/code.ts';
import { cut, oneLine } from '../../util/text.ts';
import { isList, typeOf } from './field-kinds.ts';
import type { FieldType } from './field-kinds.ts';
import { resolveUploads, uploadFiles, uploadCode } from '../actions/files.ts';
import type { UploadMethod } from '../actions/files.ts';
import { fillText, formats } from './formats.ts';
import { setBox } from './boxes.ts';
import { choose, noOption, pick, valuesFor } from './select-options.ts';
import type { Wait } from './select-options.ts';
import { slide } from './sliders.ts';
import { fieldMs } from '../../session/timing.ts';

/** A field and its value. */
export interface FieldArguments {
  readonly element?: string | undefined;
  readonly name?: string | undefined;
  readonly type?: FieldType | undefined;
  readonly value: string | readonly string[];
}

export interface FieldResult {
  readonly label: string;
  readonly value: string;
  readonly problem?: string;
  readonly note?: string;
  readonly code?: Code;
}

export interface Filling {
  readonly session: Session;
  readonly tab: Tab;
  readonly before: Observation | undefined;
  readonly timeout: number;
  /** The timeout was given: wait for fields in full, even if the page is at rest. */
  readonly waitsFully: boolean;
  readonly signal: AbortSignal;
  readonly secrets: CallContext['secrets'];
  /** Uploads are allowed. */
  readonly mayUpload: boolean;
  /** The direct action on the first field, which was sent with the first state request. */
  readonly started: Started | undefined;
  /** Given for the only field. */
  readonly speculate: FastPath['speculate'];
}

const longestEcho = 100;
/** Roles of fields whose name may be their own text, which getByLabel does not find. */
const namedByContent = ['switch', 'checkbox', 'radio', 'combobox'] as const;
/** Choices that an error lists. */
const mostChoices = 30;

/** Fills a field. A failure is a result, so that the other fields are filled too. */
export async function fillField(call: Filling, args: FieldArguments, target: Target): Promise<FieldResult> {
  const { tab, timeout, signal, secrets } = call;
  const values = [args.value].flat();
  const label = args.element ?? args.name ?? target.given;
  const value = values.join(', ');
  const secretName = secrets.nameOf(value);
  try {
    const located = await find(call, target);
    const kind = located.kind ?? (await located.locator.evaluate(kindOfField, secretFields, { timeout, signal }));
    if (kind.isDisabled) await leave(tab);
    const type = args.type ?? typeOf(kind);
    if (kind.isSecret) tab.typedSecrets.add(value);
    const shown = kind.isSecret || secretName !== undefined ? '[REDACTED]' : value;
    const written = secretName === undefined ? shown : new Variable(secretName);
    const done = await write(call, target, located, { type, kind, values });
    const limit = value.length > (kind.maxLength ?? Number.POSITIVE_INFINITY) ? kind.maxLength : undefined;
    const tooLong = limit === undefined ? undefined : `takes at most ${limit} characters`;
    const note = [located.note, done.note, tooLong].filter((text) => text !== undefined).join(' ');
    const held = limit === undefined || shown !== value ? shown : await located.locator.inputValue({ timeout, signal });
    return { label, value: held, code: done.code(located.code, written), ...(note === '' ? {} : { note }) };
  } catch (error) {
    signal.throwIfAborted();
    const selector = target.kind === 'selector' && target.type !== 'label' ? { selector: selectorText(target) } : {};
    const context = { what: 'Filling the field', target: label, ...selector, timeoutMs: timeout, editing: true };
    return { label, value, problem: tab.failureOf(error, context) };
  }
}

export function resultLine({ label, value, problem, note }: FieldResult): string {
  const shown = JSON.stringify(cut(oneLine(value), longestEcho));
  if (problem !== undefined) return `${oneLine(label)}: not filled. ${problem}`;
  return `${oneLine(label)}: ${shown}${note === undefined ? '' : ` (${note})`}`;
}

/** Resolves the field. A missing element gets less time than one that is not ready. */
async function find(
  { tab, before, timeout, waitsFully, signal }: Filling,
  target: Target,
): ReturnType<Tab['refs']['locate']> {
  const located = await tab.refs.locate(target, before, signal, true);
  if (target.kind === 'ref') return located;
  const ways = target.type === 'label' ? waysToName(tab, target.selector) : [located.locator];
  const end = performance.now() + timeout;
  for (let isFirst = true; ; isFirst = false) {
    for (const way of ways) if ((await way.count()) > 0) return { ...located, locator: way };
    signal.throwIfAborted();
    if (isFirst) await leave(tab);
    else if (performance.now() >= end || !(waitsFully || (await tab.actions.isBusy(signal)))) break;
    await appears(ways, Math.min(fieldMs, end - performance.now()), signal);
  }
  throw new ToolError('ELEMENT_NOT_FOUND', { selector: selectorText(target) });
}

/** Blurs the focused field: some forms show or enable further fields on blur. */
async function leave({ page }: Tab): Promise<void> {
  await page.locator(':focus').evaluateAll(blur);
}

async function appears([first, ...others]: readonly Locator[], ms: number, signal: AbortSignal): Promise<void> {
  const any = others.reduce((all, way) => all?.or(way), first)?.first();
  // The caller checks the result.
  await any?.waitFor({ state: 'attached', timeout: Math.max(1, ms), signal }).catch(() => undefined);
}

/**
 * Locators for the name of a field, best first. An exact label comes before a partial one: "Name" is not "Last name".
 */
function waysToName({ page }: Tab, name: string): readonly Locator[] {
  const exact = { exact: true };
  return [
    page.getByLabel(name, exact),
    ...namedByContent.map((role) => page.getByRole(role, { name, ...exact })),
    page.getByRole('radiogroup', { name, ...exact }).or(page.getByRole('group', { name, ...exact })),
    page.getByPlaceholder(name, exact),
    page.getByTitle(name, exact),
    page.getByLabel(name),
    page.getByPlaceholder(name),
  ];
}

interface Writing {
  readonly type: FieldType;
  readonly kind: FieldKind;
  readonly values: readonly string[];
}

interface Written {
  /** The Playwright code for it, with the value as it may be shown. */
  readonly code: (code: Code, shown: CodeValue) => Code;
  readonly note?: string;
}

async function write(call: Filling, target: Target, located: Located, writing: Writing): Promise<Written> {
  const { type, kind } = writing;
  const fast = fastWay(writing);
  const { tab, timeout, waitsFully, signal, started, speculate } = call;
  const path = fast && { tab, target, action: fast.action, timeout, signal, speculate };
  if (fast !== undefined && path !== undefined && (await tryFastPath(path, started))) return fast;
  if (type === 'file' || kind.type === 'file') return giveTo(call, located, writing);
  // A popup list must be clickable; text can also be filled into a covered field.
  const isEditing = type === 'textbox' || type === 'date' || type === 'slider';
  let written: Written | undefined;
  const isByScript = isEditing || kind.tag === 'select';
  const watched = { located, isEditing, isByScript, waitsFully, timeout, signal };
  await runUnlessBlocked(tab, watched, async (field, either) => {
    written = await writeInto(tab, field, writing, { timeout, signal: either });
  });
  if (written === undefined) throw new ToolError('INTERNAL_ERROR', { reason: 'the field was not written' });
  return written;
}

/** The direct action that a field most likely needs, by the role that was shown: it is sent before the kind is known. */
export function likelyAction(role: string, value: FieldArguments['value']): DirectAction | undefined {
  const isOn = readSwitch([value].flat().join(', '));
  if (role === 'textbox' || role === 'searchbox') return { kind: 'text' };
  return (role === 'checkbox' || role === 'radio') && isOn !== undefined ? { kind: 'check', isOn } : undefined;
}

/** The fast path, which most fields have: texts, boxes and native lists. */
function fastWay({ type, kind, values }: Writing): (Written & { readonly action: FastAction }) | undefined {
  const value = values.join(', ');
  if (type === 'textbox' && formats[kind.type] === undefined)
    return { action: { do: 'fill', text: value }, code: (code, shown) => code.call('fill', shown) };
  if (type === 'combobox' && kind.tag === 'select' && !kind.isMultiple)
    return { action: { do: 'select', values }, code: (code) => code.call('selectOption', values) };
  const isOn = type === 'checkbox' || type === 'radio' ? readSwitch(value) : undefined;
  if (isOn === undefined || kind.type !== type) return undefined;
  return { action: { do: 'check', isOn }, code: (code) => code.call('setChecked', isOn) };
}

async function writeInto(tab: Tab, field: Located, writing: Writing, wait: Wait): Promise<Written> {
  const { locator } = field;
  const { type, kind, values } = writing;
  const value = values.join(', ');
  switch (type) {
    case 'checkbox':
    case 'radio': {
      const isOn = readSwitch(value);
      if (isOn === undefined || kind.type !== type) return writeChoice(locator, kind, value, wait);
      await setBox(field, isOn, wait);
      return { code: (code) => code.call('setChecked', isOn) };
    }
    case 'combobox': {
      if (kind.tag === 'select') {
        const options = kind.isMultiple ? await valuesFor(locator, values) : values;
        await choose(tab, field, options, wait);
        return { code: (code) => code.call('selectOption', options) };
      }
      if (!isList(kind)) break;
      const typed = await pick(tab, field, values, kind, wait);
      return {
        code: (code) => code.call('fill', value),
        ...(typed === undefined ? {} : { note: 'typed; no option is called so' }),
      };
    }
    case 'slider':
      if (kind.tag === 'input') break;
      await slide(locator, value, wait);
      return { code: (code) => code.call('press', 'ArrowRight') };
    case 'textbox':
    case 'date':
    case 'file':
      break;
  }
  await fillText(locator, value, wait);
  return { code: (code, shown) => code.call('fill', shown) };
}

async function giveTo(call: Filling, located: Located, { kind, values }: Writing): Promise<Written> {
  const { session, tab, timeout, signal } = call;
  if (!call.mayUpload) throw new ToolError('FORBIDDEN', { reason: 'file uploads are disabled on this server.' });
  const files = await resolveUploads(session, values);
  const paths = files.map(({ path }) => path);
  const copies = files.map(({ copy }) => copy);
  let way: UploadMethod = 'field';
  const give = async (_: Located, either: AbortSignal): Promise<void> => {
    way = await uploadFiles(tab, located, copies, { timeout, signal: either });
  };
  // A file input need not be visible; an element that is clicked to open its chooser must be.
  await (kind.type === 'file'
    ? give(located, signal)
    : runUnlessBlocked(tab, { located, isEditing: false, waitsFully: call.waitsFully, timeout, signal }, give));
  return { code: (code) => uploadCode(code, way, paths) };
}

/** Checks the radio button with this label or value, in the named group or the group of the named button. */
async function writeChoice(locator: Locator, kind: FieldKind, value: string, wait: Wait): Promise<Written> {
  const isOne = kind.type === 'radio' || kind.type === 'checkbox';
  const around =
    'xpath=ancestor::*[self::fieldset or self::form or self::body or @role="radiogroup" or @role="group"][1]';
  const group = isOne ? locator.locator(around) : locator;
  const role = kind.type === 'checkbox' ? 'checkbox' : 'radio';
  const radios = group.getByRole(role);
  const exact = group.getByRole(role, { name: value, exact: true });
  const byValue = radios.and(group.locator(`[value=${JSON.stringify(value)}]`));
  for (const choice of [exact, byValue]) {
    if ((await choice.count()) !== 1) continue;
    await choice.setChecked(true, wait);
    return { code: (code) => code.call('getByRole', role, { name: value }).call('check') };
  }
  const choices = (await radios.all()).slice(0, mostChoices);
  throw noOption(value, await Promise.all(choices.map(async (choice) => choice.evaluate(nameOf, undefined, wait))));
}

function readSwitch(value: string): boolean | undefined {
  if (/^(?:true|on|yes|1|checked)$/i.test(value.trim())) return true;
  return /^(?:false|off|no|0|unchecked|)$/i.test(value.trim()) ? false : undefined;
}

/** Runs in the page. */
function blur(elements: readonly Element[]): void {
  for (const element of elements) if (element instanceof HTMLElement) element.blur();
}

/** Runs in the page: the label of a choice. */
function nameOf(element: Element): string {
  const labels = element instanceof HTMLInputElement ? [...(element.labels ?? [])] : [];
  const label = labels.map((each) => each.textContent).join(' ');
  return element.getAttribute('aria-label') ?? (label.trim() || (element.getAttribute('value') ?? element.textContent));
}
