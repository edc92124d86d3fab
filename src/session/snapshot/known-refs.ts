import type { RefInfo } from './snapshot-source.ts';

/** Refs of earlier documents that are remembered, to tell a stale ref from one that was never shown. */
const mostPast = 5000;

/** The refs of a tab's document that were shown, with role and name. */
export class KnownRefs {
  #infos = new Map<string, RefInfo>();
  #past = new Map<string, RefInfo>();
  #document = '';
  #aliases: ReadonlyMap<string, string> = new Map();

  /** Id of the document that they belong to. */
  get document(): string {
    return this.#document;
  }

  get(ref: string): RefInfo | undefined {
    return this.#infos.get(ref);
  }

  /** The ref of this document that a ref of an earlier one still stands for, else the ref itself. */
  current(ref: string): string {
    return this.#infos.has(ref) ? ref : (this.#aliases.get(ref) ?? ref);
  }

  /** Lets refs of earlier documents stand for refs of this one. */
  carry(aliases: ReadonlyMap<string, string>): void {
    this.#aliases = aliases;
  }

  /** A ref of an earlier document. */
  past(ref: string): RefInfo | undefined {
    return this.#past.get(ref);
  }

  get all(): ReadonlyMap<string, RefInfo> {
    return this.#infos;
  }

  set(ref: string, info: RefInfo): void {
    this.#infos.set(ref, info);
  }

  add(infos: ReadonlyMap<string, RefInfo>, document: string): void {
    if (this.#document !== document) {
      this.#past = new Map([...this.#past, ...this.#infos].slice(-mostPast));
      this.#infos = new Map();
      this.#aliases = new Map();
    }
    this.#document = document;
    for (const [ref, info] of infos) this.#infos.set(ref, info);
  }
}
