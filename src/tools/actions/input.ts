import * as z from 'zod';
import type { Locator } from 'playwright-core';
import { defineTool } from '../../call/tool.ts';
import { ToolError } from '../../errors.ts';
import { secretFields } from '../../page/aria/secret-fields.ts';
import { Variable } from '../../util/code.ts';
import { cut, oneLine, quoteBlock } from '../../util/text.ts';
import { actOnElement } from '../lib/act.ts';
import { actionWait } from '../lib/timeouts.ts';
import { fillText } from '../forms/formats.ts';
import {
  clickCount,
  hidden,
  hold,
  labelOf,
  milliseconds,
  needsTarget,
  requiredTarget,
  targetShape,
  timeoutShape,
  within,
} from '../lib/argument-shapes.ts';

const modifierKeys = ['Alt', 'Control', 'ControlOrMeta', 'Meta', 'Shift'] as const;
const buttons = ['left', 'right', 'middle'] as const;
const longestEcho = 200;
const pixels = within(-100_000, 100_000);

const elementHint = {
  about: ['Selector', 'selector'],
  hint: 'Check if element exists and is actionable',
} as const;

/** Loose: the object may also contain options of the selector. */
const clickOptions = z.looseObject({
  button: z.enum(buttons).optional(),
  clickCount: clickCount.optional(),
  modifiers: z.array(z.enum(modifierKeys)).optional(),
  delay: milliseconds.optional(),
  timeout: milliseconds.optional(),
  force: z.boolean().optional(),
});
const typeOptions = z.looseObject({ delay: milliseconds.optional(), timeout: milliseconds.optional() });

export const click = defineTool({
  name: 'browser_click',
  title: 'Click',
  description: 'Click an element.',
  toolsets: ['core', 'viewpoint'],
  effect: 'input',
  scope: 'tab',
  input: {
    ...targetShape,
    doubleClick: z.boolean().optional().describe('Double click'),
    clickCount: clickCount.optional().describe('Clicks in a row'),
    button: z.enum(buttons).optional().describe('Default left'),
    modifiers: z.array(z.enum(modifierKeys)).optional().describe('Keys held down'),
    x: pixels.optional().describe('Point in the element'),
    y: pixels.optional().describe('Same'),
    hold: hold.optional().describe('Milliseconds'),
    force: hidden(z.boolean().optional().describe('Click although something covers the element')),
    options: hidden(clickOptions.optional().describe('Further options of the selector or the click')),
    ...timeoutShape,
  },
  sentenceError: { doing: 'clicking element', ...elementHint },
  check: needsTarget,
  run: async (call) => {
    const { args, session, response, settings } = call;
    const target = requiredTarget(args, session);
    const further = args.options ?? {};
    const { timeout: wait, waitsFully } = actionWait(settings, args.timeout ?? further.timeout);
    const delay = args.hold ?? further.delay;
    // The timeout is for the element to become ready.
    const timeout = wait + (delay ?? 0) * (args.clickCount ?? 2);
    const button = args.button ?? further.button;
    const modifiers = args.modifiers ?? further.modifiers;
    const count = args.doubleClick === true ? 2 : (args.clickCount ?? further.clickCount);
    const force = args.force ?? further.force;
    const point = args.x === undefined && args.y === undefined ? undefined : { x: args.x ?? 0, y: args.y ?? 0 };
    const shown = {
      ...(button === undefined ? {} : { button }),
      ...(modifiers === undefined ? {} : { modifiers }),
      ...(count === undefined || count === 2 ? {} : { clickCount: count }),
      ...(force === undefined ? {} : { force }),
      ...(delay === undefined ? {} : { delay }),
      ...(point === undefined ? {} : { position: point }),
    };
    const pressed = {
      ...(button === undefined ? {} : { button }),
      ...(delay === undefined ? {} : { delay }),
    };
    const options = { ...shown, timeout };
    const isPlain = modifiers === undefined && force === undefined && point === undefined;
    const { located } = await actOnElement(call, {
      target,
      fast: isPlain ? { do: 'click', options: { ...pressed, clickCount: count ?? 1 } } : undefined,
      fallback: async ({ locator, position }, signal) => {
        if (point !== undefined) await checkPoint(locator, point, { timeout, signal });
        const how = { ...options, ...(position === undefined ? {} : { position }), signal };
        await (count === 2 ? locator.dblclick(how) : locator.click(how));
      },
      failure: { what: 'The click', timeoutMs: timeout },
      waitsFully,
      loadMs: settings.timeouts.load,
      opensInBackground: button === 'middle' || modifiers?.some((key) => key !== 'Alt' && key !== 'Shift') === true,
    });
    response.sentence(`Successfully clicked element: ${oneLine(labelOf(args, located.label))}`);
    response.ran(located.code.call(count === 2 ? 'dblclick' : 'click', shown));
  },
});

/** Playwright would wait for the element to become larger. */
async function checkPoint(
  locator: Locator,
  { x, y }: { readonly x: number; readonly y: number },
  wait: { readonly timeout: number; readonly signal: AbortSignal },
): Promise<void> {
  const box = await locator.boundingBox(wait);
  if (box === null || (x >= 0 && y >= 0 && x <= box.width && y <= box.height)) return;
  const size = `${Math.round(box.width)} x ${Math.round(box.height)} pixels`;
  const problems = [`The point ${x},${y} is outside of the element, which has ${size}.`];
  throw new ToolError('INVALID_ARGUMENT', { problems, accepted: ['x', 'y'] });
}

export const hover = defineTool({
  name: 'browser_hover',
  title: 'Hover',
  description: 'Move the mouse over an element.',
  toolsets: ['core', 'viewpoint'],
  effect: 'input',
  scope: 'tab',
  input: { ...targetShape, ...timeoutShape },
  check: needsTarget,
  run: async (call) => {
    const { args, session, response, settings } = call;
    const { timeout, waitsFully } = actionWait(settings, args.timeout);
    const { located } = await actOnElement(call, {
      target: requiredTarget(args, session),
      fast: { do: 'hover' },
      fallback: async ({ locator, position }, signal) =>
        locator.hover({ timeout, signal, ...(position === undefined ? {} : { position }) }),
      failure: { what: 'The hover', timeoutMs: timeout },
      waitsFully,
      loadMs: settings.timeouts.load,
      isDirect: true,
    });
    response.ran(located.code.call('hover'));
  },
});

export const type = defineTool({
  name: 'browser_type',
  title: 'Type text',
  description: 'Type text into a field, replacing its content.',
  toolsets: ['core', 'viewpoint'],
  effect: 'input',
  scope: 'tab',
  input: {
    ...targetShape,
    text: z.string().describe('The text'),
    submit: z.boolean().optional().describe('Press Enter afterwards'),
    slowly: z.boolean().optional().describe('Type key by key'),
    clear: hidden(z.boolean().optional().describe('Replace existing text (default), or append')),
    delay: hidden(milliseconds.optional().describe('Milliseconds between keys')),
    options: hidden(typeOptions.optional().describe('Further options of the selector or of typing')),
    ...timeoutShape,
  },
  synonyms: { value: 'text' },
  namesSecrets: ['text'],
  sentenceError: { doing: 'typing into element', ...elementHint },
  check: needsTarget,
  run: async (call) => {
    const { args, session, response, settings, secrets } = call;
    const { text } = args;
    const secretName = secrets.nameOf(text);
    const { timeout, waitsFully } = actionWait(settings, args.timeout ?? args.options?.timeout);
    const delay = args.delay ?? args.options?.delay;
    const isPlain = args.submit !== true;
    const isFill = args.slowly !== true && delay === undefined && args.clear !== false;
    let isSecret = true;
    const { located, outcome } = await actOnElement(call, {
      target: requiredTarget(args, session),
      fast: isPlain && isFill ? { do: 'fill', text } : undefined,
      fallback: async ({ locator }, signal) => {
        // A submitted form may be gone afterwards; otherwise the final state shows it, without another round trip.
        if (!isPlain) isSecret = await holdsSecret(locator, timeout, signal);
        await write(locator, text, {
          append: args.clear === false,
          byKey: args.slowly === true,
          delay,
          timeout,
          signal,
        });
        if (args.submit === true) await locator.press('Enter', { timeout, signal });
      },
      failure: { what: 'Typing', timeoutMs: timeout, editing: true },
      waitsFully,
      loadMs: settings.timeouts.load,
      isDirect: isPlain,
    });
    if (isPlain && outcome.state !== undefined)
      isSecret = outcome.state.isInSecret || outcome.state.secrets.includes(text);
    if (isSecret) call.tab.typedSecrets.add(text);
    const full = isPlain && !isSecret && secretName === undefined ? outcome.state?.full : undefined;
    if (full !== undefined && !full.endsWith(text)) response.note(limitNote(full));
    const echoed = isSecret || secretName !== undefined ? '[REDACTED]' : text;
    response.sentence(`Successfully typed into element: ${oneLine(labelOf(args, located.label))}`);
    response.sentence(`Text: ${cut(quoteBlock(echoed), longestEcho)}`);
    if (echoed.length <= longestEcho) response.typed(echoed);
    const written = secretName === undefined ? cut(echoed, longestEcho) : new Variable(secretName);
    if (isFill) response.ran(located.code.call('fill', written));
    else {
      const { code } = located;
      response.ran(args.clear === false ? code.call('press', 'ControlOrMeta+End') : code.call('fill', ''));
      response.ran(code.call('pressSequentially', written, delay === undefined ? {} : { delay }));
    }
    if (args.submit === true) response.ran(located.code.call('press', 'Enter'));
  },
});

/** The field has a maxlength, and the browser dropped the rest of the text. */
function limitNote(value: string): string {
  return `The field takes at most ${value.length} characters and holds ${JSON.stringify(cut(oneLine(value), longestEcho))}.`;
}

interface WriteOptions {
  readonly append: boolean;
  readonly byKey: boolean;
  readonly delay: number | undefined;
  readonly timeout: number;
  readonly signal: AbortSignal;
}

async function write(locator: Locator, text: string, options: WriteOptions): Promise<void> {
  const { append, byKey, delay, signal } = options;
  const wait = { timeout: options.timeout, signal };
  if (!append && !byKey && delay === undefined) return fillText(locator, text, wait);
  if (append) await locator.press('ControlOrMeta+End', wait);
  else await locator.fill('', wait);
  // The timeout is for the element to become ready; typing takes its own time on top.
  const timeout = options.timeout + text.length * ((delay ?? 0) + 20);
  return locator.pressSequentially(text, { signal, timeout, ...(delay === undefined ? {} : { delay }) });
}

/** Whether the answer must not repeat the typed text. */
async function holdsSecret(locator: Locator, timeout: number, signal: AbortSignal): Promise<boolean> {
  return locator.evaluate((element, secret) => element.matches(secret), secretFields, { timeout, signal });
}
