const mostCounted = 500;
const longestText = 200;

/** How often the page scheduled each function, by its source text: it creates the closures again each time. */
export interface CallbackCounts {
  readonly keyOf: (callback: object) => string;
  readonly count: (key: string) => number;
  readonly add: (key: string) => void;
}

export function countCallbacks(): CallbackCounts {
  // The page may replace it later. Called with the function as `this`.
  // oxlint-disable-next-line typescript/unbound-method
  const textOf = Function.prototype.toString;
  // A plain object: the page may patch the prototype of Map.
  const counts: Record<string, number> = {};
  let size = 0;
  return {
    keyOf: (callback) => Reflect.apply(textOf, callback, []).slice(0, longestText),
    count: (key) => counts[key] ?? 0,
    add: (key) => {
      const before = counts[key] ?? 0;
      if (before === 0 && ++size > mostCounted) return;
      counts[key] = before + 1;
    },
  };
}
