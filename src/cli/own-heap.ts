import { getHeapSpaceStatistics, getHeapStatistics, setFlagsFromString } from 'node:v8';
import type { Heap } from '../app/sessions.ts';

/**
 * Limit of the young generation. By default V8 grows it to four times as much under load. With less, short-lived objects
 * of a call are promoted to the old generation.
 */
const mostYoung = 8 * 2 ** 20;
/** A full collection pauses the server for about 100 ms, so it must free at least this much. */
const worthwhile = 8 * 2 ** 20;

/** Keeps the heap of this process small: an idle V8 returns little memory to the system by itself. */
export class OwnHeap implements Heap {
  #isCapped = false;
  /** Heap size after the last collection. */
  #least = 0;

  used(): void {
    if (this.#isCapped || youngBytes() < mostYoung) return;
    // The only setting that works at run time: with factor 1 the young generation does not grow.
    setFlagsFromString('--semi-space-growth-factor=1');
    this.#isCapped = true;
  }

  async collect(): Promise<void> {
    if (getHeapStatistics().total_heap_size - this.#least < worthwhile) return;
    try {
      await collectGarbage();
    } catch {
      // A Node.js without an inspector cannot collect on request.
    }
    setFlagsFromString('--semi-space-growth-factor=2');
    this.#isCapped = false;
    this.#least = getHeapStatistics().total_heap_size;
  }
}

function youngBytes(): number {
  return getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.space_size ?? 0;
}

/** Unlike `gc()`, this needs no flag at start, compacts the heap and returns memory to the system. */
async function collectGarbage(): Promise<void> {
  const { Session } = await import('node:inspector/promises');
  const session = new Session();
  session.connect();
  try {
    await session.post('HeapProfiler.collectGarbage');
  } finally {
    // Disconnecting inside the response callback would hang.
    setImmediate(() => session.disconnect());
  }
}
