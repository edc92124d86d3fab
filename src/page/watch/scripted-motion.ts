import { frameLimitMs, frameMs, lateFrameMs, longestFadeMs } from '../timing.ts';
import { hasContent } from './fades.ts';

/** Written this often in a row, the style of an element is an animation. */
const leastWrites = 2;
/** How many frames may pass between two writes: an eased value can stay the same for some. */
const mostStillFrames = 4;
/** The first write may be the only one. */
const mostStillFramesAtFirst = 2;

/** Writes to the style attribute of an element in a row, each in a task of its own. */
interface Run {
  readonly first: number;
  /** When it began, or the action that it is counted for. */
  readonly since: number;
  /** It was running for long when the action began. */
  readonly isHabit: boolean;
  count: number;
  last: number;
  /** The number of the frame of the last write. */
  frame: number;
  longestGap: number;
}

export interface ScriptedMotion {
  /** Must be called with every mutation. */
  note(records: readonly MutationRecord[]): void;
  /** Milliseconds until the next write of an animation that began with the action; -1 if there is none. */
  leftMs(begin: boolean): number;
}

/**
 * Recognizes fades, slides and moves that a script writes frame by frame: the style of one element is written again and
 * again. Long animations, and those without content, do not count. An animation ends when frames pass without a write:
 * while the CPUs are busy, a frame can be late by more than the whole animation takes.
 */
export function watchScriptedMotion(): ScriptedMotion {
  let runs = new Map<Element, Run>();
  let frame = 0;
  let isCounting = false;

  const isOf = (run: Run, now: number): boolean => !run.isHabit && now - run.since <= longestMs(run);
  /** Frames are counted only while an animation may be running. */
  const countFrames = (): void => {
    const now = performance.now();
    isCounting = [...runs.values()].some((run) => isOf(run, now) && isRunning(run, now, frame));
    if (!isCounting) return;
    requestAnimationFrame(() => {
      frame++;
      countFrames();
    });
  };

  const note = (records: readonly MutationRecord[]): void => {
    const now = performance.now();
    const seen = new Set<Node>();
    for (const { attributeName, target } of records) {
      if (attributeName !== 'style' || seen.has(target) || !(target instanceof Element)) continue;
      seen.add(target);
      const run = runs.get(target);
      if (run === undefined || !isRunning(run, now, frame)) runs.set(target, begun(now, frame));
      else {
        run.count++;
        run.longestGap = Math.min(lateFrameMs, Math.max(run.longestGap, now - run.last));
        run.last = now;
        run.frame = frame;
      }
    }
    if (seen.size > 0 && !isCounting) countFrames();
  };

  /** Animations that are running go on; those that have been running for long are none of the action's. */
  const begin = (now: number): void => {
    const kept = [...runs].filter(
      ([, run]) => frame - run.frame < mostStillFramesAtFirst && isRunning(run, now, frame),
    );
    runs = new Map(
      kept.map(([element, run]) => {
        const isHabit = run.isHabit || now - run.first > longestMs(run);
        return [element, { ...run, since: now, isHabit }];
      }),
    );
  };

  return {
    note,
    leftMs: (isBegin) => {
      const now = performance.now();
      if (isBegin) begin(now);
      let left = -1;
      for (const [element, run] of runs)
        if (isOf(run, now) && hasBegun(element, run)) left = Math.max(left, leftOf(element, run, now, frame));
      return left;
    },
  };
}

function begun(now: number, frame: number): Run {
  return { first: now, since: now, isHabit: false, count: 1, last: now, frame, longestGap: frameMs };
}

/** Until when the next write is expected if no frame comes: a hidden page gets none. */
function limitMs(): number {
  return document.hidden ? frameLimitMs : lateFrameMs;
}

function isRunning({ last, frame: written }: Run, now: number, frame: number): boolean {
  return now - last < frameLimitMs || (frame - written < mostStillFrames && now - last < limitMs());
}

/** How long an animation of the action may take. */
function longestMs({ longestGap }: Run): number {
  return longestFadeMs + Math.max(frameLimitMs, longestGap);
}

function hasBegun(element: Element, { count }: Run): boolean {
  return count >= leastWrites || isBetween(element);
}

function leftOf(element: Element, { count, last, frame: written }: Run, now: number, frame: number): number {
  const [still, least] = count < leastWrites ? [mostStillFramesAtFirst, 2 * frameMs] : [mostStillFrames, frameLimitMs];
  const isDue = frame - written < still && now - last < limitMs();
  const left = Math.max(last + least - now, isDue ? frameMs : -1);
  return left > 0 && element.isConnected && hasContent(element) ? left : -1;
}

/** A style as animations leave it between two frames. */
function isBetween(element: Element): boolean {
  if (!(element instanceof HTMLElement || element instanceof SVGElement)) return false;
  const { opacity, transform, translate, scale, overflow, height, width } = element.style;
  if (opacity !== '' && opacity !== '1') return true;
  if ([transform, translate, scale].some((value) => value !== '' && value !== 'none')) return true;
  return overflow === 'hidden' && (height !== '' || width !== '');
}
