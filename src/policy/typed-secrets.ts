import { Ring } from '../util/ring.ts';

const mostSecrets = 100;
/** A shorter value reveals little, and is the value of many parameters. */
const leastParameter = 3;
/** A parameter of a URL inside a text. The value may be followed by punctuation, or be cut off. */
const parameter = /([?&#;][^\s?&#;="\u2026]*=)([^\s?&#;="\u2026]+)(\u2026?)/g;
const punctuation = /[)\]}>'`,.:\\]+$/;

/** Values from password, one-time-code and card fields, which must not be shown anywhere. */
export class TypedSecrets {
  readonly #values = new Ring<string>(mostSecrets);

  get all(): readonly string[] {
    return [...new Set(this.#values.items())];
  }

  /** A text without these values. */
  redact(text: string): string {
    return redactParameters(text, this.all);
  }

  add(...values: readonly string[]): void {
    const known = new Set(this.#values.items());
    for (const value of values) if (value !== '' && !known.has(value)) this.#values.push(value);
  }
}

/** The values that were typed in all tabs of these sessions. */
export function typedIn(
  sessions: readonly { readonly tabs: readonly { readonly typedSecrets: TypedSecrets }[] }[],
): readonly string[] {
  return sessions.flatMap(({ tabs }) => tabs.flatMap(({ typedSecrets }) => typedSecrets.all));
}

/** The text without the values in parameters of URLs: a form that is sent with GET puts its fields there. */
export function redactParameters(text: string, values: readonly string[]): string {
  const secrets = values.filter((value) => value.length >= leastParameter);
  if (secrets.length === 0) return text;
  return text.replaceAll(parameter, (whole, key: string, value: string, ellipsis: string) => {
    const end = punctuation.exec(value)?.[0] ?? '';
    const isSecret = (encoded: string): boolean => {
      const plain = decoded(encoded);
      return secrets.some((secret) => secret === plain || (ellipsis !== '' && secret.startsWith(plain)));
    };
    if (isSecret(value)) return `${key}[REDACTED]${ellipsis}`;
    return end !== '' && isSecret(value.slice(0, -end.length)) ? `${key}[REDACTED]${end}${ellipsis}` : whole;
  });
}

function decoded(value: string): string {
  const spaced = value.replaceAll('+', ' ');
  try {
    return decodeURIComponent(spaced);
  } catch {
    // An escape sequence that is incomplete or is not UTF-8.
    return spaced;
  }
}
