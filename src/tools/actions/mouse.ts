import * as z from 'zod';
import { defineTool } from '../../call/tool.ts';
import { readViewport } from '../../page/reads/screenshot.ts';
import type { Tab } from '../../session/tab.ts';
import { pageCode } from '../../util/code.ts';
import type { Code } from '../../util/code.ts';
import type { Size } from '../../util/images.ts';
import { actOnPage } from '../lib/act.ts';
import { clickCount, given, hidden, within } from '../lib/argument-shapes.ts';

/** Browsers do not answer for coordinates far outside of the page. */
const pixels = within(-1_000_000, 1_000_000);
const x = pixels.describe('From the left, in pixels');
const y = pixels.describe('From the top, in pixels');
/** A longer press would block the call. */
const longestPress = 30_000;
const button = z.enum(['left', 'right', 'middle']).optional().describe('Mouse button, default left');

const mouseCode = pageCode.get('mouse');

type Mouse = Tab['page']['mouse'];

interface Point {
  readonly x: number;
  readonly y: number;
}

/** A note for a point outside of the viewport; the page may receive the events nevertheless. */
async function outsideNote({ page }: Tab, { x: left, y: top }: Point): Promise<string | undefined> {
  const isInside = (size: Size): boolean => left >= 0 && top >= 0 && left < size.width && top < size.height;
  const size = page.viewportSize();
  if (size === null || isInside(size)) return undefined;
  // A zoomed-out mobile viewport has more CSS pixels than its size says.
  const { width, height } = await page.evaluate(readViewport);
  return isInside({ width, height })
    ? undefined
    : `The point ${left},${top} is outside the viewport, which is ${Math.floor(width)}x${Math.floor(height)}.`;
}

/** Defines a tool that uses the mouse. */
function mouseTool<const N extends string, I extends z.ZodRawShape>(spec: {
  readonly name: N;
  readonly title: string;
  readonly description: string;
  readonly input: I;
  readonly isDirect?: boolean;
  /** The point where it presses a button. */
  readonly pressedAt?: (args: z.output<z.ZodObject<I>>) => Point;
  readonly act: (mouse: Mouse, args: z.output<z.ZodObject<I>>) => Promise<readonly Code[]>;
}) {
  return defineTool({
    name: spec.name,
    title: spec.title,
    description: spec.description,
    capabilities: ['vision'],
    effect: 'input',
    scope: 'tab',
    input: spec.input,
    run: async (call) => {
      let codes: readonly Code[] = [];
      let note: string | undefined;
      const point = spec.pressedAt?.(call.args);
      await actOnPage(
        call,
        async () => {
          note = point === undefined ? undefined : await outsideNote(call.tab, point);
          codes = await spec.act(call.tab.page.mouse, call.args);
        },
        { failure: { what: spec.title }, loadMs: call.settings.timeouts.load, isDirect: spec.isDirect === true },
      );
      for (const code of codes) call.response.ran(code);
      if (note !== undefined) call.response.note(note);
    },
  });
}

export const mouseClick = mouseTool({
  name: 'browser_mouse_click_xy',
  title: 'Click at a point',
  description: 'Click at viewport coordinates.',
  input: {
    x,
    y,
    button,
    clickCount: hidden(clickCount.optional().describe('Clicks in a row')),
    delay: hidden(within(0, longestPress).optional().describe('Milliseconds between down and up')),
  },
  pressedAt: (args) => args,
  act: async (mouse, args) => {
    const { clickCount: count = 1, delay = 0 } = args;
    await mouse.click(args.x, args.y, { button: args.button ?? 'left', clickCount: count, delay });
    const options = given({ button: args.button, clickCount: args.clickCount, delay: args.delay });
    return [mouseCode.call('click', args.x, args.y, options)];
  },
});

export const mouseMove = mouseTool({
  name: 'browser_mouse_move_xy',
  title: 'Move the mouse',
  description: 'Move the mouse to viewport coordinates.',
  input: { x, y },
  isDirect: true,
  act: async (mouse, args) => {
    await mouse.move(args.x, args.y);
    return [mouseCode.call('move', args.x, args.y)];
  },
});

export const mouseDrag = mouseTool({
  name: 'browser_mouse_drag_xy',
  title: 'Drag between points',
  description: 'Drag with the left button from one point to another.',
  input: { startX: x, startY: y, endX: x, endY: y },
  pressedAt: ({ startX, startY }) => ({ x: startX, y: startY }),
  act: async (mouse, { startX, startY, endX, endY }) => {
    await mouse.move(startX, startY);
    await mouse.down();
    // In steps, because drag handlers listen to mousemove.
    await mouse.move(endX, endY, { steps: 10 });
    await mouse.up();
    return [
      mouseCode.call('move', startX, startY),
      mouseCode.call('down'),
      mouseCode.call('move', endX, endY),
      mouseCode.call('up'),
    ];
  },
});

export const mouseDown = mouseTool({
  name: 'browser_mouse_down',
  title: 'Press a mouse button',
  description: 'Press a mouse button and hold it.',
  input: { button },
  act: async (mouse, args) => {
    await mouse.down({ button: args.button ?? 'left' });
    return [mouseCode.call('down', given({ button: args.button }))];
  },
});

export const mouseUp = mouseTool({
  name: 'browser_mouse_up',
  title: 'Release a mouse button',
  description: 'Release a mouse button.',
  input: { button },
  act: async (mouse, args) => {
    await mouse.up({ button: args.button ?? 'left' });
    return [mouseCode.call('up', given({ button: args.button }))];
  },
});

export const mouseWheel = mouseTool({
  name: 'browser_mouse_wheel',
  title: 'Turn the mouse wheel',
  description: 'Scroll with the mouse wheel at the mouse position.',
  input: {
    deltaX: pixels.optional().describe('To the right, in pixels'),
    deltaY: pixels.optional().describe('Down, in pixels'),
  },
  act: async (mouse, { deltaX = 0, deltaY = 0 }) => {
    await mouse.wheel(deltaX, deltaY);
    return [mouseCode.call('wheel', deltaX, deltaY)];
  },
});
