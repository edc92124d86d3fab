import { flagSpellings, listOptions } from '../config/options.ts';
import { allTools } from '../tools/all.ts';
import { camelCase } from '../util/text.ts';

export interface SplitCalls {
  /** The words of each call: the tool, then its arguments. */
  readonly calls: readonly (readonly string[])[];
  /** Options of the server. */
  readonly options: readonly string[];
}

/**
 * Splits the words after `call` into tools with their arguments, separated by `then`, and options of the server, which
 * may be anywhere. Unknown flags go to the tool, whose error suggests the nearest argument.
 */
export function splitCalls(words: readonly string[]): SplitCalls {
  const calls: string[][] = [];
  const options: string[] = [];
  const switches = switchFlags();
  let current: string[] | undefined;
  for (let i = 0; i < words.length; i++) {
    const word = words[i] ?? '';
    if (word === 'then') {
      current = undefined;
      continue;
    }
    if (!word.startsWith('-')) {
      if (current === undefined) calls.push((current = [word]));
      else current.push(word);
      continue;
    }
    const flag = camelCase(word.replace(/^-+/, '').split('=')[0] ?? '');
    const isServers = switches.has(flag) && (current === undefined || !isArgument(current[0] ?? '', flag));
    const group = isServers || current === undefined ? options : current;
    group.push(word);
    const next = words[i + 1];
    const hasValue = word.includes('=') || (group === options && switches.get(flag) === true);
    if (!hasValue && next !== undefined && !next.startsWith('--') && next !== 'then') group.push(words[++i] ?? '');
  }
  return { calls, options };
}

/** The server's flags, and whether each is a switch without a value. */
export function switchFlags(): ReadonlyMap<string, boolean> {
  const flags = new Map([
    ['help', true],
    ['h', true],
  ]);
  for (const option of listOptions()) {
    const spellings = [...flagSpellings(option), `--${option.meta.flag ?? ''}`];
    for (const spelling of spellings) flags.set(camelCase(spelling.slice(2)), option.kind === 'boolean');
  }
  return flags;
}

function isArgument(tool: string, name: string): boolean {
  const known = allTools.find((each) => each.name === tool || each.name === `browser_${tool}`);
  return known !== undefined && Object.hasOwn(known.input.shape, name);
}
