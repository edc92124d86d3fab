import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { timed } from '../measure.ts';
import type { ServerName } from '../servers.ts';
import { adapters } from './adapters.ts';
import type { Action, Field, Point, ToolCall } from './adapters.ts';
import { Screen } from './screen.ts';
import type { Sought } from './screen.ts';

export interface ToolAnswer {
  readonly text: string;
  readonly isError: boolean;
}

/** Calls a tool of a server. */
export type CallTool = (call: ToolCall) => Promise<ToolAnswer>;

export interface Cost {
  readonly calls: number;
  /** Of all arguments and the text of all answers. */
  readonly tokens: number;
  readonly ms: number;
}

/** A field to fill, and what to fill in. */
export type Entry = Sought & Pick<Field, 'type' | 'value'>;

const mostCalls = 40;
const mostLooks = 2;
const unchanged = /(?:Nothing visible|No text or control) changed/;
/** Sections of an answer that repeat the arguments. */
const echoes = /^### (?:Result|Ran Playwright code)\n[\s\S]*?(?=^### |$(?![\s\S]))/gm;

/**
 * Drives a server by what its answers show. An element is sought in what is known of the page: the last snapshot and the
 * changes reported since. A snapshot is taken if the element is not there, or if the page may have changed after an answer
 * that does not show it.
 */
export class Hands {
  readonly #server: ServerName;
  readonly #callTool: CallTool;
  readonly #transcript: string[] = [];
  #screens: readonly Screen[] = [];
  #answer = '';
  #isOutdated = true;
  #calls = 0;
  #tokens = 0;
  #ms = 0;

  constructor(server: ServerName, callTool: CallTool) {
    this.#server = server;
    this.#callTool = callTool;
  }

  get cost(): Cost {
    return { calls: this.#calls, tokens: this.#tokens, ms: this.#ms };
  }

  /** All calls with their answers. */
  get transcript(): string {
    return this.#transcript.join('\n\n');
  }

  async open(url: string): Promise<void> {
    await this.#act({ do: 'navigate', url });
  }

  async click(
    sought: Sought,
    options: Pick<Action & { do: 'click' }, 'double' | 'button' | 'modifiers'> = {},
  ): Promise<void> {
    await this.#actOn(sought, (ref) => ({ do: 'click', ref, ...options }));
  }

  /** Clicks what does not change the rest of the page, such as a checkbox: known refs stay valid. */
  async toggle(sought: Sought): Promise<void> {
    await this.#actOn(sought, (ref) => ({ do: 'click', ref }), true);
  }

  async clickAt(sought: Sought, { x, y }: Point): Promise<void> {
    await this.#actOn(sought, (ref) => ({ do: 'clickAt', ref, x, y }));
  }

  async hover(sought: Sought): Promise<void> {
    await this.#actOn(sought, (ref) => ({ do: 'hover', ref }));
  }

  async type(sought: Sought, text: string, options: { submit?: boolean; slowly?: boolean } = {}): Promise<void> {
    await this.#actOn(sought, (ref) => ({ do: 'type', ref, text, ...options }), options.submit !== true);
  }

  async select(sought: Sought, ...values: readonly string[]): Promise<void> {
    await this.#actOn(sought, (ref) => ({ do: 'select', ref, values }), true);
  }

  async fillForm(entries: readonly Entry[]): Promise<void> {
    const fields: Field[] = [];
    for (const { type, value, ...sought } of entries)
      fields.push({ ref: await this.#refOf(sought), name: String(sought.name), type, value });
    await this.#act({ do: 'fill', fields }, true);
  }

  /** Presses a key in the focused element. */
  async press(key: string, count = 1): Promise<void> {
    await this.#act({ do: 'press', key, count });
  }

  async drag(from: Sought, to: Sought): Promise<void> {
    const start = await this.#refOf(from);
    const end = await this.#refOf(to);
    await this.#act({ do: 'drag', from: start, to: end });
  }

  async dragBy(sought: Sought, { x, y }: Point): Promise<void> {
    await this.#actOn(sought, (ref) => ({ do: 'dragBy', ref, x, y }));
  }

  async dragInside(sought: Sought, from: Point, by: Point): Promise<void> {
    await this.#actOn(sought, (ref) => ({ do: 'dragInside', ref, from, by }));
  }

  async selectText(sought: Sought, text: string): Promise<void> {
    await this.#actOn(sought, (ref) => ({ do: 'selectText', ref, text }), true);
  }

  async scroll(sought: Sought, y: number): Promise<void> {
    await this.#actOn(sought, (ref) => ({ do: 'scroll', ref, y }));
  }

  /** Answers the open dialog. */
  async dialog(accept: boolean, text?: string): Promise<void> {
    await this.#act({ do: 'dialog', accept, ...(text === undefined ? {} : { text }) });
  }

  /** Whether the page shows a text. A snapshot is taken if the last answer does not show the page. */
  async shows(text: string): Promise<boolean> {
    if (!this.#seen.includes(text) && this.#isOutdated) await this.#look();
    if (this.#seen.includes(text)) return true;
    await this.#expand();
    return this.#seen.includes(text);
  }

  /** Waits until the page shows a text. */
  async see(text: string): Promise<void> {
    if (await this.shows(text)) return;
    await this.#look();
    if (await this.shows(text)) return;
    // Without waiting, snapshots in a row would end before a delayed effect, which a model would not miss.
    try {
      await this.#act({ do: 'wait', text });
    } catch (error: unknown) {
      if (!(error instanceof AnswerError)) throw error;
      await this.#look();
    }
    if (!(await this.shows(text))) throw new Error(`"${text}" is not shown`);
  }

  /** The first group of a pattern in what is shown. */
  async read(pattern: RegExp): Promise<string> {
    const match = (): string | undefined => pattern.exec(this.#seen)?.[1] ?? this.#known(pattern);
    if (match() === undefined || this.#isOutdated) await this.#look();
    const found = match();
    if (found === undefined) throw new Error(`Nothing shown matches ${String(pattern)}`);
    return found;
  }

  get #seen(): string {
    return this.#answer.replaceAll(echoes, '');
  }

  #known(pattern: RegExp): string | undefined {
    for (const screen of this.#screens) {
      const found = pattern.exec(screen.text)?.[1];
      if (found !== undefined) return found;
    }
    return undefined;
  }

  async #look(): Promise<void> {
    await this.#act({ do: 'snapshot' });
  }

  /** Follows the first cursor of the last answer. */
  async #expand(): Promise<void> {
    const cursor = Screen.read(this.#answer)?.cursors[0];
    if (cursor !== undefined) await this.#act({ do: 'expand', cursor });
  }

  async #refOf(sought: Sought): Promise<string> {
    const known = (): string | undefined => {
      for (const screen of this.#screens) {
        const ref = screen.find(sought);
        if (ref !== undefined) return ref;
      }
      return undefined;
    };
    const ref = this.#isOutdated ? undefined : known();
    if (ref !== undefined) return ref;
    for (let look = 0; look < mostLooks; look += 1) {
      await this.#look();
      if (known() === undefined) await this.#expand();
      const found = known();
      if (found !== undefined) return found;
    }
    throw new Error(`${describe(sought)} has no ref in the snapshot`);
  }

  /** Acts on an element. If the ref is no longer valid, the element is sought in a new snapshot, once. */
  async #actOn(sought: Sought, action: (ref: string) => Action, keepsPage = false): Promise<void> {
    const ref = await this.#refOf(sought);
    try {
      await this.#act(action(ref), keepsPage);
    } catch (error: unknown) {
      if (!(error instanceof AnswerError)) throw error;
      await this.#look();
      await this.#act(action(await this.#refOf(sought)), keepsPage);
    }
  }

  async #act(action: Action, keepsPage = false): Promise<void> {
    for (const call of adapters[this.#server](action)) {
      this.#calls += 1;
      if (this.#calls > mostCalls) throw new Error(`More than ${mostCalls} calls`);
      const { ms, value } = await timed(() => this.#callTool(call));
      this.#ms += ms;
      this.#tokens += countTokens(JSON.stringify(call.args)) + countTokens(value.text);
      this.#transcript.push(`> ${call.name} ${JSON.stringify(call.args)}\n${value.text}`);
      this.#learn(value.text, keepsPage, action.do === 'expand');
      if (value.isError) throw new AnswerError(`${call.name}: ${value.text.slice(0, 300)}`);
    }
  }

  #learn(text: string, keepsPage: boolean, isPart: boolean): void {
    this.#answer = text;
    const screen = Screen.read(text);
    if (screen === undefined) {
      if (!keepsPage && !unchanged.test(text)) this.#isOutdated = true;
      return;
    }
    this.#isOutdated = screen.isPartial;
    const isWhole = screen.isWhole && !isPart;
    this.#screens = [screen, ...(isWhole ? [] : this.#screens.map((old) => old.without(screen.removedRefs)))];
  }
}

class AnswerError extends Error {}

function describe({ role = 'element', name, in: text }: Sought): string {
  return `${role} ${name === undefined ? '' : `"${String(name)}"`}${text === undefined ? '' : ` near "${text}"`}`;
}
