import type { Tool } from '../../call/tool.ts';
import { agentBrowserVerbs } from './peers/agent-browser.ts';
import { playwrightCliVerbs } from './peers/playwright-cli.ts';
import { shortVerbs } from './short-verbs.ts';
import { verb } from './verb.ts';
import type { Verb } from './verb.ts';

/** `batch` of the command line reads commands, not calls. */
const separate = new Set(['browser_batch']);

/** Every verb by its name. A tool's own name comes before the names that other command lines have for it. */
export function verbTable(tools: readonly Tool[]): ReadonlyMap<string, Verb> {
  const known = new Set(tools.map(({ name }) => name));
  const own = tools
    .filter(({ name, does }) => name === does && !separate.has(name))
    .map(({ name }) => verb(verbName(name), name));
  const offered = [...playwrightCliVerbs, ...agentBrowserVerbs].filter(({ tool }) => known.has(tool));
  const short = shortVerbs.filter(({ tool }) => known.has(tool));
  return new Map([...offered, ...own, ...short].map((each) => [each.name, each]));
}

/** `browser_press_key` as `press-key`. */
export function verbName(tool: string): string {
  return tool.replace(/^browser_/, '').replaceAll('_', '-');
}

/** The verb for texts that refer to a tool: the shortest one that does just that. */
export function verbFor(tool: string, table: ReadonlyMap<string, Verb>): string | undefined {
  const plain = shortVerbs.find((each) => each.tool === tool && each.args === undefined);
  const name = plain?.name ?? verbName(tool);
  return table.has(name) ? name : undefined;
}
