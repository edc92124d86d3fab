/** A page that comes once more goes on for ever; so does one that has led to this many others. */
const mostOfOne = 5;
const mostOfAll = 20;

/** Tells a page that loads itself anew for ever from one that leads to another, as a login does. */
export class Visits {
  readonly #counts = new Map<string, number>();
  #all = 0;

  /** Another document came. */
  add(url: string): void {
    const address = withoutFragment(url);
    this.#counts.set(address, (this.#counts.get(address) ?? 0) + 1);
    this.#all++;
  }

  get areEndless(): boolean {
    return this.#all > mostOfAll || Math.max(0, ...this.#counts.values()) > mostOfOne;
  }
}

export function withoutFragment(url: string): string {
  return url.replace(/#.*$/s, '');
}
