import { frameMs, replyLimitMs } from '../timing.ts';

/** A worker that left this many messages of actions without a reply is not waited for. */
const mostUnanswered = 2;

/**
 * Wraps `postMessage` of workers in the page's main world. The returned function tells in how many milliseconds to check
 * again for the reply to a message of the action (-1 if none is expected), and with `begin` starts a new action.
 */
export function watchWorkers(isOurs: () => boolean, now: () => number): (begin: boolean) => number {
  const { Worker, WeakMap, Map } = globalThis;
  if (typeof Worker !== 'function') return () => -1;
  // Called with the worker as \`this\`.
  // oxlint-disable-next-line typescript/unbound-method
  const { addEventListener } = EventTarget.prototype;
  let asked = new Map<Worker, number>();
  const unanswered = new WeakMap<Worker, number>();
  const expectReply = (worker: Worker): void => {
    const known = unanswered.get(worker);
    if (known === undefined) {
      const answered = (): void => {
        asked.delete(worker);
        unanswered.set(worker, 0);
      };
      Reflect.apply(addEventListener, worker, ['message', answered]);
    }
    unanswered.set(worker, (known ?? 0) + 1);
    if ((known ?? 0) < mostUnanswered) asked.set(worker, now());
  };
  // oxlint-disable-next-line typescript/unbound-method
  Worker.prototype.postMessage = new Proxy(Worker.prototype.postMessage, {
    apply: (post, self: unknown, args: Parameters<Worker['postMessage']>) => {
      const result: unknown = Reflect.apply(post, self, args);
      if (isOurs() && self instanceof Worker) expectReply(self);
      return result;
    },
  });
  return (begin) => {
    if (begin) asked = new Map();
    for (const at of asked.values()) if (now() - at < replyLimitMs) return frameMs;
    return -1;
  };
}
