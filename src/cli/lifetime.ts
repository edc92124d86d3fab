import { readFileSync } from 'node:fs';
import type { Logger } from '../log.ts';

/** The part of an event emitter that is used of `process` and of streams. */
interface Events {
  on(event: string, listener: (...args: unknown[]) => void): unknown;
  off(event: string, listener: (...args: unknown[]) => void): unknown;
}

export interface LifetimeOptions {
  /** Waits for calls in progress before SIGTERM shuts down, if given. A second signal, or the end of stdin, ends the wait. */
  readonly drain?: (() => Promise<void>) | undefined;
  /** Shuts down in order. Must not take longer than the deadline. */
  readonly dispose: () => Promise<void>;
  /** Shuts down synchronously. May be called more than once. */
  readonly endSync: () => void;
  readonly exit: (code: number) => void;
  readonly log: Logger;
  /** `process`: signals, `exit` and uncaught errors. */
  readonly events: Events;
  /** The client's stream; omitted if no client uses stdin (HTTP). It is read elsewhere. */
  readonly stdin?: Events | undefined;
  readonly stdout?: Events | undefined;
  readonly stderr?: Events | undefined;
  /** How often to check that the client lives; omitted if the server may outlive its parent (HTTP). */
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

/** Exit codes by signal: SIGTERM is a success, others follow the convention of shells. */
const signalCodes = { SIGTERM: 0, SIGINT: 130, SIGHUP: 129 } as const;
const defaultDeadlineMs = 4000;
/** npm forwards a ^C that the terminal already sent to the process group, so one key press arrives twice. */
const doubledSignalMs = 300;

/** Ends the process when its client disconnects, its parent exits or a signal arrives. Does not keep it alive itself. */
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
  // By default, Node opens a debugger port on this signal.
  listen(events, 'SIGUSR1', () => undefined);
  listen(events, 'exit', options.endSync);
  listen(events, 'uncaughtException', (error) => {
    log.error('uncaught exception', { error });
    ending.start('uncaught exception', 1);
  });
  // It belongs to one call, which has been answered or will time out; other sessions are not affected.
  listen(events, 'unhandledRejection', (error) => log.error('unhandled rejection', { error }));
  for (const event of ['end', 'close']) listen(options.stdin, event, () => ending.start('stdin ended', 0));
  // Node ignores SIGPIPE; a closed reader shows as a stream error.
  listen(options.stdout, 'error', () => ending.start('stdout closed', 0));
  // Without a listener, a log line to a closed stderr is an uncaught exception, which logs another line.
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

/** The shutdown; runs once. */
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
    else if (name === 'SIGTERM') void this.#drain(() => this.start(name, code));
    else this.start(name, code);
  }

  /** Never rejects. */
  async #drain(then: () => void): Promise<void> {
    try {
      await this.#options.drain?.();
    } catch (error) {
      this.#options.log.error('waiting for calls failed', { error });
    }
    then();
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

  /** Never rejects: the process is about to exit. */
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

/** Wrappers between a client and the server, which may outlive the client and keep stdin open. */
const wrapperName = /^(?:sh|dash|ash|bash|zsh|fish|busybox|env|npm|npx|pnpm|pnpx|yarn|bun|bunx|corepack)(?![\w.])/;
const longestChain = 6;

/**
 * Detects that the client has exited. The parent of this process must stay the same; if it is a shell or a package
 * runner, so must its parent, and so on up to the first other program, which is the client. A process whose parent exits
 * gets another parent, so each link is compared with its state at the start.
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
      // An unreadable process is ignored: if it exited, the link below it changes.
      return info !== undefined && info.ppid !== expected;
    });
}

/** Read from /proc; undefined on other systems, where only the direct parent is watched. */
function readProcessInfo(pid: number): ProcessInfo | undefined {
  try {
    const match = /\((.*)\) \S (\d+)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'));
    const [program = '', script = ''] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    const [, name = '', ppid = ''] = match ?? [];
    // Until it sets a process title, a package runner is a Node script.
    const isRunner = /^(?:node|MainThread|node-MainThread)$/.test(name) && /\/node[^/]*$|^node/.test(program);
    return {
      ppid: Number(ppid),
      name: isRunner ? (/([^/]+?)(?:-cli)?(?:\.[cm]?js)?$/.exec(script)?.[1] ?? name) : name,
    };
  } catch {
    return undefined;
  }
}
