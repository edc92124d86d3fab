import { frameMs, idleLimitMs } from '../timing.ts';

/**
 * Wraps `requestIdleCallback` in the page's main world. The returned function tells in how many milliseconds to check
 * again for a callback of the action that has not run (-1 if there is none), and with `begin` starts a new action.
 */
export function watchIdleCallbacks(isOurs: () => boolean, now: () => number): (begin: boolean) => number {
  if (typeof globalThis.requestIdleCallback !== 'function') return () => -1;
  // A plain object: the page may patch the prototype of Map.
  let requested: Record<number, number> = {};
  globalThis.requestIdleCallback = new Proxy(globalThis.requestIdleCallback, {
    apply: (request, self, args: Parameters<typeof requestIdleCallback>) => {
      const [callback, ...rest] = args;
      if (typeof callback !== 'function' || !isOurs()) return Reflect.apply(request, self, args);
      const run = function (this: unknown, ...input: unknown[]): unknown {
        try {
          return Reflect.apply(callback, this, input);
        } finally {
          delete requested[id];
        }
      };
      const id: number = Reflect.apply(request, self, [run, ...rest]);
      requested[id] = now();
      return id;
    },
  });
  globalThis.cancelIdleCallback = new Proxy(globalThis.cancelIdleCallback, {
    apply: (cancel, self, args: Parameters<typeof cancelIdleCallback>) => {
      delete requested[args[0]];
      return Reflect.apply(cancel, self, args);
    },
  });
  return (begin) => {
    if (begin) requested = {};
    for (const id in requested) if (now() - (requested[id] ?? 0) < idleLimitMs) return frameMs;
    return -1;
  };
}
