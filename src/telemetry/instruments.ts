import { Counter, Gauge, Histogram } from 'prom-client';
import type { Registry } from 'prom-client';

const secondBuckets = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** What a metric is called and how its series differ. */
export interface Instrument {
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly string[];
}

function configOf({ name, help, labels = [] }: Instrument, registry: Registry) {
  return { name: `pagehelm_${name}`, help, labelNames: [...labels], registers: [registry] };
}

export function counter(registry: Registry, instrument: Instrument): Counter {
  return new Counter(configOf(instrument, registry));
}

/** Durations in seconds. */
export function histogram(registry: Registry, instrument: Instrument): Histogram {
  return new Histogram({ ...configOf(instrument, registry), buckets: secondBuckets });
}

/** A gauge that is read when it is requested. */
export function gauge(registry: Registry, instrument: Instrument, read: (gauge: Gauge) => void): Gauge {
  return new Gauge({
    ...configOf(instrument, registry),
    collect() {
      read(this);
    },
  });
}
