import { together } from './anatomy.ts';
import type { Goal } from './goal.ts';
import { sizes } from './growth.ts';
import type { Results } from './run.ts';
import { summarise } from './stats.ts';

type ToPeer = (id: string, title: string, limit: number) => Goal;

const mostCalls = 22;
const mostBatchCalls = 8;
const leastSeen = 42;
const largest = 50_000;
const mostReadRatio = 1.3;
const mostHttpMs = 3;

function atMost(title: string, value: number | undefined, limit: number): Goal {
  const isMet = value === undefined ? undefined : value <= limit;
  return { title, value, limit: `at most ${limit.toFixed(2)} of @playwright/mcp`, isMet };
}

function anatomyGoals({ anatomy }: Results): readonly Goal[] {
  const { pagehelm: own, peer } = together(anatomy, 'all').sights;
  const grid = anatomy.find(({ id }) => id === 'grid')?.sights;
  const visible = own && own.visible / own.all;
  return [
    atMost('tokens of all pages, everything shown', own && peer && own.all / peer.all, 0.25),
    atMost(
      'tokens of the grid by default',
      grid?.pagehelm && grid.peer && grid.pagehelm.byDefault / grid.peer.all,
      0.1,
    ),
    {
      title: 'share of tokens that are visible text',
      value: visible,
      limit: 'above 0.65',
      isMet: visible === undefined ? undefined : visible > 0.65,
    },
  ];
}

/** The sum of the medians of all sizes. */
function firstLooks({ recorder }: Results, name: 'pagehelm' | 'peer'): number | undefined {
  const medians = sizes.map(({ elements }) => {
    const metric = recorder.metrics.find(({ id }) => id === `growth.first.cpu.${elements}`);
    return summarise(metric?.samples[name])?.median;
  });
  return medians.reduce((sum, median) => (sum === undefined || median === undefined ? undefined : sum + median), 0);
}

function growthGoals(results: Results, toPeer: ToPeer): readonly Goal[] {
  const { checks } = results;
  const label = (elements: number): string => `${elements.toLocaleString('en')} elements`;
  const fits = checks.find(({ id }) => id === 'growth.fits')?.counts.pagehelm;
  const time = toPeer(`growth.first.wall.${largest}`, `first snapshot, ${label(largest)}, in budget`, 0.2);
  const small = sizes.map(({ elements }) => elements).filter((elements) => elements < largest);
  const [own, peer] = [firstLooks(results, 'pagehelm'), firstLooks(results, 'peer')];
  return [
    atMost('first snapshot, all sizes together, CPU', own && peer && own / peer, 0.35),
    ...sizes.map(({ elements }) =>
      toPeer(`growth.first.cpu.${elements}`, `first snapshot, ${label(elements)}, CPU`, 0.35),
    ),
    toPeer('growth.again.cpu.10000', 'second snapshot, 10,000 elements, CPU', 0.15),
    {
      ...time,
      isMet: time.isMet === undefined ? undefined : time.isMet && fits !== undefined && fits.held === fits.of,
    },
    ...small.map((elements) => toPeer(`growth.see.wall.${elements}`, `click and see, ${label(elements)}`, 0.25)),
    toPeer(`growth.click.wall.${largest}`, `click, ${label(largest)}`, 0.1),
  ];
}

function taskGoals({ recorder }: Results, toPeer: ToPeer): readonly Goal[] {
  const ownMedian = (id: string): number | undefined =>
    summarise(recorder.metrics.find((metric) => metric.id === id)?.samples.pagehelm)?.median;
  const calls = ownMedian('task.calls');
  const batchCalls = ownMedian('task.batch.calls');
  const peer = summarise(recorder.metrics.find(({ id }) => id === 'task.tokens')?.samples.peer)?.median;
  const tokens = ownMedian('task.batch.tokens');
  const ratioOf = tokens !== undefined && peer !== undefined ? tokens / peer : undefined;
  return [
    toPeer('task.tokens', 'shop task, tokens', 0.12),
    toPeer('task.wall', 'shop task, time', 0.16),
    atMost('shop task with batches, tokens', ratioOf, 0.06),
    {
      title: 'shop task with batches, calls',
      value: batchCalls,
      limit: `at most ${mostBatchCalls}`,
      isMet: batchCalls === undefined ? undefined : batchCalls <= mostBatchCalls,
    },
    {
      title: 'shop task, calls',
      value: calls,
      limit: `at most ${mostCalls}`,
      isMet: calls === undefined ? undefined : calls <= mostCalls,
    },
  ];
}

function settleGoals({ checks }: Results, toPeer: ToPeer): readonly Goal[] {
  const seen = checks.find(({ id }) => id === 'settle.seen')?.counts.pagehelm;
  return [
    {
      title: 'effects seen in the answer, of 45',
      value: seen?.held,
      limit: `at least ${leastSeen}`,
      isMet: seen === undefined ? undefined : seen.held >= leastSeen,
    },
    toPeer('settle.click', 'click with an effect', 0.45),
  ];
}

function httpGoals({ recorder }: Results, toPeer: ToPeer): readonly Goal[] {
  const medianOf = (id: string): number | undefined =>
    summarise(recorder.metrics.find((metric) => metric.id === id)?.samples.pagehelm)?.median;
  const [http, stdio] = [medianOf('http.evaluate'), medianOf('http.stdio')];
  const more = http === undefined || stdio === undefined ? undefined : http - stdio;
  return [
    toPeer('http.call', '16 HTTP clients, time of a call', 1 / 1.5),
    toPeer('http.p95', '16 HTTP clients, p95 of a call', 0.5),
    toPeer('http.memory', '16 HTTP clients, memory of all processes', 0.6),
    {
      title: 'a call over HTTP, ms more than on stdio',
      value: more,
      limit: `at most ${mostHttpMs}`,
      isMet: more === undefined ? undefined : more <= mostHttpMs,
    },
    resourceGoal(medianOf('http.read'), medianOf('http.read.file'), medianOf('http.read.bare')),
  ];
}

/** A read of a large resource; the floor is a bare server, which neither reads nor encodes anything. */
function resourceGoal(own: number | undefined, file: number | undefined, bare: number | undefined): Goal {
  const to = (value: number | undefined): number | undefined =>
    value === undefined || file === undefined ? undefined : value / file;
  const value = to(own);
  return {
    title: 'a resource of 5 MB over HTTP',
    value,
    limit: `at most ${mostReadRatio} times reading and encoding the file (a bare server: ${to(bare)?.toFixed(2) ?? '?'})`,
    isMet: value === undefined ? undefined : value <= mostReadRatio,
  };
}

/** The goals of the suites; `toPeer` compares a metric's median with the peer's. */
export function suiteGoals(results: Results, toPeer: ToPeer): readonly Goal[] {
  return [
    ...anatomyGoals(results),
    ...growthGoals(results, toPeer),
    ...taskGoals(results, toPeer),
    ...settleGoals(results, toPeer),
    toPeer('sessions.call', '8 parallel sessions, time of a call', 1 / 1.5),
    toPeer('sessions.memory.pss', '8 sessions after work, memory of each', 0.6),
    toPeer('sessions.rest.pss', '8 idle sessions, memory of each', 0.6),
    ...httpGoals(results, toPeer),
  ];
}
