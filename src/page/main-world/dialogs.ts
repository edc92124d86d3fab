/** A dialog that opens this soon after the last one was closed follows it in a row. No caller acts that fast. */
const rowMs = 20;
/** In longer rows, the server has begun to dismiss dialogs (src/session/events/dialog-storm.ts). */
const mostInRow = 30;
/** Dialogs in this time without a click or a key: dialogs of other frames may come between those of a document. */
const windowMs = 10_000;
const mostUnasked = 20;

/**
 * Suppresses further dialogs of a document that opens them without end, in the page's main world: while a dialog is open,
 * nothing else runs in the page, so that timers that open dialogs can delay a navigation indefinitely.
 */
export function limitDialogs(): void {
  const { navigator, performance, Reflect } = globalThis;
  const { userActivation } = navigator;
  const now = performance.now.bind(performance);
  let closedAt = Number.NEGATIVE_INFINITY;
  let inRow = 0;
  /** When the last dialogs without a user action opened: a ring. */
  const unasked: number[] = [];
  let next = 0;
  const isStorm = (): boolean => {
    inRow = now() - closedAt < rowMs ? inRow + 1 : 1;
    if (inRow > mostInRow) return true;
    if (userActivation.isActive) return false;
    const oldest = unasked[next] ?? Number.NEGATIVE_INFINITY;
    unasked[next] = now();
    next = (next + 1) % mostUnasked;
    return now() - oldest < windowMs;
  };
  const limited = <T extends (...args: never[]) => unknown>(open: T, dismissed: unknown): T =>
    new Proxy(open, {
      apply: (own, self, args): unknown => {
        try {
          return isStorm() ? dismissed : Reflect.apply(own, self, args);
        } finally {
          closedAt = now();
        }
      },
    });
  globalThis.alert = limited(globalThis.alert, undefined);
  globalThis.confirm = limited(globalThis.confirm, false);
  globalThis.prompt = limited(globalThis.prompt, null);
}
