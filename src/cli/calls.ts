import { allTools } from '../tools/index.ts';

export interface SplitCalls {
  /** One list of words per call: the tool, then its arguments. */
  readonly calls: readonly (readonly string[])[];
  /** The words that are options of the server. */
  readonly options: readonly string[];
}

/** Takes a tool's own arguments out of the words behind `call`; calls are separated by the word `then`. */
export function splitCalls(words: readonly string[]): SplitCalls {
  const calls: string[][] = [];
  const options: string[] = [];
  let current: string[] | undefined;
  for (let i = 0; i < words.length; i++) {
    const word = words[i] ?? '';
    if (word === 'then') {
      current = undefined;
      continue;
    }
    if (current === undefined && !word.startsWith('-')) {
      current = [word];
      calls.push(current);
      continue;
    }
    const belongs = current !== undefined && (!word.startsWith('--') || isArgument(current[0] ?? '', word));
    const group = belongs && current !== undefined ? current : options;
    group.push(word);
    const next = words[i + 1];
    const takesNext =
      word.startsWith('--') && !word.includes('=') && next !== undefined && !next.startsWith('--') && next !== 'then';
    if (takesNext) group.push(words[++i] ?? '');
  }
  return { calls, options };
}

function isArgument(tool: string, flag: string): boolean {
  const name = flag.slice(2).split('=')[0] ?? '';
  const known = allTools.find((each) => each.name === tool || each.name === `browser_${tool}`);
  return known === undefined || Object.hasOwn(known.input.shape, argumentName(name));
}

/** `--full-page` and `--fullPage` are the same argument. */
export function argumentName(flag: string): string {
  return flag.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
