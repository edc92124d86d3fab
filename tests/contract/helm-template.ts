import { parse, stringify } from 'yaml';

/**
 * Renders the templates of a chart: the part of Go's templates, and of the functions that Helm adds, which our chart uses. An
 * unknown function or action is an error, so the chart cannot use more than is tested.
 */

/** What a template prints and tests: any value of YAML. */
type Value = unknown;
type Piece = { readonly text: string } | { readonly action: string };
type Block =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'print'; readonly pipe: string }
  | {
      readonly kind: 'if' | 'with' | 'range';
      readonly pipe: string;
      readonly body: readonly Block[];
      readonly otherwise: readonly Block[];
    };

export interface ChartRelease {
  readonly name: string;
  readonly namespace: string;
  readonly files: ReadonlyMap<string, string>;
  readonly values: string;
}

/** The rendered templates by file name, without those that print nothing. */
export function renderChart({ name, namespace, files, values }: ChartRelease): ReadonlyMap<string, string> {
  const chart: unknown = parse(files.get('Chart.yaml') ?? '');
  const renderer = new Renderer({
    Values: merge(parse(files.get('values.yaml') ?? ''), parse(values) ?? {}),
    Release: { Name: name, Namespace: namespace, Service: 'Helm' },
    Chart: capitalised(chart),
    files,
  });
  const templates = [...files].filter(([path]) => path.startsWith('templates/'));
  for (const [, text] of templates) renderer.define(text);
  return new Map(
    templates
      .filter(([path]) => !path.endsWith('.tpl'))
      .map(([path, text]) => [path.slice('templates/'.length), renderer.render(text)] as const)
      .filter(([, text]) => text.trim() !== ''),
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function merge(base: unknown, over: unknown): unknown {
  if (!isRecord(base) || !isRecord(over)) return over;
  const keys = new Set([...Object.keys(base), ...Object.keys(over)]);
  return Object.fromEntries([...keys].map((key) => [key, key in over ? merge(base[key], over[key]) : base[key]]));
}

function capitalised(value: unknown): unknown {
  if (!isRecord(value)) return {};
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [`${key[0]?.toUpperCase()}${key.slice(1)}`, item]),
  );
}

function isTrue(value: Value): boolean {
  if (Array.isArray(value)) return value.length > 0;
  if (isRecord(value)) return Object.keys(value).length > 0;
  return value !== undefined && value !== null && value !== false && value !== '' && value !== 0;
}

function toText(value: Value): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return `${value}`;
  throw new TypeError(`A template cannot print ${JSON.stringify(value)}`);
}

class Renderer {
  readonly #root: Record<string, unknown>;
  readonly #defined = new Map<string, readonly Block[]>();

  constructor(root: Record<string, unknown>) {
    this.#root = root;
  }

  define(text: string): void {
    for (const [, name = '', body = ''] of text.matchAll(
      /\{\{-?\s*define "([^"]+)"\s*-?\}\}([\s\S]*?)\{\{-?\s*end\s*-?\}\}(?=\s*(?:\{\{-? define|$))/g,
    )) {
      // The actions of a definition trim the space around its body.
      this.#defined.set(name, blocksOf(piecesOf(body.trim())));
    }
  }

  render(text: string): string {
    return this.#print(blocksOf(piecesOf(text)), this.#root);
  }

  #print(blocks: readonly Block[], dot: Value): string {
    return blocks.map((block) => this.#printOne(block, dot)).join('');
  }

  #printOne(block: Block, dot: Value): string {
    if (block.kind === 'text') return block.text;
    const value = this.#pipe(block.pipe, dot);
    if (block.kind === 'print') return toText(value);
    if (!isTrue(value)) return this.#print(block.otherwise, dot);
    if (block.kind === 'if') return this.#print(block.body, dot);
    if (block.kind === 'with') return this.#print(block.body, value);
    if (!Array.isArray(value)) throw new TypeError(`range of no list: ${block.pipe}`);
    return value.map((item: unknown) => this.#print(block.body, item)).join('');
  }

  #pipe(text: string, dot: Value): Value {
    let value: Value;
    for (const [index, command] of splitOutside(text, '|').entries()) {
      const words = splitOutside(command, ' ');
      value = this.#command(words, dot, index === 0 ? [] : [value]);
    }
    return value;
  }

  #command([first = '', ...rest]: readonly string[], dot: Value, piped: readonly Value[]): Value {
    const given = [...rest.map((word) => this.#operand(word, dot)), ...piped];
    if (first === '.Files.Get') return this.#file(toText(given[0]));
    if (/^[a-z]/i.test(first) && !/^(?:true|false)$/.test(first)) return this.#function(first, given);
    if (given.length > 0) throw new Error(`${first} takes no arguments`);
    return this.#operand(first, dot);
  }

  #file(path: string): string {
    const { files } = this.#root;
    const text: unknown = files instanceof Map ? files.get(path) : undefined;
    if (typeof text !== 'string') throw new Error(`The chart has no file ${path}`);
    return text;
  }

  #operand(word: string, dot: Value): Value {
    if (word.startsWith('(')) return this.#pipe(word.slice(1, -1), dot);
    if (word.startsWith('"')) return JSON.parse(word);
    if (/^-?\d/.test(word)) return Number(word);
    if (word === '.') return dot;
    if (!word.startsWith('.')) throw new Error(`Unknown operand ${word}`);
    let value = dot;
    for (const key of word.slice(1).split('.')) {
      if (!isRecord(value)) throw new TypeError(`${word}: there is no ${key}`);
      if (!(key in value)) throw new Error(`${word}: values.yaml has no ${key}`);
      value = value[key];
    }
    return value;
  }

  #function(name: string, given: readonly Value[]): Value {
    const [first, second] = given;
    switch (name) {
      case 'include': {
        const body = this.#defined.get(toText(first));
        if (body === undefined) throw new Error(`There is no definition ${toText(first)}`);
        return this.#print(body, second);
      }
      case 'default':
        return isTrue(second) ? second : first;
      case 'required':
        if (second === undefined || second === null || second === '') throw new Error(toText(first));
        return second;
      case 'fail':
        throw new Error(toText(first));
      case 'not':
        return !isTrue(first);
      case 'quote':
        return JSON.stringify(toText(first));
      case 'int':
        return Math.trunc(Number(first));
      case 'mulf':
        return given.reduce<number>((product, factor) => product * Number(factor), 1);
      case 'trunc':
        return toText(second).slice(0, Number(first));
      case 'trimSuffix':
        return toText(second).endsWith(toText(first)) ? toText(second).slice(0, -toText(first).length) : second;
      case 'printf':
        return given.slice(1).reduce<string>((text, value) => text.replace('%s', toText(value)), toText(first));
      case 'sha256sum':
        return `sha256-of-${toText(first).length}-characters`;
      case 'toJson':
        return JSON.stringify(first);
      case 'toYaml':
        return stringify(first, { lineWidth: 0 }).trimEnd();
      case 'nindent':
        return `\n${toText(second)
          .split('\n')
          .map((line) => (line === '' ? '' : ' '.repeat(Number(first)) + line))
          .join('\n')}`;
      default:
        throw new Error(`The renderer does not know the function ${name}`);
    }
  }
}

/** Splits at a separator outside quotes and brackets. */
function splitOutside(text: string, separator: string): readonly string[] {
  const parts: string[] = [];
  let depth = 0;
  let isQuoted = false;
  let part = '';
  for (const letter of text) {
    if (letter === '"') isQuoted = !isQuoted;
    if (!isQuoted && letter === '(') depth++;
    if (!isQuoted && letter === ')') depth--;
    if (letter === separator && !isQuoted && depth === 0) {
      parts.push(part.trim());
      part = '';
    } else {
      part += letter;
    }
  }
  return [...parts, part.trim()].filter((item) => item !== '');
}

/** Texts and actions. A dash inside the braces removes the white space on its side. */
function piecesOf(text: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  let trims = false;
  for (const match of text.matchAll(/\{\{(-)?\s*(.*?)\s*(-)?\}\}/g)) {
    const before = text.slice(end, match.index);
    const left = trims ? before.trimStart() : before;
    pieces.push({ text: match[1] === undefined ? left : left.trimEnd() }, { action: match[2] ?? '' });
    end = match.index + match[0].length;
    trims = match[3] !== undefined;
  }
  const rest = text.slice(end);
  return [...pieces, { text: trims ? rest.trimStart() : rest }];
}

function blocksOf(pieces: readonly Piece[]): readonly Block[] {
  const queue = [...pieces];
  const { blocks, end } = readBlocks(queue);
  if (end !== undefined) throw new Error(`Nothing to end here: ${end}`);
  return blocks;
}

function readBlocks(queue: Piece[]): { readonly blocks: readonly Block[]; readonly end: string | undefined } {
  const blocks: Block[] = [];
  for (let piece = queue.shift(); piece !== undefined; piece = queue.shift()) {
    if ('text' in piece) {
      blocks.push({ kind: 'text', text: piece.text });
      continue;
    }
    const { action } = piece;
    if (action === 'end' || action === 'else') return { blocks, end: action };
    const [, kind, pipe = ''] = /^(if|with|range) (.+)$/.exec(action) ?? [];
    if (kind === 'if' || kind === 'with' || kind === 'range') blocks.push(readBranch(queue, kind, pipe));
    else blocks.push({ kind: 'print', pipe: action });
  }
  return { blocks, end: undefined };
}

function readBranch(queue: Piece[], kind: 'if' | 'with' | 'range', pipe: string): Block {
  const { blocks: body, end } = readBlocks(queue);
  if (end === undefined) throw new Error(`${kind} ${pipe} has no end`);
  if (end === 'end') return { kind, pipe, body, otherwise: [] };
  const other = readBlocks(queue);
  if (other.end !== 'end') throw new Error(`else of ${kind} ${pipe} has no end`);
  return { kind, pipe, body, otherwise: other.blocks };
}
