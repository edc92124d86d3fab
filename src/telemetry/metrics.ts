import { Registry } from 'prom-client';
import type { EventBus } from '../events/bus.ts';
import type { ServerEvent } from '../events/event.ts';
import type { Session } from '../session/session.ts';
import { counter, gauge, histogram } from './instruments.ts';
import { treeMemory } from './tree-memory.ts';

export interface MetricsDeps {
  readonly events: EventBus;
  readonly sessions: () => readonly Session[];
  readonly subscribers: () => number;
}

const instruments = {
  calls: { name: 'calls_total', help: 'Calls by tool and error code', labels: ['tool', 'code'] },
  tokens: { name: 'answer_tokens_total', help: 'Estimated tokens of answers', labels: ['tool'] },
  seconds: { name: 'call_seconds', help: 'Duration of calls', labels: ['tool'] },
  lost: { name: 'browser_crash_total', help: 'Browsers and pages that crashed or froze', labels: ['kind'] },
  recovery: { name: 'recovery_seconds', help: 'Time until a lost browser or page was replaced', labels: ['kind'] },
  denied: { name: 'egress_denied_total', help: 'Connections that domain rules refused', labels: ['rule'] },
  evicted: { name: 'evicted_total', help: 'Sessions that expired' },
  sessions: { name: 'sessions', help: 'Browser sessions by state', labels: ['state'] },
  queue: { name: 'queue_depth', help: 'Calls that wait for their session' },
  subscribers: { name: 'resource_subscribers', help: 'Subscriptions to resources' },
  memory: { name: 'rss_bytes', help: 'Resident memory of the server and of its browsers', labels: ['process'] },
  cpu: { name: 'cpu_seconds', help: 'CPU time of the server' },
};

/** The metrics of a server, fed by its events. */
export class Metrics implements Disposable {
  readonly registry = new Registry();
  readonly #calls = counter(this.registry, instruments.calls);
  readonly #tokens = counter(this.registry, instruments.tokens);
  readonly #seconds = histogram(this.registry, instruments.seconds);
  readonly #lost = counter(this.registry, instruments.lost);
  readonly #recovery = histogram(this.registry, instruments.recovery);
  readonly #denied = counter(this.registry, instruments.denied);
  readonly #evicted = counter(this.registry, instruments.evicted);
  readonly #listening: Disposable;

  constructor({ events, sessions, subscribers }: MetricsDeps) {
    this.#listening = events.listen((event) => this.#count(event));
    gauge(this.registry, instruments.sessions, (each) => {
      const all = sessions().map(stateOf);
      for (const state of states) each.set({ state }, all.filter((one) => one === state).length);
    });
    gauge(this.registry, instruments.queue, (each) =>
      each.set(sessions().reduce((sum, { calls }) => sum + Math.max(0, calls - 1), 0)),
    );
    gauge(this.registry, instruments.subscribers, (each) => each.set(subscribers()));
    gauge(this.registry, instruments.memory, (each) => {
      each.set({ process: 'server' }, process.memoryUsage.rss());
      const browsers = treeMemory(process.pid);
      if (browsers !== undefined) each.set({ process: 'browsers' }, browsers);
    });
    gauge(this.registry, instruments.cpu, (each) => {
      const { user, system } = process.cpuUsage();
      each.set((user + system) / 1e6);
    });
  }

  [Symbol.dispose](): void {
    this.#listening[Symbol.dispose]();
    this.registry.clear();
  }

  #count(event: ServerEvent): void {
    const { type } = event;
    if (type === 'call.ended') {
      this.#calls.inc({ tool: event.tool, code: event.code ?? 'ok' });
      this.#tokens.inc({ tool: event.tool }, event.tokens);
      this.#seconds.observe({ tool: event.tool }, event.ms / 1000);
    } else if (type === 'loss') this.#lost.inc({ kind: event.what });
    else if (type === 'recovery') this.#recovery.observe({ kind: event.what }, event.ms / 1000);
    else if (type === 'egress.denied') this.#denied.inc({ rule: ruleName(event.rule) });
    else if (type === 'session.closed' && event.reason === 'expired') this.#evicted.inc();
  }
}

const states = ['busy', 'idle', 'closed'] as const;

/** `closed`: it has no browser, because it was not used yet or sleeps. */
function stateOf({ calls, isOpen }: Session): (typeof states)[number] {
  if (calls > 0) return 'busy';
  return isOpen ? 'idle' : 'closed';
}

/** The option that set the rule. The host in the rule is left out: each series costs memory. */
function ruleName(rule: string): string {
  return /--[\w-]+/.exec(rule)?.[0] ?? 'always';
}
