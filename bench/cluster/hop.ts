import { timed } from '../measure.ts';
import { Caller } from './caller.ts';
import { inTurns } from './contestants.ts';
import type { ContestantName, Contestants } from './contestants.ts';
import { median, ms, percentile } from './row.ts';
import type { Row } from './row.ts';

const warmUps = 100;
const goalMs = 2;

/** What the hop of a gateway adds to a call without a page, of one client. */
export async function measureHop({ origins }: Contestants, calls: number): Promise<readonly Row[]> {
  const times: Record<ContestantName, number[]> = { single: [], cluster: [], bare: [] };
  const callers = {
    single: new Caller(origins.single, 'agent1'),
    cluster: new Caller(origins.cluster, 'agent1'),
    bare: new Caller(origins.bare, 'agent1'),
  };
  for (let round = -warmUps; round < calls; round++) {
    for (const name of inTurns(round + warmUps)) {
      const { ms: took } = await timed(async () => callers[name].post('list_sessions'));
      if (round >= 0) times[name].push(took);
    }
  }
  for (const caller of Object.values(callers)) caller[Symbol.dispose]();
  const added = median(times.cluster) - median(times.single);
  const shown = (name: ContestantName): string =>
    `${ms(median(times[name]))}, p95 ${ms(percentile(times[name], 0.95))}`;
  return [
    {
      figure: `hop of a gateway: call without a page, medians of ${calls}`,
      value: `${ms(added)} (one process ${shown('single')}; cluster ${shown('cluster')}; bare proxy ${shown('bare')})`,
      goal: `at most ${goalMs} ms`,
      isMet: added <= goalMs,
    },
  ];
}
