import type { Frame, Locator, Page } from 'playwright-core';
import * as z from 'zod';
import { defineTool } from '../../call/tool.ts';
import type { CallContext } from '../../call/tool.ts';
import { ToolError } from '../../errors.ts';
import { frameCode } from '../../session/snapshot/ref-code.ts';
import type { Located } from '../../session/snapshot/target.ts';
import type { Session } from '../../session/session.ts';
import type { Tab } from '../../session/tab.ts';
import { expectCode } from '../../util/code.ts';
import type { Code } from '../../util/code.ts';
import { cut, pageText } from '../../util/text.ts';
import { requiredTarget, targetShape } from '../lib/argument-shapes.ts';
import type { TargetArguments } from '../lib/argument-shapes.ts';

const shared = { capabilities: ['testing'], scope: 'tab', effect: 'read' } as const;
const longest = 200;

type Role = Parameters<Page['getByRole']>[0];

interface VerifyCall extends CallContext {
  readonly session: Session;
  readonly tab: Tab;
}

export const verifyElement = defineTool({
  ...shared,
  name: 'browser_verify_element_visible',
  title: 'Verify that an element is visible',
  description: 'Verify that an element with this role and name is visible, and get the assertion for a test.',
  input: {
    role: z.string().describe('Role, as in the snapshot'),
    accessibleName: z.string().describe('Accessible name, as in the snapshot'),
  },
  synonyms: { name: 'accessibleName' },
  run: async ({ tab, args, response }) => {
    const { role, accessibleName: name } = args;
    // Roles are an open list here: Playwright answers an unknown one with no match.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    const found = await inFrames(tab, (frame) => frame.getByRole(role as Role, { name }).filter({ visible: true }));
    if (found === undefined)
      throw failed(`no visible element has the role ${quoted(role)} and the name ${quoted(name)}`);
    verified(response, found.frame.call('getByRole', role, { name }), found.count, 'toBeVisible');
  },
});

export const verifyText = defineTool({
  ...shared,
  name: 'browser_verify_text_visible',
  title: 'Verify that a text is visible',
  description:
    'Verify that a text is visible, and get the assertion for a test. Prefer browser_verify_element_visible.',
  input: { text: z.string().describe('The text') },
  run: async ({ tab, args, response }) => {
    const found = await inFrames(tab, (frame) => frame.getByText(args.text).filter({ visible: true }));
    if (found === undefined) throw failed(`no visible element has the text ${quoted(args.text)}`);
    verified(response, found.frame.call('getByText', args.text), found.count, 'toBeVisible');
  },
});

export const verifyList = defineTool({
  ...shared,
  name: 'browser_verify_list_visible',
  title: 'Verify a list',
  description: 'Verify that a list has these items, and get the assertion for a test.',
  input: { ...targetShape, items: z.array(z.string()).describe('Texts of the items') },
  run: async (call) => {
    const { args, response } = call;
    const { locator, code } = await located(call, args);
    const texts: string[] = [];
    for (const item of args.items) {
      const match = locator.getByText(item).first();
      if ((await match.count()) === 0) throw failed(`the list has no item ${quoted(item)}`);
      texts.push(((await match.textContent()) ?? '').trim());
    }
    response.withoutPage();
    response.text(`Verified: the list has ${texts.length === 1 ? 'the item' : `the ${texts.length} items`}.`);
    const lines = texts.map((text) => `  - listitem: ${JSON.stringify(text)}`);
    response.ran(expectCode(code).call('toMatchAriaSnapshot', `- list:\n${lines.join('\n')}`));
  },
});

export const verifyValue = defineTool({
  ...shared,
  name: 'browser_verify_value',
  title: 'Verify the value of a field',
  description: 'Verify the value of a field, and get the assertion for a test.',
  input: {
    type: z.enum(['textbox', 'checkbox', 'radio', 'combobox', 'slider']).describe('Kind of field'),
    ...targetShape,
    value: z.string().describe('Expected value; true or false for a checkbox or radio button'),
  },
  run: async (call) => {
    const { args, response, settings, signal } = call;
    const { locator, code } = await located(call, args);
    const wait = { timeout: settings.timeouts.expect, signal };
    const isBox = args.type === 'checkbox' || args.type === 'radio';
    const value = isBox ? String(await locator.isChecked(wait)) : await locator.inputValue(wait);
    const wanted = isBox ? String(args.value === 'true') : args.value;
    if (value !== wanted) throw failed(`the value is ${quoted(value)}, not ${quoted(args.value)}`);
    response.withoutPage();
    response.text('Verified: the field has the value.');
    const assertion = expectCode(code);
    if (!isBox) response.ran(assertion.call('toHaveValue', args.value));
    else response.ran(assertion.call('toBeChecked', wanted === 'true' ? {} : { checked: false }));
  },
});

export const generateLocator = defineTool({
  ...shared,
  name: 'browser_generate_locator',
  title: 'Generate a locator',
  description: 'Get a Playwright locator that finds an element, for a test.',
  input: targetShape,
  run: async (call) => {
    const { args, response } = call;
    const { locator } = await located(call, args);
    const normal = await locator.normalize().catch(() => locator);
    response.withoutPage();
    response.foreign();
    response.text(cut(pageText(normal.toString()), 1000));
  },
});

/** The first frame in which the locator matches. */
async function inFrames(
  tab: Tab,
  locate: (frame: Frame) => Locator,
): Promise<{ readonly frame: Code; readonly count: number } | undefined> {
  for (const frame of tab.page.frames()) {
    const count = await locate(frame).count();
    if (count > 0) return { frame: frameCode(frame), count };
  }
  return undefined;
}

async function located({ tab, session, signal }: VerifyCall, args: TargetArguments): Promise<Located> {
  const target = requiredTarget(args, session);
  const found = await tab.refs.locate(target, target.kind === 'ref' ? await tab.observe(signal) : undefined, signal);
  const count = await found.locator.count();
  if (count === 0) throw new ToolError('ELEMENT_NOT_FOUND', { selector: target.given, page: tab.page.url() });
  if (count > 1) throw new ToolError('AMBIGUOUS_SELECTOR', { selector: target.given, count });
  return found;
}

/** With several matches the assertion is about the first one: it would be rejected as ambiguous. */
function verified(response: CallContext['response'], code: Code, count: number, assertion: string): void {
  response.withoutPage();
  response.text('Verified: it is visible.');
  response.ran(expectCode(count === 1 ? code : code.call('first')).call(assertion));
}

function failed(reason: string): ToolError {
  return new ToolError('VERIFICATION_FAILED', { reason });
}

function quoted(text: string): string {
  return JSON.stringify(cut(pageText(text), longest));
}
