import { isConnected } from './dom.ts';

/** How an element is known again after it was rendered anew. */
export interface Fingerprint {
  readonly role: string;
  readonly name: string;
  /** The roles above it, outermost first. */
  readonly path: string;
  /** What the row, item or card around it says. */
  readonly place: string;
  /** No other element had this role and name. */
  readonly isOnly: boolean;
}

/** The names of a document's elements: given once, kept for the element's life, never given again. */
export class RefBook {
  readonly #refs = new WeakMap<Element, string>();
  readonly #elements = new Map<string, WeakRef<Element>>();
  readonly #fingerprints = new Map<string, Fingerprint>();
  readonly #keys = new WeakMap<Element, string>();
  #nextRef = 1;
  #nextKey = 1;

  refOf(element: Element): string {
    const known = this.#refs.get(element);
    if (known !== undefined) return known;
    const ref = `e${this.#nextRef++}`;
    this.#refs.set(element, ref);
    this.#elements.set(ref, new WeakRef(element));
    return ref;
  }

  /** The element, while it is in the document. */
  elementOf(ref: string): Element | undefined {
    const element = this.#elements.get(ref)?.deref();
    return element !== undefined && isConnected(element) ? element : undefined;
  }

  /** An identity for what has no ref, for telling snapshots apart. */
  keyOf(element: Element): string {
    const known = this.#keys.get(element);
    if (known !== undefined) return known;
    const key = `n${this.#nextKey++}`;
    this.#keys.set(element, key);
    return key;
  }

  remember(ref: string, fingerprint: Fingerprint): void {
    this.#fingerprints.set(ref, fingerprint);
  }

  fingerprintOf(ref: string): Fingerprint | undefined {
    return this.#fingerprints.get(ref);
  }
}

/** The refs among the candidates that are the same thing, rendered anew. */
export function sameThing(lost: Fingerprint, candidates: ReadonlyMap<string, Fingerprint>): readonly string[] {
  const alike = [...candidates].filter(([, now]) => now.role === lost.role && now.name === lost.name);
  const here = alike.filter(([, now]) => now.path === lost.path && now.place === lost.place);
  if (here.length > 0) return here.map(([ref]) => ref);
  // What was the only one of its kind and still is may have moved, or its surroundings may say something new.
  if (lost.isOnly && lost.name !== '') return alike.map(([ref]) => ref);
  return [];
}
