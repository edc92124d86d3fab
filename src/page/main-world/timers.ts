import { watchFrames } from './frames.ts';

/** A timer further away than this is not waited for: it hides a notice, or ends a session. */
const horizonMs = 2000;
const mostHabits = 500;
const longestHabit = 200;

/**
 * Runs in the page's own world, before its scripts: knows which timers an action has set and are still to fire, so that
 * the server can wait for what they do instead of guessing how long that takes. It leaves no name behind in the page:
 * the agent, in its isolated world, asks by an event whose name only the two know.
 */
export function watchTimers(question: string, answer: string): void {
  // As they are now: the page may put others in their places, and what went wrong here would be an error on its console.
  const { document, performance, CustomEvent, Map, Set } = globalThis;
  // In a sandbox without scripts the browser would write an error to the console for each question, and never let us answer.
  if (globalThis.matchMedia('(scripting: none)').matches) return;
  const now = performance.now.bind(performance);
  const tell = document.dispatchEvent.bind(document);
  const isHabit = watchHabits();
  /** When each timer of the action is due. */
  let due = new Map<unknown, number>();
  /** All that are to fire once, and soon. */
  const soon = new Map<unknown, number>();
  /** Those of them that were there before the action. */
  let earlier: ReadonlySet<unknown> = new Set();
  let isOpen = false;
  /** A callback is running that the action has nothing to do with: what it sets is not the action's either. */
  let isForeign = false;

  const forget = (id: unknown): void => {
    due.delete(id);
    soon.delete(id);
  };

  /** Calls a function that takes a callback and a delay; a one-time callback of the action's is kept in mind until it ran. */
  const call: Call = (set, self, args, isOnce) => {
    const [callback, wait, ...rest] = args;
    if (typeof callback !== 'function') return Reflect.apply(set, self, args);
    const delay = Number(wait) || 0;
    const isOurs = delay <= horizonMs && !isHabit(callback, delay, isOpen) && isOpen && !isForeign;
    const run = function (this: unknown, ...input: unknown[]): unknown {
      const before = isForeign;
      isForeign = !isOurs;
      try {
        return Reflect.apply(callback, this, input);
      } finally {
        isForeign = before;
        // Afterwards, so that a timer it sets is known before this one is forgotten.
        if (isOnce) forget(id);
      }
    };
    const id: unknown = Reflect.apply(set, self, [run, wait, ...rest]);
    if (isOurs && isOnce) due.set(id, now() + delay);
    if (isOnce && delay <= horizonMs) soon.set(id, now() + delay);
    return id;
  };
  replaceTimers(call, forget);
  const framesMs = watchFrames(() => isOpen && !isForeign, now);
  document.addEventListener(question, (event) => {
    const detail: unknown = event instanceof CustomEvent ? event.detail : '';
    if (detail === 'begin') {
      due = new Map();
      earlier = new Set(soon.keys());
      isOpen = true;
    }
    let last = detail === 'earlier' ? -1 : framesMs(detail === 'begin');
    if (detail === 'earlier') for (const id of earlier) last = Math.max(last, (soon.get(id) ?? 0) - now());
    else for (const at of due.values()) last = Math.max(last, at - now(), 0);
    tell(new CustomEvent(answer, { detail: last }));
  });
}

type Call = (set: (...args: never[]) => unknown, self: unknown, args: unknown[], isOnce: boolean) => unknown;

/** A proxy of a native function looks like the native function. */
function replaceTimers(call: Call, forget: (id: unknown) => void): void {
  globalThis.setTimeout = new Proxy(globalThis.setTimeout, { apply: (set, self, args) => call(set, self, args, true) });
  globalThis.setInterval = new Proxy(globalThis.setInterval, {
    apply: (set, self, args) => call(set, self, args, false),
  });
  globalThis.clearTimeout = new Proxy(globalThis.clearTimeout, {
    apply: (clear, self, args) => {
      forget(args[0]);
      return Reflect.apply(clear, self, args);
    },
  });
}

/**
 * Tells what the page does for ever from what an action sets off: a poll that begins anew after an answer looks like an
 * effect. What an event handler sets belongs to the event; else a timer that was set twice before anything was done to
 * the page is a habit of its own.
 */
function watchHabits(): (callback: object, delay: number, isOpen: boolean) => boolean {
  // As it is now: the page may put another in its place. It is called with the function as its subject.
  // oxlint-disable-next-line typescript/unbound-method
  const textOf = Function.prototype.toString;
  const counts = new Map<string, number>();
  return (callback, delay, isOpen) => {
    if (globalThis.event !== undefined && isOpen) return false;
    const habit = `${delay} ${Reflect.apply(textOf, callback, []).slice(0, longestHabit)}`;
    const count = counts.get(habit) ?? 0;
    if (!isOpen && counts.size < mostHabits) counts.set(habit, count + 1);
    return count > 1;
  };
}
