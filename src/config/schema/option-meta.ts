/** Metadata of an option besides type and description. */
export interface OptionMeta {
  /** Flag in kebab-case; environment variables are derived from it. Absent: file only. */
  readonly flag?: string;
  /** Heading in the help text and the docs; inherited by nested options. */
  readonly section?: string;
  /** Placeholder for the value in the help text. */
  readonly placeholder?: string;
  /** Text for the default if it is not a fixed value. */
  readonly defaultText?: string;
  /** Aliases in the configuration file. */
  readonly aliases?: readonly string[];
  /** Additional variable names, without prefix. */
  readonly variables?: readonly string[];
  /**
   * Separator of list items in a flag or variable; 'none' for items that may contain any text, 'url' for a comma before the
   * next URL, because a URL may contain commas.
   */
  readonly separator?: ',' | ';' | 'none' | 'url';
  /** Takes all following words up to the next flag. */
  readonly variadic?: boolean;
  /** Additional values of the flag; each sets several options. */
  readonly words?: Readonly<Record<string, Readonly<Record<string, string | undefined>>>>;
  /** Not implemented yet; setting it is a warning. */
  readonly pending?: boolean;
  /** What to use in place of a pending option. */
  readonly instead?: string;
  /** Values that are not implemented yet. */
  readonly pendingValues?: readonly string[];
  /** Not in the help text. */
  readonly hidden?: boolean;
  /** Never shown in a message. */
  readonly secret?: boolean;
  /** Paths are relative to the configuration file. */
  readonly besideFile?: boolean;
  /** Not allowed in a configuration file. */
  readonly notInFile?: boolean;
}

declare module 'zod' {
  interface GlobalMeta extends OptionMeta {}
}
