const mostClients = 100;

/** Facts about the current page, each as text. */
type Facts = Readonly<Record<string, string>>;

/** What each client was last answered about the current page, so that answers repeat only what changed. */
export class ReportedPlaces {
  readonly #reported = new Map<string, Facts>();

  forget(): void {
    this.#reported.clear();
  }

  /** Records what an answer says, and returns the names of the facts that are new to it. */
  report(client: string, facts: Facts): ReadonlySet<string> {
    const known = this.#reported.get(client);
    this.#reported.delete(client);
    this.#reported.set(client, facts);
    const [oldest] = this.#reported.keys();
    if (this.#reported.size > mostClients && oldest !== undefined) this.#reported.delete(oldest);
    return new Set(Object.keys(facts).filter((name) => known?.[name] !== facts[name]));
  }
}
