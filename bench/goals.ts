import type { Goal } from './goal.ts';
import type { Metric } from './measure.ts';
import type { Results } from './run.ts';
import { ratio, summarise } from './stats.ts';
import type { ContestantName } from './servers.ts';
import { suiteGoals } from './suite-goals.ts';

function toPeer(metric: Metric | undefined, title: string, limit: number): Goal {
  const of = (name: ContestantName) => summarise(metric?.samples[name]);
  const value = ratio(of('pagehelm'), of('peer'));
  return {
    title,
    value,
    limit: `at most ${limit.toFixed(2)} of @playwright/mcp`,
    isMet: value === undefined ? undefined : value <= limit,
    floor: ratio(of('raw'), of('peer')),
  };
}

function toRaw(metric: Metric | undefined, title: string, factor: number, plusMs: number): Goal {
  const own = summarise(metric?.samples.pagehelm);
  const raw = summarise(metric?.samples.raw);
  const plus = plusMs > 0 ? ` plus ${plusMs} ms` : '';
  return {
    title,
    value: ratio(own, raw),
    limit: `at most ${factor} times raw Playwright${plus}`,
    isMet: own && raw ? own.median <= raw.median * factor + plusMs : undefined,
  };
}

function batchGoal(batch: Metric | undefined, single: Metric | undefined): Goal {
  const value = ratio(summarise(batch?.samples.pagehelm), summarise(single?.samples.pagehelm));
  const isMet = value === undefined ? undefined : value <= 0.6;
  return { title: 'a batch of twelve steps', value, limit: 'at most 0.6 of twelve calls', isMet };
}

/** Goals and measurements; each variant of an action has its own goal. */
export function goals(results: Results): readonly Goal[] {
  const { recorder, toolLists } = results;
  const metrics = new Map(recorder.metrics.map((metric) => [metric.id, metric]));
  const own = toolLists.pagehelm?.perTool;
  const peer = toolLists.peer?.perTool;
  const tokens = own !== undefined && peer !== undefined ? own / peer : undefined;
  return [
    toPeer(metrics.get('start.cpu'), 'start to tools/list, CPU', 0.4),
    toPeer(metrics.get('start.rss'), 'start to tools/list, RSS', 0.65),
    toPeer(metrics.get('click.form'), 'click without effects', 0.25),
    toRaw(metrics.get('click.form'), 'click without effects', 3, 0),
    toPeer(metrics.get('type.fill'), 'type', 0.25),
    toPeer(metrics.get('type.fill-and-submit'), 'type and submit', 0.25),
    toPeer(metrics.get('press.ArrowLeft'), 'press ArrowLeft', 0.25),
    toPeer(metrics.get('press.Enter'), 'press Enter', 0.25),
    toPeer(metrics.get('hover.form'), 'hover', 0.25),
    toPeer(metrics.get('select.form'), 'select', 0.25),
    toPeer(metrics.get('check.form'), 'check', 0.25),
    toPeer(metrics.get('drag.form'), 'drag', 0.25),
    toRaw(metrics.get('navigate.form'), 'navigate', 1.1, 30),
    toRaw(metrics.get('screenshot.form'), 'screenshot, small form', 0.7, 0),
    toRaw(metrics.get('screenshot.products'), 'screenshot, 200 products', 0.7, 0),
    toRaw(metrics.get('evaluate.form'), 'evaluate that changes nothing', 1.5, 0),
    toRaw(metrics.get('tabs.form'), 'list of tabs', 1.5, 0),
    batchGoal(metrics.get('batch.batch'), metrics.get('batch.single')),
    toRaw(metrics.get('sessions.create'), 'a session in a running browser', 1.3, 0),
    {
      title: 'tokens per tool in tools/list',
      value: tokens,
      limit: 'fewer than @playwright/mcp',
      isMet: tokens === undefined ? undefined : tokens < 1,
    },
    ...suiteGoals(results, (id, title, limit) => toPeer(metrics.get(id), title, limit)),
  ];
}
