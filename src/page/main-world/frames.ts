/** Frames that are waited for one after the other: some popups take three to come, and what is animated has no last one. */
const mostFrames = 4;
/** A page that is not drawn has no frames. */
const frameLimitMs = 100;
const frameMs = 16;
const longestText = 200;
/** Asked for so often, and again when an action begins: that goes on for ever. */
const isHabit = 20;
const mostCounted = 500;

interface Counted {
  readonly text: string;
  readonly isFrequent: boolean;
}

/** What another frame led to is known by that. */
const unknown: Counted = { text: '', isFrequent: false };

interface Asked extends Counted {
  readonly at: number;
  readonly isOurs: boolean;
}

/**
 * Runs in the page's own world, with the watch of its timers: knows what is to be done with the next frame. What a frame
 * asks for belongs to whatever that frame belonged to. Tells in how many milliseconds something is to be done that the
 * action asked for, -1 if nothing is; and is told when an action is about to happen.
 */
export function watchFrames(isOpen: () => boolean, now: () => number): (begin: boolean) => number {
  const count = countTexts();
  /** Plain objects: what the page may do to maps must not reach them. */
  let asked: Record<number, Asked> = {};
  /** What the page was doing from frame to frame when the action began. */
  let habits: Record<string, true> = {};
  /** How many frames have led to the one that is running; without end if none of them was the action's. */
  let depth = 0;

  globalThis.requestAnimationFrame = new Proxy(globalThis.requestAnimationFrame, {
    apply: (ask, self, args: Parameters<typeof requestAnimationFrame>) => {
      const [callback] = args;
      if (typeof callback !== 'function') return Reflect.apply(ask, self, args);
      const { text, isFrequent } = depth > 0 ? unknown : count(callback);
      const own = isOpen() && habits[text] !== true ? depth + 1 : Number.POSITIVE_INFINITY;
      const run = function (this: unknown, ...input: unknown[]): unknown {
        const before = depth;
        depth = own;
        try {
          return Reflect.apply(callback, this, input);
        } finally {
          depth = before;
          // Afterwards, so that one it asks for is known before this one is forgotten.
          delete asked[id];
        }
      };
      const id: number = Reflect.apply(ask, self, [run]);
      asked[id] = { text, isFrequent, at: now(), isOurs: own <= mostFrames };
      return id;
    },
  });
  globalThis.cancelAnimationFrame = new Proxy(globalThis.cancelAnimationFrame, {
    apply: (cancel, self, args: Parameters<typeof cancelAnimationFrame>) => {
      delete asked[args[0]];
      return Reflect.apply(cancel, self, args);
    },
  });
  return (begin) => {
    if (begin) {
      habits = {};
      for (const id in asked) if (asked[id]?.isFrequent === true) habits[asked[id].text] = true;
      asked = {};
    }
    for (const id in asked) if (asked[id]?.isOurs === true && now() - asked[id].at < frameLimitMs) return frameMs;
    return -1;
  };
}

/** What is done with frames, by its text, and whether that is done all the time. */
function countTexts(): (callback: object) => Counted {
  // As it is now: the page may put another in its place. It is called with the function as its subject.
  // oxlint-disable-next-line typescript/unbound-method
  const textOf = Function.prototype.toString;
  const counts: Record<string, number> = {};
  let size = 0;
  return (callback) => {
    const text = Reflect.apply(textOf, callback, []).slice(0, longestText);
    const before = counts[text] ?? 0;
    if (before === 0) size++;
    if (size <= mostCounted) counts[text] = before + 1;
    return { text, isFrequent: before >= isHabit };
  };
}
