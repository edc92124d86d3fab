import type { Locator } from 'playwright-core';
import type { FailureContext } from '../../browser/failure.ts';
import type { Outcome } from '../../session/act/outcome.ts';
import type { Artifact } from '../../session/files/artifacts.ts';
import type { ErrorView } from '../../errors.ts';
import type { Code } from '../../util/code.ts';
import type { Pattern } from '../../util/pattern.ts';
import type { Verbatim } from './report.ts';

export interface Image {
  readonly data: Uint8Array;
  readonly mimeType: 'image/png' | 'image/jpeg' | 'image/webp';
}

/** How to show the page after the call. */
export interface SnapshotIntent {
  /** The whole page, or the changes since the last snapshot, as configured. */
  readonly mode: 'full' | 'changes';
  readonly target?: Locator;
  readonly depth?: number;
  readonly boxes?: boolean;
  /** Continues a folded or cut part. */
  readonly cursor?: string;
  readonly search?: string;
  /** Alternative to `search`. */
  readonly pattern?: Pattern;
  readonly interactiveOnly?: boolean;
  readonly viewport?: boolean;
  readonly allRefs?: boolean;
  /** Show the targets of all links. */
  readonly urls?: boolean;
  /** Report where the focus moved. */
  readonly tellsFocus?: boolean;
  /** The text that was typed, as the result shows it. */
  readonly typed?: string;
  /** Write the snapshot to this file instead of the answer. */
  readonly filename?: string;
}

type MadeFile = Pick<Artifact, 'uri' | 'name' | 'mimeType' | 'size'>;

export type Facts = Readonly<Record<string, unknown>>;

/** Collects what a handler wants shown. It uses no browser and no files, and formats nothing. */
export class Response {
  /** Whether the answer shows the page after an action. */
  readonly showsPages: boolean;
  readonly lines: string[] = [];
  /** Lines of the `sentences` form: there they are the whole text, elsewhere they lead the result. */
  readonly sentences: string[] = [];
  /** Lines that only the `sentences` form shows. */
  readonly asides: string[] = [];
  readonly code: Code[] = [];
  readonly images: Image[] = [];
  /** Files that the call made. */
  readonly files: MadeFile[] = [];
  readonly notes: string[] = [];
  /** The steps that were run so far, for the answer of a call that is cut short. */
  readonly done: string[];
  #snapshot: SnapshotIntent | undefined;
  #facts: (() => Facts | Promise<Facts>) | undefined;
  #data: Readonly<Record<string, unknown>> | undefined;
  #outcome: Outcome | undefined;
  #hidesPage = false;
  #isRead = false;
  #toldUrl: string | undefined;
  #hasEffect = false;
  #isForeign = false;
  #isNewestLast = false;
  #attempt: FailureContext | undefined;
  #failure: ErrorView | undefined;
  #verbatim: Verbatim | undefined;

  constructor(showsPages: boolean, done: string[] = []) {
    this.showsPages = showsPages;
    this.done = done;
  }

  /** Makes the answer an error that still shows everything else. */
  fail(error: ErrorView): void {
    this.#failure = error;
  }

  get failure(): ErrorView | undefined {
    return this.#failure;
  }

  /** Describes the attempt, for the error if it fails. */
  attempt(context: FailureContext): void {
    this.#attempt = context;
  }

  /** Adds a line to the result; page text in it must be quoted by the caller. */
  text(line: string): void {
    this.lines.push(line);
  }

  /** Adds a line about an effect that no snapshot shows, such as a selection. */
  effect(line: string): void {
    this.lines.push(line);
    this.#hasEffect = true;
  }

  get hasEffect(): boolean {
    return this.#hasEffect;
  }

  sentence(line: string): void {
    this.sentences.push(line);
  }

  aside(line: string): void {
    this.asides.push(line);
  }

  /** Reads the outcome as data; called only for the `data` form. */
  facts(read: () => Facts | Promise<Facts>): void {
    if (this.#facts !== undefined) throw new Error('the facts of an answer are set once');
    this.#facts = read;
  }

  /** Adds the equivalent Playwright code. */
  ran(code: Code): void {
    this.code.push(code);
  }

  /** Marks the lines as page content. */
  foreign(): void {
    this.#isForeign = true;
  }

  get isForeign(): boolean {
    return this.#isForeign;
  }

  /** Marks the lines as chronological: if not all fit, the last ones are kept. */
  newestLast(): void {
    this.#isNewestLast = true;
  }

  get isNewestLast(): boolean {
    return this.#isNewestLast;
  }

  image(image: Image): void {
    this.images.push(image);
  }

  /** Adds a link to a file that the call made, for clients that cannot open its path. */
  file(file: MadeFile): void {
    this.files.push(file);
  }

  /** Adds a remark that is not the result, for example about an ignored argument. */
  note(line: string): void {
    this.notes.push(line);
  }

  snapshot(intent: SnapshotIntent): void {
    this.#snapshot = intent;
  }

  /** Leaves out the changes of the page, and returns whether they were wanted: the steps of a call show them together. */
  withoutChanges(): boolean {
    const isWanted = this.#snapshot?.mode === 'changes';
    if (isWanted) this.#snapshot = undefined;
    return isWanted;
  }

  /** The result shows the text that was typed: changes leave out the field that contains it. */
  typed(text: string): void {
    if (this.#snapshot !== undefined) this.#snapshot = { ...this.#snapshot, typed: text };
  }

  /** Sets the whole answer as data, for programs. */
  data(data: Readonly<Record<string, unknown>>): void {
    this.#data = data;
  }

  /** Sets the whole answer of the form `verbatim`. */
  whole(answer: Verbatim): void {
    this.#verbatim = answer;
  }

  /** Sets the outcome of the action. */
  outcome(outcome: Outcome): void {
    if (this.#outcome !== undefined) throw new Error('the outcome of an answer is set once');
    this.#outcome = outcome;
  }

  /** Omits the page header: the answer is not about the page. */
  withoutPage(): void {
    this.#hidesPage = true;
  }

  /** Omits the page header, and does not ask the page: the handler has read all that the answer needs. */
  withoutLook(): void {
    this.#hidesPage = true;
    this.#isRead = true;
  }

  get needsLook(): boolean {
    return !this.#isRead;
  }

  /** The lines name the URL of the page, and its title if it has one: the page header need not repeat them. */
  tellsPlace(url: string): void {
    this.#toldUrl = url;
  }

  get toldUrl(): string | undefined {
    return this.#toldUrl;
  }

  get attempted(): FailureContext | undefined {
    return this.#attempt;
  }

  get verbatim(): Verbatim | undefined {
    return this.#verbatim;
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
