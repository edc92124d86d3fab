import * as z from 'zod';
import type { Tool } from '../../call/tool.ts';
import { envelopeKeys } from '../../call/arguments/envelope.ts';
import { typeName, unwrap } from '../../config/unwrap.ts';
import { camelCase } from '../../util/text.ts';
import { UsageError } from './usage-error.ts';
import type { Verb } from './verb.ts';

export interface StepWords {
  readonly verb: Verb;
  readonly tool: Tool;
  readonly words: readonly string[];
  /** The flags of the daemon, and whether each has no value. */
  readonly flags: ReadonlyMap<string, boolean>;
  readonly tools: readonly Tool[];
}

export interface StepCall {
  readonly tool: Tool;
  readonly args: Readonly<Record<string, unknown>>;
  /** Options of the daemon among the words. */
  readonly options: readonly string[];
}

/** Single letters of other command lines. */
const letters: Readonly<Record<string, string>> = { i: 'interactiveOnly', d: 'depth', f: 'fullPage' };
const refWord = /^@((?:f\d+)?e\d+)$/;

/** The call that the words after a verb mean. */
export function callOf({ verb, tool: named, words, flags, tools }: StepWords): StepCall {
  const { plain, given, options } = sort(words, named, flags, verb.takes);
  const form = verb.form?.(plain.map(unmarked), given);
  const tool = tools.find(({ name }) => name === form?.tool) ?? named;
  const placed = form?.args ?? positionalArgs(plain, verb.positional ?? tool.positional, tool);
  const left = Object.fromEntries(Object.entries(given).filter(([name]) => verb.takes?.includes(name) !== true));
  return { tool, args: { ...(form === undefined ? verb.args : {}), ...placed, ...left }, options };
}

interface Sorted {
  readonly plain: readonly string[];
  readonly given: Readonly<Record<string, unknown>>;
  readonly options: readonly string[];
}

/** Plain words, arguments of the tool, and options of the daemon. */
function sort(
  words: readonly string[],
  tool: Tool,
  flags: ReadonlyMap<string, boolean>,
  taken: readonly string[] = [],
): Sorted {
  const plain: string[] = [];
  const given: Record<string, unknown> = {};
  const options: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    if (word === '--') {
      plain.push(...words.slice(at + 1));
      break;
    }
    if (!/^--?[a-zA-Z]/.test(word)) {
      if (word.startsWith('{') && plain.length === 0) Object.assign(given, jsonValue(word, 'The arguments'));
      else plain.push(word);
      continue;
    }
    const [flag = '', ...inline] = word.replace(/^--?/, '').split('=');
    const name = letters[flag] ?? camelCase(flag);
    const isOption = !isArgument(tool, name) && !taken.includes(name) && flags.has(name);
    const isSwitch = isOption ? flags.get(name) === true : isBoolean(tool, name);
    const next = words[at + 1];
    const takesNext = !isSwitch && inline.length === 0 && next !== undefined && !/^--[a-zA-Z]/.test(next);
    if (takesNext) at++;
    if (isOption) {
      options.push(word, ...(takesNext ? [next] : []));
      continue;
    }
    const value = inline.length > 0 ? inline.join('=') : takesNext ? next : true;
    const typed = typeof value === 'string' ? valueFor(tool, name, value) : value;
    given[name] = Object.hasOwn(given, name) ? [given[name], typed].flat() : typed;
  }
  return { plain, given, options };
}

function positionalArgs(words: readonly string[], names: readonly string[], tool: Tool): Record<string, unknown> {
  const args: Record<string, unknown> = {};
  for (const [place, name] of names.entries()) {
    const word = words[place];
    if (word === undefined) return args;
    if (fieldType(tool, name) === 'array') {
      args[name] = words.slice(place).map(unmarked);
      return args;
    }
    args[name] = valueFor(tool, name, word);
  }
  const extra = words[names.length];
  if (extra === undefined) return args;
  const expected = names.length === 0 ? 'no words' : names.map((name) => `<${name}>`).join(' ');
  throw new UsageError(`Unexpected word ${JSON.stringify(extra)}. Expected ${expected}; quote a text with spaces.`);
}

/** `@e5` as other command lines write refs. */
function unmarked(word: string): string {
  return refWord.exec(word)?.[1] ?? word;
}

/** A text as the type of the argument, where the tool does not convert it. */
function valueFor(tool: Tool, name: string, text: string): unknown {
  const type = fieldType(tool, name);
  if (type === 'boolean' && /^(?:on|yes)$/.test(text)) return true;
  if (type === 'boolean' && /^(?:off|no)$/.test(text)) return false;
  if ((type === 'object' || type === 'record' || type === 'unknown' || type === 'union') && /^[[{]/.test(text))
    return jsonValue(text, `--${name}`);
  return unmarked(text);
}

function jsonValue(text: string, what: string): object {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value;
  } catch {
    // Reported below.
  }
  throw new UsageError(`${what} must be JSON, not ${text.slice(0, 60)}.`);
}

function isArgument(tool: Tool, name: string): boolean {
  return Object.hasOwn(tool.input.shape, name) || Object.hasOwn(tool.synonyms, name) || envelopeKeys.has(name);
}

function isBoolean(tool: Tool, name: string): boolean {
  return fieldType(tool, name) === 'boolean';
}

function fieldType(tool: Tool, name: string): string | undefined {
  const field = tool.input.shape[tool.synonyms[name] ?? name];
  return field instanceof z.ZodType ? typeName(unwrap(field).inner) : undefined;
}
