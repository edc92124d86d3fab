import { switchFlags } from '../calls.ts';
import type { RunParams, RunResult } from '../client/messages.ts';
import type { Tool } from '../../call/tool.ts';
import { ConfigError } from '../../errors.ts';
import { camelCase } from '../../util/text.ts';
import { callOf } from './step-arguments.ts';
import { readBatch } from './batch.ts';
import { readSwitches } from './switches.ts';
import type { Switches } from './switches.ts';
import { UsageError } from './usage-error.ts';
import type { Verb } from './verb.ts';
import { verbTable } from './verb-table.ts';
import { unknownVerb } from './unknown-verb.ts';

/** One call of a command line. */
export interface Step {
  readonly verb: string;
  readonly tool: Tool;
  readonly args: Readonly<Record<string, unknown>>;
  /** Print the value alone; a text names its field. */
  readonly value: boolean | string;
}

export interface CommandLine {
  readonly steps: readonly Step[];
  /** Options of the daemon. */
  readonly options: readonly string[];
  readonly switches: Switches;
  /** The verb whose help is wanted. */
  readonly helpFor?: Verb | undefined;
}

/** Reads the words of a command line: verbs with their arguments, joined by `then`, and options of the daemon. */
export function readCommandLine(
  { words, input }: Pick<RunParams, 'words' | 'input'>,
  tools: readonly Tool[],
): CommandLine {
  const { switches, rest } = readSwitches(words);
  const table = verbTable(tools);
  const flags = switchFlags();
  const steps: Step[] = [];
  const options: string[] = [];
  const asked = rest[0] === 'help' ? rest.slice(1) : rest;
  const isHelp = switches.help || rest[0] === 'help';
  for (const part of partsOf(asked, input)) {
    const own = leadingOptions(part, flags);
    options.push(...own.options);
    if (own.rest.length === 0) continue;
    const { verb, left } = findVerb(own.rest, table);
    if (isHelp) return { steps: [], options: [], switches, helpFor: verb };
    const tool = tools.find(({ name }) => name === verb.tool);
    if (tool === undefined) throw new UsageError(unknownVerb(verb.name, table));
    const call = callOf({ verb, tool, words: left, flags, tools });
    options.push(...call.options);
    steps.push({ verb: verb.name, tool: call.tool, args: call.args, value: verb.value ?? false });
  }
  if (steps.length === 0 && !isHelp && !switches.schema)
    throw new UsageError('Which command? For example: pagehelm open https://example.com');
  return { steps, options, switches };
}

/** Checks a command line before a daemon is started for it; the result of one that needs none. */
export async function checkWords(params: RunParams): Promise<RunResult | { readonly options: readonly string[] }> {
  const { allTools } = await import('../../tools/all.ts');
  try {
    const line = readCommandLine(params, allTools);
    const { textWithoutCall } = await import('./command-help.ts');
    const text = textWithoutCall(line, allTools);
    if (text !== undefined) return { code: 0, stdout: text, stderr: '' };
    const { loadConfig } = await import('../../config/load.ts');
    loadConfig({ argv: line.options, env: params.env, cwd: params.cwd });
    return { options: line.options };
  } catch (error) {
    return usageResult(error);
  }
}

/** What a wrong command line prints. */
export function usageResult(error: unknown): RunResult {
  if (!(error instanceof UsageError || error instanceof ConfigError)) throw error;
  const lines = error instanceof ConfigError ? error.problems : [error.message];
  return { code: 2, stdout: '', stderr: lines.map((line) => `pagehelm: ${line}\n`).join('') };
}

/** The parts between `then`; `batch -` stands for the lines of stdin, `batch "a" "b"` for its words. */
function partsOf(words: readonly string[], input: string | undefined): readonly (readonly string[])[] {
  const parts: string[][] = [[]];
  for (const word of words) {
    if (word === 'then') parts.push([]);
    else parts.at(-1)?.push(word);
  }
  return parts.flatMap((part) => {
    const at = part.indexOf('batch');
    const isBatch = at !== -1 && part.slice(0, at).every((word) => word.startsWith('--'));
    return isBatch ? [part.slice(0, at), ...readBatch(part.slice(at + 1), input)] : [part];
  });
}

/** Options before the verb belong to the daemon. */
function leadingOptions(
  words: readonly string[],
  flags: ReadonlyMap<string, boolean>,
): { readonly options: readonly string[]; readonly rest: readonly string[] } {
  let at = 0;
  while (words[at]?.startsWith('--') === true) {
    const word = words[at] ?? '';
    const isSwitch = flags.get(camelCase(word.slice(2).split('=')[0] ?? '')) !== false;
    at += word.includes('=') || isSwitch ? 1 : 2;
  }
  return { options: words.slice(0, at), rest: words.slice(at) };
}

/** The longest name that the words begin with; names may be written with `_` and with the prefix of the tool. */
function findVerb(
  words: readonly string[],
  table: ReadonlyMap<string, Verb>,
): { readonly verb: Verb; readonly left: readonly string[] } {
  const plain = words.findIndex((word) => word.startsWith('-'));
  const most = Math.min(3, plain === -1 ? words.length : plain);
  for (let count = most; count > 0; count--) {
    const name = words.slice(0, count).join(' ');
    const found = table.get(name) ?? table.get(name.replace(/^browser_/, '').replaceAll('_', '-'));
    if (found !== undefined) return { verb: found, left: words.slice(count) };
  }
  throw new UsageError(unknownVerb(words.slice(0, Math.max(most, 1)).join(' '), table));
}
