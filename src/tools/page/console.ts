import * as z from 'zod';
import { defineTool } from '../../call/tool.ts';
import { consoleLevels } from '../../session/events/console-log.ts';
import type { ConsoleEntry } from '../../session/events/console-log.ts';
import { cut, pageText, pageUrl } from '../../util/text.ts';

const longestText = 1000;

export const consoleMessages = defineTool({
  name: 'browser_console_messages',
  title: 'Console',
  description: 'Show console messages and uncaught errors.',
  toolsets: ['core', 'viewpoint'],
  effect: 'read',
  scope: 'tab',
  positional: ['level'],
  ignoresModals: true,
  input: {
    level: z.preprocess(levelOf, z.enum(consoleLevels)).optional().describe('Minimum level, default info'),
    all: z.boolean().optional().describe('Include earlier pages of this tab'),
    filename: z.string().optional().describe('Save to this file'),
  },
  run: async ({ tab, session, args, response, settings }) => {
    const entries = tab.console.entries(args.level ?? settings.console.level, args.all === true);
    // Uncaught errors follow the messages: they were not written to the console, but agents look for them here.
    const written = entries.filter((entry) => entry.kind !== 'page error');
    const uncaught = entries.filter((entry) => entry.kind === 'page error');
    const lines = merged([...written, ...uncaught].map(lineOf));
    response.withoutPage();
    const lower = tab.console.entries('debug', args.all === true).length - entries.length;
    // A caller that gives a level knows what it hides.
    if (args.level === undefined && lower > 0) response.note(`Not shown: ${lower} of lower levels. Use level: debug.`);
    if (args.filename !== undefined) {
      const data = `${lines.join('\n')}\n`;
      const file = await session.files.save({
        kind: 'console-log',
        name: args.filename,
        data,
        mimeType: 'text/plain',
        tab: tab.id,
      });
      response.file(file.artifact);
      response.text(`${entries.length} messages written to ${file.shown}`);
      return;
    }
    if (lines.length === 0) response.text('No console messages.');
    else response.foreign();
    response.newestLast();
    for (const line of lines) response.text(line);
  },
});

/** Names of console methods that callers use for levels. */
const methods: ReadonlyMap<unknown, string> = new Map([
  ['warn', 'warning'],
  ['log', 'info'],
]);

function levelOf(given: unknown): unknown {
  return methods.get(given) ?? given;
}

function lineOf(entry: ConsoleEntry): string {
  const place = entry.location === '' ? '' : ` @ ${cut(pageUrl(entry.location), 200)}`;
  return `[${entry.kind.toUpperCase()}] ${cut(pageText(entry.text), longestText)}${place}`;
}

/** Repeated lines are shown once, with a count. */
function merged(lines: readonly string[]): readonly string[] {
  const result: { readonly line: string; count: number }[] = [];
  for (const line of lines) {
    const last = result.at(-1);
    if (last?.line === line) last.count++;
    else result.push({ line, count: 1 });
  }
  return result.map(({ line, count }) => (count === 1 ? line : `${line} (x${count})`));
}
