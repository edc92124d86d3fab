import { getHeapSpaceStatistics, getHeapStatistics, setFlagsFromString } from 'node:v8';
import type { Heap } from '../app/sessions.ts';

/**
 * V8 would take four times as much under load, and does so while Playwright is loaded, until the first rest. With less,
 * what a call needs for a moment is soon taken for lasting.
 */
const mostYoung = 8 * 2 ** 20;
/** It stops the server for about a tenth of a second, so that it is not done for less. */
const worthwhile = 8 * 2 ** 20;

/** The JavaScript memory of this process: V8 gives little of it back by itself while nothing happens. */
export class OwnHeap implements Heap {
  #isCapped = false;
  /** What it took after the last tidying up. */
  #least = 0;

  used(): void {
    if (this.#isCapped || youngBytes() < mostYoung) return;
    // The only limit of it that can be set while it runs: it grows by this factor, or stays.
    setFlagsFromString('--semi-space-growth-factor=1');
    this.#isCapped = true;
  }

  async tidy(): Promise<void> {
    if (getHeapStatistics().total_heap_size - this.#least < worthwhile) return;
    try {
      await collectGarbage();
    } catch {
      // A Node.js that was built without an inspector keeps what it has.
    }
    setFlagsFromString('--semi-space-growth-factor=2');
    this.#isCapped = false;
    this.#least = getHeapStatistics().total_heap_size;
  }
}

function youngBytes(): number {
  return getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.space_size ?? 0;
}

/** Unlike `gc()` it needs no flag at the start, moves what is left together, and gives the rest back to the system. */
async function collectGarbage(): Promise<void> {
  const { Session } = await import('node:inspector/promises');
  const session = new Session();
  session.connect();
  try {
    await session.post('HeapProfiler.collectGarbage');
  } finally {
    // Not while the answer is being told: that would hang.
    setImmediate(() => session.disconnect());
  }
}
