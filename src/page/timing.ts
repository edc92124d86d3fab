/** All time constants of the page agent and of the script in the page's main world. Milliseconds. */

/** Later timers are not waited for: they hide a notice, or end a session. */
export const timerHorizonMs = 2000;
/** A timer further away than this is not waited for, if an element is not ready: longer than an action waits by default. */
export const changeHorizonMs = 10_000;
/** A frame of a display with 60 Hz. */
export const frameMs = 16;
/** A page that is not drawn (a background tab) gets no frames. */
export const frameLimitMs = 100;
/** Longer animations are decoration: content does not wait for them. */
export const longestFadeMs = 1000;
/** An element whose box has not moved for three frames is stable. */
export const steadyMs = 50;
