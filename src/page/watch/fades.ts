import { frameLimitMs, longestFadeMs } from '../timing.ts';
import { matchesSelector, shadowRootOf, textOf } from '../dom/dom.ts';

/** Elements that are content even without text. */
const usable = 'a,button,input,select,textarea,img,[role]';

/** Style values that hide an element, by their name in keyframes. */
const hiding: Readonly<Record<string, RegExp>> = {
  opacity: /^0$/,
  visibility: /^(?:hidden|collapse)$/,
  display: /^none$/,
  height: /^0(?:px)?$/,
  maxHeight: /^0(?:px)?$/,
  width: /^0(?:px)?$/,
  maxWidth: /^0(?:px)?$/,
  gridTemplateRows: /^0(?:fr|px)$/,
  transform: /100%|scale\w*\(0[,)]/,
  translate: /100%/,
  scale: /^0\b/,
};

/**
 * Returns a function that tells in how many milliseconds the last fade ends that began since a moment; -1 if there is
 * none. A fade is an animation that shows or hides content. Colours, shadows and hover effects are not waited for.
 */
export function watchFades(): (motions: readonly Animation[], since: number) => number {
  /** Fades whose end event has not fired yet, and until when to wait for it: it fires with a frame. */
  const ending = new Map<Animation, number>();
  const follow = (motion: Animation, limit: number): void => {
    if (ending.has(motion)) return;
    const forget = (): void => void ending.delete(motion);
    ending.set(motion, limit);
    motion.finished.then(forget, forget);
  };
  return (motions, since) => {
    const now = performance.now();
    let last = -1;
    for (const motion of motions) {
      const { startTime, currentTime, effect } = motion;
      const isNew = startTime === null || Number(startTime) >= since;
      if (!isNew || !(effect instanceof KeyframeEffect)) continue;
      const left = Number(effect.getComputedTiming().endTime) - Number(currentTime);
      if (left > longestFadeMs || !isFade(effect)) continue;
      follow(motion, now + left + frameLimitMs);
      last = Math.max(last, left);
    }
    for (const limit of ending.values()) if (limit > now) last = Math.max(last, 0);
    return last;
  };
}

function isFade(effect: KeyframeEffect): boolean {
  const { target, pseudoElement } = effect;
  if (target === null || pseudoElement !== null || !hasContent(target)) return false;
  const frames = effect.getKeyframes();
  return [frames.at(0), frames.at(-1)].some((frame) =>
    Object.entries(frame ?? {}).some(([name, value]) => hiding[name]?.test(String(value)) === true),
  );
}

/** Ripples, spinners and backdrops have no content. */
export function hasContent(element: Element): boolean {
  if (shadowRootOf(element) !== null || matchesSelector(element, usable)) return true;
  return /\S/.test(textOf(element) ?? '') || Element.prototype.querySelector.call(element, usable) !== null;
}
