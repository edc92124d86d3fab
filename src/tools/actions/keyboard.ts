import * as z from 'zod';
import { defineTool } from '../../call/tool.ts';
import { isUnknownKey } from '../../browser/failure.ts';
import { ToolError } from '../../errors.ts';
import { clipboardKey, pressClipboardKey } from '../../session/act/clipboard.ts';
import { pressKeyAtOnce } from '../../session/act/fast-path.ts';
import { locateAttached } from '../../session/act/missing.ts';
import { selectIn } from '../../session/act/selection.ts';
import type { Tab } from '../../session/tab.ts';
import { pause } from '../../util/signals.ts';
import { pageCode } from '../../util/code.ts';
import { cut, oneLine } from '../../util/text.ts';
import { actOnPage } from '../lib/act.ts';
import { areKeys, isCharacter, keyNamed, keysOf } from '../lib/keys.ts';
import {
  aimAt,
  given,
  hidden,
  hold,
  optionalTarget,
  optionalTargetShape,
  wholeWithin,
} from '../lib/argument-shapes.ts';
import { readSelectionLine } from '../lib/selection-line.ts';
import { actionWait } from '../lib/timeouts.ts';

/** Longest part of an unknown text in an error. */
const longestShown = 200;
const mostPresses = 100;
/** A held key repeats as on a common keyboard. */
const repeatDelayMs = 500;
const repeatMs = 33;
const modifierKeys = ['Alt', 'Control', 'Meta', 'Shift'] as const;

export const pressKey = defineTool({
  name: 'browser_press_key',
  title: 'Press key',
  description: 'Press a key or a combination on the focused element.',
  toolsets: ['core', 'viewpoint'],
  effect: 'input',
  scope: 'tab',
  input: {
    key: z.string().describe('Enter, ArrowLeft, a, Control+a'),
    count: wholeWithin(1, mostPresses).optional().describe('Times'),
    hold: hold.optional().describe('Milliseconds'),
    modifiers: hidden(z.array(z.string()).optional().describe('Keys held down')),
  },
  check: (args) => {
    const written = writtenKey(args);
    // A value of an earlier step is not known yet.
    if (!written.includes('{{') && !areKeys(keyNamed(written))) throw noKey(written);
  },
  run: async (call) => {
    const { tab, args, response, settings, signal } = call;
    const written = writtenKey(args);
    const key = keyNamed(written);
    const { count = 1 } = args;
    let code = pageCode.get('keyboard').call('press', key, given({ delay: args.hold }));
    let isInserted = false;
    let selection: string | undefined;
    await actOnPage(
      call,
      async (_, prepared) => {
        const { keyboard } = tab.page;
        const press = async (): Promise<void> => {
          if (args.hold !== undefined) return holdKey(keyboard, key, args.hold, signal);
          const isPlain = key === '+' || !key.includes('+');
          if (isPlain && count === 1) return pressKeyAtOnce(tab, key, prepared);
          const kind = clipboardKey(key);
          if (kind !== undefined) return pressClipboardKey(tab.page, kind, async () => keyboard.press(key));
          return keyboard.press(key);
        };
        await press().catch(async (error: unknown) => {
          if (!isUnknownKey(error)) throw error;
          if (isCharacter(key)) {
            isInserted = true;
            code = pageCode.get('keyboard').call('insertText', key);
            return keyboard.insertText(key);
          }
          // Modifiers before the unknown key are down already, and would stay down.
          for (const modifier of modifierKeys) await keyboard.up(modifier);
          throw noKey(written);
        });
        for (let pressed = 1; pressed < count; pressed++) {
          signal.throwIfAborted();
          await (isInserted ? keyboard.insertText(key) : press());
        }
        // Combinations select and format text.
        if (key.length > 1 && key.includes('+')) selection = await readSelectionLine(tab);
      },
      {
        failure: { what: 'The key press' },
        loadMs: settings.timeouts.load,
        isDirect: !/(?:Enter|Space| )$/.test(key),
        tellsFocus: true,
      },
    );
    if (selection !== undefined) response.effect(selection);
    response.ran(code.repeated(count));
  },
});

function writtenKey({
  modifiers = [],
  key,
}: {
  readonly modifiers?: readonly string[] | undefined;
  readonly key: string;
}) {
  return [...modifiers, key].join('+');
}

function noKey(written: string): ToolError {
  const shown = JSON.stringify(written.slice(0, 60));
  const problems = [`${shown} is not a key. Write it as "Enter", "ArrowDown", "a" or "Control+Shift+A".`];
  return new ToolError('INVALID_ARGUMENT', { problems, accepted: ['key'] });
}

/** Presses the keys of a combination, repeats the last one while it is held, and releases them. */
async function holdKey(
  keyboard: Tab['page']['keyboard'],
  combination: string,
  ms: number,
  signal: AbortSignal,
): Promise<void> {
  const keys = keysOf(combination);
  const last = keys.at(-1) ?? combination;
  const end = performance.now() + ms;
  const down: string[] = [];
  try {
    for (const key of keys) {
      await keyboard.down(key);
      down.unshift(key);
    }
    for (let wait = repeatDelayMs; ; wait = repeatMs) {
      await pause(Math.min(wait, Math.max(0, end - performance.now())), signal);
      if (performance.now() >= end) return;
      await keyboard.down(last);
    }
  } finally {
    for (const key of down) await keyboard.up(key);
  }
}

/** Frames that are searched for a text. */
const mostFrames = 8;

export const selectTextTool = defineTool({
  name: 'browser_select_text',
  title: 'Select text',
  description: 'Select text, or set the caret.',
  toolsets: ['core'],
  effect: 'input',
  scope: 'tab',
  positional: ['ref', 'text'],
  input: {
    ...optionalTargetShape,
    text: z.string().optional().describe('Text to select, default all'),
    to: z.string().optional().describe('Text where it ends'),
    caret: z.enum(['before', 'after']).optional().describe('Set the caret instead'),
  },
  run: async (call) => {
    const { tab, args, session, response, settings, signal } = call;
    const target = optionalTarget(args, session);
    const wait = actionWait(settings, undefined);
    const { timeout } = wait;
    let line: string | undefined;
    await actOnPage(
      call,
      async (before) => {
        const located = target && (await locateAttached(tab, target, before, { ...wait, signal }));
        const { caret } = args;
        // Some models send an empty text for an argument that they do not use.
        const [text, to] = [args.text, args.to].map((given) => (given === '' ? undefined : given));
        const frames = tab.page.frames().slice(0, text === undefined && to === undefined ? 1 : mostFrames);
        const places = located === undefined ? frames.map((frame) => frame.locator('body')) : [located.locator];
        let result: Awaited<ReturnType<typeof selectIn>> = 'not there';
        for (const place of places) {
          result = await selectIn(place, { text, to, caret }, timeout);
          if (result !== 'not there') break;
        }
        if (result === 'only whole')
          throw invalid('This field can only be selected as a whole: leave out text, to and caret.');
        if (result === 'not there') throw invalid(notThere(text ?? to ?? ''));
        line = await readSelectionLine(tab);
        const code = located?.code ?? pageCode.call('locator', 'body');
        // Playwright has no call that selects a part.
        if (text === undefined && to === undefined && caret === undefined) response.ran(code.call('selectText'));
      },
      { failure: { what: 'Selecting', timeoutMs: timeout, ...aimAt(target) }, loadMs: settings.timeouts.load },
    );
    if (line !== undefined) response.effect(line);
  },
});

function notThere(text: string): string {
  return `The text ${JSON.stringify(cut(oneLine(text), longestShown))} is not in the element.`;
}

function invalid(problem: string): ToolError {
  return new ToolError('INVALID_ARGUMENT', { problems: [problem], accepted: ['ref', 'text', 'to', 'caret'] });
}
