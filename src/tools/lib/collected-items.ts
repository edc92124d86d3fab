import type { ListItem } from '../../page/reads/list-items.ts';

/** The items of a list that shows only a part of them at a time, each once and in order. */
export class CollectedItems {
  readonly #texts: string[] = [];
  readonly #keys = new Set<string>();

  get texts(): readonly string[] {
    return this.#texts;
  }

  /** Adds the items that are shown now, and returns how many were new. */
  add(shown: readonly ListItem[]): number {
    const before = this.#texts.length;
    const keys = new Set(shown.map(({ key }) => key));
    if (keys.size === shown.length && !keys.has(undefined)) this.#addByKey(shown);
    else this.#addByOverlap(shown.map(({ text }) => text));
    return this.#texts.length - before;
  }

  #addByKey(shown: readonly ListItem[]): void {
    for (const { key = '', text } of shown) {
      if (this.#keys.has(key)) continue;
      this.#keys.add(key);
      this.#texts.push(text);
    }
  }

  /** Items may have equal texts, so what is new is what follows the part that was seen already. */
  #addByOverlap(shown: readonly string[]): void {
    const all = this.#texts;
    for (let count = Math.min(all.length, shown.length); count > 0; count--) {
      if (!matches(all, all.length - count, shown.slice(0, count))) continue;
      all.push(...shown.slice(count));
      return;
    }
    const isSeen = all.some((_, at) => matches(all, at, shown));
    if (isSeen) return;
    const known = new Set(all);
    all.push(...shown.filter((text) => !known.has(text)));
  }
}

function matches(all: readonly string[], from: number, part: readonly string[]): boolean {
  return from + part.length <= all.length && part.every((text, index) => all[from + index] === text);
}
