/** Keeps the newest entries. */
export class Ring<T> {
  readonly #capacity: number;
  #items: T[] = [];

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  push(item: T): void {
    this.#items.push(item);
    // A shift on every push would move the whole array; dropping blocks is bounded too, and cheap.
    if (this.#items.length >= this.#capacity * 2) this.#items = this.#items.slice(-this.#capacity);
  }

  clear(): void {
    this.#items = [];
  }

  items(): readonly T[] {
    return this.#items.slice(-this.#capacity);
  }
}
