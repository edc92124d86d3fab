/** Counters in the text format of Prometheus. */
export class Counters {
  readonly #totals = new Map<string, Map<string, number>>();

  add(name: string, labels: Readonly<Record<string, string>> = {}, by = 1): void {
    const series = this.#totals.get(name) ?? new Map<string, number>();
    this.#totals.set(name, series);
    const key = labelText(labels);
    series.set(key, (series.get(key) ?? 0) + by);
  }

  get(name: string, labels: Readonly<Record<string, string>> = {}): number {
    return this.#totals.get(name)?.get(labelText(labels)) ?? 0;
  }

  lines(): readonly string[] {
    return [...this.#totals].flatMap(([name, series]) => [
      `# TYPE ${name} counter`,
      ...[...series].map(([labels, value]) => `${name}${labels} ${value}`),
    ]);
  }
}

export function gauge(name: string, value: number, labels: Readonly<Record<string, string>> = {}): string {
  return `# TYPE ${name} gauge\n${name}${labelText(labels)} ${value}`;
}

function labelText(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${value.replaceAll(/["\\\n]/g, '_')}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}
