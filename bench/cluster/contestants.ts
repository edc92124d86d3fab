import { fileURLToPath } from 'node:url';
import { Cleanup } from '../cleanup.ts';
import { BenchCluster, Workplace, startSingle } from './cluster.ts';
import { Program } from './program.ts';

export const contestantNames = ['single', 'cluster', 'bare'] as const;
export type ContestantName = (typeof contestantNames)[number];

const bareFile = fileURLToPath(new URL('cluster-bare.js', import.meta.url));

/** What calls without a page are sent to: one process, a cluster, and a bare proxy with a bare server. */
export class Contestants implements AsyncDisposable {
  readonly origins: Readonly<Record<ContestantName, string>>;
  readonly #cleanup: Cleanup;

  private constructor(cleanup: Cleanup, origins: Readonly<Record<ContestantName, string>>) {
    this.#cleanup = cleanup;
    this.origins = origins;
  }

  static async start(parent: string): Promise<Contestants> {
    const cleanup = new Cleanup();
    try {
      const place = new Workplace(parent);
      cleanup.use({ [Symbol.asyncDispose]: async () => place[Symbol.dispose]() });
      const cluster = cleanup.use(await BenchCluster.start(parent));
      const single = cleanup.use(await startSingle(place));
      const startBare = async (...args: readonly string[]): Promise<Program> =>
        cleanup.use(
          await Program.start({ args: [bareFile, ...args], ready: /listening on (\S+)\n/, folder: place.folder }),
        );
      const server = await startBare('server');
      const bare = await startBare('proxy', server.origin, cluster.redis.url);
      return new Contestants(cleanup, { single: single.origin, cluster: cluster.origin, bare: bare.origin });
    } catch (error) {
      await cleanup[Symbol.asyncDispose]();
      throw error;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#cleanup[Symbol.asyncDispose]();
  }
}

/** The names in another order in each round, so that a slow phase of the machine affects all. */
export function inTurns(round: number): readonly ContestantName[] {
  const first = round % contestantNames.length;
  return [...contestantNames.slice(first), ...contestantNames.slice(0, first)];
}
