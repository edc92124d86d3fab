export interface Summary {
  readonly median: number;
  readonly p25: number;
  readonly p75: number;
  readonly count: number;
}

function quantile(sorted: readonly number[], share: number): number {
  const position = (sorted.length - 1) * share;
  const low = sorted[Math.floor(position)] ?? Number.NaN;
  const high = sorted[Math.ceil(position)] ?? Number.NaN;
  return low + (high - low) * (position - Math.floor(position));
}

export function summarise(samples: readonly number[] | undefined): Summary | undefined {
  if (!samples || samples.length === 0) return undefined;
  const sorted = samples.toSorted((a, b) => a - b);
  return {
    median: quantile(sorted, 0.5),
    p25: quantile(sorted, 0.25),
    p75: quantile(sorted, 0.75),
    count: sorted.length,
  };
}

export function ratio(of: Summary | undefined, to: Summary | undefined): number | undefined {
  return of && to && to.median > 0 ? of.median / to.median : undefined;
}
