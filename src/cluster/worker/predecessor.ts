import * as z from 'zod';
import { errorCode } from '../../util/error-code.ts';
import { pause } from '../../util/signals.ts';
import type { SessionDirectory, WorkerInfo } from '../stores.ts';
import { Superseded } from '../superseded.ts';

export interface PredecessorOptions {
  readonly directory: SessionDirectory;
  readonly own: Pick<WorkerInfo, 'name' | 'boot'>;
  readonly signal: AbortSignal;
}

const probeLimitMs = 1000;
/** Looks at the directory in a lease. */
const looks = 10;

/**
 * The dead process that ran under the name of this worker and whose lease has not ended. Throws if it lives. One that
 * cannot be reached is alive if it is still announced after a lease.
 */
export async function findPredecessor(options: PredecessorOptions): Promise<WorkerInfo | undefined> {
  const { directory, own, signal } = options;
  const before = await announced(options);
  if (before === undefined) return undefined;
  const answer = before.isDraining ? 'unknown' : await probe(before, own);
  if (answer === 'dead') return before;
  if (answer === 'alive') throw new Superseded(before.name, before.address);
  const deadline = performance.now() + directory.leaseMs;
  for (;;) {
    signal.throwIfAborted();
    const isLast = performance.now() > deadline;
    const found = await announced(options);
    if (found === undefined) return undefined;
    if (isLast) throw new Superseded(found.name, found.address);
    await pause(directory.leaseMs / looks, signal);
  }
}

async function announced({ directory, own }: PredecessorOptions): Promise<WorkerInfo | undefined> {
  return (await directory.workers()).find(({ name, boot }) => name === own.name && boot !== own.boot);
}

const liveness = z.looseObject({ boot: z.string() });

/** Asks the process at the address of a worker which one it is. */
async function probe(
  { address, boot }: WorkerInfo,
  own: Pick<WorkerInfo, 'boot'>,
): Promise<'alive' | 'dead' | 'unknown'> {
  try {
    const response = await fetch(new URL('/livez', address), { signal: AbortSignal.timeout(probeLimitMs) });
    const { data } = liveness.safeParse(await response.json());
    if (data?.boot === boot) return 'alive';
    // This process has its address now.
    return data?.boot === own.boot ? 'dead' : 'unknown';
  } catch (error) {
    return errorCode(error instanceof Error ? error.cause : undefined) === 'ECONNREFUSED' ? 'dead' : 'unknown';
  }
}
