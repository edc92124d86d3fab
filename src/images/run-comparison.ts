import { Worker } from 'node:worker_threads';
import { source } from 'pagehelm:image-worker';
import type { Comparison, ComparisonOptions } from './compare.ts';

export interface ComparisonRequest extends ComparisonOptions {
  /** PNG files. */
  readonly baseline: Buffer;
  readonly current: Buffer;
}

export interface ComparisonResult extends Omit<Comparison, 'difference'> {
  /** A PNG file; absent if the images are equal. */
  readonly difference?: Uint8Array;
}

/** The result, or which of the files is not a readable PNG. */
export type ComparisonAnswer = ComparisonResult | { readonly unreadable: 'baseline' | 'current' };

const mostMegabytes = 2048;

/** Compares two PNG files in a worker thread, which ends with the signal. */
export async function runComparison(request: ComparisonRequest, signal: AbortSignal): Promise<ComparisonAnswer> {
  signal.throwIfAborted();
  const worker = new Worker(source, {
    eval: true,
    workerData: request,
    execArgv: [],
    // Output of the thread would otherwise go to stdout, which belongs to the protocol.
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: mostMegabytes },
  });
  const end = (): void => void worker.terminate();
  signal.addEventListener('abort', end, { once: true });
  try {
    return await new Promise<ComparisonAnswer>((resolve, reject) => {
      worker.once('message', resolve);
      worker.once('error', reject);
      worker.once('exit', () => reject(signal.reason ?? new Error('The comparison ended without a result.')));
    });
  } finally {
    signal.removeEventListener('abort', end);
    await worker.terminate();
  }
}
