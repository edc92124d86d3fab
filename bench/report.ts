import { together } from './anatomy.ts';
import type { PageSights } from './anatomy.ts';
import { goals } from './goals.ts';
import type { Goal } from './goal.ts';
import type { Results } from './run.ts';
import type { ContestantName, ServerName } from './servers.ts';
import { ratio, summarise } from './stats.ts';
import type { Summary } from './stats.ts';

export interface Versions {
  readonly node: string;
  readonly playwrightCore: string;
  readonly browser: string | undefined;
  readonly pagehelm: string | undefined;
  readonly peer: string | undefined;
  readonly devtools?: string | undefined;
  readonly agentBrowser?: string | undefined;
}

/** How a run was made. */
export interface RunFacts {
  readonly versions: Versions;
  readonly rounds: number;
  readonly date: string;
  readonly command: string;
  /** Peers that could not be run, with the reason. */
  readonly missing: readonly string[];
}

const none = '-';

function figure(value: number | undefined): string {
  if (value === undefined) return none;
  return value.toFixed(value < 10 ? 2 : value < 1000 ? 1 : 0);
}

function share(value: number | undefined): string {
  return value === undefined ? none : value.toFixed(2);
}

function spread(summary: Summary | undefined): string {
  return summary ? `${figure(summary.p25)}–${figure(summary.p75)}` : none;
}

/** Pads columns to their widest cell; all but the first are right-aligned. */
function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const pad = (cell: string, column: number): string =>
    column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0);
  const lines = rows.map((row) => row.map(pad).join('  ').trimEnd());
  lines.splice(1, 0, widths.map((width) => '-'.repeat(width)).join('  '));
  return lines.join('\n');
}

function timings(results: Results): string {
  const head = [
    'metric',
    'unit',
    'pagehelm',
    'p25–p75',
    'peer',
    'p25–p75',
    'raw',
    'p25–p75',
    'cdp',
    'devtools',
    'agent',
    '/peer',
    '/raw',
    'n',
  ];
  const rows = results.recorder.metrics.map(({ title, unit, samples }) => {
    const own = summarise(samples.pagehelm);
    const peer = summarise(samples.peer);
    const raw = summarise(samples.raw);
    const cells = [own, peer, raw].flatMap((summary) => [figure(summary?.median), spread(summary)]);
    const further = [samples.cdp, samples.devtools, samples['agent-browser']];
    const medians = further.map((all) => figure(summarise(all)?.median));
    const counts = [own, peer, raw].flatMap((summary) => (summary ? [summary.count] : []));
    return [
      title,
      unit,
      ...cells,
      ...medians,
      share(ratio(own, peer)),
      share(ratio(own, raw)),
      String(Math.min(...counts)),
    ];
  });
  return table([head, ...rows]);
}

function checks(results: Results): string {
  const names: readonly ContestantName[] = ['pagehelm', 'peer', 'raw', 'devtools', 'agent-browser'];
  const rows = results.checks.map(({ title, counts }) => [
    title,
    ...names.map((name) => {
      const count = counts[name];
      return count ? `${count.held} of ${count.of}` : none;
    }),
  ]);
  return table([['check', ...names], ...rows]);
}

function mean(values: readonly number[]): number | undefined {
  return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0) / values.length;
}

function toolTokens({ toolLists: { pagehelm, peer } }: Results): string {
  const row = (title: string, own: number | undefined, other: number | undefined): readonly string[] => [
    title,
    own === undefined ? none : String(Math.round(own)),
    other === undefined ? none : String(Math.round(other)),
    share(own !== undefined && other !== undefined && other > 0 ? own / other : undefined),
  ];
  const common = Object.keys(pagehelm?.byTool ?? {}).filter((name) => peer?.byTool[name] !== undefined);
  const onCommon = (list: typeof pagehelm): number | undefined =>
    mean(common.flatMap((name) => list?.byTool[name] ?? []));
  const names = [...new Set([...Object.keys(pagehelm?.byTool ?? {}), ...Object.keys(peer?.byTool ?? {})])].sort();
  return table([
    ['tools/list, tokens (o200k)', 'pagehelm', 'peer', '/peer'],
    row('tools', pagehelm?.tools, peer?.tools),
    row('total, as sent', pagehelm?.total, peer?.total),
    row('total, names, descriptions and arguments', pagehelm?.shown, peer?.shown),
    row('per tool', pagehelm?.perTool, peer?.perTool),
    row('per tool that both have', onCommon(pagehelm), onCommon(peer)),
    ...names.map((name) => row(`  ${name}`, pagehelm?.byTool[name], peer?.byTool[name])),
  ]);
}

function answerTokens(results: Results): string {
  const cells = (name: ServerName, of: Results['answers'][number]): readonly string[] => {
    const size = of.sizes[name];
    return size ? [String(size.text), String(size.withFiles)] : [none, none];
  };
  const head = ['answers, tokens (o200k)', 'pagehelm', 'incl. file', 'peer', 'incl. file'];
  return table([head, ...results.answers.map((of) => [of.title, ...cells('pagehelm', of), ...cells('peer', of)])]);
}

function anatomy({ anatomy: pages }: Results): string {
  const head = [
    'page, tokens (o200k)',
    'pagehelm',
    'calls',
    'text',
    'default',
    'peer',
    'text',
    '/peer',
    'default/peer',
  ];
  const row = ({ title, sights: { pagehelm: own, peer } }: PageSights): readonly string[] => [
    title,
    own ? String(own.all) : none,
    own ? (own.isFromFile ? 'file' : String(own.calls)) : none,
    share(own && own.visible / own.all),
    own ? String(own.byDefault) : none,
    peer ? String(peer.all) : none,
    share(peer && peer.visible / peer.all),
    share(own && peer && own.all / peer.all),
    share(own && peer && own.byDefault / peer.all),
  ];
  const small = pages.filter(({ id }) => id !== 'table');
  const totals = [together(pages, 'all of them'), together(small, 'all but the 3,000 rows')];
  return table([head, ...[...pages, ...totals].map(row)]);
}

function missed({ checks: all }: Results): string {
  const lines = all.flatMap(({ title, counts }) =>
    Object.entries(counts).flatMap(([name, { missed: which = [] }]) =>
      which.length > 0 ? [`Not so for ${name}, ${title}: ${which.join(', ')}`] : [],
    ),
  );
  return lines.join('\n');
}

function goalLine({ title, value, limit, isMet, floor }: Goal): readonly string[] {
  const mark = isMet === undefined ? none : isMet ? 'pass' : 'MISS';
  return [title, limit, share(value), mark, share(floor)];
}

/** The printed report of a run. */
export function report(results: Results, { versions, date, command, missing: absent }: RunFacts): string {
  const { failures } = results.recorder;
  const known = Object.entries(versions).flatMap(([name, version]) => (version ? [`${name} ${version}`] : []));
  const parts = [`${date}, ${command}`, `Versions: ${known.join(', ')}`];
  if (absent.length > 0) parts.push(`Not measured:\n${absent.join('\n')}`);
  if (results.recorder.metrics.length > 0) parts.push(timings(results));
  if (results.checks.length > 0) parts.push(checks(results));
  if (missed(results) !== '') parts.push(missed(results));
  if (results.anatomy.length > 0) parts.push(anatomy(results));
  if (results.toolLists.pagehelm || results.toolLists.peer) parts.push(toolTokens(results));
  if (results.answers.length > 0) parts.push(answerTokens(results));
  parts.push(table([['goal', 'limit', 'value', 'mark', 'raw/peer'], ...goals(results).map(goalLine)]));
  if (failures.length > 0) {
    const lines = failures.map(({ metric, contestant, message }) => `${metric}, ${contestant}: ${message}`);
    parts.push(`Failed:\n${lines.join('\n')}`);
  }
  return `${parts.join('\n\n')}\n`;
}

/** The run as data: every sample, and the platform. */
export function resultsJson(results: Results, facts: RunFacts): string {
  const { recorder, checks, toolLists, answers, anatomy: pages } = results;
  const { metrics, failures } = recorder;
  const data = {
    format: 3,
    ...facts,
    platform: process.platform,
    metrics,
    checks,
    toolLists,
    answers,
    anatomy: pages,
  };
  return `${JSON.stringify({ ...data, goals: goals(results), failures }, undefined, 2)}\n`;
}
