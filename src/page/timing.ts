/** All time constants of the page agent and of the script in the page's main world. Milliseconds. */

/** Later timers are not waited for: they hide a notice, or end a session. */
export const timerHorizonMs = 2000;
/** A timer further away than this is not waited for, if an element is not ready: longer than an action waits by default. */
export const changeHorizonMs = 10_000;
/** A page that repeating timers changed less often than this is calm: a clock, not a progress bar. */
export const calmMs = 250;
/** A page that repeating timers added nothing to for this long is at rest. */
export const ungrownMs = 1000;
/** A frame of a display with 60 Hz. */
export const frameMs = 16;
/** A page that is not drawn (a background tab) gets no frames. */
export const frameLimitMs = 100;
/** A visible page gets its next frame within this time, even if the CPUs are busy. */
export const lateFrameMs = 1000;
/** A page that is never idle does not run its idle callbacks. */
export const idleLimitMs = 2000;
/** A worker replies within this time, or not at all. */
export const replyLimitMs = 1000;
/** Longer animations are decoration: content does not wait for them. */
export const longestFadeMs = 1000;
/** An element whose box has not moved for three frames is stable. */
export const steadyMs = 50;
