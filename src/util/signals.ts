/** The promise, or a rejection with the signal's reason, whichever comes first. Removes its listener. */
export async function raceSignal<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  // The loser of a race must not become an unhandled rejection, nor a promise that is not waited for at all.
  promise.catch(() => undefined);
  signal.throwIfAborted();
  let abort: () => void = () => undefined;
  const aborted = new Promise<never>((_, reject) => {
    abort = () =>
      reject(signal.reason instanceof Error ? signal.reason : new Error('aborted', { cause: signal.reason }));
    signal.addEventListener('abort', abort, { once: true });
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

/** Whether the promise settled within the time; its failure counts as settled. */
export async function settlesWithin(promise: Promise<unknown>, timeoutMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), Math.max(0, timeoutMs));
  });
  try {
    return await Promise.race([
      promise.then(
        () => true as const,
        () => true as const,
      ),
      late,
    ]);
  } finally {
    clearTimeout(timer);
  }
}

/** Resolves after the time, or at once when the signal aborts (without rejecting). */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted === true) return;
  await new Promise<void>((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal?.addEventListener('abort', done, { once: true });
  });
}

/** A wait of this server that timed out. */
export class TimedOut extends Error {
  constructor(ms: number) {
    super(`Timed out after ${ms} ms.`);
    this.name = 'TimeoutError';
  }
}

/** The promise with a timeout and a signal, for calls that support neither. */
export async function withTimeout<T>(promise: Promise<T>, ms: number, signal: AbortSignal): Promise<T> {
  const racing = raceSignal(promise, signal);
  if (!(await settlesWithin(racing, ms))) throw new TimedOut(ms);
  return racing;
}
