import type { ServerName } from '../servers.ts';
import { areas } from './task.ts';
import type { Attempt } from './run.ts';

interface Totals {
  readonly solved: number;
  readonly of: number;
  readonly calls: number;
  readonly tokens: number;
  readonly ms: number;
}

/** Costs are those of the tasks that all servers solve. */
export interface Summary {
  readonly tasks: number;
  readonly solvedByAll: number;
  readonly servers: Readonly<Partial<Record<ServerName, Totals>>>;
  /** pagehelm divided by the peer. */
  readonly ratios: { readonly calls: number; readonly tokens: number; readonly time: number } | undefined;
}

const serverNames = ['pagehelm', 'peer'] as const;

export function summarize(attempts: readonly Attempt[]): Summary {
  const ids = [...new Set(attempts.map(({ task }) => task))];
  const failed = new Set(attempts.filter(({ isSolved }) => !isSolved).map(({ task }) => task));
  const totals = (name: ServerName): Totals | undefined => {
    const own = attempts.filter(({ server }) => server === name);
    if (own.length === 0) return undefined;
    const counted = own.filter(({ task }) => !failed.has(task));
    const sum = (of: (attempt: Attempt) => number): number => counted.reduce((total, each) => total + of(each), 0);
    return {
      solved: own.filter(({ isSolved }) => isSolved).length,
      of: own.length,
      calls: sum(({ calls }) => calls),
      tokens: sum(({ tokens }) => tokens),
      ms: sum(({ ms }) => ms),
    };
  };
  const [ours, theirs] = [totals('pagehelm'), totals('peer')];
  const isComparable = ours !== undefined && theirs !== undefined && theirs.calls > 0;
  return {
    tasks: ids.length,
    solvedByAll: ids.length - failed.size,
    servers: { ...(ours && { pagehelm: ours }), ...(theirs && { peer: theirs }) },
    ratios: isComparable
      ? { calls: ours.calls / theirs.calls, tokens: ours.tokens / theirs.tokens, time: ours.ms / theirs.ms }
      : undefined,
  };
}

export function reportText(attempts: readonly Attempt[]): string {
  const all = summarize(attempts);
  const lines = ['', row(['area', 'solved', 'calls', 'tokens', 'time', 'ratio of tokens', 'time'])];
  for (const area of areas) {
    const own = attempts.filter((attempt) => attempt.area === area);
    if (own.length > 0) lines.push(row(cells(area, summarize(own))));
  }
  lines.push(row(cells('all', all)), '');
  lines.push(
    `Calls, tokens and time: pagehelm / peer, over the ${all.solvedByAll} of ${all.tasks} tasks that both solve.`,
  );
  for (const { task, server, failure } of attempts) {
    if (failure !== undefined) lines.push(`${server} does not solve ${task}: ${failure.replaceAll('\n', ' ')}`);
  }
  return lines.join('\n');
}

function cells(title: string, { servers, ratios }: Summary): readonly string[] {
  const both = (of: (totals: Totals) => string): string =>
    serverNames.map((name) => (servers[name] === undefined ? '-' : of(servers[name]))).join(' / ');
  return [
    title,
    both(({ solved, of }) => `${solved} of ${of}`),
    both(({ calls }) => String(calls)),
    both(({ tokens }) => String(tokens)),
    both(({ ms }) => `${(ms / 1000).toFixed(1)} s`),
    ratios?.tokens.toFixed(2) ?? '-',
    ratios?.time.toFixed(2) ?? '-',
  ];
}

function row(parts: readonly string[]): string {
  const widths = [11, 22, 12, 18, 18, 16, 6];
  return parts
    .map((part, index) => part.padEnd(widths[index] ?? 0))
    .join(' ')
    .trimEnd();
}
