import type { RefInfo } from './snapshot-source.ts';

/** Refs of earlier documents that are remembered, to tell a stale ref from one that was never shown. */
const mostPast = 5000;

/** The refs of a tab's document that were shown, with role and name. */
export class KnownRefs {
  #infos = new Map<string, RefInfo>();
  #past = new Map<string, RefInfo>();
  #document = '';

  /** Id of the document that they belong to. */
  get document(): string {
    return this.#document;
  }

  get(ref: string): RefInfo | undefined {
    return this.#infos.get(ref);
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
    }
    this.#document = document;
    for (const [ref, info] of infos) this.#infos.set(ref, info);
  }
}
