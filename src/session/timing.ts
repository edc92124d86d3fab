/** All fixed time constants of session/, call/ and tools/. Milliseconds. Times that an operator can set are options. */

// Settling after an action.

/** The first effect of an action is there after this time: a frame, and the tasks that render it. */
export const effectMs = 20;
/** After an effect, page and network must be quiet this long: the renders and requests that follow one begin sooner. */
export const quietMs = 30;
/** A timer fires a little late. */
export const timerLateMs = 5;
/** A tab or a file chooser that the page announced opens within this time, or was blocked. */
export const openLimitMs = 2000;
/** A document that the page announced is requested within this time, or the page cancelled it. */
export const documentLimitMs = 500;
/** A page that does not answer closes, crashes or is replaced within this time; else it is busy. */
export const silenceMs = 500;
/** Requests that repeat do not change a page that has not changed for this long. */
export const idleMs = 500;
/** A request that begins this long after the last action is not an effect of it. */
export const effectWindowMs = 2000;
/** Once a dialog is open the page answers nothing; an answer that was sent before arrives within this time. */
export const sentAnswerMs = 100;

// Navigation.

/** A page that does not evaluate `0` within this time is blocked. */
export const answerLimitMs = 500;
/** The browser's error page commits this soon after its navigation failed. */
export const errorPageMs = 300;
/** A document of a reload loop requests the next one within this time. */
export const nextReloadMs = 1000;
/** A navigation that was pending when navigation was frozen commits within this time. */
export const pendingReloadMs = 5000;
/** Documents of a reload loop follow each other faster than a call can read one. */
export const reloadLoopMs = 3000;
/** Polling is recognized after this time: a page that loads a list in parts is done by then. */
export const pollingMs = 1000;
/** Equal requests closer together than this count once: several parts of a page may load the same thing. */
export const sameRequestMs = 20;

// Files and dialogs.

/** A file chooser opens this soon after the click; longer only while the page is busy. */
export const chooserMs = 500;

// Housekeeping.

/** Garbage is collected after this rest: longer than the pauses of a script, shorter than a model takes to think. */
export const gcRestMs = 2000;
/** Removing routes from a context; a browser that does not answer is left as it is. */
export const detachLimitMs = 2000;
