import type { MemoryLog, Sample } from './memory-log.ts';
import type { Worker } from './worker.ts';

interface Facts {
  readonly faults: number;
  /** Processes that the server left behind. */
  readonly left: number;
  readonly minutes: number;
  readonly hasFaults: boolean;
}

/** Runs shorter than this end before memory is stable. */
const leastMinutes = 8;
const mostProblems = 20;

/** Prints the figures and what is wrong; returns the exit code. */
export function report(
  workers: readonly Worker[],
  memory: MemoryLog,
  { faults, left, minutes, hasFaults }: Facts,
  say: (line: string) => void,
): number {
  const sum = (value: (worker: Worker) => number): number =>
    workers.reduce((total, worker) => total + value(worker), 0);
  const problems = workers.flatMap(({ tally }) => tally.problems);
  const errors = new Map<string, number>();
  for (const { tally } of workers) {
    for (const [kind, count] of tally.errors) errors.set(kind, (errors.get(kind) ?? 0) + count);
  }
  const kinds = [...errors].map(([kind, count]) => `${kind} ${count}`).join(', ');
  say(`${sum(({ tally }) => tally.calls)} calls, ${faults} faults; failed calls: ${kinds || 'none'}`);
  say(
    `${sum(({ tally }) => tally.clicks)} clicks acknowledged, ${sum(({ tally }) => tally.unknown)} with unknown effect`,
  );
  const [ours, raw] = [memory.quarters('server'), memory.quarters('raw')];
  const row = (title: string, samples: readonly Sample[], value: (sample: Sample) => number): void =>
    say(`${title}, by quarter: ${samples.map(value).join(', ')}`);
  row('RSS of the server in MiB', ours, ({ rss }) => rss);
  row('RSS of playwright-core alone in MiB', raw, ({ rss }) => rss);
  row('PSS of the server and its browsers in MiB', ours, ({ tree }) => tree);
  row('PSS of playwright-core and its browser in MiB', raw, ({ tree }) => tree);
  row('processes', ours, ({ processes }) => processes);
  row('file descriptors of the server', ours, ({ handles }) => handles);
  say(`peak RSS of the server: ${Math.round(memory.peak('server'))} MiB; processes left behind: ${left}`);
  const ratios: readonly (readonly [string, number, number])[] = [
    ['RSS of the server, last quarter to second', ratio(ours[3]?.rss, ours[1]?.rss), 1.1],
    ['RSS of the server to playwright-core alone', ratio(ours[3]?.rss, raw[3]?.rss), 1.2],
    ['PSS of all processes to playwright-core alone', ratio(ours[3]?.tree, raw[3]?.tree), 1.1],
  ];
  for (const [title, value, limit] of ratios) say(`${title}: ${value.toFixed(2)} (goal: at most ${limit})`);
  const handles = ratio(ours[3]?.handles, ours[1]?.handles);
  if (handles > 1.2) problems.push(`file descriptors grow: ${handles.toFixed(2)} times`);
  if (left > 0) problems.push(`${left} processes were left behind`);
  if (minutes >= leastMinutes && (ratios[0]?.[1] ?? 0) > 1.1) problems.push('the memory of the server grows');
  if (hasFaults && faults === 0 && minutes > 1) problems.push('no fault was injected');
  for (const problem of problems.slice(0, mostProblems)) say(`PROBLEM ${problem}`);
  say(problems.length === 0 ? 'ok' : `${problems.length} problems`);
  return problems.length === 0 ? 0 : 1;
}

function ratio(of: number | undefined, to: number | undefined): number {
  return (of ?? 0) / Math.max(1, to ?? 0);
}
