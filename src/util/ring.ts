/** A limit on the sum of the sizes, besides the number of entries. */
export interface RingLimit<T> {
  readonly total: number;
  readonly sizeOf: (item: T) => number;
}

/** Keeps the newest entries. */
export class Ring<T> {
  readonly #capacity: number;
  readonly #limit: RingLimit<T> | undefined;
  #items: T[] = [];
  #total = 0;

  constructor(capacity: number, limit?: RingLimit<T>) {
    this.#capacity = capacity;
    this.#limit = limit;
  }

  push(item: T): void {
    this.#items.push(item);
    // A shift on every push would move the whole array; dropping blocks is bounded too, and cheap.
    if (this.#items.length >= this.#capacity * 2) this.#keep(this.#items.slice(-this.#capacity));
    else this.#total += this.#limit?.sizeOf(item) ?? 0;
    while (this.#limit !== undefined && this.#total > this.#limit.total && this.#items.length > 1) {
      this.#keep(this.#items.slice(Math.ceil(this.#items.length / 4)));
    }
  }

  clear(): void {
    this.#keep([]);
  }

  items(): readonly T[] {
    return this.#items.slice(-this.#capacity);
  }

  #keep(items: T[]): void {
    this.#items = items;
    this.#total = items.reduce((sum, item) => sum + (this.#limit?.sizeOf(item) ?? 0), 0);
  }
}
