import { readdirSync } from 'node:fs';
import { processTree, pssMiB, rssMiB } from '../proc.ts';

export interface Sample {
  /** RSS of the server process, or of the process that uses playwright-core. */
  readonly rss: number;
  /** PSS of it and all its descendants. */
  readonly tree: number;
  readonly processes: number;
  /** Open file descriptors of the process itself. */
  readonly handles: number;
}

const everyMs = 2000;

/** Samples memory, processes and handles of some processes while the soak runs. */
export class MemoryLog {
  readonly #pids: Readonly<Record<string, number>>;
  readonly #samples = new Map<string, Sample[]>();
  readonly #timer: NodeJS.Timeout;

  constructor(pids: Readonly<Record<string, number>>) {
    this.#pids = pids;
    this.#timer = setInterval(() => this.#take(), everyMs);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Means of the quarters of the run. */
  quarters(name: string): readonly Sample[] {
    const all = this.#samples.get(name) ?? [];
    const size = Math.max(1, Math.floor(all.length / 4));
    return [0, 1, 2, 3].map((quarter) =>
      mean(all.slice(quarter * size, quarter === 3 ? all.length : (quarter + 1) * size)),
    );
  }

  peak(name: string): number {
    return Math.max(0, ...(this.#samples.get(name) ?? []).map(({ rss }) => rss));
  }

  #take(): void {
    for (const [name, pid] of Object.entries(this.#pids)) {
      const tree = processTree(pid).map((member) => member.pid);
      const sample = {
        rss: rssMiB(pid) ?? 0,
        tree: tree.reduce((sum, member) => sum + (pssMiB(member) ?? 0), 0),
        processes: tree.length,
        handles: handlesOf(pid),
      };
      this.#samples.set(name, [...(this.#samples.get(name) ?? []), sample]);
    }
  }
}

function handlesOf(pid: number): number {
  try {
    return readdirSync(`/proc/${pid}/fd`).length;
  } catch {
    return 0;
  }
}

function mean(samples: readonly Sample[]): Sample {
  const of = (value: (sample: Sample) => number): number =>
    Math.round(samples.reduce((sum, sample) => sum + value(sample), 0) / Math.max(1, samples.length));
  return {
    rss: of(({ rss }) => rss),
    tree: of(({ tree }) => tree),
    processes: of(({ processes }) => processes),
    handles: of(({ handles }) => handles),
  };
}
