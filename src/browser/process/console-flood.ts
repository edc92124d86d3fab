import { withoutOwnFrame } from './own-frame.ts';

/** Messages that a page may write at once, and per second after that. The console log of a tab keeps 1000. */
const burst = 2000;
const perSecond = 300;

const consoleEvent = /^\{"method":"(?:Runtime\.(?:consoleAPICalled|exceptionThrown)|Log\.entryAdded)"/;
const attached = '{"method":"Target.attachedToTarget"';
const detached = '{"method":"Target.detachedFromTarget"';
const letterM = 0x6d;
const headBytes = 48;
const tailBytes = 96;

interface Bucket {
  tokens: number;
  at: number;
  isDropping: boolean;
}

/** What happens to a message: it is kept, dropped, or replaced by another with its separator. */
export type Verdict = 'keep' | 'drop' | Buffer;

/**
 * Limits the console messages of a page. Playwright takes a tenth of a millisecond for each, in the event loop of all
 * sessions, and a page can write a hundred thousand per second.
 */
export class ConsoleFlood {
  readonly #now: () => number;
  readonly #buckets = new Map<string, Bucket>();
  /** The first CDP session of each target; it is Playwright's. */
  readonly #first = new Map<string, string>();
  /** Further CDP sessions of a target; nothing listens to console messages there. */
  readonly #further = new Set<string>();

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Judges a message without its separator. */
  judge(message: Buffer): Verdict {
    // The third byte distinguishes `{"method"` from `{"id"`.
    if (message[2] !== letterM) return 'keep';
    const head = message.toString('latin1', 0, headBytes);
    if (consoleEvent.test(head)) return this.#count(message);
    if (head.startsWith(attached)) this.#noteAttached(message);
    else if (head.startsWith(detached)) this.#noteDetached(message);
    return 'keep';
  }

  #count(message: Buffer): Verdict {
    const session =
      /"sessionId":"(\w+)"\}$/.exec(message.toString('latin1', Math.max(0, message.length - tailBytes)))?.[1] ?? '';
    if (this.#further.has(session)) return 'drop';
    const bucket = this.#bucketOf(session);
    if (bucket.tokens >= 1) {
      bucket.tokens--;
      bucket.isDropping = false;
      return withoutOwnFrame(message) ?? 'keep';
    }
    if (bucket.isDropping) return 'drop';
    const report = floodReport(message);
    bucket.isDropping = report !== undefined;
    return report ?? 'drop';
  }

  #bucketOf(session: string): Bucket {
    const at = this.#now();
    const bucket = this.#buckets.get(session) ?? { tokens: burst, at, isDropping: false };
    const gained = ((at - bucket.at) * perSecond) / 1000;
    // Refilled by the second: otherwise single messages of a flood would pass, each with a report of its own.
    if (bucket.tokens >= 1 || gained >= perSecond) {
      bucket.tokens = Math.min(burst, bucket.tokens + gained);
      bucket.at = at;
    }
    this.#buckets.set(session, bucket);
    return bucket;
  }

  #noteAttached(message: Buffer): void {
    const text = message.toString('utf8');
    const session = /"sessionId":"(\w+)"/.exec(text)?.[1];
    const target = /"targetId":"(\w+)"/.exec(text)?.[1];
    if (session === undefined || target === undefined) return;
    if (this.#first.has(target)) this.#further.add(session);
    else this.#first.set(target, session);
  }

  #noteDetached(message: Buffer): void {
    const session = /"params":\{"sessionId":"(\w+)"/.exec(message.toString('utf8'))?.[1] ?? '';
    this.#further.delete(session);
    this.#buckets.delete(session);
    for (const [target, first] of this.#first) if (first === session) this.#first.delete(target);
  }
}

/** The message with another text; undefined for kinds that have no text of their own. */
function floodReport(message: Buffer): Buffer | undefined {
  const text = message.toString('utf8');
  if (!text.startsWith('{"method":"Runtime.consoleAPICalled"')) return undefined;
  const context = /"executionContextId":(\d+)/.exec(text)?.[1];
  const timestamp = /"timestamp":([\d.]+)/.exec(text)?.[1];
  const session = /"sessionId":"(\w+)"\}$/.exec(text)?.[1];
  if (context === undefined || timestamp === undefined) return undefined;
  const value = 'The page writes console messages too fast; some are dropped.';
  const params = {
    type: 'warning',
    args: [{ type: 'string', value }],
    executionContextId: Number(context),
    timestamp: Number(timestamp),
  };
  const target = session === undefined ? {} : { sessionId: session };
  return Buffer.from(`${JSON.stringify({ method: 'Runtime.consoleAPICalled', params, ...target })}\0`);
}
