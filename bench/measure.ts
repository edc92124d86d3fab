import { performance } from 'node:perf_hooks';
import type { ContestantName } from './servers.ts';

export type Unit = 'ms' | 'MiB' | 'tokens' | 'calls';

/** Samples of one quantity for each contestant, in the order of the rounds. */
export interface Metric {
  readonly id: string;
  readonly title: string;
  readonly unit: Unit;
  readonly samples: Partial<Record<ContestantName, readonly number[]>>;
}

/** How often something held that has to hold always. */
export interface Check {
  readonly id: string;
  readonly title: string;
  readonly counts: Partial<Record<ContestantName, Count>>;
}

interface Count {
  readonly held: number;
  readonly of: number;
  /** What did not hold, where that can be named. */
  readonly missed?: readonly string[];
}

/** A contestant whose call failed in the middle of a metric; it is left out of the rest of that metric. */
export interface Failure {
  readonly metric: string;
  readonly contestant: ContestantName;
  readonly message: string;
}

/** Takes samples under metric ids and keeps what went wrong. */
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
   * Runs `sample` for each contestant in turn, round after round, the order moved on by one each round.
   * What loads the machine for a while then loads all of them. Round -1 warms up and is not to be recorded.
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
