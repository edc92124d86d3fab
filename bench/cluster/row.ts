import { summarise } from '../stats.ts';

/** One line of the report. */
export interface Row {
  readonly figure: string;
  readonly value: string;
  readonly goal?: string;
  readonly isMet?: boolean;
}

export function median(samples: readonly number[]): number {
  return summarise(samples)?.median ?? Number.NaN;
}

export function percentile(samples: readonly number[], share: number): number {
  const sorted = samples.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export const ms = (value: number): string => `${value < 10 ? value.toFixed(2) : Math.round(value)} ms`;

/** A median with the quartiles. */
export function shownMs(samples: readonly number[]): string {
  const { median: middle, p25, p75 } = summarise(samples) ?? { median: Number.NaN, p25: Number.NaN, p75: Number.NaN };
  return `${ms(middle)} (${ms(p25)} to ${ms(p75)})`;
}

export function tableOf(rows: readonly Row[]): string {
  const lines = rows.map(({ figure, value, goal = '', isMet }) => {
    const verdict = isMet === undefined ? '' : isMet ? 'met' : 'missed';
    return `| ${figure} | ${value} | ${goal} | ${verdict} |\n`;
  });
  return `| Figure | Value | Goal | |\n| --- | --- | --- | --- |\n${lines.join('')}`;
}
