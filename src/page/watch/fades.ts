import { matchesSelector, shadowRootOf, textOf } from '../dom/dom.ts';

/** What takes longer is there to be looked at, not to be waited for. */
const longestMs = 1000;
/** What there is to do with an element, besides reading it. */
const usable = 'a,button,input,select,textarea,img,[role]';

/** Values of styles that keep an element out of sight, as keyframes name them. */
const outOfSight: Readonly<Record<string, RegExp>> = {
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
 * Milliseconds until all that came into sight or went out of it since that moment has done so; -1 when nothing does.
 * Colours, shadows and what lifts under the pointer may change as they like: they show nothing else.
 */
export function fadeMs(motions: readonly Animation[], since: number): number {
  let last = -1;
  for (const { startTime, currentTime, effect } of motions) {
    const isNew = startTime === null || Number(startTime) >= since;
    if (!isNew || !(effect instanceof KeyframeEffect)) continue;
    const left = Number(effect.getComputedTiming().endTime) - Number(currentTime);
    if (left <= longestMs && left > last && isFade(effect)) last = left;
  }
  return last;
}

function isFade(effect: KeyframeEffect): boolean {
  const { target, pseudoElement } = effect;
  if (target === null || pseudoElement !== null || !holdsSomething(target)) return false;
  const frames = effect.getKeyframes();
  return [frames.at(0), frames.at(-1)].some((frame) =>
    Object.entries(frame ?? {}).some(([name, value]) => outOfSight[name]?.test(String(value)) === true),
  );
}

/** Ripples, spinners and backdrops hold nothing. */
function holdsSomething(element: Element): boolean {
  if (shadowRootOf(element) !== null || matchesSelector(element, usable)) return true;
  return /\S/.test(textOf(element) ?? '') || Element.prototype.querySelector.call(element, usable) !== null;
}
