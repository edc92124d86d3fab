import { cut } from '../util/text.ts';
import { PromptError } from './prompt.ts';
import type { Prompt, PromptArgument } from './prompt.ts';

/** Values of a prompt's arguments, as clients send them. */
export type PromptArguments = Readonly<Record<string, string>>;

const redacted = '[REDACTED]';
/** A shorter secret occurs in other words by chance. */
const leastSecret = 4;
const longestArgument = 100_000;
const longestName = 100;

/** Holds prompts by name and renders them. */
export class PromptLibrary {
  readonly #prompts = new Map<string, Prompt>();

  constructor(prompts: readonly Prompt[] = []) {
    for (const prompt of prompts) this.register(prompt);
  }

  /** Adds a prompt, or replaces the one of the same name. */
  register(prompt: Prompt): void {
    this.#prompts.set(prompt.name, prompt);
  }

  get(name: string): Prompt | undefined {
    return this.#prompts.get(name);
  }

  list(): readonly Prompt[] {
    return [...this.#prompts.values()];
  }

  /** As `get`, but throws for an unknown name. */
  find(name: string): Prompt {
    const prompt = this.get(name);
    if (prompt === undefined) throw new PromptError(`Prompt not found: ${cut(name, longestName)}`);
    return prompt;
  }

  /** The text of a prompt. Arguments are data: template syntax in them is rendered as it is. */
  async render(name: string, args: PromptArguments): Promise<string> {
    const prompt = this.find(name);
    const values = valuesOf(prompt, args);
    // Loaded on first use: most clients never request a prompt.
    const { default: handlebars } = await import('handlebars');
    const template = handlebars.compile<object>(prompt.template, {
      noEscape: true,
      strict: true,
      knownHelpersOnly: true,
    });
    return template(values, { allowProtoMethodsByDefault: false, allowProtoPropertiesByDefault: false });
  }
}

/** The data of the template. Objects have no prototype, so no name leads to anything but an argument. */
function valuesOf(prompt: Prompt, args: PromptArguments): object {
  const given = prompt.arguments.map((argument) => ({ argument, value: valueOf(argument, args) }));
  const secrets = given.filter(({ argument }) => argument.isSecret === true).map(({ value }) => value);
  const values: Record<string, unknown> = emptyRecord();
  for (const { argument, value } of given) {
    if (argument.isSecret === true) continue;
    values[argument.name] = argument.isObject === true ? fieldsOf(argument, value, secrets) : without(value, secrets);
  }
  return values;
}

/** The given value, or the default. Clients send an empty string for a field that was left empty. */
function valueOf({ name, required, default: fallback = '' }: PromptArgument, args: PromptArguments): string {
  const value = Object.hasOwn(args, name) ? (args[name] ?? '') : '';
  if (value === '' && required) throw new PromptError(`Missing required argument: ${name}`);
  if (value.length > longestArgument) {
    throw new PromptError(
      `Argument too long: ${name} has ${value.length} characters, at most ${longestArgument} are allowed`,
    );
  }
  return value === '' ? fallback : value;
}

/** The fields of a JSON object, each value as text. */
function fieldsOf({ name }: PromptArgument, text: string, secrets: readonly string[]): object {
  const fields: Record<string, string> = emptyRecord();
  for (const [key, value] of parsedFields(name, text)) fields[without(key, secrets)] = without(value, secrets);
  return fields;
}

function parsedFields(name: string, text: string): readonly (readonly [key: string, value: string])[] {
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) throw new TypeError('not an object');
    return Object.entries(parsed).map(([key, value]) => [
      key,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]);
  } catch {
    throw new PromptError(`Invalid argument: ${name} must be a JSON object, for example {"title":"h1"}`);
  }
}

function without(text: string, secrets: readonly string[]): string {
  return secrets.reduce((rest, secret) => {
    if (secret.length < leastSecret) return rest;
    return rest.replaceAll(secret, redacted).replaceAll(percentEncoded(secret), redacted);
  }, text);
}

/** As in the user part of a URL. */
function percentEncoded(text: string): string {
  try {
    return encodeURIComponent(text);
  } catch {
    // Half of a surrogate pair, which no URL can contain.
    return text;
  }
}

function emptyRecord<T>(): Record<string, T> {
  // Object.create returns any.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return Object.create(null) as Record<string, T>;
}
