/** A timer further away than this is not waited for: it hides a notice, or ends a session. */
const horizonMs = 2000;

/**
 * Runs in the page's own world, before its scripts: knows which timers an action has set and are still to fire, so that
 * the server can wait for what they do instead of guessing how long that takes. It leaves no name behind in the page:
 * the agent, in its isolated world, asks by an event whose name only the two know.
 */
export function watchTimers(question: string, answer: string): void {
  const { document, performance } = globalThis;
  const now = performance.now.bind(performance);
  const tell = document.dispatchEvent.bind(document);
  /** When each timer of the action is due. */
  let due = new Map<unknown, number>();
  let isOpen = false;
  /** A callback is running that the action has nothing to do with: what it sets is not the action's either. */
  let isForeign = false;

  /** Calls a function that takes a callback and a delay; a one-time callback of the action's is kept in mind until it ran. */
  const call = (set: (...args: never[]) => unknown, self: unknown, args: unknown[], isOnce: boolean): unknown => {
    const [callback, wait, ...rest] = args;
    if (typeof callback !== 'function') return Reflect.apply(set, self, args);
    const delay = Number(wait) || 0;
    const isOurs = isOpen && !isForeign && delay <= horizonMs;
    const run = function (this: unknown, ...input: unknown[]): unknown {
      const before = isForeign;
      isForeign = !isOurs;
      try {
        return Reflect.apply(callback, this, input);
      } finally {
        isForeign = before;
        // Afterwards, so that a timer it sets is known before this one is forgotten.
        if (isOnce) due.delete(id);
      }
    };
    const id: unknown = Reflect.apply(set, self, [run, wait, ...rest]);
    if (isOurs && isOnce) due.set(id, now() + delay);
    return id;
  };

  // A proxy of a native function looks like the native function.
  globalThis.setTimeout = new Proxy(globalThis.setTimeout, { apply: (set, self, args) => call(set, self, args, true) });
  globalThis.setInterval = new Proxy(globalThis.setInterval, {
    apply: (set, self, args) => call(set, self, args, false),
  });
  globalThis.clearTimeout = new Proxy(globalThis.clearTimeout, {
    apply: (clear, self, args) => {
      due.delete(args[0]);
      return Reflect.apply(clear, self, args);
    },
  });

  document.addEventListener(question, (event) => {
    if (event instanceof CustomEvent && event.detail === 'begin') {
      due = new Map();
      isOpen = true;
    }
    let last = -1;
    for (const at of due.values()) last = Math.max(last, at - now(), 0);
    tell(new CustomEvent(answer, { detail: last }));
  });
}
