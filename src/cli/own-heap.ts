import { getHeapSpaceStatistics, getHeapStatistics, setFlagsFromString } from 'node:v8';
import type { Heap } from '../app/sessions/sessions.ts';

/**
 * Limit of the young generation. By default V8 grows it to four times as much under load. With less, short-lived objects
 * of a call are promoted to the old generation.
 */
const mostYoung = 8 * 2 ** 20;
/** A full collection pauses the server for about 100 ms, so it must free at least this much. */
const worthwhile = 8 * 2 ** 20;

/**
 * Under load V8 lets the heap grow to several times of what is in use. A collection for each growth by this much takes
 * about a hundredth of the time.
 */
const mostGrowth = 48 * 2 ** 20;
/** Collections under load are at least this far apart. */
const leastPauseMs = 5000;

/** Keeps the heap of this process small: an idle V8 returns little memory to the system by itself. */
export class OwnHeap implements Heap {
  #isCapped = false;
  /** Heap size after the last collection. */
  #least = 0;
  #isCollecting = false;
  /** When the last collection under load began. */
  #collectedAt = Number.NEGATIVE_INFINITY;

  used(): void {
    this.#collectUnderLoad();
    if (this.#isCapped || youngBytes() < mostYoung) return;
    // The only setting that works at run time: with factor 1 the young generation does not grow.
    setFlagsFromString('--semi-space-growth-factor=1');
    this.#isCapped = true;
  }

  async collect(): Promise<void> {
    if (taken() - this.#least < worthwhile) return;
    await this.#collectNow();
    setFlagsFromString('--semi-space-growth-factor=2');
    this.#isCapped = false;
  }

  /** Sessions that work without a pause leave no rest in which to collect. */
  #collectUnderLoad(): void {
    if (this.#isCollecting || performance.now() - this.#collectedAt < leastPauseMs) return;
    if (this.#least === 0) this.#least = taken();
    if (taken() - this.#least <= mostGrowth) return;
    this.#collectedAt = performance.now();
    void this.#collectNow();
  }

  async #collectNow(): Promise<void> {
    this.#isCollecting = true;
    try {
      await collectGarbage();
    } catch {
      // A Node.js without an inspector cannot collect on request.
    }
    this.#least = taken();
    this.#isCollecting = false;
  }
}

/** Memory of the heap and of what it holds outside of it. */
function taken(): number {
  const { total_heap_size, external_memory } = getHeapStatistics();
  return total_heap_size + external_memory;
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
