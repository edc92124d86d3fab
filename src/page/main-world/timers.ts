import { changeHorizonMs, timerHorizonMs } from '../timing.ts';
import { noteWritten } from './clipboard.ts';
import { watchListeners } from './listeners.ts';
import { countCallbacks } from './habits.ts';
import { watchTasks } from './tasks.ts';

/**
 * Wraps the timer functions in the page's main world: the server waits for the timers that an action has set, instead of
 * for a fixed time. Also reports drop targets, and notes what is written to the clipboard. The agent, in its isolated
 * world, asks by an event whose name is secret.
 */
export function watchTimers(question: string, answer: string): void {
  // The page may replace these later, and an error here would appear on its console.
  const { performance, Map, Set } = globalThis;
  const now = performance.now.bind(performance);
  noteWritten();
  const isHabit = watchHabits();
  /** When each timer of the action is due. */
  let due = new Map<unknown, number>();
  /** All that fire once. */
  const once = new Map<unknown, number>();
  const intervals = new Set<unknown>();
  let isOpen = false;
  /** A callback is running that does not belong to the action: timers it sets do not either. */
  let isForeign = false;

  const forget = (id: unknown): void => {
    due.delete(id);
    once.delete(id);
    intervals.delete(id);
  };

  /** Calls `setTimeout` or `setInterval`; a one-shot timer of the action is kept until it has fired. */
  const call: Call = (set, self, args, isOnce) => {
    const [callback, wait, ...rest] = args;
    if (typeof callback !== 'function') return Reflect.apply(set, self, args);
    const delay = Number(wait) || 0;
    const isOurs = delay <= timerHorizonMs && !isHabit(callback, delay, isOpen) && isOpen && !isForeign;
    const run = function (this: unknown, ...input: unknown[]): unknown {
      const before = isForeign;
      isForeign = !isOurs;
      try {
        return Reflect.apply(callback, this, input);
      } finally {
        isForeign = before;
        // Only now, so that a timer it sets is known before this one is forgotten.
        if (isOnce) forget(id);
      }
    };
    const id: unknown = Reflect.apply(set, self, [run, wait, ...rest]);
    if (isOurs && isOnce) due.set(id, now() + delay);
    if (isOnce) once.set(id, now() + delay);
    else intervals.add(id);
    return id;
  };
  const ownMs = (begin: boolean): number => Math.max(tasksMs(begin), lastOf(due.values(), now()));
  const anyMs = (): number => {
    const next = nextOf(once.values(), now());
    return next < 0 && intervals.size > 0 ? 0 : next;
  };
  replaceTimers(call, forget);
  const tasksMs = watchTasks(() => isOpen && !isForeign, now);
  answerQuestions(question, answer, (detail) => {
    if (detail === 'begin') {
      due = new Map();
      isOpen = true;
    }
    return detail === 'any' ? anyMs() : ownMs(detail === 'begin');
  });
}

/** Answers the agent's events: drop targets are reported by events of their own, times by the answer. */
function answerQuestions(question: string, answer: string, timeFor: (detail: unknown) => number): void {
  const { document, CustomEvent } = globalThis;
  const dispatch = document.dispatchEvent.bind(document);
  const reportTargets = watchListeners(answer);
  document.addEventListener(question, (event) => {
    const detail: unknown = event instanceof CustomEvent ? event.detail : '';
    if (detail === 'drop' || detail === 'drop again') reportTargets(detail === 'drop again');
    else dispatch(new CustomEvent(answer, { detail: timeFor(detail) }));
  });
}

/** Milliseconds until the last of these times; -1 when there is none. */
function lastOf(times: Iterable<number>, now: number): number {
  let last = -1;
  for (const at of times) last = Math.max(last, at - now, 0);
  return last;
}

/** Milliseconds until the next of these times, at least 1: 0 stands for intervals; -1 when none comes soon. */
function nextOf(times: Iterable<number>, now: number): number {
  let next = changeHorizonMs;
  for (const at of times) next = Math.min(next, Math.max(at - now, 1));
  return next < changeHorizonMs ? next : -1;
}

type Call = (set: (...args: never[]) => unknown, self: unknown, args: unknown[], isOnce: boolean) => unknown;

/** A proxy of a native function looks like the native function. */
function replaceTimers(call: Call, forget: (id: unknown) => void): void {
  globalThis.setTimeout = new Proxy(globalThis.setTimeout, { apply: (set, self, args) => call(set, self, args, true) });
  globalThis.setInterval = new Proxy(globalThis.setInterval, {
    apply: (set, self, args) => call(set, self, args, false),
  });
  // Either clears what the other has set.
  for (const name of ['clearTimeout', 'clearInterval'] as const) {
    globalThis[name] = new Proxy(globalThis[name], {
      apply: (clear, self, args) => {
        forget(args[0]);
        return Reflect.apply(clear, self, args);
      },
    });
  }
}

/**
 * Distinguishes polling from the effects of an action: a poll that schedules itself again after an answer looks like an
 * effect. A timer that was set twice before any action is polling, unless an event handler sets it.
 */
function watchHabits(): (callback: object, delay: number, isOpen: boolean) => boolean {
  const counts = countCallbacks();
  return (callback, delay, isOpen) => {
    if (globalThis.event !== undefined && isOpen) return false;
    const key = `${delay} ${counts.keyOf(callback)}`;
    const count = counts.count(key);
    if (!isOpen) counts.add(key);
    return count > 1;
  };
}
