import { Registry } from 'prom-client';
import { counter, gauge } from './instruments.ts';

/** What the metrics of a listener read when they are requested. */
export interface ListenerState {
  readonly sockets: () => number;
  readonly clients: (transport: 'http' | 'sse' | 'websocket') => number;
  readonly eventStoreBytes: () => number;
  readonly lagMs: () => number;
}

const transports = ['http', 'sse', 'websocket'] as const;

const instruments = {
  requests: { name: 'http_requests_total', help: 'HTTP requests by status', labels: ['status'] },
  authFailures: { name: 'auth_fail_total', help: 'Requests without a key or with a wrong one', labels: ['status'] },
  dropped: { name: 'slow_clients_dropped_total', help: 'Clients that did not read their answers' },
  evicted: { name: 'clients_evicted_total', help: 'Idle MCP connections that were ended' },
  connections: { name: 'connections', help: 'Open sockets' },
  clients: { name: 'clients', help: 'MCP sessions, event streams and WebSockets', labels: ['transport'] },
  events: { name: 'event_store_bytes', help: 'Events that are kept for streams that resume' },
  lag: { name: 'event_loop_lag_seconds', help: 'Longest delay of the event loop in the last seconds' },
};

/** Metrics of requests and connections. */
export class HttpMetrics {
  readonly registry: Registry;
  droppedClients = 0;
  readonly #requests;
  readonly #authFailures;
  readonly #dropped;
  readonly #evicted;

  constructor(registry: Registry | undefined, state: ListenerState) {
    const own = registry ?? new Registry();
    this.registry = own;
    this.#requests = counter(own, instruments.requests);
    this.#authFailures = counter(own, instruments.authFailures);
    this.#dropped = counter(own, instruments.dropped);
    this.#evicted = counter(own, instruments.evicted);
    gauge(own, instruments.connections, (each) => each.set(state.sockets()));
    gauge(own, instruments.clients, (each) => {
      for (const transport of transports) each.set({ transport }, state.clients(transport));
    });
    gauge(own, instruments.events, (each) => each.set(state.eventStoreBytes()));
    gauge(own, instruments.lag, (each) => each.set(state.lagMs() / 1000));
  }

  answered(status: number): void {
    this.#requests.inc({ status });
  }

  authFailed(status: number): void {
    this.#authFailures.inc({ status });
  }

  dropped(): void {
    this.droppedClients++;
    this.#dropped.inc();
  }

  evicted(): void {
    this.#evicted.inc();
  }
}
