import { frameLimitMs, frameMs, lateFrameMs } from '../timing.ts';
import { countCallbacks } from './habits.ts';

/** Frames in a row that are waited for: some popups take three to render; an animation has no last one. */
const mostFrames = 4;
/** A callback that was requested this often, and is requested when an action begins, is an animation of the page. */
const isHabit = 20;

interface Requested {
  readonly key: string;
  readonly isFrequent: boolean;
  readonly at: number;
  readonly isOurs: boolean;
}

/**
 * Wraps `requestAnimationFrame` in the page's main world, to know which frames an action requested. A frame that is
 * requested in a frame belongs to the same action. The returned function tells in how many milliseconds the next frame
 * of the action is due (-1 if none), and with `begin` starts a new action.
 *
 * Without the patch the server cannot know whether an action requested a frame, and every action would have to wait for
 * four: a click without effects takes 37 ms with it and 80 ms without.
 */
export function watchFrames(isOpen: () => boolean, now: () => number): (begin: boolean) => number {
  const counts = countCallbacks();
  const { document } = globalThis;
  // A browser may stop drawing a child frame that is outside of the viewport.
  const isTop = globalThis.top === globalThis.window;
  const limitMs = (): number => (isTop && !document.hidden ? lateFrameMs : frameLimitMs);
  // Plain objects: the page may patch the prototype of Map.
  let requested: Record<number, Requested> = {};
  /** Callbacks that the page requested all the time when the action began. */
  let habits: Record<string, true> = {};
  /** How many frames of the action led to the callback that runs now; infinite in a callback of the page's own. */
  let depth = 0;

  globalThis.requestAnimationFrame = new Proxy(globalThis.requestAnimationFrame, {
    apply: (request, self, args: Parameters<typeof requestAnimationFrame>) => {
      const [callback] = args;
      if (typeof callback !== 'function') return Reflect.apply(request, self, args);
      // In a frame, the depth tells more than the text.
      const key = depth > 0 ? '' : counts.keyOf(callback);
      const isFrequent = depth === 0 && counts.count(key) >= isHabit;
      if (depth === 0) counts.add(key);
      const own = isOpen() && habits[key] !== true ? depth + 1 : Number.POSITIVE_INFINITY;
      const run = function (this: unknown, ...input: unknown[]): unknown {
        const before = depth;
        depth = own;
        try {
          return Reflect.apply(callback, this, input);
        } finally {
          depth = before;
          // Only now, so that a frame it requests is known before this one is forgotten.
          delete requested[id];
        }
      };
      const id: number = Reflect.apply(request, self, [run]);
      requested[id] = { key, isFrequent, at: now(), isOurs: own <= mostFrames };
      return id;
    },
  });
  globalThis.cancelAnimationFrame = new Proxy(globalThis.cancelAnimationFrame, {
    apply: (cancel, self, args: Parameters<typeof cancelAnimationFrame>) => {
      delete requested[args[0]];
      return Reflect.apply(cancel, self, args);
    },
  });
  return (begin) => {
    if (begin) {
      habits = {};
      for (const id in requested) if (requested[id]?.isFrequent === true) habits[requested[id].key] = true;
      requested = {};
    }
    const limit = limitMs();
    for (const id in requested) {
      if (requested[id]?.isOurs === true && now() - requested[id].at < limit) return frameMs;
    }
    return -1;
  };
}
