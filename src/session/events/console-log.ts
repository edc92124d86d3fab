import type { ConsoleMessage } from 'playwright-core';
import { Ring } from '../../util/ring.ts';

export const consoleLevels = ['error', 'warning', 'info', 'debug'] as const;
export type ConsoleLevel = (typeof consoleLevels)[number];

/** One line the page wrote, or one error it did not catch. */
export interface ConsoleEntry {
  readonly level: ConsoleLevel;
  /** The console method (`log`, `error`, …), or `page error` for an uncaught exception. */
  readonly kind: string;
  readonly text: string;
  readonly location: string;
  /** Which document of the tab wrote it, counted from 0. */
  readonly document: number;
  readonly sequence: number;
}

const capacity = 1000;
/** A single line may be megabytes long; the ring bounds their number, this their size. */
const longestText = 10_000;
/** Characters of all lines of a tab. */
const mostText = 4_000_000;
/** Characters at the end of a stack that are read, and of one of its lines: a message in it may be megabytes long. */
const mostStack = 20_000;
const longestCall = 1000;

/** Console messages of a tab: a ring buffer, because a page can write without limit. */
export class ConsoleLog {
  readonly #entries = new Ring<ConsoleEntry>(capacity, { total: mostText, sizeOf: ({ text }) => text.length });
  #document = 0;
  #sequence = 0;

  /** A new document was loaded: what follows was written by it. */
  nextDocument(): void {
    this.#document++;
  }

  add(message: ConsoleMessage): void {
    const { url, lineNumber } = message.location();
    this.#push(levelOf(message.type()), message.type(), message.text(), url === '' ? '' : `${url}:${lineNumber + 1}`);
  }

  addPageError(error: Error): void {
    // A thrown value need not be an Error.
    const text = [error.name, error.message].filter((part) => part !== '').join(': ');
    this.#push('error', 'page error', text, thrownAt(error.stack ?? ''));
  }

  /** Entries of the current document (or of all), up to a level, oldest first. */
  entries(level: ConsoleLevel, all: boolean): readonly ConsoleEntry[] {
    const threshold = consoleLevels.indexOf(level);
    return this.#entries
      .items()
      .filter((entry) => consoleLevels.indexOf(entry.level) <= threshold && (all || entry.document === this.#document));
  }

  /** The position to pass to `since` later. */
  get position(): number {
    return this.#sequence;
  }

  /** Entries of all documents since a position, up to a level. */
  since(position: number, level: ConsoleLevel): readonly ConsoleEntry[] {
    return this.entries(level, true).filter((entry) => entry.sequence >= position);
  }

  counts(): { readonly errors: number; readonly warnings: number } {
    const entries = this.entries('warning', false);
    const errors = entries.filter((entry) => entry.level === 'error').length;
    return { errors, warnings: entries.length - errors };
  }

  #push(level: ConsoleLevel, kind: string, text: string, location: string): void {
    const entry = { level, kind, text: start(text), location, document: this.#document };
    this.#entries.push({ ...entry, sequence: this.#sequence++ });
  }
}

/** The script and the line of the first call of a stack, as Chromium (`at f (url:1:2)`) or Firefox (`f@url:1:2`) writes it. */
function thrownAt(stack: string): string {
  for (const line of stack.slice(-mostStack).split('\n')) {
    const place = line.length > longestCall ? null : /(?:^\s+at (?:.*\()?|@)([a-z][a-z-]*:.*:\d+):\d+\)?$/.exec(line);
    if (place?.[1] !== undefined) return start(place[1]);
  }
  return '';
}

/** A copy: a slice of a string of V8 keeps all of it in memory. */
function start(text: string): string {
  if (text.length <= longestText) return text;
  return Buffer.from(text.slice(0, longestText), 'utf16le').toString('utf16le');
}

function levelOf(type: ReturnType<ConsoleMessage['type']>): ConsoleLevel {
  if (type === 'error') return 'error';
  // Errors are what console.error wrote; an assertion that failed comes next.
  if (type === 'warning' || type === 'assert') return 'warning';
  return type === 'debug' || type === 'trace' ? 'debug' : 'info';
}
