import { Ring } from '../util/ring.ts';

const mostSecrets = 100;

/** Values from password, one-time-code and card fields, which must not be shown anywhere. */
export class TypedSecrets {
  readonly #values = new Ring<string>(mostSecrets);

  get all(): readonly string[] {
    return [...new Set(this.#values.items())];
  }

  add(...values: readonly string[]): void {
    const known = new Set(this.#values.items());
    for (const value of values) if (value !== '' && !known.has(value)) this.#values.push(value);
  }
}
