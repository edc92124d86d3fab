/** Most names are read from one or two elements, for which a set would be most of the garbage. */
const mostListed = 8;

/** The elements that a name has read. */
export class SeenElements {
  readonly #listed: Element[];
  #more: Set<Element> | undefined;

  constructor(...elements: readonly Element[]) {
    this.#listed = [...elements];
  }

  has(element: Element): boolean {
    return this.#listed.includes(element) || this.#more?.has(element) === true;
  }

  add(element: Element): void {
    if (this.#listed.length < mostListed) this.#listed.push(element);
    else {
      this.#more ??= new Set();
      this.#more.add(element);
    }
  }
}
