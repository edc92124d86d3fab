import { setTimeout as delay } from 'node:timers/promises';
import { isAlive, processTree } from './proc.ts';
import type { ProcessId } from './proc.ts';

const graceMs = 5000;

function kill(process_: ProcessId): void {
  if (!isAlive(process_)) return;
  try {
    process.kill(process_.pid, 'SIGKILL');
  } catch {
    // It ended by itself in between.
  }
}

/** Everything the run has opened: closed in reverse order, once, at the end or when the run is interrupted. */
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

/** The last resort when the run ends in the middle of a start: all that was started here and is still alive. */
export function killDescendants(): void {
  for (const member of processTree(process.pid).slice(1)) kill(member);
}

/** Ends a server by `stop`, then sees to it that neither it nor a browser of it stays; says how many had to be killed. */
export async function endTree(root: number | undefined, stop: () => Promise<void>): Promise<number> {
  const tree = root === undefined ? [] : processTree(root);
  const deadline = Date.now() + graceMs;
  await Promise.allSettled([stop()]);
  while (tree.some(isAlive) && Date.now() < deadline) await delay(20);
  const left = tree.filter(isAlive);
  for (const member of left) kill(member);
  return left.length;
}
