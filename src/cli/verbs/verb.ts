/** A command of the command line: a tool with arguments that are set, and names for its plain words. */
export interface Verb {
  /** One to three words. */
  readonly name: string;
  readonly tool: string;
  /** Names of the plain words, in order; default: those of the tool. */
  readonly positional?: readonly string[];
  /** Arguments that the verb sets, unless the caller does. */
  readonly args?: Readonly<Record<string, unknown>>;
  /** Print the value alone, as with --raw; a text names the field of the data that is the value. */
  readonly value?: boolean | string;
  /** Options that only its form reads. They are no arguments of the tool. */
  readonly takes?: readonly string[];
  /** Other arguments for these plain words and options; undefined if they have no special form. */
  readonly form?: (words: readonly string[], given: Readonly<Record<string, unknown>>) => VerbForm | undefined;
}

/** The call that some words mean. */
export interface VerbForm {
  readonly tool?: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** `pagehelm tab-new`, as `{ name: 'tab-new', tool: 'browser_tabs', … }`. */
export function verb(name: string, tool: string, more: Omit<Verb, 'name' | 'tool'> = {}): Verb {
  return { name, tool, ...more };
}

/** A verb that runs a function in the page with its words as arguments, and prints the value. */
export function pageVerb(name: string, code: string, positional: readonly string[] = []): Verb {
  return {
    name,
    tool: 'browser_evaluate',
    positional,
    args: { function: code },
    value: true,
    form: (words) => ({ args: { function: code, args: words } }),
  };
}

/** The command without its element, for verbs that read an element. */
export function elementVerb(name: string, code: string): Verb {
  return { name, tool: 'browser_evaluate', positional: ['ref'], args: { function: code }, value: true };
}
