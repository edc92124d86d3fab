import * as z from 'zod';
import { defineTool } from '../../call/tool.ts';
import { ToolError } from '../../errors.ts';
import { oneLine } from '../../util/text.ts';
import { given, side } from '../lib/argument-shapes.ts';

const types = ['chromium', 'firefox', 'webkit'] as const;
const viewport = z.object({ width: side.default(1280), height: side.default(720) });

export const launch = defineTool({
  name: 'browser_launch',
  title: 'Launch a browser',
  description: 'Launch a browser. Closes a running one first, with all its sessions.',
  toolsets: ['basic'],
  callableIn: ['core'],
  effect: 'manage',
  scope: 'driver',
  input: {
    // Without the argument, the type that the operator configured is used.
    browserType: z.enum(types).optional().describe('Type of browser to launch').meta({ default: 'chromium' }),
    headless: z.boolean().default(true).describe('Run browser in headless mode'),
    viewport: viewport.optional().describe('Viewport size'),
  },
  answer: 'sentences',
  sentenceError: { doing: 'launching browser', about: ['Browser', 'browserType'] },
  run: async ({ args, browser, sessions, response, signal }) => {
    const ending = sessions.list().filter((session) => session.isOpen);
    const { browserType: type, headless, viewport: size = { width: 1280, height: 720 } } = args;
    const running = await browser.launch({ ...given({ type }), headless, viewport: size }, signal);
    response.sentence(`Browser launched successfully (${running.type}, headless: ${running.headless})`);
    for (const line of endedLines(
      ending.map(({ name, id }) => name ?? id),
      running.ended,
    ))
      response.sentence(line);
    if (running.headless !== headless) response.note('There is no display, so the browser runs headless.');
    response.facts(() => given({ type: running.type, headless: running.headless, viewport: size }));
  },
});

export const quit = defineTool({
  name: 'browser_quit',
  title: 'Quit the browser',
  description: 'Close the browser with all its sessions.',
  toolsets: ['basic'],
  callableIn: ['core'],
  effect: 'manage',
  scope: 'driver',
  input: {},
  answer: 'sentences',
  sentenceError: { doing: 'closing browser' },
  run: async ({ browser, response }) => {
    if (!(await browser.quit())) throw new ToolError('NO_BROWSER', {});
    response.sentence('Browser closed successfully');
  },
});

export const install = defineTool({
  name: 'browser_install',
  title: 'Install browser',
  description: 'Install the browser; use after BROWSER_NOT_FOUND.',
  toolsets: ['core', 'viewpoint'],
  effect: 'manage',
  scope: 'session',
  input: {},
  run: async ({ session, response, progress, signal }) => {
    const found = await session.installBrowser(progress, signal);
    response.withoutPage();
    response.text(`The browser is ready: ${oneLine(found)}`);
  },
});

/** The driver's own sessions by name, and the number of all others. */
function endedLines(own: readonly string[], all: number): readonly string[] {
  const others = all - own.length;
  const more = others === 0 ? [] : [`${others} of other clients`];
  const names = [...own, ...more];
  return names.length === 0 ? [] : [`Sessions that ended: ${names.join(', ')}`];
}
