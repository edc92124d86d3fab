import { AsyncLocalStorage } from 'node:async_hooks';
import { ChildProcess } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { Socket } from 'node:net';
import { PipeGuard } from './pipe-guard.ts';
import { browserUse, groupMemory } from './processes.ts';
import type { ProcessUse } from './processes.ts';

/** Node publishes every child process here, before it is spawned. */
const channel = 'child_process';
/** The pipe on which a browser answers Playwright. */
const pipeIndex = 4;
/** Playwright keeps all that a browser writes to stdout and stderr, and joins it when the browser ends. */
const mostOutput = 256 * 1024;

/** A browser that answered heartbeats for this long is not silent any more. */
const silenceEndsMs = 15_000;
/** A browser that works, but has not answered for this long, is killed. */
const longestSilenceMs = 60_000;

/** The process of a browser that Playwright has started. */
export class BrowserProcess {
  #child: ChildProcess | undefined;
  #reason: string | undefined;
  /** When it last did not answer, since when, and its CPU time then. */
  #silence: { readonly at: number; readonly since: number; readonly ticks: number | undefined } | undefined;

  /** Why it was killed; undefined if it ended by itself. */
  get reason(): string | undefined {
    return this.#reason;
  }

  /** A launch that is repeated without the sandbox starts a second process. */
  started(child: ChildProcess): void {
    this.#child = child;
  }

  /** Memory of all its processes in bytes; undefined where that is not known. */
  get memory(): number | undefined {
    const group = this.#child?.pid;
    return group === undefined ? undefined : groupMemory(group);
  }

  /** Use of its renderers; undefined where that is not known. */
  get renderers(): ProcessUse | undefined {
    const group = this.#child?.pid;
    return group === undefined ? undefined : browserUse(group, 'renderers');
  }

  /** Kills a browser that does not answer heartbeats. One that uses CPU time may only be slow: it gets longer. */
  silent(reason: string): void {
    const group = this.#child?.pid;
    if (group === undefined) return;
    const use = browserUse(group, 'main');
    const now = performance.now();
    const isFirst = this.#silence === undefined || now - this.#silence.at > silenceEndsMs;
    const since = isFirst ? now : (this.#silence?.since ?? now);
    const isIdle = !isFirst && use?.ticks === this.#silence?.ticks;
    this.#silence = { at: now, since, ticks: use?.ticks };
    if (use?.isStopped === true || isIdle || now - since > longestSilenceMs) this.kill(reason);
  }

  /** Ends the browser, also one that is stopped or does not answer. */
  kill(reason: string): void {
    const child = this.#child;
    if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    this.#reason ??= reason;
    try {
      // Playwright makes it the leader of a process group; a wrapper script may be in between.
      process.kill(-child.pid, 'SIGKILL');
    } catch {
      child.kill('SIGKILL');
    }
  }
}

/**
 * Puts a guard on the pipes of every browser that Playwright starts. Playwright has no option for its transport, so the
 * child process is found by its program.
 */
export class GuardedPipes implements Disposable {
  readonly #programs = new Set<string>();
  readonly #launches = new AsyncLocalStorage<BrowserProcess>();
  #isListening = false;

  /** Launches a browser from this program with guarded pipes. */
  async launch<T>(executablePath: string, start: (browser: BrowserProcess) => Promise<T>): Promise<T> {
    this.#programs.add(executablePath);
    if (!this.#isListening) subscribe(channel, this.#onChild);
    this.#isListening = true;
    const browser = new BrowserProcess();
    return this.#launches.run(browser, async () => start(browser));
  }

  [Symbol.dispose](): void {
    unsubscribe(channel, this.#onChild);
    this.#isListening = false;
  }

  readonly #onChild = (message: unknown): void => {
    if (!(message instanceof Object) || !('process' in message) || !(message.process instanceof ChildProcess)) return;
    const child = message.process;
    const browser = this.#launches.getStore() ?? new BrowserProcess();
    // The child has its program and its pipes once the constructor's caller has spawned it.
    queueMicrotask(() => {
      if (!this.#programs.has(child.spawnfile)) return;
      browser.started(child);
      const pipe: unknown = child.stdio?.[pipeIndex];
      if (pipe instanceof Socket) guardMessages(browser, pipe);
      for (const output of [child.stdout, child.stderr]) if (output instanceof Socket) limitOutput(output);
    });
  };
}

/** The socket pushes what it has read; the stream and its readers see what the guard forwards. */
function guardMessages(browser: BrowserProcess, pipe: Socket): void {
  const push = pipe.push.bind(pipe);
  const emit = pipe.emit.bind(pipe);
  let hasRoom = true;
  const fail = (reason: string): void => {
    browser.kill(reason);
    pipe.destroy();
  };
  const guard = new PipeGuard({
    forward: (chunk) => {
      hasRoom = push(chunk);
    },
    fail,
  });
  pipe.push = (chunk: unknown, encoding?: BufferEncoding) => {
    if (!Buffer.isBuffer(chunk)) return push(chunk, encoding);
    hasRoom = true;
    guard.accept(chunk);
    return hasRoom;
  };
  // Playwright parses and handles messages in its listener. What it throws there would be an uncaught exception.
  pipe.emit = (event: string | symbol, ...args: unknown[]) => {
    if (event !== 'data') return emit(event, ...args);
    try {
      return emit(event, ...args);
    } catch {
      fail('it sent an invalid message');
      return true;
    }
  };
}

/** The first lines have the reason of a failed launch; the rest is dropped. */
function limitOutput(output: Socket): void {
  const push = output.push.bind(output);
  let left = mostOutput;
  output.push = (chunk: unknown, encoding?: BufferEncoding) => {
    if (!Buffer.isBuffer(chunk)) return push(chunk, encoding);
    const kept = chunk.subarray(0, left);
    left -= kept.length;
    return kept.length === 0 || push(kept);
  };
}
