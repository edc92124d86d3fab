import { performance } from 'node:perf_hooks';
import type { ContestantName } from './servers.ts';

export type Unit = 'ms' | 'MiB' | 'tokens' | 'calls';

/** Samples of one quantity per contestant, in round order. */
export interface Metric {
  readonly id: string;
  readonly title: string;
  readonly unit: Unit;
  readonly samples: Partial<Record<ContestantName, readonly number[]>>;
}

/** How often a condition held that must always hold. */
export interface Check {
  readonly id: string;
  readonly title: string;
  readonly counts: Partial<Record<ContestantName, Count>>;
}

interface Count {
  readonly held: number;
  readonly of: number;
  /** Descriptions of the cases that failed. */
  readonly missed?: readonly string[];
}

/** A contestant whose call failed; the rest of that metric skips it. */
export interface Failure {
  readonly metric: string;
  readonly contestant: ContestantName;
  readonly message: string;
}

/** Records samples by metric id, and failures. */
export class Recorder {
  readonly failures: Failure[] = [];
  readonly #signal: AbortSignal;
  readonly #tell: (text: string) => void;
  readonly #metrics = new Map<string, { title: string; unit: Unit; samples: Map<ContestantName, number[]> }>();

  constructor(signal: AbortSignal, tell: (text: string) => void) {
    this.#signal = signal;
    this.#tell = tell;
  }

  fail(metric: string, contestant: ContestantName, error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    this.failures.push({ metric, contestant, message });
    this.#tell(`${contestant} failed in ${metric}: ${message}`);
  }

  add(metric: { id: string; title: string; unit: Unit }, contestant: ContestantName, value: number): void {
    const { id, title, unit } = metric;
    const entry = this.#metrics.get(id) ?? { title, unit, samples: new Map<ContestantName, number[]>() };
    this.#metrics.set(id, entry);
    const samples = entry.samples.get(contestant) ?? [];
    entry.samples.set(contestant, samples);
    samples.push(Math.round(value * 1000) / 1000);
  }

  get metrics(): readonly Metric[] {
    return [...this.#metrics].map(([id, { title, unit, samples }]) => ({
      id,
      title,
      unit,
      samples: Object.fromEntries(samples),
    }));
  }

  /**
   * Runs `sample` for each contestant in each round, in rotating order, so that load on the machine affects all of
   * them. Round -1 is a warm-up; do not record it.
   */
  async interleave<T extends { readonly name: ContestantName }>(
    metric: string,
    contestants: readonly T[],
    rounds: number,
    sample: (contestant: T, round: number) => Promise<void>,
  ): Promise<void> {
    const out = new Set<ContestantName>();
    for (let round = -1; round < rounds; round += 1) {
      for (const [index] of contestants.entries()) {
        const contestant = contestants[(index + round + contestants.length) % contestants.length];
        if (!contestant || out.has(contestant.name)) continue;
        this.#signal.throwIfAborted();
        try {
          await sample(contestant, round);
        } catch (error: unknown) {
          this.#signal.throwIfAborted();
          out.add(contestant.name);
          this.fail(metric, contestant.name, error);
        }
      }
    }
  }
}

export async function timed<T>(work: () => Promise<T>): Promise<{ readonly ms: number; readonly value: T }> {
  const startedAt = performance.now();
  const value = await work();
  return { ms: performance.now() - startedAt, value };
}
