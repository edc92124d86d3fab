import { isConnected } from '../dom/dom.ts';

/** Identifies an element across a re-render. */
export interface Fingerprint {
  readonly role: string;
  readonly name: string;
  /** The roles above it, outermost first. */
  readonly path: string;
  /** The text of the row, item or card around it. */
  readonly place: string;
}

/** Elements of one role and name that are tracked; with more of them, none is the only one. */
const mostKin = 4;

/** The refs of a document's elements. A ref belongs to one element for its lifetime and is never reused. */
export class RefBook {
  readonly #refs = new WeakMap<Element, string>();
  readonly #elements = new Map<string, WeakRef<Element>>();
  readonly #fingerprints = new Map<string, Fingerprint>();
  readonly #keys = new WeakMap<Element, string>();
  /** Refs by role and name, with a few of removed elements. */
  readonly #kin = new Map<string, string[]>();
  /** Refs that were the only one of their role and name when their element was removed. */
  readonly #lone = new Set<string>();
  #nextRef = 1;
  #nextKey = 1;

  /** Refs of earlier documents are not reused: new ones start at this number or later. */
  startAt(number: number): void {
    this.#nextRef = Math.max(this.#nextRef, number);
  }

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

  /** Identifies an element without a ref in the diff of two snapshots. */
  keyOf(element: Element): string {
    const known = this.#keys.get(element);
    if (known !== undefined) return known;
    const key = `n${this.#nextKey++}`;
    this.#keys.set(element, key);
    return key;
  }

  remember(ref: string, fingerprint: Fingerprint): void {
    const before = this.#fingerprints.get(ref);
    this.#fingerprints.set(ref, fingerprint);
    const kind = kindOf(fingerprint);
    if (before !== undefined && kindOf(before) !== kind) this.#forgetKin(kindOf(before), ref);
    const kin = this.#kin.get(kind);
    if (kin === undefined) {
      this.#kin.set(kind, [ref]);
      return;
    }
    if (kin.length > mostKin || kin.includes(ref)) return;
    const [only] = kin;
    if (kin.length === 1 && only !== undefined && this.elementOf(only) === undefined) this.#lone.add(only);
    this.#kin.set(kind, [...kin.filter((other) => this.elementOf(other) !== undefined), ref]);
  }

  #forgetKin(kind: string, ref: string): void {
    const kin = this.#kin.get(kind);
    if (kin?.includes(ref) === true)
      this.#kin.set(
        kind,
        kin.filter((other) => other !== ref),
      );
  }

  /** No other element had its role and name during its lifetime. */
  wasOnly(ref: string): boolean {
    const fingerprint = this.#fingerprints.get(ref);
    if (fingerprint === undefined) return false;
    const kin = this.#kin.get(kindOf(fingerprint));
    return this.#lone.has(ref) || (kin?.length === 1 && kin.includes(ref));
  }

  fingerprintOf(ref: string): Fingerprint | undefined {
    return this.#fingerprints.get(ref);
  }
}

function kindOf({ role, name }: Fingerprint): string {
  return `${role} ${name}`;
}

/** The candidates that are the same element after a re-render. */
export function sameThing(
  lost: Fingerprint,
  wasOnly: boolean,
  candidates: ReadonlyMap<string, Fingerprint>,
): readonly string[] {
  const alike = [...candidates].filter(([, now]) => now.role === lost.role && now.name === lost.name);
  const here = alike.filter(([, now]) => now.path === lost.path && now.place === lost.place);
  if (here.length > 0) return here.map(([ref]) => ref);
  // An element that was the only one of its kind and still is may have moved, or the text around it may have changed.
  if (wasOnly && lost.name !== '') return alike.map(([ref]) => ref);
  return [];
}
