/** What an option says about itself besides its type and description; every other form of it is derived from this. */
export interface OptionMeta {
  /** Name on the command line, in kebab-case; the environment variables are derived from it. None: file only. */
  readonly flag?: string;
  /** Heading in the help text and on the page; inherited by everything inside an object. */
  readonly section?: string;
  /** Stands for the value in the help text. */
  readonly placeholder?: string;
  /** Said instead of a default where there is none. */
  readonly defaultText?: string;
  /** Other keys of the configuration file that mean the same. */
  readonly aliases?: readonly string[];
  /** Further variable names, without the prefix. */
  readonly variables?: readonly string[];
  /** What separates the items of a list in one flag or variable; 'none' for items that may hold anything. */
  readonly separator?: ',' | ';' | 'none';
  /** Takes all following words up to the next flag. */
  readonly variadic?: boolean;
  /** Other words the flag takes, and what they set: one word, several options. */
  readonly words?: Readonly<Record<string, Readonly<Record<string, string | undefined>>>>;
  /** No part of the server uses it yet; setting it earns a warning. */
  readonly pending?: boolean;
  /** Values that no part of the server uses yet. */
  readonly pendingValues?: readonly string[];
  /** Accepted, but in no help text. */
  readonly hidden?: boolean;
  /** Never shown in a message. */
  readonly secret?: boolean;
  /** Paths that are relative to the configuration file they stand in. */
  readonly besideFile?: boolean;
  /** Has no meaning inside a configuration file. */
  readonly notInFile?: boolean;
}

declare module 'zod' {
  interface GlobalMeta extends OptionMeta {}
}
