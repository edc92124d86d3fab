/** JavaScript that runs in the page; in other languages it is a string. */
export class Script {
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }
}

/** A value read from an environment variable when the code runs: secrets are not printed. */
export class Variable {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

export type CodeValue =
  | string
  | number
  | boolean
  | null
  | Script
  | Variable
  | Code
  | readonly CodeValue[]
  | CodeOptions;

/** Options by their names in Playwright for JavaScript; undefined ones are left out. */
export interface CodeOptions {
  readonly [name: string]: CodeValue | undefined;
}

/** A link of a chain: a property, or a call if it has arguments. */
export interface CodeStep {
  readonly name: string;
  readonly args?: readonly CodeValue[];
}

/**
 * A chain of Playwright properties and calls, by their JavaScript names. The language is chosen when the answer is
 * rendered.
 */
export class Code {
  readonly steps: readonly CodeStep[];
  /** How often it runs. */
  readonly times: number;

  constructor(steps: readonly CodeStep[], times = 1) {
    this.steps = steps;
    this.times = times;
  }

  repeated(times: number): Code {
    return new Code(this.steps, times);
  }

  get(name: string): Code {
    return new Code([...this.steps, { name }]);
  }

  call(name: string, ...args: readonly CodeValue[]): Code {
    return new Code([...this.steps, { name, args: args.filter((arg) => !isEmpty(arg)) }]);
  }
}

export const pageCode = new Code([{ name: 'page' }]);

/** The start of an assertion about an element. */
export function expectCode(locator: Code): Code {
  return new Code([{ name: 'expect', args: [locator] }]);
}

export function isOptions(value: CodeValue): value is CodeOptions {
  const isData = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isData && !(value instanceof Script) && !(value instanceof Variable) && !(value instanceof Code);
}

function isEmpty(value: CodeValue): boolean {
  return isOptions(value) && Object.values(value).every((each) => each === undefined);
}
