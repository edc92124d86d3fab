import { readFileSync } from 'node:fs';
import type { Logger } from '../log.ts';

/** The part of an event emitter that is needed of `process` and of streams. */
interface Events {
  on(event: string, listener: (...args: unknown[]) => void): unknown;
  off(event: string, listener: (...args: unknown[]) => void): unknown;
}

export interface LifetimeOptions {
  /** Ends everything in order. Must not take longer than the deadline. */
  readonly dispose: () => Promise<void>;
  /** Ends everything at once, without waiting. Called more than once. */
  readonly endSync: () => void;
  readonly exit: (code: number) => void;
  readonly log: Logger;
  /** `process`: signals, `exit`, and what nobody caught. */
  readonly events: Events;
  /** The client's end of the line; not given where no client sits on stdin (HTTP). Somebody else reads it. */
  readonly stdin?: Events | undefined;
  readonly stdout?: Events | undefined;
  readonly stderr?: Events | undefined;
  /** How often to see whether the client still lives; not given where the server may outlive its parent (HTTP). */
  readonly parentPollMs?: number | undefined;
  /** Makes SIGHUP a request to read files again; without it, SIGHUP ends the process. */
  readonly reload?: (() => void) | undefined;
  readonly ppid?: () => number;
  readonly processInfo?: (pid: number) => ProcessInfo | undefined;
  readonly deadlineMs?: number;
}

export interface ProcessInfo {
  readonly ppid: number;
  readonly name: string;
}

/** What the exit status says, by signal: an asked-for end is a success, a key press or a lost terminal is told as shells do. */
const signalCodes = { SIGTERM: 0, SIGINT: 130, SIGHUP: 129 } as const;
const defaultDeadlineMs = 4000;
/** npm passes on a ^C that the terminal has already sent to the whole group: two signals, one wish. */
const doubledSignalMs = 300;

/** Ends the process when its client, its parent or a signal says so; nothing it waits for keeps the process alive. */
export function superviseLifetime(options: LifetimeOptions): Disposable {
  const { events, log } = options;
  const ending = new Ending(options);
  const undo: (() => void)[] = [];
  const listen = (emitter: Events | undefined, event: string, listener: (...args: unknown[]) => void): void => {
    emitter?.on(event, listener);
    undo.push(() => emitter?.off(event, listener));
  };
  const { reload } = options;
  for (const [signal, code] of Object.entries(signalCodes)) {
    const isReload = signal === 'SIGHUP' && reload !== undefined;
    listen(events, signal, isReload ? reload : () => ending.signal(signal, code));
  }
  listen(events, 'exit', options.endSync);
  listen(events, 'uncaughtException', (error) => {
    log.error('uncaught exception', { error });
    ending.start('uncaught exception', 1);
  });
  // One call's failure: it has been answered or will time out, and the other sessions go on.
  listen(events, 'unhandledRejection', (error) => log.error('unhandled rejection', { error }));
  for (const event of ['end', 'close']) listen(options.stdin, event, () => ending.start('stdin ended', 0));
  // Node ignores SIGPIPE; a reader that has gone shows as an error of the stream.
  listen(options.stdout, 'error', () => ending.start('stdout closed', 0));
  // Without a listener, a log line that nobody reads would be an uncaught exception, which logs a line.
  listen(options.stderr, 'error', () => undefined);
  if (options.parentPollMs !== undefined) {
    const isOrphan = watchParents(options.ppid ?? (() => process.ppid), options.processInfo ?? readProcessInfo);
    const timer = setInterval(() => {
      if (isOrphan()) ending.start('parent ended', 0);
    }, options.parentPollMs);
    timer.unref();
    undo.push(() => clearInterval(timer));
  }
  return {
    [Symbol.dispose]: () => {
      for (const each of undo.splice(0)) each();
    },
  };
}

/** The way out: walked once, whatever asks for it how often. */
class Ending {
  readonly #options: LifetimeOptions;
  #isUnderWay = false;
  #signalledAt: number | undefined;

  constructor(options: LifetimeOptions) {
    this.#options = options;
  }

  signal(name: string, code: number): void {
    const now = performance.now();
    const isImpatient = this.#signalledAt !== undefined && now - this.#signalledAt > doubledSignalMs;
    this.#signalledAt ??= now;
    if (isImpatient) this.#endNow(code);
    else this.start(name, code);
  }

  start(reason: string, code: number): void {
    if (this.#isUnderWay) return;
    this.#isUnderWay = true;
    this.#options.log.info('server ends', { reason });
    const deadlineMs = this.#options.deadlineMs ?? defaultDeadlineMs;
    const deadline = setTimeout(() => {
      this.#options.log.error('the end took too long', { deadlineMs });
      this.#endNow(1);
    }, deadlineMs);
    void this.#walk(code, deadline);
  }

  /** Never rejects: there is nobody left to tell. */
  async #walk(code: number, deadline: NodeJS.Timeout): Promise<void> {
    let status = code;
    try {
      await this.#options.dispose();
    } catch (error) {
      this.#options.log.error('the end was not orderly', { error });
      status = 1;
    }
    clearTimeout(deadline);
    this.#endNow(status);
  }

  #endNow(code: number): void {
    try {
      this.#options.endSync();
    } finally {
      this.#options.exit(code);
    }
  }
}

/** Programs that stand between a client and the server it started, and may outlive the client with stdin held open. */
const wrapperName = /^(?:sh|dash|ash|bash|zsh|fish|busybox|env|npm|npx|pnpm|pnpx|yarn|bun|bunx|corepack)(?![\w.])/;
const longestChain = 6;

/**
 * Says whether the client is gone. The rule: our parent must stay our parent; and if it is a shell or a package runner,
 * its parent must stay its parent, and so on up to the first program that is neither, which is the client. A process
 * whose parent dies is given another one, so each link is compared with what it was at the start.
 */
export function watchParents(ppid: () => number, processInfo: (pid: number) => ProcessInfo | undefined): () => boolean {
  const parent = ppid();
  const links = new Map<number, number>();
  let pid = parent;
  while (links.size < longestChain && pid > 1) {
    const info = processInfo(pid);
    if (info === undefined || !wrapperName.test(info.name)) break;
    links.set(pid, info.ppid);
    pid = info.ppid;
  }
  return () =>
    ppid() !== parent ||
    [...links].some(([child, expected]) => {
      const info = processInfo(child);
      // One that cannot be read changes nothing: if it died, the link below it shows that.
      return info !== undefined && info.ppid !== expected;
    });
}

/** From /proc; undefined elsewhere, where only our own parent is watched. */
function readProcessInfo(pid: number): ProcessInfo | undefined {
  try {
    const match = /\((.*)\) \S (\d+)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'));
    const [program = '', script = ''] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    const [, name = '', ppid = ''] = match ?? [];
    // A package runner is a script of node until it gives itself a title.
    const isRunner = /^(?:node|MainThread|node-MainThread)$/.test(name) && /\/node[^/]*$|^node/.test(program);
    return {
      ppid: Number(ppid),
      name: isRunner ? (/([^/]+?)(?:-cli)?(?:\.[cm]?js)?$/.exec(script)?.[1] ?? name) : name,
    };
  } catch {
    return undefined;
  }
}
