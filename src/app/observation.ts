import { RunningCalls } from '../call/running-calls.ts';
import type { Config } from '../config/schema/schema.ts';
import { EventBus } from '../events/bus.ts';
import type { ServerEvent } from '../events/event.ts';
import { mapLogger } from '../log.ts';
import type { Logger } from '../log.ts';
import type { Secrets } from '../policy/secrets.ts';
import { secretsOf } from './calls.ts';
import { version } from '../version.ts';

/** Events that wait until the code that sends spans is loaded. */
const mostEarly = 1000;

/** What a server reports about itself: log, events and spans, without secrets. */
export interface Observation extends AsyncDisposable {
  readonly secrets: Secrets;
  readonly log: Logger;
  readonly events: EventBus;
  readonly running: RunningCalls;
}

export function observationOf(config: Config, given: Logger): Observation {
  const secrets = secretsOf(config);
  const log = mapLogger(given, (value) => secrets.redactAll(value));
  const events = new EventBus();
  return { secrets, log, events, running: new RunningCalls(), ...startSpans(config, events, log) };
}

/** Starts to send spans if a collector is configured; most servers never load the code for it. */
function startSpans({ logging, name }: Config, events: EventBus, log: Logger): AsyncDisposable {
  const { otlpEndpoint: endpoint } = logging;
  if (endpoint === undefined) return { [Symbol.asyncDispose]: async () => undefined };
  let report: (event: ServerEvent) => void = (event) => void (early.length < mostEarly && early.push(event));
  const early: ServerEvent[] = [];
  const listening = events.listen((event) => report(event));
  const starting = import('../telemetry/spans.ts').then(({ CallSpans }) => {
    const spans = new CallSpans({ endpoint, name, version });
    report = (event) => spans.on(event);
    early.forEach(report);
    return spans;
  });
  starting.catch((error: unknown) => log.error('spans cannot be sent', { error }));
  const end = async (): Promise<void> => {
    listening[Symbol.dispose]();
    const spans = await starting.catch(() => undefined);
    await spans?.[Symbol.asyncDispose]();
  };
  return { [Symbol.asyncDispose]: end };
}
