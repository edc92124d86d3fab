import { parseArgs } from 'node:util';
import { nearest } from '../../util/nearest.ts';
import { camelCase } from '../../util/text.ts';
import type { Option } from '../options.ts';
import type { Layer } from './setting.ts';
import { settingsOfTexts } from './text-value.ts';

export interface FlagLayer extends Layer {
  readonly help: boolean;
  readonly version: boolean;
  readonly rest: readonly string[];
}

/** A spelling of a flag and its meaning. */
interface Spelling {
  readonly flag: string;
  readonly option: Option;
  /** The implied value, as `--no-sandbox` implies false. */
  readonly implied?: string;
}

/** Deprecated flags, as another flag with a value. */
const formerFlags: Readonly<Record<string, { readonly path: string; readonly text: string }>> = {
  vision: { path: 'capabilities', text: 'vision' },
};

const helpWords = new Set(['help', 'h']);
const versionWords = new Set(['version', 'V', 'v']);

/** Reads the command line. */
export function readFlags(argv: readonly string[], options: readonly Option[]): FlagLayer {
  const spellings = spellingsOf(options);
  const { tokens } = parseArgs({
    args: [...argv],
    options: {
      ...Object.fromEntries(
        [...spellings].map(([name, { implied }]) => [name, { type: implied === undefined ? 'string' : 'boolean' }]),
      ),
      help: { type: 'boolean', short: 'h' },
      version: { type: 'boolean', short: 'v' },
    },
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const reader = new FlagReader(spellings);
  for (const token of tokens) {
    if (token.kind === 'option') reader.option(token);
    else if (token.kind === 'positional') reader.positional(token.value);
    else reader.terminate();
  }
  return reader.result(options);
}

/** All spellings of flags: kebab-case, camelCase, and `no-` before a boolean. */
function spellingsOf(options: readonly Option[]): ReadonlyMap<string, Spelling> {
  const spellings = new Map<string, Spelling>();
  const add = (flag: string, option: Option, implied?: string): void => {
    const spelling = implied === undefined ? { flag, option } : { flag, option, implied };
    spellings.set(flag, spelling);
    spellings.set(camelCase(flag), spelling);
  };
  for (const option of options) {
    const { flag } = option.meta;
    if (flag === undefined) continue;
    add(flag, option, option.kind === 'boolean' ? 'true' : undefined);
    if (option.kind === 'boolean') add(`no-${flag}`, option, 'false');
  }
  for (const [flag, { path, text }] of Object.entries(formerFlags)) {
    const option = options.find((candidate) => candidate.path === path);
    if (option !== undefined) add(flag, option, text);
  }
  return spellings;
}

interface OptionToken {
  readonly name: string;
  readonly rawName: string;
  readonly value: string | undefined;
  readonly inlineValue: boolean | undefined;
}

/** Collects tokens into settings; words after a flag may be its values. */
class FlagReader {
  readonly #spellings: ReadonlyMap<string, Spelling>;
  readonly #given = new Map<Option, { texts: string[]; key: string }>();
  readonly #problems: string[] = [];
  readonly #rest: string[] = [];
  #open: { readonly spelling: Spelling; readonly texts: string[] } | undefined;
  #help = false;
  #version = false;

  constructor(spellings: ReadonlyMap<string, Spelling>) {
    this.#spellings = spellings;
  }

  option(token: OptionToken): void {
    this.#open = undefined;
    if (helpWords.has(token.name)) this.#help = true;
    else if (versionWords.has(token.name)) this.#version = true;
    else this.#flag(token);
  }

  #flag({ name, rawName, value, inlineValue }: OptionToken): void {
    const spelling = rawName.startsWith('--') ? this.#spellings.get(name) : undefined;
    if (spelling === undefined) {
      this.#problems.push(unknownFlag(rawName, this.#spellings));
      return;
    }
    if (spelling.implied === undefined && (value === undefined || (inlineValue !== true && value.startsWith('--')))) {
      this.#problems.push(
        `${rawName} needs a value${value === undefined ? '' : ` (one that begins with dashes is written ${rawName}=${value})`}.`,
      );
      return;
    }
    const texts = this.#textsOf(spelling, rawName);
    texts.push(spelling.implied === undefined ? (value ?? '') : impliedText(spelling, value));
    const takesMore =
      inlineValue !== true && (spelling.implied !== undefined || spelling.option.meta.variadic === true);
    if (takesMore) this.#open = { spelling, texts };
  }

  #textsOf({ option }: Spelling, key: string): string[] {
    const entry = this.#given.get(option) ?? { texts: [], key };
    entry.key = key;
    this.#given.set(option, entry);
    return entry.texts;
  }

  positional(word: string): void {
    const open = this.#open;
    if (open === undefined) {
      this.#rest.push(word);
    } else if (open.spelling.option.meta.variadic === true) {
      open.texts.push(word);
    } else {
      this.#open = undefined;
      // `--headless false` is common in client settings; true and false are not commands.
      const isAnswer = open.spelling.option.kind === 'boolean' && (word === 'true' || word === 'false');
      if (isAnswer) open.texts.push(impliedText(open.spelling, word));
      else this.#rest.push(word);
    }
  }

  terminate(): void {
    this.#open = undefined;
  }

  /** Settings in the order of the options, not of the command line. */
  result(options: readonly Option[]): FlagLayer {
    const settings = options.flatMap((option) => {
      const given = this.#given.get(option);
      return given === undefined ? [] : settingsOfTexts(option, given.texts, given.key, options);
    });
    return {
      settings,
      problems: this.#problems,
      warnings: [],
      help: this.#help,
      version: this.#version,
      rest: this.#rest,
    };
  }
}

/** `--no-sandbox=false` means true: the prefix inverts the value. */
function impliedText({ option, implied = 'true' }: Spelling, value: string | undefined): string {
  if (value === undefined || option.kind !== 'boolean') return implied;
  if (implied === 'true') return value;
  return value === 'true' ? 'false' : value === 'false' ? 'true' : value;
}

function unknownFlag(rawName: string, spellings: ReadonlyMap<string, Spelling>): string {
  const known = [...new Set([...spellings.values()].map(({ flag }) => flag)), 'help', 'version'];
  const meant = nearest(rawName.replace(/^-+/, ''), known);
  return `Unknown option ${rawName}. ${meant === undefined ? 'See --help.' : `Did you mean --${meant}?`}`;
}
