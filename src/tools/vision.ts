import * as z from 'zod';
import { defineTool } from '../call/tool.ts';
import type { Tab } from '../session/tab.ts';
import { pageCode } from '../util/code.ts';
import type { Code } from '../util/code.ts';
import { actOnPage } from './acting.ts';
import { given, hidden } from './shapes.ts';

const x = z.number().describe('From the left, in pixels');
const y = z.number().describe('From the top, in pixels');
const button = z.enum(['left', 'right', 'middle']).optional().describe('Mouse button, default left');

const mouseCode = pageCode.get('mouse');

type Mouse = Tab['page']['mouse'];

/** A tool that moves the mouse; what it does to the page is told as for any action. */
function mouseTool<const N extends string, I extends z.ZodRawShape>(spec: {
  readonly name: N;
  readonly title: string;
  readonly description: string;
  readonly input: I;
  readonly isDirect?: boolean;
  readonly act: (mouse: Mouse, args: z.output<z.ZodObject<I>>) => Promise<readonly Code[]>;
}) {
  return defineTool({
    name: spec.name,
    title: spec.title,
    description: spec.description,
    effect: 'input',
    scope: 'tab',
    input: spec.input,
    run: async (call) => {
      let codes: readonly Code[] = [];
      await actOnPage(
        call,
        async () => {
          codes = await spec.act(call.tab.page.mouse, call.args);
        },
        { failure: { what: spec.title }, loadMs: call.settings.timeouts.load, isDirect: spec.isDirect === true },
      );
      for (const code of codes) call.response.ran(code);
    },
  });
}

export const mouseClick = mouseTool({
  name: 'browser_mouse_click_xy',
  title: 'Click at a point',
  description: 'Click at coordinates of the window.',
  input: {
    x,
    y,
    button,
    clickCount: hidden(z.number().optional().describe('Clicks in a row')),
    delay: hidden(z.number().optional().describe('Milliseconds between down and up')),
  },
  act: async (mouse, args) => {
    const { clickCount = 1, delay = 0 } = args;
    await mouse.click(args.x, args.y, { button: args.button ?? 'left', clickCount, delay });
    return [mouseCode.call('click', args.x, args.y, given({ button: args.button, clickCount: args.clickCount }))];
  },
});

export const mouseMove = mouseTool({
  name: 'browser_mouse_move_xy',
  title: 'Move the mouse',
  description: 'Move the mouse to coordinates of the window.',
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
  act: async (mouse, { startX, startY, endX, endY }) => {
    await mouse.move(startX, startY);
    await mouse.down();
    // In steps: pages that drag by the mouse want to see it move.
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
  description: 'Scroll at the mouse with its wheel.',
  input: {
    deltaX: z.number().optional().describe('To the right, in pixels'),
    deltaY: z.number().optional().describe('Down, in pixels'),
  },
  act: async (mouse, { deltaX = 0, deltaY = 0 }) => {
    await mouse.wheel(deltaX, deltaY);
    return [mouseCode.call('wheel', deltaX, deltaY)];
  },
});
