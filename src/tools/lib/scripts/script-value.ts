import { inspect } from 'node:util';

/**
 * Runs in the page, after the script: maps, sets and similar objects would be serialized as empty objects. Pairs
 * become an object if their keys are unique strings, otherwise a list; members become a list.
 */
export function withoutMaps(result: unknown): unknown {
  const kindOf = (value: unknown): string => Object.prototype.toString.call(value).slice(8, -1);
  const isPairs = (value: object): value is Iterable<readonly [unknown, unknown]> =>
    ['Map', 'URLSearchParams', 'FormData', 'Headers'].includes(kindOf(value));
  const isSet = (value: object): value is Iterable<unknown> => kindOf(value) === 'Set';
  const isPlain = (value: object): boolean =>
    Array.isArray(value) || [Object.prototype, null].includes(Object.getPrototypeOf(value));
  const seen = new Set<unknown>();
  const holdsAny = (value: unknown): boolean => {
    if (typeof value !== 'object' || value === null || seen.has(value)) return false;
    seen.add(value);
    return isPairs(value) || isSet(value) || (isPlain(value) && Object.values(value).some(holdsAny));
  };
  const entriesOf = (value: object): readonly (readonly [unknown, unknown])[] => {
    if (isSet(value)) return [...value].map((each, place) => [place, each] as const);
    if (!isPairs(value)) return Object.entries(value);
    const pairs = [...value];
    // FormData may contain a name twice, an object cannot.
    const names = new Set(pairs.map(([key]) => key).filter((key) => typeof key === 'string'));
    return names.size === pairs.length ? pairs : pairs.map((pair, place) => [place, pair] as const);
  };
  const copies = new Map<unknown, unknown>();
  const copyOf = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    if (copies.has(value)) return copies.get(value);
    if (!isPairs(value) && !isSet(value) && !isPlain(value)) return value;
    const entries = entriesOf(value);
    const isList = Array.isArray(value) || isSet(value) || (isPairs(value) && typeof entries[0]?.[0] === 'number');
    const copy = isList ? [] : {};
    copies.set(value, copy);
    for (const [key, each] of entries) {
      const property = { value: copyOf(each), enumerable: true, writable: true, configurable: true };
      Object.defineProperty(copy, String(key), property);
    }
    return copy;
  };
  return holdsAny(result) ? copyOf(result) : result;
}

/**
 * Runs in the page, after the script: a result of hundreds of megabytes would take a minute to send. Counts the
 * characters of strings, which is what makes results that large, and throws above the limit.
 */
export function withinLimit(result: unknown, most: number): unknown {
  const seen = new Set<unknown>();
  let length = 0;
  const count = (value: unknown): void => {
    if (typeof value === 'string') length += value.length;
    if (length > most) throw new Error(`The result has more than ${most} characters. Return a part of it.`);
    if (typeof value !== 'object' || value === null || seen.has(value)) return;
    const isPlain = Array.isArray(value) || [Object.prototype, null].includes(Object.getPrototypeOf(value));
    if (!isPlain) return;
    seen.add(value);
    for (const each of Object.values(value)) count(each);
  };
  count(result);
  return result;
}

/**
 * Runs in the page, after the script: the value as JSON, or undefined for a value that JSON does not hold, or that has
 * more characters than `most`. It writes to no variable of an outer function, which V8 takes for a side effect.
 */
export function plainText(result: unknown, most: number): string | undefined {
  const isPlain = (value: unknown): boolean => {
    if (typeof value === 'number') return Number.isFinite(value);
    if (typeof value !== 'object' || value === null) return !['bigint', 'function', 'symbol'].includes(typeof value);
    if (!Array.isArray(value) && ![Object.prototype, null].includes(Object.getPrototypeOf(value))) return false;
    return !('toJSON' in value) && Object.values(value).every(isPlain);
  };
  // Throws if the value contains itself.
  const text = JSON.stringify({ value: result });
  return text.length <= most && isPlain(result) ? text : undefined;
}

/** A string as it is, anything else as JSON. */
export function shownValue(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === undefined) return 'undefined';
  try {
    return JSON.stringify(value, jsonSafe) ?? inspect(value);
  } catch {
    return inspect(value, { depth: 4 });
  }
}

export function plainJson(value: unknown): unknown {
  try {
    const text = JSON.stringify(value, jsonSafe);
    return text === undefined ? null : JSON.parse(text);
  } catch {
    return inspect(value, { depth: 4 });
  }
}

function jsonSafe(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
  // As JSON they would be empty objects.
  if (value instanceof Error || value instanceof RegExp) return String(value);
  if (ArrayBuffer.isView(value) && !(value instanceof DataView)) return Object.values(value);
  return value;
}
