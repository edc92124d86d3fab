/** An element by what a snapshot shows of it. */
export interface Sought {
  readonly role?: string;
  /** The name, or the text of an element without a name. A pattern may also match attributes. */
  readonly name?: string | RegExp;
  /** A text in the same row, card or section. */
  readonly in?: string;
}

interface ShownElement {
  readonly role: string;
  readonly name: string | undefined;
  readonly ref: string;
  /** The text that follows the element in its line. */
  readonly text: string;
  readonly line: number;
  /** The element as it is written, with its attributes and text. */
  readonly written: string;
}

interface Line {
  readonly depth: number;
  readonly content: string;
}

const elementPattern =
  /([a-zA-Z]+)(?: "((?:[^"\\]|\\.)*)")?((?: \[(?!ref=)[^\]]*\])* \[ref=([^\]]+)\](?: \[[^\]]*\])*)/g;
const fence = /```(yaml|diff)\n([\s\S]*?)\n```/g;

/** The lines of a snapshot, of a list of changes, or of a search result. */
export class Screen {
  readonly isWhole: boolean;
  readonly removedRefs: ReadonlySet<string>;
  readonly #lines: readonly Line[];
  readonly #elements: readonly ShownElement[];

  private constructor(lines: readonly Line[], isWhole: boolean, removedRefs: ReadonlySet<string>) {
    this.#lines = lines;
    this.isWhole = isWhole;
    this.removedRefs = removedRefs;
    this.#elements = lines.flatMap(({ content }, line) => elementsIn(content, line));
  }

  /** Undefined if an answer shows nothing of the page. */
  static read(answer: string): Screen | undefined {
    const blocks = [...answer.matchAll(fence)];
    if (blocks.length === 0) return undefined;
    const removed = new Set<string>();
    const lines = blocks.flatMap(([, kind, body = '']) =>
      body.split('\n').flatMap((line) => (kind === 'yaml' ? readLine(line) : readChange(line, removed))),
    );
    return new Screen(
      lines,
      blocks.some(([, kind]) => kind === 'yaml'),
      removed,
    );
  }

  /** Cursors of parts that were left out. */
  get cursors(): readonly string[] {
    return [...this.text.matchAll(/cursor="([^"]+)"/g)].map(([, cursor = '']) => cursor);
  }

  /** Whether the page changed in parts that are not shown. */
  get isPartial(): boolean {
    return !this.isWhole && /^# .*not shown/m.test(this.text);
  }

  get text(): string {
    return this.#lines.map(({ content }) => content).join('\n');
  }

  /** This screen without the lines of refs that are gone. */
  without(refs: ReadonlySet<string>): Screen {
    if (refs.size === 0) return this;
    const lines = this.#lines.filter(({ content }) => !elementsIn(content, 0).some(({ ref }) => refs.has(ref)));
    return new Screen(lines, this.isWhole, this.removedRefs);
  }

  /** The ref of an element; with `in`, of the one that shares the smallest block with that text. */
  find(sought: Sought): string | undefined {
    const hasRole = this.#elements.filter(({ role }) => sought.role === undefined || role === sought.role);
    const byName = hasRole.filter(({ name }) => isNamed(sought.name, name));
    const byText = hasRole.filter(({ text }) => isNamed(sought.name, text));
    const byAttribute = hasRole.filter(({ written }) => typeof sought.name === 'object' && sought.name.test(written));
    for (const candidates of [byName, byText, byAttribute]) {
      const found = sought.in === undefined ? candidates[0] : this.#closest(candidates, sought.in);
      if (found !== undefined) return found.ref;
    }
    return sought.role === undefined ? this.#wrapperOf(sought) : undefined;
  }

  #closest(candidates: readonly ShownElement[], text: string): ShownElement | undefined {
    const ranked = candidates.flatMap((element) => {
      const block = this.#blockWith(element.line, text);
      return block === undefined ? [] : [{ element, ...block }];
    });
    const smallest = Math.min(...ranked.map(({ size }) => size));
    const nearest = ranked.filter(({ size }) => size === smallest);
    return (nearest.find(({ element, at }) => element.line >= at) ?? nearest[0])?.element;
  }

  /** The smallest block around a line that contains a text: how many lines it has, and where the text is. */
  #blockWith(line: number, text: string): { readonly size: number; readonly at: number } | undefined {
    for (let start: number | undefined = line; start !== undefined; start = this.#parentOf(start)) {
      const end = this.#endOf(start);
      for (let at = start; at < end; at += 1) {
        if (this.#lines[at]?.content.includes(text) === true) return { size: end - start, at };
      }
    }
    const at = this.#lines.findIndex(({ content }) => content.includes(text));
    return at < 0 ? undefined : { size: this.#lines.length, at };
  }

  #parentOf(line: number): number | undefined {
    const depth = this.#lines[line]?.depth ?? 0;
    for (let at = line - 1; at >= 0; at -= 1) if ((this.#lines[at]?.depth ?? 0) < depth) return at;
    return undefined;
  }

  #endOf(line: number): number {
    const depth = this.#lines[line]?.depth ?? 0;
    let end = line + 1;
    while (end < this.#lines.length && (this.#lines[end]?.depth ?? 0) > depth) end += 1;
    return end;
  }

  /** The element with a ref around a text that has none, if it contains nothing else. */
  #wrapperOf({ name, in: text }: Sought): string | undefined {
    const wrappers = this.#elements.filter(({ line }) => {
      const inner = this.#lines.slice(line + 1, this.#endOf(line)).filter(({ content }) => !content.startsWith('/'));
      const [only] = inner;
      return inner.length === 1 && only !== undefined && isNamed(name, textOfLine(only.content));
    });
    return (text === undefined ? wrappers[0] : this.#closest(wrappers, text))?.ref;
  }
}

/** The text of a line, or the name of its element. */
function textOfLine(content: string): string {
  return /^\w+ "((?:[^"\\]|\\.)*)"/.exec(content)?.[1] ?? content.replace(/^\w+: /, '');
}

function isNamed(sought: string | RegExp | undefined, name: string | undefined): boolean {
  if (sought === undefined) return true;
  if (name === undefined) return false;
  return typeof sought === 'string' ? name === sought : sought.test(name);
}

function readLine(line: string): readonly Line[] {
  const match = /^( *)(?:- )?(.*)$/.exec(line);
  if (match === null) return [];
  const [, indent = '', content = ''] = match;
  return [{ depth: indent.length, content: content.replace(/^'(.*)'(:.*)?$/, '$1$2') }];
}

/** A line of changes. The refs of removed lines are collected. */
function readChange(line: string, removed: Set<string>): readonly Line[] {
  if (line.startsWith('- ')) {
    for (const { ref } of elementsIn(line, 0)) removed.add(ref);
    return [];
  }
  return /^[+~] /.test(line) ? readLine(line.slice(2)) : readLine(line);
}

function elementsIn(content: string, line: number): readonly ShownElement[] {
  const matches = [...content.matchAll(elementPattern)];
  return matches.map((match, index) => {
    const [whole, role = '', name, , ref = ''] = match;
    const rest = content.slice(match.index + whole.length, matches[index + 1]?.index ?? content.length);
    // In a line with several cells, the text ends with the cell.
    const [cell = ''] = rest.replace(/^: ?/, '').split(/ ?\|/);
    const text = (rest.startsWith(':') ? rest.slice(1).trim() : cell.trim()).replace(
      /^(?:heading )?"(.*)"(?: \[level=\d\])?$/,
      '$1',
    );
    return { role, name: name?.replaceAll('\\"', '"'), ref, text, line, written: `${whole} ${text}` };
  });
}
