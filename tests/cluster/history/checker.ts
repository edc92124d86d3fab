import type { Call } from './client.ts';
import type { Effect } from './sink.ts';

/** What is wrong with a history; empty if nothing is. Effects are in the order in which they arrived. */
export function problemsOf(calls: readonly Call[], effects: readonly Effect[]): readonly string[] {
  return [...epochProblems(effects), ...calls.flatMap((call) => callProblems(call, effects))];
}

/** Epochs of a driver only grow, and each belongs to one process. */
function epochProblems(effects: readonly Effect[]): readonly string[] {
  const problems: string[] = [];
  const newest = new Map<string, number>();
  const owners = new Map<string, string>();
  for (const { driver, epoch, worker, call } of effects) {
    if (epoch === undefined) {
      problems.push(`${call}: an effect of ${worker} without an epoch`);
      continue;
    }
    const before = newest.get(driver) ?? 0;
    if (epoch < before) problems.push(`${call}: an effect of epoch ${epoch} after one of epoch ${before}`);
    newest.set(driver, Math.max(epoch, before));
    const key = `${driver} ${epoch}`;
    const owner = owners.get(key) ?? worker;
    if (owner !== worker) problems.push(`${call}: epoch ${epoch} belongs to ${owner} and to ${worker}`);
    owners.set(key, owner);
  }
  return problems;
}

/** Acknowledged: exactly once. Said to have had no effect: not at all. Otherwise at most once. */
function callProblems({ call, attempts }: Call, effects: readonly Effect[]): readonly string[] {
  const own = effects.filter((effect) => effect.call === call);
  const told = (): string => JSON.stringify({ attempts, own });
  if (own.length > 1) return [`${call}: ${own.length} effects ${told()}`];
  if (own.length === 0 && attempts.some(({ outcome }) => outcome === 'done'))
    return [`${call}: acknowledged without an effect ${told()}`];
  if (own.length === 1 && attempts.every(({ outcome }) => outcome === 'none'))
    return [`${call}: an effect, although every answer denies it ${told()}`];
  return [];
}
