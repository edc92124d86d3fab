import { ChildProcess } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { Socket } from 'node:net';
import { PipeGuard } from './pipe-guard.ts';

/** Node publishes every child process here, before it is spawned. */
const channel = 'child_process';
/** The pipe on which a browser answers Playwright. */
const pipeIndex = 4;

/**
 * Puts a guard on the pipe of every browser that Playwright starts. Playwright has no option for its transport, so the
 * child process is found by its program.
 */
export class GuardedPipes implements Disposable {
  readonly #programs = new Set<string>();
  /** Why the last browser was killed, until its end is reported. */
  #reason: string | undefined;
  #isListening = false;

  /** Guards the browsers started from this program. */
  expect(executablePath: string): void {
    this.#programs.add(executablePath);
    if (!this.#isListening) subscribe(channel, this.#onChild);
    this.#isListening = true;
  }

  /** Why a browser was killed; undefined if it ended by itself. */
  takeReason(): string | undefined {
    const reason = this.#reason;
    this.#reason = undefined;
    return reason;
  }

  [Symbol.dispose](): void {
    unsubscribe(channel, this.#onChild);
    this.#isListening = false;
  }

  readonly #onChild = (message: unknown): void => {
    if (!(message instanceof Object) || !('process' in message) || !(message.process instanceof ChildProcess)) return;
    const child = message.process;
    // The child has its program and its pipes once the constructor's caller has spawned it.
    queueMicrotask(() => {
      const pipe: unknown = child.stdio?.[pipeIndex];
      if (pipe instanceof Socket && this.#programs.has(child.spawnfile)) this.#guard(child, pipe);
    });
  };

  #guard(child: ChildProcess, pipe: Socket): void {
    const push = pipe.push.bind(pipe);
    let hasRoom = true;
    const guard = new PipeGuard({
      forward: (chunk) => {
        hasRoom = push(chunk);
      },
      fail: (reason) => {
        this.#reason = reason;
        child.kill('SIGKILL');
        pipe.destroy();
      },
    });
    // The socket pushes what it has read; the stream and its readers see what the guard forwards.
    pipe.push = (chunk: unknown, encoding?: BufferEncoding) => {
      if (!Buffer.isBuffer(chunk)) return push(chunk, encoding);
      hasRoom = true;
      guard.accept(chunk);
      return hasRoom;
    };
  }
}
