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
/** A page whose DOM has not changed for this long is not busy. */
export const busyMs = 100;
/** A page that does not report its state within this time is blocked. */
export const stateLimitMs = 2000;
/** A child frame that does not answer within this time is reported as unreadable. */
export const frameLimitMs = 2000;
/** The limit of a frame that did not answer before; a frame that has recovered answers sooner. */
export const silentFrameMs = 100;

// Acting.

/** An obstacle that stays for this long on a page at rest is not waited for. */
export const obstacleMs = 300;
export const nextObstacleMs = 150;
/** How long a page may take to look for an obstacle while an action waits; and after the action has failed. */
export const obstacleLimitMs = 300;
export const lastObstacleLimitMs = 2000;
/** Fields and options that are being rendered get this long; longer only while the page is busy. */
export const fieldMs = 1000;
export const optionMs = 1000;
/** The animation of a list that makes room for a dragged item ends within this time. */
export const dragRestMs = 400;
/** A list of options begins to open, or to filter, within this time. */
export const listMs = 300;
/** How long a cancelled call may take to release the page. */
export const abandonLimitMs = 2000;

/** A dialog that opens this soon after the answer to another one follows it in a row. */
export const dialogRowMs = 1000;

/** A page that opens dialogs without end opens the next one within this time. */
export const nextDialogMs = 100;

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
/** Stopping a load or a script; an unresponsive browser is not waited for. */
export const stopLimitMs = 1000;
/** The title of a background tab; a tab that is slower is listed without. */
export const titleMs = 500;

/** How often a navigation is checked for scripts that block it. */
export const navigationPollMs = 250;
/** A handler of the old document that keeps the new one from committing for this long is stopped. */
export const blockedCommitMs = 2000;
/** A script of the new document that runs for this long is stopped. */
export const busyDocumentMs = 10_000;
/** A snapshot of a page that does not answer, before its script is stopped; and after that. */
export const snapshotLimitMs = 5000;
export const snapshotRetryMs = 3000;
/** Heartbeats begin after this time in a call and repeat in this interval. */
export const heartbeatAfterMs = 2000;
/** A browser or page that does not answer a heartbeat within this time is frozen, if its process does no work. */
export const heartbeatLimitMs = 6000;
/** A page that does not answer for this long is given up, even if its process works. */
export const longestPageSilenceMs = 60_000;
/** This long after the timeout of the call, a page must answer within the second time. */
export const lateMs = 4000;
export const lateAnswerMs = 4000;
/** How often it is asked then. */
export const latePollMs = 250;

/** A script that only reads takes less; one that takes longer is run as an action. */
export const readLimitMs = 500;

// Screenshots.

/** How often a screenshot that waits for its element checks again. */
export const capturePollMs = 500;
/** An element that moves for longer than this is captured while it moves. */
export const stableMs = 2000;
/** Fonts that never load must not use up the time of the screenshot. */
export const fontsMs = 3000;
/** Restoring the emulated viewport: enough for a screenshot of one pixel. */
export const restoreMs = 2000;
/** Re-encoding an image in the page; a page that takes longer is busy. */
export const drawMs = 10_000;

// Files and dialogs.

/** A file chooser opens this soon after the click; longer only while the page is busy. */
export const chooserMs = 500;
/** How often the size of a download is checked. */
export const downloadPollMs = 50;
/** How often the size of a trace is checked. */
export const tracePollMs = 1000;

// Persistence and recovery.

/** A session is saved this long after a call, together with the changes of the calls that follow. */
export const saveDelayMs = 1000;
export const checkpointLimitMs = 10_000;
/** The last checkpoint, while the server shuts down. */
export const lastCheckpointLimitMs = 2000;
/** Reading the storage of one page; a page that is slower is saved without. */
export const storageLimitMs = 4000;
/** Reopening a page after its browser was lost. */
export const reopenLimitMs = 10_000;
/** Pages that closed this shortly before their browser was lost were lost with it. */
export const lostWithBrowserMs = 2000;
/** A session that is busy when it expires is checked again after this time. */
export const expiryRetryMs = 1000;
/** Opening a tab, or reopening what a crash took; a browser that takes longer does not answer. */
export const newTabLimitMs = 10_000;
/** Closing a context or a page; a browser that does not answer is killed later. */
export const closeLimitMs = 2000;

// Housekeeping.

/** Garbage is collected after this rest: longer than the pauses of a script, shorter than a model takes to think. */
export const gcRestMs = 2000;
/** Removing routes from a context; an unresponsive browser is not waited for. */
export const detachLimitMs = 2000;

// A person's control.

/** A person has a session for this long, unless it is extended. */
export const controlLimitMs = 600_000;
/** A call waits this long for a person; clients give up after 60 s. */
export const controlWaitMs = 20_000;
/** How often a waiting call reports that it waits. */
export const controlProgressMs = 5000;
/** How long the last input of a person may take. */
export const lastInputMs = 2000;
