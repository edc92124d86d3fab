import { ConsoleFlood } from './console-flood.ts';
import { StringCutter } from './message-cutter.ts';

const kilobyte = 1024;
const megabyte = 1024 * kilobyte;

/** What happens to messages above a size. */
interface Rule {
  /** Larger messages are cut. */
  readonly cutAbove: number;
  /** Bytes that remain of a long string. */
  readonly longestString: number;
  /** Larger messages are dropped, after the cut. */
  readonly dropAbove: number;
}

/** Console lines and uncaught errors. Playwright keeps 200 of each per page, and their text is shown cut. */
const consoleRule: Rule = { cutAbove: 256 * kilobyte, longestString: 16 * kilobyte, dropAbove: megabyte };
const consoleEvents = new Set(['Runtime.consoleAPICalled', 'Runtime.exceptionThrown', 'Log.entryAdded']);
/** Titles, dialogs, `data:` URLs, bodies of requests. */
const eventRule: Rule = { cutAbove: 4 * megabyte, longestString: megabyte, dropAbove: 100 * megabyte };
/** Large screenshots and response bodies are results; a cut would corrupt them. */
const longestResult = 100 * megabyte;
const invalidMessage = 'it sent an invalid message';
const separator = 0;
const openingBrace = 0x7b;
const closingBrace = 0x7d;
const headBytes = kilobyte;
const tailBytes = 8 * kilobyte;

export interface PipeGuardOptions {
  /** Receives complete messages with their separators. */
  readonly forward: (chunk: Buffer) => void;
  /** The browser sent something that cannot be forwarded. */
  readonly fail: (reason: string) => void;
}

/**
 * Checks what a browser writes to its pipe before Playwright reads it. Playwright joins a message to one string and
 * parses it outside of any call: a message above the size limit of V8 strings, or one that is not JSON, would be an
 * uncaught exception. Messages are separated by NUL. Small ones are forwarded in the chunks in which they arrive.
 */
export class PipeGuard {
  readonly #options: PipeGuardOptions;
  /** The message that is not complete yet. */
  #message: PendingMessage | undefined;
  #hasFailed = false;
  readonly #flood = new ConsoleFlood();

  constructor(options: PipeGuardOptions) {
    this.#options = options;
  }

  accept(chunk: Buffer): void {
    if (this.#hasFailed) return;
    let start = 0;
    if (this.#message !== undefined) {
      const end = chunk.indexOf(separator);
      if (end === -1) {
        this.#message.add(chunk);
        return;
      }
      this.#message.add(chunk.subarray(0, end + 1));
      this.#finish(this.#message);
      start = end + 1;
    }
    const complete = this.#forwardComplete(chunk, start);
    if (complete < chunk.length && !this.#hasFailed) {
      this.#message = new PendingMessage();
      this.#message.add(chunk.subarray(complete));
    }
  }

  /** Forwards the complete messages of the chunk, without copying them; returns where they end. */
  #forwardComplete(chunk: Buffer, start: number): number {
    let kept = start;
    let from = start;
    for (let end = chunk.indexOf(separator, from); end !== -1; end = chunk.indexOf(separator, from)) {
      if (chunk[from] !== openingBrace || chunk[end - 1] !== closingBrace) {
        this.#fail(invalidMessage);
        return end;
      }
      const verdict = this.#flood.judge(chunk.subarray(from, end));
      if (verdict !== 'keep') {
        if (from > kept) this.#options.forward(chunk.subarray(kept, from));
        if (verdict !== 'drop') this.#options.forward(verdict);
        kept = end + 1;
      }
      from = end + 1;
    }
    if (from > kept) this.#options.forward(chunk.subarray(kept, from));
    return from;
  }

  #finish(message: PendingMessage): void {
    this.#message = undefined;
    const outcome = message.finish();
    if (typeof outcome === 'string') {
      this.#fail(outcome);
      return;
    }
    const verdict = message.isLong ? 'keep' : this.#flood.judge(Buffer.concat(outcome).subarray(0, -1));
    if (verdict === 'keep') for (const part of outcome) this.#options.forward(part);
    else if (verdict !== 'drop') this.#options.forward(verdict);
  }

  #fail(reason: string): void {
    if (this.#hasFailed) return;
    this.#hasFailed = true;
    this.#options.fail(reason);
  }
}

/** A message that spans chunks. Its memory is bounded: what exceeds the limit of its kind is not kept. */
class PendingMessage {
  #parts: Buffer[] = [];
  #kept = 0;
  #size = 0;
  #head = '';
  /** The name of the event; undefined for a result. */
  #method: string | undefined;
  #tail = Buffer.alloc(0);
  #cutter: StringCutter | undefined;
  #isDropped = false;

  /** A result, such as a screenshot: it is not copied. Console messages were cut to less. */
  get isLong(): boolean {
    return this.#kept > consoleRule.dropAbove;
  }

  add(chunk: Buffer): void {
    this.#size += chunk.length;
    if (this.#isDropped) {
      this.#keepTail(chunk);
      return;
    }
    this.#keep(this.#cutter?.cut(chunk) ?? [chunk]);
    if (this.#kept > consoleRule.cutAbove) this.#limit(chunk);
  }

  /** What to forward, or why the connection cannot go on. */
  finish(): readonly Buffer[] | string {
    if (this.#isDropped) return this.#substitute();
    return this.#isComplete() ? this.#parts : invalidMessage;
  }

  /** Parsing every message twice would be slow; one that was cut is rare, and short. */
  #isComplete(): boolean {
    if (this.#cutter !== undefined) return isJson(Buffer.concat(this.#parts).toString('utf8').slice(0, -1));
    const last = this.#parts.at(-1);
    const end = last !== undefined && last.length > 1 ? last.at(-2) : this.#parts.at(-2)?.at(-1);
    return this.#parts[0]?.[0] === openingBrace && end === closingBrace;
  }

  #keep(parts: readonly Buffer[]): void {
    for (const part of parts) {
      if (part.length === 0) continue;
      this.#parts.push(part);
      this.#kept += part.length;
    }
  }

  #limit(chunk: Buffer): void {
    if (this.#head === '') {
      this.#head = Buffer.concat(this.#parts, headBytes).toString('latin1');
      this.#method = /^\{"method":"([\w.]+)"/.exec(this.#head)?.[1];
    }
    const method = this.#method;
    const rule = method !== undefined && consoleEvents.has(method) ? consoleRule : eventRule;
    if (method !== undefined && this.#cutter === undefined && this.#kept > rule.cutAbove) {
      this.#cutter = new StringCutter(rule.longestString);
      const parts = this.#parts;
      this.#parts = [];
      this.#kept = 0;
      for (const part of parts) this.#keep(this.#cutter.cut(part));
    }
    if (this.#kept > (method === undefined ? longestResult : rule.dropAbove)) {
      this.#isDropped = true;
      this.#parts = [];
      this.#keepTail(chunk);
    }
  }

  #keepTail(chunk: Buffer): void {
    this.#tail = Buffer.concat([this.#tail, chunk.subarray(-tailBytes)]).subarray(-tailBytes);
  }

  /** A short message in place of the dropped one. */
  #substitute(): readonly Buffer[] | string {
    const tail = this.#tail.toString('latin1', 0, this.#tail.length - 1);
    const size = `${Math.round(this.#size / megabyte)} MB`;
    const session = /"sessionId":"(\w+)"\}$/.exec(tail)?.[1];
    const target = session === undefined ? {} : { sessionId: session };
    const id = /^\{"id":(\d+),/.exec(this.#head)?.[1];
    if (id !== undefined) {
      const message = `The result has ${size}; the limit is ${longestResult / megabyte} MB.`;
      return [encode({ id: Number(id), error: { code: -32_000, message }, ...target })];
    }
    const method = this.#method;
    if (method === undefined || !consoleEvents.has(method)) return `it sent a message of ${size}`;
    // The page's text is quoted, so that these keys are not part of it.
    const context = /"executionContextId":(\d+)/.exec(tail)?.[1];
    const timestamp = /"timestamp":([\d.]+)/.exec(tail)?.[1];
    if (method !== 'Runtime.consoleAPICalled' || context === undefined || timestamp === undefined) return [];
    const params = {
      type: 'warning',
      args: [{ type: 'string', value: `A console message of ${size} was dropped.` }],
      executionContextId: Number(context),
      timestamp: Number(timestamp),
    };
    return [encode({ method, params, ...target })];
  }
}

function encode(message: object): Buffer {
  return Buffer.from(`${JSON.stringify(message)}\0`);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
