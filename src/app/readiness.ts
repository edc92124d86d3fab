import type { Session } from '../session/session.ts';

/** Looking for a browser reads the disk; a probe may ask every second. */
const validMs = 10_000;
/** Part of the queues that may be full. */
const fullQueues = 0.8;

/** Why no browser can be started, if that is so. */
export function cachedProblem(describeBrowser: () => Promise<string>): () => Promise<string | undefined> {
  let known: { readonly problem: Promise<string | undefined>; readonly until: number } | undefined;
  return async () => {
    const now = performance.now();
    if (known === undefined || now > known.until) {
      const problem = describeBrowser().then(
        () => undefined,
        () => 'no browser',
      );
      known = { problem, until: now + validMs };
    }
    return known.problem;
  };
}

/** Whether the queues of all sessions together are nearly full. */
export function queueProblem(sessions: readonly Session[], queueLimit: number): string | undefined {
  const waiting = sessions.reduce((sum, { calls }) => sum + Math.max(0, calls - 1), 0);
  return sessions.length > 0 && waiting >= fullQueues * queueLimit * sessions.length ? 'busy' : undefined;
}
