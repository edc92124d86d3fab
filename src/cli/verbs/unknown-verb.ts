import { nearest } from '../../util/nearest.ts';
import { cut, oneLine } from '../../util/text.ts';
import { refusedVerbs } from './peers/unsupported.ts';
import type { Verb } from './verb.ts';

/** Commands that run without a daemon, for suggestions. */
export const localCommands = [
  'serve',
  'call',
  'doctor',
  'install-browser',
  'ps',
  'stop',
  'dashboard',
  'show',
  'init',
  'skill',
  'completion',
  'help',
] as const;

/** Why there is no such command, and the nearest one. */
export function unknownVerb(words: string, table: ReadonlyMap<string, Verb>): string {
  const [first = ''] = words.split(' ');
  const known = refusedVerbs(table).find(({ name }) => words === name || words.startsWith(`${name} `));
  if (known !== undefined) return `"${known.name}" is not supported. ${known.reason}`;
  const near = nearest(first, [...localCommands, ...table.keys()]);
  const shown = JSON.stringify(cut(oneLine(first), 60));
  return `Unknown command ${shown}.${near === undefined ? ' See: pagehelm help' : ` Did you mean "${near}"?`}`;
}
