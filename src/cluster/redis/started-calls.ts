import { keptMs } from '../retention.ts';

/** A call that this process began. */
export interface StartedCall {
  readonly hash: string;
  readonly epoch: number;
  readonly isDone: boolean;
  readonly answer?: string | undefined;
}

const mostCharacters = 32 * 1024 * 1024;
/** What an entry costs besides its answer. */
const entryCharacters = 256;

/**
 * The calls that this process began, as long as the journal keeps them. If the store of the journal loses its data, or an
 * answer of the store does not arrive, calls of living workers still run once.
 */
export class StartedCalls {
  readonly #calls = new Map<string, { readonly call: StartedCall; readonly at: number }>();
  #characters = 0;

  get(key: string): StartedCall | undefined {
    return this.#calls.get(key)?.call;
  }

  set(key: string, call: StartedCall): void {
    this.delete(key);
    const now = performance.now();
    this.#calls.set(key, { call, at: now });
    this.#characters += sizeOf(call);
    // The oldest are first.
    for (const [oldest, { call: old, at }] of this.#calls) {
      const isKept = now - at < keptMs;
      if (isKept && this.#characters <= mostCharacters) break;
      if (!isKept || old.isDone) this.delete(oldest);
    }
  }

  delete(key: string): void {
    const entry = this.#calls.get(key);
    if (entry === undefined) return;
    this.#calls.delete(key);
    this.#characters -= sizeOf(entry.call);
  }
}

function sizeOf({ answer = '' }: StartedCall): number {
  return entryCharacters + answer.length;
}
