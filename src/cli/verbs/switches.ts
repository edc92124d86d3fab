import { UsageError } from './usage-error.ts';

/** What is said about the whole command line. */
export interface Switches {
  readonly session?: string;
  readonly form: 'text' | 'json' | 'raw';
  /** Write the answer to this file. */
  readonly file?: string;
  readonly help: boolean;
  /** Print the JSON Schema of `--json`. */
  readonly schema: boolean;
  /** Run further steps after one has failed. */
  readonly keepGoing: boolean;
}

interface Mutable {
  session?: string;
  form: Switches['form'];
  file?: string;
  help: boolean;
  schema: boolean;
  keepGoing: boolean;
}

const plain: Readonly<Record<string, (found: Mutable) => void>> = {
  '--json': (found) => (found.form = 'json'),
  '--raw': (found) => (found.form = 'raw'),
  '--help': (found) => (found.help = true),
  '-h': (found) => (found.help = true),
  '--json-schema': (found) => (found.schema = true),
  '--keep-going': (found) => (found.keepGoing = true),
};

const valued: Readonly<Record<string, (found: Mutable, value: string) => void>> = {
  '-s': (found, value) => (found.session = value),
  '--session': (found, value) => (found.session = value),
  '-o': (found, value) => (found.file = value),
  '--output': (found, value) => (found.file = value),
};

/** Takes the switches out of the words. Words after `--` are left as they are. */
export function readSwitches(words: readonly string[]): {
  readonly switches: Switches;
  readonly rest: readonly string[];
} {
  const found: Mutable = { form: 'text', help: false, schema: false, keepGoing: false };
  const end = words.indexOf('--');
  const open = end === -1 ? words : words.slice(0, end);
  const rest: string[] = [];
  for (let at = 0; at < open.length; at++) {
    const word = open[at] ?? '';
    const [name = '', ...inline] = word.split('=');
    const take = valued[name];
    if (plain[word] !== undefined) plain[word](found);
    else if (take === undefined) rest.push(word);
    else {
      const value = inline.length > 0 ? inline.join('=') : open[++at];
      if (value === undefined || value === '') throw new UsageError(`${name} needs a value.`);
      take(found, value);
    }
  }
  return { switches: found, rest: [...rest, ...(end === -1 ? [] : words.slice(end))] };
}
