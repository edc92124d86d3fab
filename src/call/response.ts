import type { Locator } from 'playwright-core';
import type { FailureContext } from '../browser/failure.ts';
import type { Outcome } from '../session/act/outcome.ts';
import type { Code } from '../util/code.ts';

export interface Image {
  readonly data: Uint8Array;
  readonly mimeType: 'image/png' | 'image/jpeg' | 'image/webp';
}

/** How the page is to be shown after the call. */
export interface SnapshotIntent {
  /** The whole page, what changed since the model last saw it, or as the server is set. */
  readonly mode: 'full' | 'changes';
  readonly target?: Locator;
  readonly depth?: number;
  readonly boxes?: boolean;
  /** Goes on where a fold or a cut said so. */
  readonly cursor?: string;
  readonly search?: string;
  /** Instead of a text to search for. */
  readonly pattern?: RegExp;
  readonly interactiveOnly?: boolean;
  readonly viewport?: boolean;
  readonly allRefs?: boolean;
  /** Where the focus went is a part of what changed. */
  readonly tellsFocus?: boolean;
  /** Written to this file instead of into the answer. */
  readonly filename?: string;
}

export type Facts = Readonly<Record<string, unknown>>;

/** What a handler wants shown. It only collects: no browser, no file, no formatting. */
export class Response {
  /** Whether an answer shows what an action did to the page, and in the plain form. */
  readonly showsPages: boolean;
  readonly lines: string[] = [];
  /** What basic tools answer with: it leads the result, and is the whole text where answers are sentences. */
  readonly sentences: string[] = [];
  /** Sentences for those answers only; elsewhere the result says the same in another way. */
  readonly asides: string[] = [];
  readonly code: Code[] = [];
  readonly images: Image[] = [];
  readonly notes: string[] = [];
  #snapshot: SnapshotIntent | undefined;
  #facts: (() => Facts | Promise<Facts>) | undefined;
  #data: Readonly<Record<string, unknown>> | undefined;
  #outcome: Outcome | undefined;
  #hidesPage = false;
  #isForeign = false;
  #isNewestLast = false;
  #attempt: FailureContext | undefined;

  constructor(showsPages: boolean) {
    this.showsPages = showsPages;
  }

  /** What is tried, for the error in case it fails. */
  attempt(context: FailureContext): void {
    this.#attempt = context;
  }

  /** A line of our own; page text in it must be quoted by the caller. */
  text(line: string): void {
    this.lines.push(line);
  }

  sentence(line: string): void {
    this.sentences.push(line);
  }

  aside(line: string): void {
    this.asides.push(line);
  }

  /** What was done, as data, for vocabularies whose answers are data; asked for only there. */
  facts(read: () => Facts | Promise<Facts>): void {
    if (this.#facts !== undefined) throw new Error('the facts of an answer are set once');
    this.#facts = read;
  }

  /** The Playwright code that does the same. */
  ran(code: Code): void {
    this.code.push(code);
  }

  /** The lines are what the page says, not we. */
  foreign(): void {
    this.#isForeign = true;
  }

  get isForeign(): boolean {
    return this.#isForeign;
  }

  /** The lines are in the order of time; where not all fit, the last ones are wanted. */
  newestLast(): void {
    this.#isNewestLast = true;
  }

  get isNewestLast(): boolean {
    return this.#isNewestLast;
  }

  image(image: Image): void {
    this.images.push(image);
  }

  /** Something the caller should know that is not the result: ignored arguments, a wait cut short. */
  note(line: string): void {
    this.notes.push(line);
  }

  snapshot(intent: SnapshotIntent): void {
    this.#snapshot = intent;
  }

  /** The whole answer as data, for programs. */
  data(data: Readonly<Record<string, unknown>>): void {
    this.#data = data;
  }

  /** What the action set off. */
  outcome(outcome: Outcome): void {
    if (this.#outcome !== undefined) throw new Error('the outcome of an answer is set once');
    this.#outcome = outcome;
  }

  /** The answer is about something else than the page: leave its header out. */
  withoutPage(): void {
    this.#hidesPage = true;
  }

  get attempted(): FailureContext | undefined {
    return this.#attempt;
  }

  get wantedSnapshot(): SnapshotIntent | undefined {
    return this.#snapshot;
  }

  get structured(): Readonly<Record<string, unknown>> | undefined {
    return this.#data;
  }

  get known(): (() => Facts | Promise<Facts>) | undefined {
    return this.#facts;
  }

  get setOff(): Outcome | undefined {
    return this.#outcome;
  }

  get hidesPage(): boolean {
    return this.#hidesPage;
  }
}
