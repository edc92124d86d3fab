import type { CallHooks } from '../call/call-hooks.ts';
import type { AtMostOnce } from '../cluster/at-most-once.ts';
import type { Logger } from '../log.ts';

/** Runs calls with an id at most once, in the memory of this process. Loaded with the first such call. */
export function recordInMemory(log: Logger): NonNullable<CallHooks['record']> {
  let loading: Promise<AtMostOnce> | undefined;
  return async (request, tool) => {
    if (request.callId === undefined) return undefined;
    loading ??= load(log);
    return (await loading).record(request, tool);
  };
}

async function load(log: Logger): Promise<AtMostOnce> {
  const [{ AtMostOnce }, { MemoryJournal }] = await Promise.all([
    import('../cluster/at-most-once.ts'),
    import('../cluster/memory/journal.ts'),
  ]);
  const journal = new MemoryJournal(
    () => performance.now(),
    () => 0,
  );
  return new AtMostOnce({ journal, heldOf: (driver) => ({ driver, epoch: 0 }), log });
}
