import { nearest } from '../../util/nearest.ts';
import { parseIni } from './ini-text.ts';
import { jsonMistake } from './json-text.ts';
import { camelCase } from '../../util/text.ts';
import type { Option } from '../options.ts';
import { getPath, isLoose, removePath } from '../paths.ts';
import type { Loose } from '../paths.ts';
import { conflictWarning, shown } from './setting.ts';
import type { Layer, Setting } from './setting.ts';

/** The key for the schema of the file; used by editors only. */
export const schemaKey = '$schema';

/** Reads the text of a configuration file. `file` is the name that messages give it. */
export function readConfigText(file: string, text: string, options: readonly Option[]): Layer {
  const { content, problems } = isIni(file, text) ? parseIni(text.replace(/^\uFEFF/, ''), options) : parseJson(text);
  if (!isLoose(content)) return layerOf({ problems: problems.map((problem) => `${file}: ${problem}`) });
  delete content[schemaKey];
  const lifted = liftAliases(file, content, options);
  const walker = new FileWalker(file, options);
  walker.visit(content, '');
  const { settings, warnings } = mergeAliases(walker.settings, lifted);
  return { settings, warnings, problems: [...problems.map((problem) => `${file}: ${problem}`), ...walker.problems] };
}

/** INI text is recognised by its content, too: by the first line that is no comment. */
function isIni(file: string, text: string): boolean {
  const [first = ''] = text.replace(/^\uFEFF/, '').match(/^(?!\s*[;#])\s*\S.*$/m) ?? [];
  return file.toLowerCase().endsWith('.ini') || /^\s*(?:\[[a-z][\w.]*\]\s*$|[\w.]+(?:\[\])?\s*=)/i.test(first);
}

function layerOf(part: Partial<Layer>): Layer {
  return { settings: [], problems: [], warnings: [], ...part };
}

function parseJson(text: string): { readonly content: unknown; readonly problems: readonly string[] } {
  const source = text.replace(/^\uFEFF/, '');
  let content: unknown;
  try {
    content = JSON.parse(source);
  } catch {
    const { line, column } = jsonMistake(source);
    const lines = source.split('\n');
    const found = lines[line - 1]?.slice(column - 1).trim() ?? '';
    return {
      content: undefined,
      problems: [`not valid JSON at line ${line}, column ${column}, near ${found === '' ? 'its end' : shown(found)}.`],
    };
  }
  return { content, problems: isLoose(content) ? [] : [`expected an object, got ${shown(content)}.`] };
}

/** Extracts aliases of options from the file. */
function liftAliases(file: string, content: Loose, options: readonly Option[]): readonly Setting[] {
  return options.flatMap((option) =>
    (option.meta.aliases ?? []).flatMap((key) => {
      const value = getPath(content, key);
      if (!canHold(option, value)) return [];
      removePath(content, key);
      return [{ option, value, key, file }];
    }),
  );
}

/** Some values of Playwright's options have no equivalent here (no viewport, an inline storage state); they are passed through. */
function canHold(option: Option, value: unknown): boolean {
  return value !== undefined && value !== null && !(option.kind === 'string' && typeof value === 'object');
}

/** The more deeply nested key wins; at the same depth, this server's. */
function mergeAliases(own: readonly Setting[], lifted: readonly Setting[]): Pick<Layer, 'settings' | 'warnings'> {
  const settings = new Map(own.map((setting) => [setting.option, setting]));
  const warnings: string[] = [];
  for (const alias of lifted) {
    const other = settings.get(alias.option);
    const aliasWins = other === undefined || depth(alias.key) > depth(other.key);
    if (aliasWins) settings.set(alias.option, alias);
    if (other === undefined) continue;
    const warning = aliasWins ? conflictWarning(alias, other) : conflictWarning(other, alias);
    if (warning !== undefined) warnings.push(warning);
  }
  return { settings: [...settings.values()], warnings };
}

function depth(key: string): number {
  return key.split('.').length;
}

/** Walks the content of a file and reports unknown keys. */
class FileWalker {
  readonly settings: Setting[] = [];
  readonly problems: string[] = [];
  readonly #file: string;
  readonly #options: readonly Option[];
  readonly #byPath: ReadonlyMap<string, Option>;
  readonly #objects: ReadonlySet<string>;

  constructor(file: string, options: readonly Option[]) {
    this.#file = file;
    this.#options = options.filter(({ meta }) => meta.notInFile !== true);
    this.#byPath = new Map(this.#options.map((option) => [option.path, option]));
    this.#objects = new Set(this.#options.flatMap(({ path }) => parents(path)));
  }

  visit(content: Loose, prefix: string): void {
    for (const [key, value] of Object.entries(content)) {
      const path = `${prefix}${key}`;
      const option = this.#byPath.get(path);
      if (option !== undefined) this.settings.push({ option, value, key: path, file: this.#file });
      else if (!this.#objects.has(path)) this.problems.push(this.#unknown(path, key, prefix));
      else if (isLoose(value)) this.visit(value, `${path}.`);
      else this.problems.push(`${this.#file}: ${path}: expected an object, got ${shown(value)}.`);
    }
  }

  #unknown(path: string, key: string, prefix: string): string {
    const meant = this.#sibling(key, prefix) ?? this.#elsewhere(key);
    return `${this.#file}: unknown key ${path}${meant === undefined ? '' : ` (did you mean ${meant}?)`}`;
  }

  #sibling(key: string, prefix: string): string | undefined {
    const paths = [...this.#objects, ...this.#options.flatMap(({ path, meta }) => [path, ...(meta.aliases ?? [])])];
    const siblings = paths.filter((path) => path.startsWith(prefix) && !path.slice(prefix.length).includes('.'));
    const meant = nearest(
      key,
      siblings.map((path) => path.slice(prefix.length)),
    );
    return meant === undefined ? undefined : `${prefix}${meant}`;
  }

  /** A known key in the wrong place, or the name of a flag. */
  #elsewhere(key: string): string | undefined {
    const names = this.#options.flatMap(({ path, meta }) => [
      [path.slice(path.lastIndexOf('.') + 1), path] as const,
      ...(meta.flag === undefined ? [] : [[camelCase(meta.flag), path] as const]),
    ]);
    const meant = nearest(
      key,
      names.map(([name]) => name),
    );
    return names.find(([name]) => name === meant)?.[1];
  }
}

/** The parents of `a.b.c` are `a` and `a.b`. */
function parents(path: string): readonly string[] {
  const keys = path.split('.');
  return keys.slice(1).map((_, index) => keys.slice(0, index + 1).join('.'));
}
