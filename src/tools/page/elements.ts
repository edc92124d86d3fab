import * as z from 'zod';
import type { Locator } from 'playwright-core';
import { defineTool } from '../../call/tool.ts';
import { isTimeout } from '../../browser/failure.ts';
import { ToolError } from '../../errors.ts';
import { readElements } from '../../page/reads/element.ts';
import { secretFields } from '../../page/aria/secret-fields.ts';
import { elementsToRead, locateToRead, readAll } from '../lib/reading.ts';
import type { ReadingCall, ToRead } from '../lib/reading.ts';
import { milliseconds, requiredSelector, selectorShape } from '../lib/argument-shapes.ts';

const states = ['attached', 'detached', 'visible', 'hidden'] as const;
const mostElements = 100;
const mostRefs = 20;
const box = z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() });
const facts = z.array(
  z.object({
    tagName: z.string(),
    text: z.string(),
    attributes: z.record(z.string(), z.string()),
    visible: z.boolean(),
    enabled: z.boolean(),
    boundingBox: box.optional(),
  }),
);

const reads = { toolsets: ['design'], effect: 'read', scope: 'tab', answer: 'data' } as const;
const timeout = milliseconds.optional().describe('Timeout in milliseconds');

export const findElement = defineTool({
  ...reads,
  name: 'find_element',
  title: 'Find an element',
  description: 'Find the first matching element, waiting for it if necessary, and describe it.',
  input: { ...selectorShape, timeout },
  run: async (call) => {
    const locator = await waitUntil(call, 'attached', call.args.timeout ?? call.settings.timeouts.action);
    const [element] = await described(call, { locator: locator.first(), isOne: true });
    call.response.data({ found: true, ...element });
  },
});

export const findElements = defineTool({
  ...reads,
  name: 'find_elements',
  title: 'Find elements',
  description: 'Find all matching elements; describe the first 100, with refs for 20.',
  input: { ...selectorShape },
  run: async (call) => {
    const found = await elementsToRead(call, 'The search');
    const count = await found.locator.count();
    call.response.data({ count, elements: await described(call, found) });
  },
});

export const elementExists = defineTool({
  ...reads,
  name: 'element_exists',
  title: 'Element exists',
  description: 'Check whether any element matches now, and count the matches.',
  input: { ...selectorShape },
  run: async (call) => {
    const { locator } = await elementsToRead(call, 'The search');
    const count = await locator.count();
    call.response.data({ exists: count > 0, count });
  },
});

export const isVisible = defineTool({
  ...reads,
  name: 'is_visible',
  title: 'Is visible',
  description: 'Check whether the first matching element is visible; false if there is none.',
  input: { ...selectorShape },
  run: async (call) => {
    const { locator } = await elementsToRead(call, 'The search');
    const [first] = await locator.all();
    call.response.data({ visible: (await first?.isVisible()) ?? false, exists: first !== undefined });
  },
});

export const isEnabled = defineTool({
  ...reads,
  name: 'is_enabled',
  title: 'Is enabled',
  description: 'Check whether the first matching element is enabled; false if there is none.',
  input: { ...selectorShape },
  run: async (call) => {
    const { locator } = await elementsToRead(call, 'The search');
    const [first] = await locator.all();
    const enabled = (await first?.isEnabled({ signal: call.signal })) ?? false;
    call.response.data({ enabled, exists: first !== undefined });
  },
});

export const waitForSelector = defineTool({
  ...reads,
  name: 'wait_for_selector',
  title: 'Wait for an element',
  description: 'Wait until the first matching element is visible, hidden, attached or detached.',
  input: {
    ...selectorShape,
    state: z.enum(states).optional().describe('State to wait for, default visible'),
    timeout,
  },
  run: async (call) => {
    const { state = 'visible', timeout: limit = call.settings.session.defaultTimeout } = call.args;
    await waitUntil(call, state, limit);
    call.response.data({ state });
  },
});

async function waitUntil(call: ReadingCall, state: (typeof states)[number], limit: number): Promise<Locator> {
  const target = requiredSelector(call.args, call.session);
  const what = `Waiting until ${target.given} is ${state}`;
  const { locator } = await locateToRead(call, target, what, limit);
  try {
    await locator.first().waitFor({ state, timeout: limit, signal: call.signal });
    return locator;
  } catch (error) {
    if (!isTimeout(error)) throw error;
    // NO_SUCH_ELEMENT does not advise to wait.
    if ((await locator.count()) === 0)
      throw new ToolError('NO_SUCH_ELEMENT', { selector: target.given, page: call.tab.page.url() }, { cause: error });
    throw new ToolError('TIMEOUT', { what, ms: limit }, { cause: error });
  }
}

async function described(call: ReadingCall, found: ToRead): Promise<readonly object[]> {
  const options = { most: mostElements, secret: secretFields };
  const read = facts.parse(await readAll(call, found, readElements, options));
  const each = (await found.locator.all()).slice(0, Math.min(read.length, mostRefs));
  const refs = await call.tab.refs.refsOf(each, call.signal);
  // Fewer, if an element was removed meanwhile.
  const isSure = refs.length === each.length;
  return read.map((known, place) => (isSure && place < refs.length ? { ref: refs[place], ...known } : known));
}
