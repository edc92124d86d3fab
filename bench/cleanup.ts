import { setTimeout as delay } from 'node:timers/promises';
import { isAlive, processTree } from './proc.ts';
import type { ProcessId } from './proc.ts';

const graceMs = 5000;

function kill(process_: ProcessId): void {
  if (!isAlive(process_)) return;
  try {
    process.kill(process_.pid, 'SIGKILL');
  } catch {
    // The process has already exited.
  }
}

/** Resources of the run, closed once and in reverse order, at the end or on interrupt. */
export class Cleanup implements AsyncDisposable {
  readonly #resources = new Set<AsyncDisposable>();
  #closing: Promise<void> | undefined;

  use<T extends AsyncDisposable>(resource: T): T {
    this.#resources.add(resource);
    return resource;
  }

  async release(resource: AsyncDisposable): Promise<void> {
    if (this.#resources.delete(resource)) await resource[Symbol.asyncDispose]();
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#closing ??= this.#closeAll();
    return this.#closing;
  }

  async #closeAll(): Promise<void> {
    for (const resource of [...this.#resources].toReversed()) {
      try {
        await resource[Symbol.asyncDispose]();
      } catch (error: unknown) {
        console.error(`Clean-up: ${String(error)}`);
      }
    }
    this.#resources.clear();
  }
}

/** Kills every live child process, in case the run ends while a server is starting. */
export function killDescendants(): void {
  for (const member of processTree(process.pid).slice(1)) kill(member);
}

/** Calls `stop`, then kills what is left of the server and its browsers. Returns the number of killed processes. */
export async function endTree(root: number | undefined, stop: () => Promise<void>): Promise<number> {
  const tree = root === undefined ? [] : processTree(root);
  const deadline = Date.now() + graceMs;
  await Promise.allSettled([stop()]);
  while (tree.some(isAlive) && Date.now() < deadline) await delay(20);
  const left = tree.filter(isAlive);
  for (const member of left) kill(member);
  return left.length;
}

/** Runs a program and cleans up at its end or on a signal. Returns the exit code. */
export async function runWithCleanup(
  run: (cleanup: Cleanup, interrupted: AbortSignal) => Promise<number>,
): Promise<number> {
  const cleanup = new Cleanup();
  const interrupt = new AbortController();
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const) {
    process.once(signal, () => {
      interrupt.abort(new Error(`Interrupted by ${signal}`));
      void cleanup[Symbol.asyncDispose]().finally(() => process.exit(code));
    });
  }
  try {
    return await run(cleanup, interrupt.signal);
  } catch (error: unknown) {
    console.error(error instanceof Error ? error.message : error);
    return 1;
  } finally {
    await cleanup[Symbol.asyncDispose]();
  }
}
